"""One corpus as the screens and the terminal see it: files in, builds and answers out."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sensemaking.adapters.locks import WriteLock
from sensemaking.adapters.presence import ProgramPresence
from sensemaking.adapters.vectors import ChromaIndex
from sensemaking.config import AskSettings, Settings
from sensemaking.errors import InputError, SensemakingError
from sensemaking.jobs import Jobs
from sensemaking.pipeline import Engine
from sensemaking.pipeline.estimating import estimate_answer, estimate_build
from sensemaking.pipeline.library import Library
from sensemaking.types import (
    AnswerRow,
    AnswerSnapshot,
    CorpusSummary,
    Document,
    DocumentRow,
    Estimate,
    Evidence,
    Hierarchy,
    HierarchySummary,
    JobSnapshot,
    KnowledgeGraph,
    Report,
    SourceFile,
    Span,
    WindowsPlanned,
    digest,
)
from sensemaking.workspace.asking import Asking
from sensemaking.workspace.building import STOP_SECONDS, Building
from sensemaking.workspace.comparing import Hands, Helpers, JudgeName
from sensemaking.workspace.evaluating import Evaluations
from sensemaking.workspace.evidence import (
    answer_evidence,
    export_markdown,
    finding_evidence,
    passages,
)
from sensemaking.workspace.files import Originals
from sensemaking.workspace.judges import evaluation_helpers
from sensemaking.workspace.losses import Loss, list_losses
from sensemaking.workspace.meta import Meta, read_meta, write_meta
from sensemaking.workspace.models import Models
from sensemaking.workspace.notebook import Notebook
from sensemaking.workspace.opening import open_store
from sensemaking.workspace.overview import (
    coverage_ledger,
    document_called,
    document_rows,
    summarise,
)
from sensemaking.workspace.runs import Runs
from sensemaking.workspace.spare_log import SpareLog
from sensemaking.workspace.topics import Topics
from sensemaking.workspace.trust import Trust
from sensemaking.workspace.wiring import Workers

logger = logging.getLogger(__name__)


class Corpus:
    """A corpus folder, opened. Safe to share between threads."""

    def __init__(self, folder: Path, workers: Workers, models: Models) -> None:
        self.folder = folder
        self.name = folder.name
        self._models = models
        self._meta = read_meta(folder)
        self._store = open_store(folder)
        self._log = SpareLog(self._store)
        self._index = ChromaIndex(folder / "chroma")
        self._library = Library(self._store)
        self._originals = Originals(folder, self._library)
        self.notebook = Notebook(self._library)
        self._presence = ProgramPresence(folder)
        self._jobs = Jobs(self.name, self._log, self._presence)
        self._lock = WriteLock(folder)
        self._runs = Runs(self._store, self._index, lambda: self.settings, workers, models)
        self._building = Building(
            self._library, self._originals, self._runs, self._jobs, self._lock
        )
        self._asking = Asking(self._library, self._runs, self._jobs)
        hands = Hands(
            self._runs.engine_of_run, self._helpers, self._runs.with_backend, lambda: self.settings
        )
        self._evaluations = Evaluations(lambda: self.title, self._library, hands, self._jobs)
        self._topic_jobs = Jobs(self.name, self._log, self._presence, "topics")
        self._trust_jobs = Jobs(self.name, self._log, self._presence, "stability")

    @property
    def title(self) -> str:
        """Return the name a person gave it."""
        return self._meta.title

    @property
    def settings(self) -> Settings:
        """Return what builds of this corpus depend on."""
        return self._meta.settings

    def change_settings(self, settings: Settings) -> None:
        """Keep other settings for the builds to come."""
        self._meta = write_meta(self.folder, Meta(self.title, settings, self._meta.created_at))

    def rename(self, title: str) -> None:
        """Give it another title; its folder and every address keep the name."""
        self._meta = write_meta(self.folder, Meta(title, self.settings, self._meta.created_at))

    # Files

    def add_files(self, files: Iterable[tuple[str, bytes]]) -> tuple[SourceFile, ...]:
        """Keep files given as (name, bytes), those in zip archives too; they wait to be read."""
        return self._originals.add(files)

    def add_paths(self, paths: Sequence[Path]) -> tuple[SourceFile, ...]:
        """Keep files, folders and archives; names are relative to each path given.

        Raises
        ------
        InputError
            When a path does not exist, or there is no file at all.
        """
        return self._originals.add_paths(paths)

    def remove_files(self, ids: Sequence[str]) -> None:
        """Take files out of the corpus; `restore_files` puts them back."""
        self._originals.remove(ids)

    def restore_files(self, ids: Sequence[str]) -> None:
        """Put removed files back."""
        self._originals.restore(ids)

    def files(self) -> tuple[SourceFile, ...]:
        """Return the rows of all files in the corpus, by name."""
        return tuple(row for row in self._originals.rows() if row.status != "removed")

    def removed_files(self) -> tuple[SourceFile, ...]:
        """Return the rows of the files that were taken out."""
        return tuple(row for row in self._originals.rows() if row.status == "removed")

    def documents(self) -> tuple[DocumentRow, ...]:
        """Return one row per document, by name."""
        return document_rows(self._library)

    def document(self, document_id: str) -> Document:
        """Return a document with its text; raises `NotFound`."""
        return self._library.document(document_id)

    def find_document(self, name: str) -> Document:
        """Return the document of that name or id; raises `NotFound`, saying how to list them."""
        return document_called(self._library, self.name, name)

    # Building

    def read_original(self, file: SourceFile) -> bytes:
        """Return the bytes of a file as they were added."""
        return self._originals.read(file)

    def content_digests(self) -> dict[str, str]:
        """Return a digest of each table of content, documents to reports."""
        return self._store.digest_tables()

    def start_build(self, budget: float | None = None, *, finds_topics: bool = False) -> str:
        """Build, or go on where a build stopped; returns the id of the running job.

        Only what failed or is missing is done. `budget` in US dollars replaces that of the settings
        for this run. Topics are looked for when it is done, if that is asked for.

        Raises
        ------
        CorpusBusy
            When another program builds this corpus.
        InputError
            When the corpus has no files.
        """
        if not self.files():
            raise InputError(
                "There are no files in this corpus: add documents, or bring back removed ones."
            )
        after = self._find_topics if finds_topics else None
        return self._building.start(self.settings, budget, after)

    def estimate_build(self) -> Estimate:
        """Return what a build would still take."""
        return estimate_build(self.engine, self.settings, self._library)

    def estimate_answer(self, settings: AskSettings) -> Estimate:
        """Return what a question with these settings would take; raises `NotBuilt`."""
        return estimate_answer(self.engine, self._library, settings)

    def _find_topics(self) -> None:
        try:
            self.topics.start_finding()
        except SensemakingError as error:
            logger.warning("%s: topics are not looked for: %s", self.name, error)

    @property
    def is_read_only(self) -> bool:
        """Whether the folder can be read and not written: nothing new is kept."""
        return self._store.is_read_only

    def held_elsewhere(self) -> str:
        """Return who builds this corpus in another program and since when, "" when nobody does."""
        job = self.job()
        if job is None or not job.is_running or self._jobs.running_build() is not None:
            return ""
        holder = self._lock.holder()
        return f"process {holder.pid}, since {holder.since_text}" if holder else "another program"

    def stop_build(self) -> None:
        """Ask the running job to stop; what it has done is kept."""
        self._jobs.stop_build()

    def job(self) -> JobSnapshot | None:
        """Return the latest job, whoever runs it, or None when there never was one."""
        return self._jobs.build()

    def wait_for_build(self, seconds: float | None = None) -> JobSnapshot | None:
        """Wait until the job of this program has ended, or for so many seconds."""
        return self._jobs.join_build(seconds)

    @contextmanager
    def kept_still(self, what: str) -> Iterator[None]:
        """Stop this program's work, and let nobody build for the length of a block.

        Raises
        ------
        CorpusBusy
            When another program builds, or the build of this one does not stop in time.
        """
        with self._building.kept_still(what, (self._topic_jobs, self._trust_jobs)):
            yield

    # What was built

    def version(self) -> str:
        """Return a digest of what is current: equal versions show the same."""
        heads = sorted(self._store.heads().items())
        return digest(f"{name} {scope}" for name, scope in heads)

    def summary(self) -> CorpusSummary:
        """Return the corpus at a glance."""
        return summarise((self.name, self.title), self._library, self.settings, self.job())

    def coverage(
        self, hierarchy_key: str = "", level: int | None = None
    ) -> tuple[tuple[str, int, int], ...]:
        """Return (stage, how many reached it, how many were lost before it), in order."""
        return coverage_ledger(self._library, self.files(), hierarchy_key, level)

    def losses(
        self, stage: str, hierarchy_key: str = "", level: int | None = None
    ) -> tuple[Loss, ...]:
        """Return what was lost on the way to a stage of the coverage, and why."""
        return list_losses(self._library, self.files(), stage, hierarchy_key, level)

    def graph(self) -> KnowledgeGraph:
        """Return the knowledge graph; raises `NotBuilt`."""
        return self._library.graph()

    def hierarchies(self) -> tuple[HierarchySummary, ...]:
        """Return the hierarchies of the last complete build, () when there is none."""
        built = self._library.last_build()
        return built.hierarchies if built is not None else ()

    def hierarchy(self, key: str) -> Hierarchy:
        """Return a hierarchy; raises `NotBuilt`."""
        return self._library.hierarchy(key)

    def reports(self, hierarchy_key: str) -> dict[str, Report]:
        """Return the reports of a hierarchy by community id; raises `NotBuilt`.

        They stand under the names that the user gave; answers are made from the titles as written.
        """
        reports = self._library.reports(hierarchy_key)
        return self.notebook.named(self._library.hierarchy(hierarchy_key), reports)

    def report_evidence(
        self, hierarchy_key: str, community_id: str, finding: int
    ) -> tuple[Evidence, ...]:
        """Return the sources of a report's finding (from 0), or of its summary (-1)."""
        return finding_evidence(self._library, hierarchy_key, community_id, finding)

    def passages(self, spans: Sequence[Span]) -> tuple[Evidence, ...]:
        """Return stretches of documents with the text around them, without a chain."""
        return passages(self._library, spans)

    @property
    def trust(self) -> Trust:
        """Return how stable the hierarchies are, and how much of the text they reach."""
        return Trust(self._library, self._trust_jobs)

    # Topics

    @property
    def topics(self) -> Topics:
        """Return the topics: found, edited, with graphs of their own."""
        locking = (self._lock.acquire, self._lock.release)
        return Topics(
            self._library,
            lambda: self.settings,
            self._runs.engine_of_run,
            self._topic_jobs,
            locking,
        )

    # Questions

    def plan_answer(self, settings: AskSettings) -> WindowsPlanned:
        """Return what a question with these settings would read; raises as `start_answer`."""
        return self._asking.plan(settings)

    def start_answer(self, question: str, settings: AskSettings, backend: str = "") -> str:
        """Start to answer; returns the answer's id.

        It is the same for the same question, settings and state of the corpus. `backend` is who
        answers, where it is not the backend of the corpus.

        Raises
        ------
        InputError
            When the question or the level cannot be used.
        NotBuilt
            When there is nothing to answer from.
        """
        return self._asking.start(question, settings, self.files(), backend)

    def write_again(self, key: str, dropped: Sequence[int], pinned: Sequence[int]) -> str:
        """Write an answer again without some windows (from 0), others first; returns its id.

        Raises `NotFound` when it is not ready, `InputError` when the choice cannot be used.
        """
        return self._asking.write_again(key, dropped, pinned)

    def try_again(self, key: str, windows: Sequence[int] = ()) -> str:
        """Read windows of an answer (from 0) that failed again, all by default; returns its new id.

        Raises `NotFound` when it is not ready, `InputError` when one that is named did not fail.
        """
        return self._asking.try_again(key, windows)

    def stop_answer(self, key: str) -> None:
        """Ask a running answer to stop."""
        self._jobs.stop_answer(key)

    def answer(self, key: str) -> AnswerSnapshot:
        """Return an answer, running or ended; raises `NotFound`."""
        return self._jobs.answer(key)

    def wait_for_answer(self, key: str, seconds: float | None = None) -> AnswerSnapshot:
        """Wait until an answer has ended, or for so many seconds."""
        return self._jobs.join_answer(key, seconds)

    def why_not_kept(self, key: str) -> str:
        """Return why an answer will not be found again after a restart, "" when it will."""
        return self._log.why_not_kept(key)

    def answers(self, limit: int | None = None) -> tuple[AnswerRow, ...]:
        """Return the history of questions, latest first."""
        return self._jobs.answers(limit)

    def evidence(self, key: str, sentence: int) -> tuple[Evidence, ...]:
        """Return the sources of a sentence of an answer (from 0), in order of citation."""
        return answer_evidence(self._library, self.answer(key), sentence)

    def export_answer(self, key: str) -> str:
        """Return an answer as Markdown with its sources as footnotes."""
        return export_markdown(self._library, self.answer(key))

    @property
    def evaluations(self) -> Evaluations:
        """Return what compares and measures answers and searches of this corpus."""
        return self._evaluations

    def _helpers(self, name: JudgeName, engine: Engine) -> Helpers:
        return evaluation_helpers(name, engine, models=self._models.settings, cache=self._store)

    # Life

    @property
    def engine(self) -> Engine:
        """Return the engine, wired for the present settings; models start when first used."""
        return self._runs.engine

    def close(self) -> None:
        """Stop what runs and close the store."""
        self._topic_jobs.stop_all(STOP_SECONDS)
        self._trust_jobs.stop_all(STOP_SECONDS)
        self._jobs.stop_all(STOP_SECONDS)
        self._runs.settle(STOP_SECONDS)
        self._presence.close()
        self._index.close()
        self._store.close()
