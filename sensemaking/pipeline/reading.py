"""Files to documents: each kept when it is read, a file that cannot be with the reason.

`Reading` is the lane of that work, so that what comes after may begin before the last file is read.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial

from sensemaking.errors import StoreError
from sensemaking.pipeline import library
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import (
    TOGETHER,
    TOGETHER_SIZE,
    Graduated,
    Lane,
    batches,
    run_lanes,
)
from sensemaking.text.reading import read_file
from sensemaking.types import (
    BuildEvent,
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
ReadOriginal = Callable[[SourceFile], bytes]
Original = tuple[SourceFile, bytes]
Read = tuple[SourceFile, tuple[Document, ...]]


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

    def look_again(self) -> bool:
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
        self._units = batches(originals, TOGETHER, lambda one: len(one[1]), TOGETHER_SIZE)

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


def _is_large(unit: tuple[Original, ...]) -> bool:
    return sum(len(data) for _, data in unit) > TOGETHER_SIZE
