"""What every chunk says: extracted in parallel, each kept when it is done, failures told.

Where the kinds of entities are derived from the corpus, a model names them once, before the first
chunk is read; later builds keep them, so that a new document does not change what is looked for.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import partial

from sensemaking.config import Settings
from sensemaking.errors import ModelError, ModelUnavailable
from sensemaking.extraction import make_passages
from sensemaking.pipeline import library
from sensemaking.pipeline.engine import Engine, batches, fan_out_together
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
    scope = extraction_scope(engine, settings, extractor)
    found = set(engine.store.ids(Extraction, scope))
    missing = sum(chunk.id not in found for chunk in chunks)
    done = len(chunks) - missing
    yield Progress("extract", done, len(chunks))
    executor = engine.processes if missing > SMALL else engine.threads
    if extractor.waits:
        executor = engine.calls
    passages = _missing_passages(documents, chunks, found)
    units = batches(passages, 1 if extractor.waits else PASSAGES_PER_BATCH)
    extract = partial(_extract_batch, extractor)
    for together in fan_out_together(engine, executor, extract, units):
        extracted = [result for _, result in together if not isinstance(result, str)]
        engine.store.add(scope, [one for result in extracted for one in result])
        for some, result in together:
            if isinstance(result, str):
                for passage in some:
                    subject = f"{passage.title}, chunk {passage.chunk.ordinal + 1}"
                    yield Skipped("extract", subject, result, retriable=True)
            else:
                done += len(some)
            yield Progress("extract", done, len(chunks), some[-1].title)
    if chunks and not done:
        raise ModelUnavailable(NO_EXTRACTION)
    return scope


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


def _missing_passages(
    documents: Sequence[Document], chunks: Sequence[Chunk], found: set[str]
) -> Iterator[Passage]:
    by_document: dict[str, list[Chunk]] = {}
    for chunk in chunks:
        if chunk.id not in found:
            by_document.setdefault(chunk.document_id, []).append(chunk)
    for document in documents:
        yield from make_passages(document, by_document.get(document.id, []))


def _extract_batch(extractor: Extractor, passages: tuple[Passage, ...]) -> list[Extraction] | str:
    """Return an extraction per passage, or the reason why there is none."""
    try:
        return extractor.extract(passages)
    except ModelError as error:
        return str(error)
