"""Files to documents, documents to chunks: each kept when it is done.

`Reading` and `Chunking` are the lanes of that work, so that what comes after may begin before the
last file is read. `read_texts` runs them, with the lane of what comes after where there is one.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from sensemaking.config import ChunkingSettings, Settings
from sensemaking.errors import BudgetReached, EndpointDown, StoreError
from sensemaking.pipeline import library
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import Graduated, Lane, batches, run_lanes
from sensemaking.ports import Tokenizer
from sensemaking.text.chunking import chunk_document
from sensemaking.text.reading import read_file
from sensemaking.types import (
    BuildEvent,
    Chunk,
    Document,
    Progress,
    Skipped,
    SourceFile,
    digest,
)

MANY_FILES = 400
HEAVY_BYTES = 2_000_000
"""Below so many files or bytes, starting worker processes costs more than it saves."""
FIRST = 4
"""Units of small files that threads read while worker processes start."""
TOGETHER = 8
TOGETHER_BYTES = 200_000
"""So many small files or documents are worked on and kept at once; a large one is alone."""

ReadOriginal = Callable[[SourceFile], bytes]
Original = tuple[SourceFile, bytes]
Read = tuple[SourceFile, tuple[Document, ...]]
Texts = tuple[list[Document], list[Chunk]]


class Work(Protocol):
    """A lane, and what is done with its results."""

    lane: Lane[Any, Any]

    def take(self, results: Sequence[Any]) -> Iterator[BuildEvent]:
        """Keep (unit, result) pairs and tell of them."""


class ChunkWork(Work, Protocol):
    """Work on chunks that begins with the first of them."""

    def prepare(self) -> None:
        """Get ready: chunks will come."""

    def feed(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Take in the chunks of a document."""

    def tell(self) -> Iterator[BuildEvent]:
        """Tell how much is done."""


def read_files(engine: Engine, read_original: ReadOriginal) -> Generator[BuildEvent, None, None]:
    """Read the files that wait for it; each becomes documents, or a row with the reason.

    A file that another version of the reader has read waits again. One that is replaced or removed
    while it is being read stays as it then is; what was added meanwhile is read as well.
    """
    reading = Reading(engine, read_original)
    yield from reading.begin()
    for _, results in run_lanes(engine, [reading.lane]):
        yield from reading.take(results)
    yield from reading.losses()


def read_texts(
    engine: Engine,
    settings: Settings,
    read_original: ReadOriginal,
    see: Callable[[Document], None],
    then: ChunkWork | None = None,
) -> Generator[BuildEvent, None, Texts]:
    """Read and chunk what is missing; returns all documents and chunks in order.

    `see` is shown each document that is new. `then` is fed with the chunks of every document as
    soon as they are there, and worked off alongside. Files that come, or are replaced, before it
    ends are read as well.

    Raises
    ------
    EndpointDown, BudgetReached
        What `then` raises, once all files are read.
    """
    chunking = Chunking(engine, settings, see, then)
    reading = Reading(engine, read_original, chunking.feed)
    for document in _settled(library.Library(engine.store)):
        chunking.feed(document)
    yield from reading.begin()
    yield from chunking.tell()
    if then is not None and not reading.is_done:
        then.prepare()
    # What is nearest to its end goes first, where several wait for one executor.
    works: list[Work] = [*([then] if then else []), chunking, reading]
    try:
        yield from _work_off(engine, works, reading)
    except (EndpointDown, BudgetReached):
        # Files need no model: they are read, and told of, before the run ends.
        yield from _work_off(engine, [reading], reading)
        raise
    yield from chunking.tell()
    documents = library.Library(engine.store).documents()
    return documents, library.Library(engine.store).chunks(documents, chunking.scope)


