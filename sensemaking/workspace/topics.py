"""The topics of one corpus as the screens and the terminal see them."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing

from sensemaking.config import AskSettings, Settings
from sensemaking.errors import CorpusBusy, InputError, NotBuilt, SensemakingError
from sensemaking.jobs import Jobs
from sensemaking.jobs.running import MakeEvents
from sensemaking.pipeline import Engine
from sensemaking.pipeline.build import summarise_hierarchy
from sensemaking.pipeline.library import Library, hierarchy_head, reports_head
from sensemaking.pipeline.recall import ReportRecall, measure_recall
from sensemaking.pipeline.routing import choose_topic
from sensemaking.pipeline.topic_estimate import estimate_topics
from sensemaking.pipeline.topic_library import TopicLibrary
from sensemaking.pipeline.topics import find_topics, make_topic_graphs
from sensemaking.types import (
    BuildEvent,
    Hierarchy,
    HierarchySummary,
    JobSnapshot,
    KnowledgeGraph,
    Report,
    Topic,
    TopicAction,
    TopicEdit,
    TopicEstimate,
    TopicRoute,
    TopicRow,
    TopicStatistics,
    TopicTrend,
    TopicWay,
)
from sensemaking.workspace.asking import check_level

EngineOfRun = Callable[[Callable[[], bool]], AbstractContextManager[Engine]]


class Topics:
    """Finds, edits and shows topics; safe to share between threads."""

    def __init__(
        self,
        library: Library,
        settings: Callable[[], Settings],
        engine_of_run: EngineOfRun,
        jobs: Jobs,
        locking: tuple[Callable[[str], None], Callable[[], None]],
    ) -> None:
        self._library = library
        self._settings = settings
        self._engine_of_run = engine_of_run
        self._jobs = jobs
        self._acquire, self._release = locking

    @property
    def _now(self) -> TopicLibrary:
        return TopicLibrary(self._library)

    # Jobs

    def start_finding(self, settings: AskSettings | None = None) -> str:
        """Find the topics on all levels of a hierarchy; returns the id of the running job.

        Raises
        ------
        CorpusBusy
            When the corpus is being built, or other work on its topics goes on.
        NotBuilt
            When the hierarchy has no reports.
        """
        chosen = settings or AskSettings(hierarchy=self.default_hierarchy())
        self._library.reports(chosen.hierarchy)
        return self._start(lambda engine: find_topics(engine, self._library, chosen))

    def start_graphs(self, names: Sequence[str] | None, way: TopicWay = "extracted") -> str:
        """Make the graphs of the named topics, of all for None; returns the id of the running job.

        Raises
        ------
        CorpusBusy
            When the corpus is being built, or other work on its topics goes on.
        NotFound, NotBuilt
            When there is no such topic, or none were looked for.
        """
        topics = self._named(names)
        settings = self._settings()
        return self._start(
            lambda engine: make_topic_graphs(engine, self._library, settings, topics, way)
        )

    def stop(self) -> None:
        """Ask the running job to stop; what it has done is kept."""
        self._jobs.stop_build()

    def job(self) -> JobSnapshot | None:
        """Return the latest job on topics, or None when there never was one."""
        return self._jobs.build()

    def wait(self, seconds: float | None = None) -> JobSnapshot | None:
        """Wait until the job of this program has ended, or for so many seconds."""
        return self._jobs.join_build(seconds)

    def estimate(self, names: Sequence[str] | None, way: TopicWay = "extracted") -> TopicEstimate:
        """Return what making the graphs of the named topics takes, of all for None."""
        topics, settings = self._named(names), self._settings()
        with self._engine_of_run(lambda: False) as engine:
            return estimate_topics(engine, self._library, settings, topics, way)

    def _start(self, make: Callable[[Engine], Generator[BuildEvent, None, None]]) -> str:
        if self._jobs.running_build() is not None:
            raise CorpusBusy("Work on the topics of this corpus is going on: wait or stop it.")

        def events(is_stopping: Callable[[], bool]) -> Generator[BuildEvent, None, None]:
            with self._engine_of_run(is_stopping) as engine, closing(make(engine)) as inner:
                yield from inner

        self._acquire("topics")
        try:
            return self._start_locked(events)
        except SensemakingError:
            self._release()
            raise

    def _start_locked(self, events: MakeEvents) -> str:
        return self._jobs.start_build(events, self._release)

    def _named(self, names: Sequence[str] | None) -> tuple[Topic, ...]:
        if names is None:
            return self._now.topics()
        return tuple(dict.fromkeys(self._now.topic(name) for name in names))

    # What is known

    @property
    def is_found(self) -> bool:
        """Return whether topics were looked for, with any result."""
        return self._now.is_found

    def state(self) -> str:
        """Return a digest of topics, edits and graphs: equal states show the same."""
        return self._now.state()

    def description(self) -> str:
        """Return what kind of corpus this is; raises `NotBuilt` before topics were looked for."""
        return self._now.description()

    def all(self) -> tuple[Topic, ...]:
        """Return the topics as the user wants them; raises `NotBuilt`."""
        return self._now.topics()

    def groups(self) -> tuple[tuple[Topic, ...], ...]:
        """Return the topics, near-duplicates together."""
        return self._now.groups()

    def rows(self, algorithm: str = "") -> tuple[TopicRow, ...]:
        """Return the topics at a glance; reports are those of an algorithm, "" for the first."""
        return self._now.rows(algorithm or self._algorithm())

    def overlap(self) -> list[list[float]]:
        """Return the share of common entities of each two topics, in order of `all`."""
        return self._now.overlap()

    def trend(self) -> tuple[TopicTrend, ...]:
        """Return in how many documents of each period each topic is spoken of; () without dates."""
        return self._now.trend()

    def statistics(self, algorithm: str = "") -> TopicStatistics:
        """Return what topic graphs keep of the general one."""
        return self._now.statistics(algorithm or self._algorithm())

    def document_ids(self, name: str) -> frozenset[str]:
        """Return the documents that speak of a topic."""
        return self._now.document_ids()[self._now.topic(name).id]

    def graph(self, name: str) -> KnowledgeGraph:
        """Return the graph of a topic; raises `NotBuilt` where it is not made, `NotFound`."""
        topic = self._now.topic(name)
        graph = self._now.graph(topic)
        if graph is None:
            raise NotBuilt(f"The topic “{topic.name}” has no graph yet: make it first.")
        return graph

    def hierarchy_keys(self, name: str) -> tuple[str, ...]:
        """Return the keys of the topic's hierarchies, sorted; () where its graph is not made."""
        topic = self._now.topic(name)
        if self._now.way(topic) is None:
            return ()
        prefix = f"{topic.graph_key}."
        return tuple(key for key in self._library.hierarchy_keys() if key.startswith(prefix))

    def hierarchy(self, key: str) -> tuple[Hierarchy, dict[str, Report]]:
        """Return a hierarchy of a topic and its reports by community id; raises `NotBuilt`."""
        return self._library.hierarchy(key), self._library.reports(key)

    def graph_of(self, hierarchy_key: str) -> KnowledgeGraph:
        """Return the graph that a hierarchy folds; raises `NotBuilt` where it is not there."""
        return self._library.graph(self._library.hierarchy(hierarchy_key).graph_key)

    def hierarchies(self) -> tuple[HierarchySummary, ...]:
        """Return the hierarchies of all topics whose graph is made, in order of the topics."""
        if not self.is_found:
            return ()
        keys = self._library.hierarchy_keys()
        return tuple(
            summarise_hierarchy(self._library.hierarchy(key))
            for topic in self._now.topics()
            if self._now.way(topic) is not None
            for key in keys
            if key.startswith(f"{topic.graph_key}.")
        )

    def choose(self, question: str, settings: AskSettings) -> TopicRoute:
        """Return which topic a question falls in and why, whether its graph is made or not."""
        with self._engine_of_run(lambda: False) as engine:
            return choose_topic(engine, self._library, question, settings)

    # Recall of retrieval

    def start_recall(self, question: str, settings: AskSettings) -> str:
        """Measure how many of the helpful reports retrieval finds; returns the id of the job.

        Every report of the level is read by itself: with a model, a call for each.

        Raises
        ------
        CorpusBusy
            When the corpus is being built, or other work on its topics goes on.
        NotBuilt
            When the hierarchy has no reports.
        InputError
            When the question is empty or there is no such level.
        """
        if not question.strip():
            raise InputError("The question is empty: ask something about the corpus as a whole.")
        self._library.reports(settings.hierarchy)
        check_level(self._library, settings)
        results = self._recalls(settings)

        def measure(engine: Engine) -> Generator[BuildEvent, None, None]:
            found = yield from measure_recall(engine, self._library, question, settings)
            key = f"{question} {settings.method} {settings.level}"
            results.pop(key, None)  # measured again, it is the latest
            results[key] = found

        return self._start(measure)

    def recalls(self, settings: AskSettings) -> tuple[ReportRecall, ...]:
        """Return what was measured over these reports by this program, the latest last."""
        return tuple(self._recalls(settings).values())

    def _recalls(self, settings: AskSettings) -> dict[str, ReportRecall]:
        scope = self._library.store.head(reports_head(settings.hierarchy)) or ""
        return self._library.remember(f"recalls {settings.hierarchy}", scope, dict)

    def n_readings(self, settings: AskSettings) -> int:
        """Return how many reports a measurement reads, each by itself."""
        hierarchy = self._library.hierarchy(settings.hierarchy)
        reports = self._library.reports(settings.hierarchy)
        view = hierarchy.leaves if settings.level is None else hierarchy.view(settings.level)
        return len({reports[one.id].id for one in view if one.id in reports})

    # Where a question goes

    def needs_graph(self, topic: Topic, algorithm: str = "") -> bool:
        """Return whether a topic has to be made before a question can be asked there."""
        key = f"{topic.graph_key}.{algorithm or self._algorithm()}"
        return self._now.way(topic) is None or not self._library.store.head(hierarchy_head(key))

    # Edits

    def edit(self, action: TopicAction, topic: str, value: str = "") -> None:
        """Keep an edit; raises `InputError` when it would change nothing."""
        self._now.add_edit(action, topic, value)

    def undo_edit(self) -> None:
        """Forget the last edit."""
        self._now.undo_edit()

    def idle_edits(self) -> tuple[TopicEdit, ...]:
        """Return the edits that do nothing now: their topic was not found again."""
        return self._now.idle_edits()

    def n_edits(self) -> int:
        """Return how many edits are kept."""
        return len(self._now.edits())

    def default_hierarchy(self) -> str:
        """Return the key of the first hierarchy of the general graph; raises `NotBuilt`."""
        keys = [key for key in self._library.hierarchy_keys() if key.startswith("general.")]
        if not keys:
            self._library.graph()  # says what is missing
            raise NotBuilt("This corpus has no communities yet: build it.")
        return "general.leiden" if "general.leiden" in keys else keys[0]

    def _algorithm(self) -> str:
        return self.default_hierarchy().partition(".")[2]
