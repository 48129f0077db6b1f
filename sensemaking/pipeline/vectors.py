"""The vectors of chunks, entities and reports: embedded once per text, then written as collections.

A document is embedded in consecutive windows that the model sees whole; a chunk's vector is the
normalised mean of the windows it touches. Entities are embedded by name and description, reports by
title and summary. Every vector is kept by the digest of its text, so a collection can be rebuilt.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain

import numpy as np

from sensemaking.errors import RunStopped, SensemakingError
from sensemaking.pipeline.engine import LOOK_SECONDS, Engine, batches, fan_out
from sensemaking.ports import Vectors
from sensemaking.types import Chunk, Document, Entity, Progress, Report, digest

STAGE = "vectors"
HEAD = "vectors:"
MADE_OF = "made_of_vectors"
"""Head that holds the digest of everything that the current collections depend on."""


def make_vectors(
    engine: Engine,
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    entities: Sequence[Entity],
    reports: Mapping[str, Sequence[Report]],
) -> Iterator[Progress]:
    """Embed what is not embedded yet, write the collections and make them current.

    `reports` are by hierarchy key. Work that is done already costs a look-up. The heads
    `vectors:chunks`, `vectors:entities` and `vectors:reports:<hierarchy>` name the collections.
    """
    entity_texts = {one.id: _entity_text(one) for one in entities}
    report_texts = {
        one.id: f"{one.title}. {one.summary}" for ones in reports.values() for one in ones
    }
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
    windows = {one.id: engine.embedder.windows(one.text) for one in documents}
    texts = {one.id: [one.text[a:b] for a, b in windows[one.id]] for one in documents}
    wanted = [text for document in documents for text in texts[document.id]]
    wanted += [*entity_texts.values(), *report_texts.values()]
    known: dict[str, Vectors] = {}
    yield from _embed(engine, wanted, known)

    chunk_vectors = {
        chunk.id: _mean_of_windows(chunk, windows[chunk.document_id], texts, known)
        for chunk in chunks
    }
    contents = {
        "chunks": chunk_vectors,
        "entities": {key: known[digest(text)] for key, text in entity_texts.items()},
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


@contextmanager
def embedding_ahead(
    engine: Engine, documents: Sequence[Document], entities: Sequence[Entity]
) -> Iterator[None]:
    """Embed documents and entities while the block, which writes reports, waits for its model.

    What is done goes into the cache of vectors, where `make_vectors` finds it. What fails here is
    met again, and told, there. Without a model that waits nothing is spare, and nothing is done.
    """
    if not engine.backend.reporter.waits:
        yield
        return
    ends = threading.Event()
    work = threading.Thread(
        target=_embed_aside, args=(engine, documents, entities, ends), daemon=True
    )
    work.start()
    try:
        yield
    finally:
        ends.set()
    while work.is_alive():
        # One batch may be under way; it is waited for, since it would be asked for again.
        work.join(LOOK_SECONDS)
        if engine.is_stopping():
            raise RunStopped("Stopped; what is done is kept.")


def _embed_aside(
    engine: Engine,
    documents: Sequence[Document],
    entities: Sequence[Entity],
    ends: threading.Event,
) -> None:
    engine.index.prepare()
    texts = chain(
        (one.text[a:b] for one in documents for a, b in engine.embedder.windows(one.text)),
        (_entity_text(one) for one in entities),
    )
    by_digest = {digest(text): text for text in texts}
    with suppress(SensemakingError):
        known = set(_known(engine, by_digest))
        missing = [key for key in by_digest if key not in known]
        for some in batches(missing, engine.embedder.batch_size):
            if ends.is_set() or engine.is_stopping():
                return
            _keep(engine, _embed_batch(engine, by_digest, some))


def _entity_text(entity: Entity) -> str:
    return f"{entity.name}. {entity.description}"


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
    executor = engine.calls if engine.embedder.waits else engine.threads
    units = batches(missing, engine.embedder.batch_size)
    for some, vectors in fan_out(engine, executor, embed, units):
        known.update(_keep(engine, vectors))
        done += len(some)
        yield Progress(STAGE, done, total)


def _embed_batch(
    engine: Engine, by_digest: Mapping[str, str], keys: tuple[str, ...]
) -> dict[str, Vectors]:
    rows = engine.embedder.embed([by_digest[key] for key in keys])
    return dict(zip(keys, rows, strict=True))


def _mean_of_windows(
    chunk: Chunk,
    windows: Sequence[tuple[int, int]],
    texts: Mapping[str, Sequence[str]],
    known: Mapping[str, Vectors],
) -> Vectors:
    touched = [
        known[digest(text)]
        for (start, end), text in zip(windows, texts[chunk.document_id], strict=True)
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
