"""Documents to chunks, handed on as they come to the work that begins with them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol

from sensemaking.config import ChunkingSettings, Settings
from sensemaking.pipeline import library
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import TOGETHER, TOGETHER_SIZE, Lane, Work
from sensemaking.ports import Tokenizer
from sensemaking.text.chunking import chunk_document
from sensemaking.types import (
    BuildEvent,
    Chunk,
    Document,
    Progress,
)


class ChunkWork(Work, Protocol):
    """Work on chunks that begins with the first of them."""

    def prepare(self) -> None:
        """Get ready: chunks will come."""

    def feed(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Take in the chunks of a document."""

    def tell(self) -> Iterator[BuildEvent]:
        """Tell how much is done."""


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
            if unit and n_characters > TOGETHER_SIZE:
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


def _chunk_some(
    settings: ChunkingSettings, tokenizer: Tokenizer, unit: tuple[Document, ...]
) -> list[tuple[Chunk, ...]]:
    return [chunk_document(one, settings, tokenizer) for one in unit]
