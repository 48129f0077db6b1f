"""What every chunk says: extracted in parallel, each kept when it is done, failures told.

Where the kinds of entities are derived from the corpus, a model names them once, before the first
chunk is read; later builds keep them, so that a new document does not change what is looked for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import islice

from sensemaking.config import Settings
from sensemaking.errors import ModelError, ModelUnavailable
from sensemaking.extraction import make_passages
from sensemaking.pipeline import library
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import Lane, run_lanes
from sensemaking.ports import Extractor, Passage, Store
from sensemaking.types import BuildEvent, Chunk, Document, Extraction, Progress, Skipped, digest

PASSAGES_PER_BATCH = 8
SMALL = 24
"""Below so many chunks, starting worker processes costs more than it saves."""
NO_EXTRACTION = "No chunk could be read by the model; the list of skipped chunks says why."
KINDS = "entity_kinds"
"""Head that holds the kinds of entities that were derived, one a line."""
KINDS_SAMPLE = 40
"""Chunks from all over the corpus that may be looked at for them."""


def extraction_scope(engine: Engine, settings: Settings, extractor: Extractor | None = None) -> str:
    """Return the scope of the extractions that a build with these settings makes."""
    version = library.CODE_VERSIONS["extract"]
    made_by = extractor or engine.backend.extractor
    return digest("extract", version, made_by.key, library.chunk_scope(settings))


def derived_kinds(store: Store) -> tuple[str, ...]:
    """Return the kinds of entities that were derived from a corpus, () when none were."""
    return tuple((store.head(KINDS) or "").splitlines())


def extract_chunks(
    engine: Engine, settings: Settings, documents: Sequence[Document], chunks: Sequence[Chunk]
) -> Generator[BuildEvent, None, str]:
    """Extract from the chunks that are missing; returns the scope of all extractions.

    Raises
    ------
    ModelUnavailable
        When there are chunks and none could be read.
    """
    extractor = yield from _choose_extractor(engine, documents, chunks)
    extracting = Extracting(engine, settings, extractor)
    by_document: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        by_document.setdefault(chunk.document_id, []).append(chunk)
    for document in documents:
        extracting.feed(document, by_document.get(document.id, []))
    extracting.choose_executor()
    yield from extracting.tell()
    for _, results in run_lanes(engine, [extracting.lane]):
        yield from extracting.take(results)
    extracting.check()
    return extracting.scope


def begins_early(engine: Engine) -> bool:
    """Return whether extraction may begin before all documents are read.

    It may where it waits for a model, which leaves the machine to the reading. Kinds of entities
    that are to be derived need all texts first.
    """
    return engine.backend.extractor.waits and engine.backend.kinds is None


class Extracting:
    """Extracts from chunks as they come, those that are not yet (`chunking.ChunkWork`)."""

    def __init__(
        self, engine: Engine, settings: Settings, extractor: Extractor | None = None
    ) -> None:
        extractor = extractor or engine.backend.extractor
        self.scope = extraction_scope(engine, settings, extractor)
        self._engine = engine
        self._found = set(engine.store.ids(Extraction, self.scope))
        self._is_prepared = False
        self._n_fed = self._n_done = 0
        self._waiting: deque[tuple[Document, list[Chunk]]] = deque()
        self._passages: deque[Passage] = deque()
        self._size = 1 if extractor.waits else PASSAGES_PER_BATCH
        executor = engine.calls if extractor.waits else engine.threads
        self.lane = Lane(executor, partial(_extract_batch, extractor), self)

    def prepare(self) -> None:
        """Let what the calls need be loaded while there is nothing to call about yet."""
        if not self._is_prepared:
            self._is_prepared = True
            # What goes wrong is met again, and told, with the first call.
            self._engine.calls.submit(self._engine.backend.prepare)

    def feed(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Take in the chunks of a document."""
        missing = [one for one in chunks if one.id not in self._found]
        self._n_fed += len(chunks)
        self._n_done += len(chunks) - len(missing)
        if missing:
            self.prepare()
            self._waiting.append((document, missing))

    def choose_executor(self) -> None:
        """Take worker processes where what was fed is worth their start."""
        if self.lane.executor is not self._engine.calls and self._n_fed - self._n_done > SMALL:
            self.lane.executor = self._engine.processes

    def tell(self) -> Iterator[Progress]:
        """Tell how much is done."""
        yield Progress("extract", self._n_done, self._n_fed)

    def __iter__(self) -> Extracting:
        return self

    def __next__(self) -> tuple[Passage, ...]:
        while len(self._passages) < self._size and self._waiting:
            self._passages += make_passages(*self._waiting.popleft())
        unit = tuple(islice(self._passages, self._size))
        for _ in unit:
            self._passages.popleft()
        if not unit:
            raise StopIteration
        return unit

    def take(
        self, results: Sequence[tuple[tuple[Passage, ...], list[Extraction] | str]]
    ) -> Iterator[BuildEvent]:
        """Keep what was extracted, and tell what could not be."""
        found = [one for _, result in results if not isinstance(result, str) for one in result]
        self._engine.store.add(self.scope, found)
        for passages, result in results:
            if isinstance(result, str):
                for passage in passages:
                    subject = f"{passage.title}, chunk {passage.chunk.ordinal + 1}"
                    yield Skipped("extract", subject, result, retriable=True)
            else:
                self._n_done += len(passages)
            yield Progress("extract", self._n_done, self._n_fed, passages[-1].title)

    def check(self) -> None:
        """Raise `ModelUnavailable` when there are chunks and none could be read."""
        if self._n_fed and not self._n_done:
            raise ModelUnavailable(NO_EXTRACTION)


def _choose_extractor(
    engine: Engine, documents: Sequence[Document], chunks: Sequence[Chunk]
) -> Generator[BuildEvent, None, Extractor]:
    """Return who extracts; kinds that are to be derived and are not known yet are derived first."""
    kinds = engine.backend.kinds
    if kinds is None or not chunks:
        return engine.backend.extractor
    texts = {one.id: one.text for one in documents}
    step = max(1, len(chunks) // KINDS_SAMPLE)
    sample = [texts[one.document_id][one.start : one.end] for one in chunks[::step]]
    yield Progress("kinds", 0, 1)
    try:
        named = kinds.derive(sample)
    except ModelError as error:
        # Those of the settings are looked for; the next build asks again.
        yield Skipped("kinds", "kinds of entities", str(error), retriable=True)
        return engine.backend.extractor
    engine.store.point({KINDS: "\n".join(named)})
    yield Progress("kinds", 1, 1, ", ".join(named))
    return kinds.extractor(named)


def _extract_batch(extractor: Extractor, passages: tuple[Passage, ...]) -> list[Extraction] | str:
    """Return an extraction per passage, or the reason why there is none."""
    try:
        return extractor.extract(passages)
    except ModelError as error:
        return str(error)
