"""All documents and chunks of a corpus: read, cut, and what begins with a chunk, alongside."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

from sensemaking.config import Settings
from sensemaking.errors import BudgetReached, EndpointDown
from sensemaking.pipeline import library
from sensemaking.pipeline.chunking import Chunking, ChunkWork
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import Work, run_lanes
from sensemaking.pipeline.reading import Reading, ReadOriginal
from sensemaking.types import (
    BuildEvent,
    Chunk,
    Document,
)

Texts = tuple[list[Document], list[Chunk]]


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
        if not reading.look_again():
            break
    yield from reading.losses()


def _settled(known: library.Library) -> list[Document]:
    """Return the documents of files that do not wait to be read again."""
    passing = {
        key for one in known.files() if library.waits_for_reading(one) for key in one.document_ids
    }
    return [one for one in known.documents() if one.id not in passing]