def _work_off(engine: Engine, works: Sequence[Work], reading: Reading) -> Iterator[BuildEvent]:
    """Do some works to their ends, and tell of the files that are lost once all are read."""
    by_lane = {work.lane: work for work in works}
    while True:
        is_told = False
        for lane, results in run_lanes(engine, list(by_lane)):
            yield from by_lane[lane].take(results)
            if reading.is_done and not is_told:
                is_told = True
                yield from reading.losses()
        if not reading.looks_again():
            break
    yield from reading.losses()


def _settled(known: library.Library) -> list[Document]:
    """Return the documents of files that do not wait to be read again."""
    passing = {
        key for one in known.files() if library.waits_for_reading(one) for key in one.document_ids
    }
    return [one for one in known.documents() if one.id not in passing]


class Reading:
    """Reads the files that wait, and looks again when none is left: some may have come."""

    def __init__(
        self,
        engine: Engine,
        read_original: ReadOriginal,
        feed: Callable[[Document], None] = lambda _: None,
    ) -> None:
        self._engine = engine
        self._feed = feed
        self._read_original = read_original
        self.is_done = False
        self._told: set[Skipped] = set()
        self._n_files = self._n_left = 0
        read = partial(_read_some, library.CODE_VERSIONS["read"])
        self.lane = Lane(engine.threads, read, self, ahead=0)
        self._units: Iterator[tuple[Original, ...]] = iter(())
        self._look()

    def begin(self) -> Iterator[BuildEvent]:
        """Tell what is read already."""
        yield Progress("read", self._n_files - self._n_left, self._n_files)

    def __iter__(self) -> Reading:
        return self

    def __next__(self) -> tuple[Original, ...]:
        while not self.is_done:
            unit = next(self._units, None)
            if unit is not None:
                return unit
            if self.lane.n_pending:
                break
            self._look()
        raise StopIteration

    def take(
        self, results: Sequence[tuple[tuple[Original, ...], list[Read]]]
    ) -> Iterator[Progress]:
        """Keep what files came to, and hand their documents on."""
        store = self._engine.store
        read = [
            (file, replace(row, id=file.id), documents)
            for unit, found in results
            for (file, _), (row, documents) in zip(unit, found, strict=True)
        ]
        store.add(library.DOCUMENTS, [one for _, _, documents in read for one in documents])
        stands = store.exchange(library.FILES, [(file, row) for file, row, _ in read])
        for (_, _, documents), is_wanted in zip(read, stands, strict=True):
            for document in documents if is_wanted else ():
                self._feed(document)
        self._n_left -= len(read)
        yield Progress("read", self._n_files - self._n_left, self._n_files, read[-1][1].name)

    def looks_again(self) -> bool:
        """Look for files that have come since the last one was read; return whether there are."""
        self._look()
        return not self.is_done

    def losses(self) -> Iterator[Skipped]:
        """Tell of the files that could not be read, or not as a whole, of each once."""
        for row in library.Library(self._engine.store).files():
            # A file that was read may have parts that could not be.
            if row.status in ("failed", "empty") or (row.status == "read" and row.reason):
                loss = Skipped("read", row.name, row.reason)
                if loss not in self._told:
                    self._told.add(loss)
                    yield loss

    def _look(self) -> None:
        files = library.Library(self._engine.store).files()
        files = [one for one in files if one.status != "removed"]
        waiting = [one for one in files if library.waits_for_reading(one)]
        self._n_files, self._n_left = len(files), len(waiting)
        self.is_done = not waiting
        n_bytes = sum(one.n_bytes for one in waiting)
        is_heavy = len(waiting) > MANY_FILES or n_bytes > HEAVY_BYTES
        threads, processes = self._engine.threads, self._engine.processes
        self.lane.executor = (
            Graduated(threads, processes, FIRST, _is_large) if is_heavy else threads
        )
        originals = self._originals(waiting)
        self._units = batches(originals, TOGETHER, lambda one: len(one[1]), TOGETHER_BYTES)

    def _originals(self, waiting: Sequence[SourceFile]) -> Iterator[Original]:
        """Yield the files with their bytes; one whose original is gone becomes a failed row."""
        reader = library.CODE_VERSIONS["read"]
        for file in waiting:
            try:
                data = self._read_original(file)
            except StoreError as error:
                row = replace(file, status="failed", reason=str(error), reader=reader)
                self._engine.store.exchange(library.FILES, [(file, row)])
                self._n_left -= 1
                continue
            yield file, data


