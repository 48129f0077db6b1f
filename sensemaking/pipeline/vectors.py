"""The vectors of chunks, entities and reports: embedded once per text, then written as collections.

A document is embedded in consecutive windows that the model sees whole; a chunk's vector is the
normalised mean of the windows it touches. Entities are embedded by name and description, reports by
title and summary. Every vector is kept by the digest of its text, so a collection can be rebuilt.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain, takewhile
from queue import SimpleQueue

import numpy as np

from sensemaking.errors import RunStopped, SensemakingError
from sensemaking.pipeline.engine import LOOK_SECONDS, Engine
from sensemaking.pipeline.fan_out import Narrowed, batches, fan_out
from sensemaking.ports import Executor, Vectors
from sensemaking.types import Chunk, Document, Entity, Progress, Report, digest

STAGE = "vectors"
HEAD = "vectors:"
Texts = tuple[Sequence[Document], Sequence[Chunk]]

MADE_OF = "made_of_vectors"
"""Head that holds the digest of everything that the current collections depend on."""


@contextmanager
def vectors_alongside(engine: Engine) -> Iterator[VectorWork]:
    """Embed, while the block waits for its language model, what it has found so far.

    What is done goes into the cache of vectors, and the collections of chunks and entities are
    written; `VectorWork.finish` finds both and does the rest. What fails here is met again, and
    told, there. Where nothing waits, nothing is spare and nothing is done before.
    """
    work = VectorWork(engine)
    if engine.backend.extractor.waits or engine.backend.reporter.waits:
        work.begin()
    try:
        yield work
    finally:
        work.end()
    work.settle()


class VectorWork:
    """The vectors of one build: embedded as its texts come to be known, then made current."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._windows: dict[str, list[tuple[int, int]]] = {}
        self._thread: threading.Thread | None = None
        self._ends = threading.Event()
        self._writing = threading.Lock()
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._has_tasks = False
        self._documents: list[Document] = []
        self._report_texts: list[str] = []

    def embed_document(self, document: Document) -> None:
        """Take in a document; it is embedded aside with others that fill a batch."""
        self._documents.append(document)
        if len(self._documents) == self._engine.embedder.batch_size:
            self._embed_waiting()

    def embed_entities(self, entities: Sequence[Entity]) -> None:
        """Take in some entities; they are embedded aside, with documents that wait."""
        self._embed_waiting(_entity_texts(entities).values())

    def write_early(self, texts: Texts, entities: Sequence[Entity]) -> None:
        """Take in all texts and entities; their collections are written aside."""
        self._put(partial(self._embed_and_write, texts, entities))

    def embed_reports(self, reports: Iterable[Report]) -> None:
        """Take in some reports; they are embedded aside as soon as they fill a batch."""
        self._report_texts += map(_report_text, reports)
        size = self._engine.embedder.batch_size
        while len(self._report_texts) >= size:
            some, self._report_texts = self._report_texts[:size], self._report_texts[size:]
            self._put(partial(self._embed_aside, some))

    def embed_rest(self) -> None:
        """Say that no reports come any more: those that wait are embedded aside."""
        if self._report_texts:
            self._put(partial(self._embed_aside, self._report_texts))

    def begin(self) -> None:
        """Start to work aside: from now on what is taken in is embedded."""
        self._thread = threading.Thread(target=self._work_aside, name="vectors", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Let the work aside end after the texts under way; a collection under way is waited for.

        Whoever ends the build may close the index next, and a write would open it again.
        """
        self._ends.set()
        self._tasks.put(None)
        with self._writing:
            pass

    def settle(self) -> None:
        """Wait for what is under way: it would be asked for again otherwise.

        Raises
        ------
        RunStopped
            When the run was asked to stop. What is under way is not waited for.
        """
        while self._thread is not None and self._thread.is_alive():
            self._thread.join(LOOK_SECONDS)
            if self._engine.is_stopping():
                raise RunStopped("Stopped; what is done is kept.")

    def finish(
        self, texts: Texts, entities: Sequence[Entity], reports: Mapping[str, Sequence[Report]]
    ) -> Iterator[Progress]:
        """Embed what is not embedded yet, write the collections and make them current.

        `reports` are by hierarchy key. Work that is done already costs a look-up. The heads
        `vectors:chunks`, `vectors:entities` and `vectors:reports:<hierarchy>` name the collections.
        """
        engine = self._engine
        documents, chunks = texts
        entity_texts = _entity_texts(entities)
        report_texts = {one.id: _report_text(one) for ones in reports.values() for one in ones}
        made_of = digest(
            engine.embedder.key,
            [one.id for one in documents],
            [one.id for one in chunks],
            [part for pair in sorted(entity_texts.items()) for part in pair],
            [part for pair in sorted(report_texts.items()) for part in pair],
            [f"{key} {one.id}" for key in sorted(reports) for one in reports[key]],
        )
        sizes = {"chunks": len(chunks), "entities": len(entity_texts)}
        sizes |= {f"reports:{key}": len({one.id for one in ones}) for key, ones in reports.items()}
        if engine.store.head(MADE_OF) == made_of and _are_whole(engine, sizes):
            total = sum(sizes.values())
            yield Progress(STAGE, total, total)
            return
        wanted = [*self._window_texts(documents), *entity_texts.values(), *report_texts.values()]
        known: dict[str, Vectors] = {}
        yield from _embed(engine, wanted, known)
        contents = {
            **self._vectors_of(texts, entity_texts, known),
            **{
                f"reports:{key}": {one.id: known[digest(report_texts[one.id])] for one in ones}
                for key, ones in reports.items()
            },
        }
        collections = {kind: _collection(engine, found) for kind, found in contents.items()}
        names = [name for name, _, _ in collections.values()]
        old = {name: scope for name, scope in engine.store.heads().items() if _is_head(name)}
        # Tidying looks at the whole folder: what is damaged is gone after it, and written below.
        engine.index.keep_only([*names, *old.values()])
        for name, ids, rows in collections.values():
            engine.index.write(name, ids, rows)
        heads = {f"{HEAD}{kind}": name for kind, (name, _, _) in collections.items()}
        engine.store.point({**dict.fromkeys(old, ""), **heads, MADE_OF: made_of})
        engine.index.keep_only(names)

    def _embed_waiting(self, more: Collection[str] = ()) -> None:
        some, self._documents = self._documents, []
        if some or more:
            self._put(lambda: self._embed_aside(chain(self._window_texts(some), more)))

    def _put(self, task: Callable[[], None]) -> None:
        # After a failure nobody takes tasks any more; all of it is met again in `finish`.
        if self._thread is None or not self._thread.is_alive():
            return
        if not self._has_tasks:
            self._has_tasks = True
            self._tasks.put(self._engine.index.prepare)
        self._tasks.put(task)

    def _work_aside(self) -> None:
        with suppress(SensemakingError):
            while (task := self._tasks.get()) is not None and not self._is_over:
                task()

    @property
    def _is_over(self) -> bool:
        return self._ends.is_set() or self._engine.is_stopping()

    def _embed_aside(self, texts: Iterable[str]) -> None:
        engine = self._engine
        by_digest = {digest(text): text for text in texts}
        known = set(_known(engine, by_digest))
        missing = [key for key in by_digest if key not in known]
        units = batches(missing, engine.embedder.batch_size)
        embed = partial(_embed_batch, engine, by_digest)
        going_on = takewhile(lambda _: not self._is_over, units)
        for _ in fan_out(engine, Narrowed(_executor(engine)), embed, going_on):
            pass

    def _embed_and_write(self, texts: Texts, entities: Sequence[Entity]) -> None:
        entity_texts = _entity_texts(entities)
        wanted = (*self._window_texts(texts[0]), *entity_texts.values())
        self._embed_aside(wanted)
        if self._is_over:
            return
        known = _known(self._engine, map(digest, wanted))
        for found in self._vectors_of(texts, entity_texts, known).values():
            collection = _collection(self._engine, found)
            with self._writing:
                if self._is_over:
                    return
                self._engine.index.write(*collection)

    def _vectors_of(
        self, texts: Texts, entity_texts: Mapping[str, str], known: Mapping[str, Vectors]
    ) -> dict[str, dict[str, Vectors]]:
        """Return the vectors of chunks and entities by id."""
        documents, chunks = texts
        windows = {one.id: self._windows_of(one) for one in documents}
        keys = {one.id: [digest(one.text[a:b]) for a, b in windows[one.id]] for one in documents}
        return {
            "chunks": {
                one.id: _mean_of_windows(
                    one, windows[one.document_id], keys[one.document_id], known
                )
                for one in chunks
            },
            "entities": {key: known[digest(text)] for key, text in entity_texts.items()},
        }

    def _window_texts(self, documents: Sequence[Document]) -> Iterator[str]:
        for one in documents:
            yield from (one.text[a:b] for a, b in self._windows_of(one))

    def _windows_of(self, document: Document) -> list[tuple[int, int]]:
        """Return the windows of a document, found once."""
        found = self._windows.get(document.id)
        if found is None:
            found = self._windows[document.id] = self._engine.embedder.windows(document.text)
        return found


def _entity_texts(entities: Sequence[Entity]) -> dict[str, str]:
    return {one.id: f"{one.name}. {one.description}" for one in entities}


def _report_text(report: Report) -> str:
    return f"{report.title}. {report.summary}"


def _known(engine: Engine, digests: Iterable[str]) -> dict[str, Vectors]:
    """Return the vectors that the cache holds."""
    found: dict[str, Vectors] = {}
    for some in batches(sorted(digests), 1000):
        found.update(engine.vector_cache.vectors(engine.embedder.key, some))
    return found


def _keep(engine: Engine, vectors: Mapping[str, Vectors]) -> dict[str, Vectors]:
    """Put vectors into the cache; what it gives back is what is used, now and in a later build."""
    kept = {key: row.astype(np.float16).astype(np.float32) for key, row in vectors.items()}
    engine.vector_cache.add_vectors(engine.embedder.key, kept)
    return kept


def _are_whole(engine: Engine, sizes: Mapping[str, int]) -> bool:
    """Whether the current collections are exactly these kinds, and each has so many rows."""
    heads = engine.store.heads()
    current = {
        name.removeprefix(HEAD): one for name, one in heads.items() if _is_head(name) and one
    }
    return current.keys() == sizes.keys() and all(
        engine.index.size(current[kind]) == size for kind, size in sizes.items()
    )


def _is_head(name: str) -> bool:
    return name.startswith(HEAD)


def _embed(engine: Engine, wanted: Sequence[str], known: dict[str, Vectors]) -> Iterator[Progress]:
    by_digest = {digest(text): text for text in wanted}
    known.update(_known(engine, by_digest))
    missing = [key for key in by_digest if key not in known]
    done, total = len(known), len(by_digest)
    yield Progress(STAGE, done, total)
    embed = partial(_embed_batch, engine, by_digest)
    units = batches(missing, engine.embedder.batch_size)
    for some, vectors in fan_out(engine, _executor(engine), embed, units):
        known.update(vectors)
        done += len(some)
        yield Progress(STAGE, done, total)


def _executor(engine: Engine) -> Executor:
    return engine.calls if engine.embedder.waits else engine.threads


def _embed_batch(
    engine: Engine, by_digest: Mapping[str, str], keys: tuple[str, ...]
) -> dict[str, Vectors]:
    """Embed some texts and keep their vectors at once: a run that is stopped waits for nothing."""
    rows = engine.embedder.embed([by_digest[key] for key in keys])
    return _keep(engine, dict(zip(keys, rows, strict=True)))


def _mean_of_windows(
    chunk: Chunk,
    windows: Sequence[tuple[int, int]],
    keys: Sequence[str],
    known: Mapping[str, Vectors],
) -> Vectors:
    touched = [
        known[key]
        for (start, end), key in zip(windows, keys, strict=True)
        if start < chunk.end and end > chunk.start
    ]
    mean = np.mean(touched, axis=0, dtype=np.float32)
    length = float(np.linalg.norm(mean))
    return np.asarray(mean / length if length else mean, dtype=np.float32)


def _collection(engine: Engine, vectors: Mapping[str, Vectors]) -> tuple[str, list[str], Vectors]:
    """Return the name, the ids and the rows of a collection."""
    ids = sorted(vectors)
    rows = (
        np.stack([vectors[key] for key in ids])
        if ids
        else np.zeros((0, engine.embedder.dimension), dtype=np.float32)
    )
    return digest(engine.embedder.key, ids, rows.astype(np.float16).tobytes()), ids, rows
