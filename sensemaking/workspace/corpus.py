"""One corpus as the screens and the terminal see it: files in, builds and answers out."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sensemaking.adapters.locks import WriteLock
from sensemaking.adapters.store import SqliteStore
from sensemaking.adapters.vectors import ChromaIndex
from sensemaking.config import AskSettings, Settings
from sensemaking.errors import NotFound, SensemakingError
from sensemaking.jobs import Jobs, MakeEvents
from sensemaking.pipeline import Engine, ask, build, read_files
from sensemaking.pipeline.ask import answer_id, plan, planned
from sensemaking.pipeline.library import Library
from sensemaking.types import (
    AnswerRow,
    AnswerSnapshot,
    BuildReady,
    CorpusSummary,
    Document,
    DocumentRow,
    Evidence,
    Hierarchy,
    HierarchySummary,
    JobSnapshot,
    KnowledgeGraph,
    Report,
    SourceFile,
    WindowsPlanned,
    digest,
)
from sensemaking.workspace.evidence import answer_evidence, export_markdown, finding_evidence
from sensemaking.workspace.files import Originals
from sensemaking.workspace.meta import Meta, read_meta, write_meta
from sensemaking.workspace.overview import BUILT_AT, coverage_ledger, document_rows, summarise
from sensemaking.workspace.wiring import Workers, wire_engine


class Corpus:
    """A corpus folder, opened. Safe to share between threads."""

    def __init__(self, folder: Path, workers: Workers) -> None:
        self.folder = folder
        self.name = folder.name
        self._workers = workers
        self._meta = read_meta(folder)
        self._store = SqliteStore(folder / "corpus.db")
        self._index = ChromaIndex(folder / "chroma")
        self._library = Library(self._store)
        self._originals = Originals(folder, self._library)
        self._jobs = Jobs(self.name, self._store)
        self._lock = WriteLock(folder)
        self._starting = threading.Lock()

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
        self._meta = Meta(self._meta.title, settings, self._meta.created_at)
        write_meta(self.folder, self._meta)

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
        """Return the document of that name or id.

        Raises
        ------
        NotFound
            When there is none; the message says how to list them.
        """
        for row in self.documents():
            if name in (row.id, row.name):
                return self.document(row.id)
        raise NotFound(
            f"There is no document “{name}” in {self.name}: `sensemaking show {self.name}`."
        )

    # Building

    def read_original(self, file: SourceFile) -> bytes:
        """Return the bytes of a file as they were added."""
        return self._originals.read(file)

    def content_digests(self) -> dict[str, str]:
        """Return a digest of each table of content, documents to reports."""
        return self._store.digest_tables()

    def start_reading(self) -> str:
        """Read the files that wait, without building; returns the id of the running job."""
        return self._start("read", lambda: read_files(self.engine, self._originals.read))

    def start_build(self) -> str:
        """Build, or go on where a build stopped; returns the id of the running job.

        Raises
        ------
        CorpusBusy
            When another program builds this corpus.
        """
        settings = self.settings
        return self._start("build", lambda: build(self.engine, settings, self._originals.read))

    def stop_build(self) -> None:
        """Ask the running job to stop; what it has done is kept."""
        self._jobs.stop_build()

    def job(self) -> JobSnapshot | None:
        """Return the latest job, whoever runs it, or None when there never was one."""
        return self._jobs.build(is_alive_elsewhere=self._lock.holder() is not None)

    def wait_for_build(self, seconds: float | None = None) -> JobSnapshot | None:
        """Wait until the job of this program has ended, or for so many seconds."""
        return self._jobs.join_build(seconds)

    def _start(self, what: str, events: MakeEvents) -> str:
        with self._starting:
            running = self._jobs.running_build()
            if running is not None:
                return running
            self._lock.acquire(what)

            def locked() -> Generator[Any, None, None]:
                try:
                    with closing(events()) as inner:
                        for event in inner:
                            if isinstance(event, BuildReady):
                                now = datetime.now(UTC).isoformat(timespec="seconds")
                                self._store.point({BUILT_AT: now})
                            yield event
                finally:
                    self._lock.release()

            try:
                return self._jobs.start_build(what, locked)
            except SensemakingError:
                self._lock.release()
                raise

    # What was built

    def version(self) -> str:
        """Return a digest of what is current: equal versions show the same."""
        heads = sorted(self._store.heads().items())
        return digest(f"{name} {scope}" for name, scope in heads)

    def summary(self) -> CorpusSummary:
        """Return the corpus at a glance."""
        return summarise(self.name, self.title, self._library, self.job())

    def coverage(
        self, hierarchy_key: str = "", level: int | None = None
    ) -> tuple[tuple[str, int, int], ...]:
        """Return (stage, how many reached it, how many were lost before it), in order."""
        return coverage_ledger(self._library, self.files(), hierarchy_key, level)

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
        """Return the reports of a hierarchy by community id; raises `NotBuilt`."""
        return self._library.reports(hierarchy_key)

    def report_evidence(
        self, hierarchy_key: str, community_id: str, finding: int
    ) -> tuple[Evidence, ...]:
        """Return the sources of a report's finding (from 0), or of its summary (-1)."""
        return finding_evidence(self._library, hierarchy_key, community_id, finding)

    # Questions

    def plan_answer(self, settings: AskSettings) -> WindowsPlanned:
        """Return what a question with these settings would read."""
        return planned(*plan(self._library, settings))

    def start_answer(self, question: str, settings: AskSettings) -> str:
        """Start to answer; returns the answer's id.

        It is the same for the same question, settings and state of the corpus.
        """
        key = answer_id(self.engine, self._library, question, settings)
        return self._jobs.start_answer(
            key, question, lambda: ask(self.engine, self._library, question, settings)
        )

    def stop_answer(self, key: str) -> None:
        """Ask a running answer to stop."""
        self._jobs.stop_answer(key)

    def answer(self, key: str) -> AnswerSnapshot:
        """Return an answer, running or ended; raises `NotFound`."""
        return self._jobs.answer(key)

    def wait_for_answer(self, key: str, seconds: float | None = None) -> AnswerSnapshot:
        """Wait until an answer has ended, or for so many seconds."""
        return self._jobs.join_answer(key, seconds)

    def answers(self) -> tuple[AnswerRow, ...]:
        """Return the history of questions, latest first."""
        return tuple(_answer_row(at, snapshot) for at, snapshot in self._jobs.answers())

    def evidence(self, key: str, sentence: int) -> tuple[Evidence, ...]:
        """Return the sources of a sentence of an answer (from 0), in order of citation."""
        return answer_evidence(self._library, self.answer(key), sentence)

    def export_answer(self, key: str) -> str:
        """Return an answer as Markdown with its sources as footnotes."""
        return export_markdown(self._library, self.answer(key))

    # Life

    @property
    def engine(self) -> Engine:
        """Return the engine, wired for the present settings; models start when first used."""
        return wire_engine(self._store, self._index, self.settings, self._workers)

    def close(self) -> None:
        """Stop what runs and close the store."""
        self._jobs.stop_all()
        self._index.close()
        self._store.close()


def _answer_row(started_at: float, snapshot: AnswerSnapshot) -> AnswerRow:
    answer = snapshot.answer
    return AnswerRow(
        id=snapshot.id,
        question=snapshot.question,
        method=answer.method if answer is not None else "",
        created_at=datetime.fromtimestamp(started_at, UTC).isoformat(timespec="seconds"),
        status=snapshot.status,
        n_sentences=len(answer.sentences) if answer is not None else 0,
    )
