"""The texts themselves as what a question is answered from: all of them, or those closest to it.

Notes
-----
The conditions TS and SS of "From Local to Global" (Edge et al. 2024): map-reduce over the source
texts, and vector search that fills one window with the closest chunks.
"""

from __future__ import annotations

from sensemaking.answers.passages import cover_passages, make_passages
from sensemaking.answers.selectors import Selection
from sensemaking.config import AskSettings
from sensemaking.context import HEADER_TOKENS, pack_in_order
from sensemaking.errors import NotBuilt
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.library import CHUNKS, SEEN, Library, graph_head
from sensemaking.pipeline.vectors import HEAD
from sensemaking.types import Chunk, ContextBlock

CLOSEST = 400
"""Chunks that are looked at to fill a window."""


def passages_state(library: Library) -> str:
    """Return what the passages depend on; raises `NotBuilt` where there are none."""
    chunks, seen = library.store.head(CHUNKS), library.store.head(SEEN)
    if not chunks or not seen:
        if library.store.head(graph_head("general")):
            raise NotBuilt(
                "This corpus was built by an older version, which kept no passages to answer from: "
                "build it again (`sensemaking build`). Methods that read reports work as it is."
            )
        raise NotBuilt("This corpus is not built yet: press Build (or `sensemaking build`).")
    return f"{chunks} {seen} {library.store.head(f'{HEAD}chunks') or ''}"


def all_passages(library: Library) -> dict[str, ContextBlock]:
    """Return the passages of all documents by chunk; made once for every state of the corpus."""
    return library.remember("passages", passages_state(library), lambda: _make_all(library))


def _make_all(library: Library) -> dict[str, ContextBlock]:
    documents = library.documents()
    by_document: dict[str, list[Chunk]] = {}
    for chunk in library.chunks(documents, library.store.head(CHUNKS) or ""):
        by_document.setdefault(chunk.document_id, []).append(chunk)
    return {
        block.id: block
        for document in documents
        for block in make_passages(document, by_document.get(document.id, []))
    }


def select_texts(library: Library) -> Selection:
    """Return all passages."""
    found = all_passages(library)
    blocks = tuple(found[key] for key in sorted(found))
    return Selection(blocks, cover_passages(found, library.graph(), library.n_chunks()), ())


def select_closest(
    engine: Engine, library: Library, question: str, settings: AskSettings
) -> Selection:
    """Return the passages closest to the question, as many as one window holds.

    Without a question (for an estimate) they are the first ones.

    Raises
    ------
    NotBuilt
        When the corpus has no vectors of its chunks.
    """
    found = all_passages(library)
    collection = library.store.head(f"{HEAD}chunks")
    if not collection or not engine.index.size(collection):
        raise NotBuilt("This corpus has no vectors yet: build it, or ask by another method.")
    ranked = sorted(found)
    if question:
        (vector,) = engine.embedder.embed([question])
        nearest = engine.index.nearest(collection, vector, CLOSEST)
        ranked = [key for key, _ in nearest if key in found]
    sizes = (found[key].n_tokens for key in ranked)
    # The first is read whatever its size: a window is never empty where there is anything.
    kept = ranked[: max(1, pack_in_order(sizes, settings.window_tokens - HEADER_TOKENS))]
    coverage = cover_passages(kept, library.graph(), library.n_chunks())
    return Selection(tuple(found[key] for key in sorted(kept)), coverage, ())