class Chunking:
    """Cuts documents into chunks, those that are not cut yet."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        see: Callable[[Document], None],
        then: ChunkWork | None,
    ) -> None:
        self.scope = library.chunk_scope(settings)
        self._engine = engine
        self._see = see
        self._then = then
        self._known: dict[str, list[Chunk]] = {}
        for chunk in engine.store.all(Chunk, self.scope):
            self._known.setdefault(chunk.document_id, []).append(chunk)
        self._waiting: deque[Document] = deque()
        self._n_done = self._n_fed = 0
        self._told = (0, 0)
        cut = partial(_chunk_some, settings.chunking, engine.tokenizer)
        self.lane = Lane(engine.threads, cut, self)

    def feed(self, document: Document) -> None:
        """Take in a document; one that is cut already is handed on at once."""
        self._n_fed += 1
        known = self._known.get(document.id)
        if known is None:
            self._waiting.append(document)
        else:
            self._hand_on(document, sorted(known, key=lambda one: one.ordinal))

    def __iter__(self) -> Chunking:
        return self

    def __next__(self) -> tuple[Document, ...]:
        unit: list[Document] = []
        n_characters = 0
        while self._waiting and len(unit) < TOGETHER:
            n_characters += len(self._waiting[0].text)
            if unit and n_characters > TOGETHER_BYTES:
                break
            unit.append(self._waiting.popleft())
        if not unit:
            raise StopIteration
        return tuple(unit)

    def take(
        self, results: Sequence[tuple[tuple[Document, ...], list[tuple[Chunk, ...]]]]
    ) -> Iterator[BuildEvent]:
        """Keep the chunks, and hand them on."""
        found = [one for unit, chunks in results for one in zip(unit, chunks, strict=True)]
        self._engine.store.add(self.scope, [chunk for _, chunks in found for chunk in chunks])
        for document, chunks in found:
            self._see(document)
            self._hand_on(document, chunks)
        yield from self.tell()

    def tell(self) -> Iterator[BuildEvent]:
        """Tell how much is done, and of how much the next work knows."""
        done = (self._n_done, self._n_fed)
        if done != self._told:
            # Told again, it would seem to have taken until now.
            self._told = done
            yield Progress("chunk", *done)
        if self._n_done and self._then is not None:
            yield from self._then.tell()

    def _hand_on(self, document: Document, chunks: Sequence[Chunk]) -> None:
        self._n_done += 1
        if self._then is not None:
            self._then.feed(document, chunks)


def _is_large(unit: tuple[Original, ...]) -> bool:
    return sum(len(data) for _, data in unit) > TOGETHER_BYTES


def _read_some(reader: int, unit: tuple[Original, ...]) -> list[Read]:
    return [_read_one(reader, file, data) for file, data in unit]


def _read_one(reader: int, file: SourceFile, data: bytes) -> Read:
    """Return the row and the documents of a file.

    The version of the reader is part of a document's id: a text that is read differently is another
    document, and what was said about the old one still opens the characters that it meant.
    """
    row, found = read_file(file.name, data)
    documents = tuple(replace(one, id=digest(one.id, reader)) for one in found)
    row = replace(
        row,
        document_ids=tuple(one.id for one in documents),
        n_words=sum(one.n_words for one in documents),
        reader=reader,
    )
    return row, documents


def _chunk_some(
    settings: ChunkingSettings, tokenizer: Tokenizer, unit: tuple[Document, ...]
) -> list[tuple[Chunk, ...]]:
    return [chunk_document(one, settings, tokenizer) for one in unit]
