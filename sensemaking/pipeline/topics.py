"""Topics found and their graphs made, as generators of events; everything done is kept at once.

Finding asks the corpus two questions through map-reduce on every level: which topics, and what kind
of corpus. A topic's graph is made like that of the corpus, from extractions that concern the topic
(the way of ReTAG), or cut out of the general graph (ours); hierarchies and reports follow as usual.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from sensemaking.answers.mapreduce import keep_points, map_windows, plan_windows
from sensemaking.answers.selectors import select_reports
from sensemaking.config import AskSettings, Settings
from sensemaking.errors import ConfigError, ModelError, ModelUnavailable, NotBuilt
from sensemaking.extraction import make_passages
from sensemaking.pipeline import library as lib
from sensemaking.pipeline.build import fit_reports, fold, make_graph
from sensemaking.pipeline.engine import Engine, metered
from sensemaking.pipeline.extracting import extraction_scope
from sensemaking.pipeline.fan_out import batches, fan_out
from sensemaking.pipeline.library import CODE_VERSIONS, Library
from sensemaking.pipeline.reporting import write_reports
from sensemaking.pipeline.topic_library import TOPICS, TopicLibrary, topic_digest
from sensemaking.ports import (
    Passage,
    TopicAnalyst,
    TopicBackend,
    TopicDraft,
    TopicExtractor,
)
from sensemaking.reports import render_report
from sensemaking.topics import filter_graph
from sensemaking.types import (
    BuildEvent,
    Chunk,
    Claim,
    Document,
    Entity,
    Extraction,
    FoundTopics,
    KnowledgeGraph,
    Progress,
    Relationship,
    Skipped,
    SubAnswerReady,
    Topic,
    TopicWay,
    digest,
)

FINDING = "topics"
"""Stage of finding topics."""
MAKING = "topic graphs"
TOPIC_QUESTION = (
    "What are the topics of this corpus? Name every broad subject that its documents are about, "
    "each with one sentence on what belongs to it."
)
CORPUS_QUESTION = (
    "What kind of corpus is this? Describe its documents: what they are, who speaks in them, which "
    "period and field they come from."
)
PASSAGES_PER_BATCH = 8
UNREAD = (
    "What was found in the texts is of other settings or of another version: build the corpus "
    "again, or cut the topic graphs out of the graph that there is."
)

Events = Generator[BuildEvent, None, None]


def topic_backend(engine: Engine) -> TopicBackend:
    """Return who does the language work on topics.

    Raises
    ------
    ConfigError
        When the backend knows nothing of topics.
    """
    if engine.backend.topics is None:
        raise ConfigError("This backend cannot work on topics: choose another one in Settings.")
    return engine.backend.topics


def make_analyst(engine: Engine, library: Library, hierarchy: str) -> TopicAnalyst:
    """Return the analyst of the corpus, kept in memory while its reports are the same."""
    backend = topic_backend(engine)

    def make() -> TopicAnalyst:
        reports = library.reports(hierarchy)
        leaves = library.hierarchy(hierarchy).leaves
        texts = (render_report(reports[one.id]) for one in leaves if one.id in reports)
        return backend.analyst(tuple(texts))

    if not backend.reads_reports:
        return make()  # a model belongs to one run
    scope = library.store.head(lib.reports_head(hierarchy)) or ""
    return library.keep(f"analyst:{hierarchy}", scope, make)


# Finding


def find_topics(engine: Engine, library: Library, settings: AskSettings) -> Events:
    """Find the topics of the corpus; a level that was asked before is not asked again.

    Raises
    ------
    NotBuilt
        When the hierarchy of the settings has no reports.
    ModelUnavailable
        When no window of a level could be read.
    """
    yield from metered(engine, _find_topics(engine, library, settings))


def _find_topics(engine: Engine, library: Library, settings: AskSettings) -> Events:
    settings = _fitted(engine, settings)
    hierarchy = library.hierarchy(settings.hierarchy)
    library.reports(settings.hierarchy)
    backend = topic_backend(engine)
    levels = [0] if backend.reads_reports else list(range(hierarchy.n_levels))
    analyst = make_analyst(engine, library, settings.hierarchy)
    scope = digest(
        *("topics", CODE_VERSIONS["topics"], analyst.key, engine.backend.mapper.key),
        *(engine.tokenizer.key, settings.window_tokens, settings.reduce_tokens, settings.seed),
        library.store.head(lib.reports_head(settings.hierarchy)) or "",
    )
    known = set(library.store.ids(FoundTopics, scope))
    for done, level in enumerate(levels):
        note = "all levels" if backend.reads_reports else f"level {level}"
        yield Progress(FINDING, done, len(levels), note)
        if str(level) in known:
            continue
        finder = _Finder(engine, library, settings.model_copy(update={"level": level}), analyst)
        found = yield from finder.read() if backend.reads_reports else finder.ask()
        library.store.add(scope, [found])
    library.store.finish(scope)
    library.store.point({TOPICS: scope})
    n_topics = len(TopicLibrary(library).topics())
    yield Progress(FINDING, len(levels), len(levels), f"{n_topics:,} topics")


def _fitted(engine: Engine, settings: AskSettings) -> AskSettings:
    """Return settings whose budgets the models can read."""
    mapper, reducer = engine.backend.mapper, engine.backend.reducer
    return settings.model_copy(
        update={
            "window_tokens": min(settings.window_tokens, mapper.context_tokens),
            "reduce_tokens": min(settings.reduce_tokens, reducer.context_tokens),
        }
    )


@dataclass(frozen=True, slots=True)
class _Finder:
    """Finds the topics of one level."""

    engine: Engine
    library: Library
    settings: AskSettings
    analyst: TopicAnalyst

    @property
    def level(self) -> int:
        return self.settings.level or 0

    def read(self) -> Generator[BuildEvent, None, FoundTopics]:
        """Find them in the reports themselves, those of all levels.

        The coarse ones hold together what the fine ones tell apart.
        """
        reports = self.library.reports(self.settings.hierarchy)
        communities = self.library.hierarchy(self.settings.hierarchy).communities
        told = (render_report(reports[one.id]) for one in communities if one.id in reports)
        texts = list(dict.fromkeys(told))
        yield from ()
        return self._found(self.analyst.mine(texts), self.analyst.describe(texts))

    def ask(self) -> Generator[BuildEvent, None, FoundTopics]:
        """Find them in the sub-answers to the question for topics."""
        topics = yield from self._sub_answers(TOPIC_QUESTION)
        corpus = yield from self._sub_answers(CORPUS_QUESTION)
        drafts = self.analyst.mine(topics) if topics else ()
        return self._found(drafts, self.analyst.describe(corpus) if corpus else "")

    def _found(self, drafts: Sequence[TopicDraft], description: str) -> FoundTopics:
        pairs = tuple((one.name, one.description) for one in drafts)
        return FoundTopics(str(self.level), self.level, description, pairs)

    def _sub_answers(self, question: str) -> Generator[BuildEvent, None, list[str]]:
        """Return what the windows of the level say to a question, as far as it fits."""
        engine, settings = self.engine, self.settings
        selection = select_reports(
            self.library.hierarchy(settings.hierarchy),
            self.library.reports(settings.hierarchy),
            self.level,
            self.library.graph(),
            self.library.n_chunks(),
        )
        windows = plan_windows(selection.blocks, settings.window_tokens, settings.seed)
        read = engine.backend.mapper.prepare(question, selection.blocks)
        executor = engine.calls if engine.backend.mapper.waits else engine.threads
        subs = []
        for event in map_windows(question, windows, read, executor, engine.is_stopping):
            if isinstance(event, SubAnswerReady):
                subs.append(event.sub_answer)
            else:
                yield event
        kept, _ = keep_points(subs, settings.reduce_tokens, engine.tokenizer)
        ids = {point.id for point in kept}
        texts = (
            "\n".join(f"{one.heading}: {one.text}" for one in sub.points if one.id in ids)
            for sub in sorted(subs, key=lambda sub: sub.window)
        )
        return [text for text in texts if text]


# Making graphs


def make_topic_graphs(
    engine: Engine, library: Library, settings: Settings, topics: Sequence[Topic], way: TopicWay
) -> Events:
    """Make graph, hierarchies and reports of the topics, one after the other.

    A topic can be asked as soon as it is done. One whose reports all fail is skipped and named;
    chunks and reports that are done are not done again.

    Raises
    ------
    NotBuilt
        When the corpus has no graph.
    """
    yield from metered(engine, _make_topic_graphs(engine, library, settings, topics, way))


def _make_topic_graphs(
    engine: Engine, library: Library, settings: Settings, topics: Sequence[Topic], way: TopicWay
) -> Events:
    maker = _Maker(engine, library, settings, way)
    for done, topic in enumerate(topics):
        yield Progress(MAKING, done, len(topics), topic.name)
        try:
            for event in maker.make(topic):
                if isinstance(event, Progress):
                    note = f"{topic.name}: {event.stage}, {event.done:,} of {event.total:,}"
                    yield Progress(MAKING, done, len(topics), note)
                else:
                    yield event
        except ModelUnavailable as error:
            yield Skipped(MAKING, topic.name, str(error), retriable=True)
    yield Progress(MAKING, len(topics), len(topics))


class _Maker:
    """Makes topic graphs of one corpus."""

    def __init__(self, engine: Engine, library: Library, settings: Settings, way: TopicWay) -> None:
        self._engine = engine
        self._library = library
        self._settings = settings
        self._way = way
        self._report_settings, _ = fit_reports(settings.reports, engine.backend.reporter)
        self._general = library.store.head(lib.graph_head("general")) or ""
        library.graph()
        self._documents = library.documents()
        scope = library.store.head(lib.CHUNKS) or ""
        self._chunks = library.chunks(self._documents, scope)
        if not self._chunks:
            raise NotBuilt("This corpus has no chunks: build it.")

    def make(self, topic: Topic) -> Events:
        """Make all that a topic has, and let it be current."""
        make = self._filter if self._way == "filtered" else self._extract
        scope, graph = yield from make(topic)
        store = self._library.store
        heads = {
            name: ""
            for name in store.heads()
            if name.startswith(("hierarchy:", "reports:"))
            and name.partition(":")[2].partition(".")[0] == topic.graph_key
        }
        heads[lib.graph_head(topic.graph_key)] = scope
        heads[lib.topic_head(topic.graph_key)] = f"{self._way}:{topic_digest(topic)}"
        for algorithm in self._settings.hierarchy.algorithms if graph.relationships else ():
            under, hierarchy = yield from fold(
                self._engine, self._settings, scope, graph, algorithm
            )
            links, _ = yield from write_reports(
                self._engine, self._report_settings, under, graph, hierarchy
            )
            heads[lib.hierarchy_head(hierarchy.key)] = under
            heads[lib.reports_head(hierarchy.key)] = links
        store.point(heads)

    def _filter(self, topic: Topic) -> Generator[BuildEvent, None, tuple[str, KnowledgeGraph]]:
        version = CODE_VERSIONS["topics"]
        scope = digest("filtered", version, topic_digest(topic), self._general)
        yield Progress("graph", 0, 1)
        chunks = {chunk.id: chunk for chunk in self._chunks}
        chosen = TopicLibrary(self._library).chunk_ids_by_words()[topic.id]
        graph = filter_graph(self._library.graph(), topic.graph_key, chunks, chosen)
        self._keep(scope, graph)
        return scope, graph

    def _extract(self, topic: Topic) -> Generator[BuildEvent, None, tuple[str, KnowledgeGraph]]:
        extractor = topic_backend(self._engine).extractor(topic_draft(topic))
        under = topic_extraction_scope(self._engine, self._settings, extractor)
        yield from self._read(extractor, under)
        texts = (self._documents, self._chunks)
        found = yield from make_graph(self._engine, self._settings, under, texts, topic.graph_key)
        return found

    def _keep(self, scope: str, graph: KnowledgeGraph) -> None:
        self._library.store.replace(
            scope,
            {Entity: graph.entities, Relationship: graph.relationships, Claim: graph.claims},
        )

    @cached_property
    def _known(self) -> dict[str, Extraction]:
        """Return what was extracted without a topic, by chunk: read once for all topics."""
        scope = extraction_scope(self._engine, self._settings)
        return {one.id: one for one in self._library.store.all(Extraction, scope)}

    def _read(self, extractor: TopicExtractor, scope: str) -> Events:
        """Extract from the chunks that were not read for this topic."""
        store, n_chunks = self._library.store, len(self._chunks)
        found = set(store.ids(Extraction, scope))
        missing = [chunk for chunk in self._chunks if chunk.id not in found]
        if missing and not extractor.waits and not self._known:
            # It chooses from what is known: from nothing it would make an empty graph.
            raise NotBuilt(UNREAD)
        done = n_chunks - len(missing)
        yield Progress("extract", done, n_chunks)
        units = (
            (batch, tuple(self._known.get(one.chunk.id, Extraction(one.chunk.id)) for one in batch))
            for batch in batches(
                _passages(self._documents, missing), 1 if extractor.waits else PASSAGES_PER_BATCH
            )
        )
        executor = self._engine.calls if extractor.waits else self._engine.threads
        for (batch, _), result in fan_out(
            self._engine, executor, partial(_extract_batch, extractor), units
        ):
            if isinstance(result, str):
                for passage in batch:
                    subject = f"{passage.title}, chunk {passage.chunk.ordinal + 1}"
                    yield Skipped("topic extract", subject, result, retriable=True)
            else:
                store.add(scope, result)
                done += len(batch)
            yield Progress("extract", done, n_chunks)
        if not done:
            raise ModelUnavailable("No chunk could be read for this topic.")


def topic_draft(topic: Topic) -> TopicDraft:
    """Return a topic as backends see it: under the name it was found, those merged in named."""
    also = f" Also: {', '.join(topic.merged)}." if topic.merged else ""
    return TopicDraft(topic.subject, f"{topic.description}{also}".strip())


def topic_extraction_scope(engine: Engine, settings: Settings, extractor: TopicExtractor) -> str:
    """Return the scope of the extractions for one topic."""
    general = extraction_scope(engine, settings)
    return digest("extract topic", CODE_VERSIONS["topics"], extractor.key, general)


def _passages(documents: Sequence[Document], chunks: Sequence[Chunk]) -> Iterator[Passage]:
    by_document: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_document.setdefault(chunk.document_id, []).append(chunk)
    for document in documents:
        yield from make_passages(document, by_document.get(document.id, []))


def _extract_batch(
    extractor: TopicExtractor, unit: tuple[tuple[Passage, ...], tuple[Extraction, ...]]
) -> list[Extraction] | str:
    """Return an extraction per passage, or the reason why there is none."""
    passages, known = unit
    try:
        return extractor.extract(passages, known)
    except ModelError as error:
        return str(error)
