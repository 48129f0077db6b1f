"""Files to reports, as a generator of events: the line of the product on one screen.

Every unit is stored when it is done, and a stage whose scope is finished is not run again; so a
build that was stopped or killed goes on where it was, and an unchanged corpus costs a look.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial

import msgspec

from sensemaking.communities import find_communities
from sensemaking.config import ReportSettings, Settings
from sensemaking.errors import InputError, StoreError
from sensemaking.graph import build_graph, stated_descriptions
from sensemaking.methods import COMMUNITIES
from sensemaking.pipeline import library
from sensemaking.pipeline.describing import merge_descriptions
from sensemaking.pipeline.engine import Engine, batches, fan_out, metered, model_notes
from sensemaking.pipeline.extracting import extract_chunks
from sensemaking.pipeline.following import follow
from sensemaking.pipeline.reporting import write_reports
from sensemaking.pipeline.sizing import size_communities
from sensemaking.pipeline.vectors import embedding
from sensemaking.ports import Reporter
from sensemaking.text.chunking import chunk_document
from sensemaking.text.reading import read_file
from sensemaking.types import (
    BuildEvent,
    BuildReady,
    Chunk,
    Claim,
    Community,
    Document,
    Entity,
    Extraction,
    Hierarchy,
    HierarchyHead,
    HierarchySummary,
    KnowledgeGraph,
    Progress,
    Relationship,
    Report,
    Skipped,
    SourceFile,
    Usage,
    digest,
)

NO_TEXT = (
    "None of the files has any text to work with. Add documents (text, Markdown, HTML, PDF, DOCX, "
    "CSV or JSON); the Documents page says of each file why it was not read."
)
MANY_FILES = 400
HEAVY_BYTES = 2_000_000
"""Below so many files or bytes, starting worker processes costs more than it saves."""
TOGETHER = 16
TOGETHER_BYTES = 200_000
"""So many small files or documents are worked on and kept at once; a large one is alone."""

Built = Generator[BuildEvent, None, None]
Original = tuple[SourceFile, bytes]


def build(
    engine: Engine, settings: Settings, read_original: Callable[[SourceFile], bytes]
) -> Built:
    """Build a corpus: read, chunk, extract, graph, communities, reports, vectors.

    `read_original` returns the bytes of a file of the corpus. Yields events and ends with
    `BuildReady`; closing the generator stops the build, what was done is kept.

    Raises
    ------
    InputError
        When no file of the corpus has any text.
    """
    began = time.monotonic()
    skipped: list[Skipped] = []
    for event in metered(engine, _stages(engine, settings, read_original)):
        if isinstance(event, Skipped):
            skipped.append(event)
        if isinstance(event, BuildReady):
            seconds = round(time.monotonic() - began, 3)
            event = replace(
                event,
                skipped=tuple(skipped),
                seconds=seconds,
                usage=engine.meter.usage,
                notes=(*event.notes, *model_notes(engine)),
            )
            engine.store.replace(library.BUILDS, {BuildReady: [event]})
        yield event


def _stages(
    engine: Engine, settings: Settings, read_original: Callable[[SourceFile], bytes]
) -> Built:
    yield from read_files(engine, read_original)
    documents = library.Library(engine.store).documents()
    if not documents:
        raise InputError(NO_TEXT)
    chunks = yield from _chunk(engine, settings, documents)
    report_settings, notes = fit_reports(settings.reports, engine.backend.reporter)
    hierarchies: list[Hierarchy] = []
    reports: dict[str, list[Report]] = {}
    with embedding(engine, documents, chunks) as vectors:
        extractions = yield from extract_chunks(engine, settings, documents, chunks)
        graph_scope, graph = yield from make_graph(
            engine, settings, extractions, (documents, chunks)
        )
        vectors.embed_entities(graph.entities)
        heads = {
            library.SEEN: library.seen(one.id for one in documents),
            library.MADE_BY: library.made_by(settings),
            library.CHUNKS: library.chunk_scope(settings),
            library.graph_head("general"): graph_scope,
        }
        for algorithm in settings.hierarchy.algorithms:
            scope, hierarchy = yield from fold(engine, settings, graph_scope, graph, algorithm)
            links, written = yield from write_reports(
                engine, report_settings, scope, graph, hierarchy, vectors.embed_reports
            )
            hierarchies.append(hierarchy)
            reports[hierarchy.key] = list(written.values())
            heads[library.hierarchy_head(hierarchy.key)] = scope
            heads[library.reports_head(hierarchy.key)] = links
    heads[library.COVERED] = library.covered_share(graph, hierarchies[0], len(chunks))
    # From here on the corpus can be asked; the vectors follow.
    library.make_current(engine.store, heads)
    ready = BuildReady(
        documents=len(documents),
        chunks=len(chunks),
        entities=len(graph.entities),
        relationships=len(graph.relationships),
        claims=len(graph.claims),
        hierarchies=tuple(summarise_hierarchy(one) for one in hierarchies),
        reports=sum(len(ones) for ones in reports.values()),
        skipped=(),
        usage=Usage(),
        seconds=0.0,
        digest=_content_digest(documents, chunks, graph, hierarchies, reports),
        notes=notes,
    )
    engine.store.replace(library.BUILDS, {BuildReady: [ready]})
    yield from vectors.finish(graph.entities, reports)
    yield ready


def fit_reports(
    settings: ReportSettings, reporter: Reporter
) -> tuple[ReportSettings, tuple[str, ...]]:
    """Return settings whose budget the reporter can read, and what had to be made smaller."""
    most = reporter.context_tokens
    if most >= settings.context_tokens:
        return settings, ()
    note = f"Reports are written from {most:,} tokens at most: the model reads no more at once."
    return settings.model_copy(update={"context_tokens": max(200, most)}), (note,)


def read_files(engine: Engine, read_original: Callable[[SourceFile], bytes]) -> Built:
    """Read the files that wait for it; each becomes documents, or a row with the reason.

    A file that another version of the reader has read waits again. One that is replaced or removed
    while it is being read stays as it then is; what was added meanwhile is read as well.
    """
    files, waiting = _waiting(engine)
    yield Progress("read", len(files) - len(waiting), len(files))
    while waiting:
        left = len(waiting)
        heavy = left > MANY_FILES or sum(one.n_bytes for one in waiting) > HEAVY_BYTES
        executor = engine.processes if heavy else engine.threads
        originals = _originals(engine, waiting, read_original)
        units = batches(originals, TOGETHER, lambda one: len(one[1]), TOGETHER_BYTES)
        read = partial(_read_some, library.CODE_VERSIONS["read"])
        for unit, results in fan_out(engine, executor, read, units):
            engine.store.add(library.DOCUMENTS, [one for _, found in results for one in found])
            changes = [
                (file, replace(row, id=file.id))
                for (file, _), (row, _) in zip(unit, results, strict=True)
            ]
            engine.store.exchange(library.FILES, changes)
            left -= len(unit)
            yield Progress("read", len(files) - left, len(files), unit[-1][0].name)
        files, waiting = _waiting(engine)
    for row in library.Library(engine.store).files():
        # A file that was read may have parts that could not be.
        if row.status in ("failed", "empty") or (row.status == "read" and row.reason):
            yield Skipped("read", row.name, row.reason)


def _waiting(engine: Engine) -> tuple[list[SourceFile], list[SourceFile]]:
    """Return the files of the corpus, and those among them that are to be read."""
    files = [one for one in library.Library(engine.store).files() if one.status != "removed"]
    return files, [one for one in files if library.waits_for_reading(one)]


def _originals(
    engine: Engine, waiting: Sequence[SourceFile], read_original: Callable[[SourceFile], bytes]
) -> Iterator[Original]:
    """Yield the files with their bytes; one whose original is gone becomes a failed row."""
    reader = library.CODE_VERSIONS["read"]
    for file in waiting:
        try:
            data = read_original(file)
        except StoreError as error:
            row = replace(file, status="failed", reason=str(error), reader=reader)
            engine.store.exchange(library.FILES, [(file, row)])
            continue
        yield file, data


def _read_some(
    reader: int, unit: tuple[Original, ...]
) -> list[tuple[SourceFile, tuple[Document, ...]]]:
    return [_read_one(reader, file, data) for file, data in unit]


def _read_one(
    reader: int, file: SourceFile, data: bytes
) -> tuple[SourceFile, tuple[Document, ...]]:
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


def _chunk(
    engine: Engine, settings: Settings, documents: Sequence[Document]
) -> Generator[BuildEvent, None, list[Chunk]]:
    scope = library.chunk_scope(settings)
    found = {chunk.document_id for chunk in engine.store.all(Chunk, scope)}
    done = 0
    yield Progress("chunk", done, len(documents))
    for some in batches(documents, TOGETHER, lambda one: len(one.text), TOGETHER_BYTES):
        chunks = [
            chunk
            for document in some
            if document.id not in found
            for chunk in chunk_document(document, settings.chunking, engine.tokenizer)
        ]
        engine.store.add(scope, chunks)
        done += len(some)
        yield Progress("chunk", done, len(documents))
    return library.Library(engine.store).chunks(list(documents), scope)


def make_graph(
    engine: Engine,
    settings: Settings,
    extract_scope: str,
    texts: tuple[Sequence[Document], Sequence[Chunk]],
    key: str = "general",
) -> Generator[BuildEvent, None, tuple[str, KnowledgeGraph]]:
    """Make the graph of that key from the extractions of a scope, or read it; returns its scope."""
    documents, chunks = texts
    version = library.CODE_VERSIONS["graph"]
    extracted = set(engine.store.ids(Extraction, extract_scope))
    chunk_ids = [chunk.id for chunk in chunks]
    # Chunks that were skipped count: once one of them is done, the graph is another.
    skipped = [one for one in chunk_ids if one not in extracted]
    how = settings.graph.model_dump_json()
    describer = engine.backend.describer
    by = describer.key if describer is not None else ""
    scope = digest("graph", version, extract_scope, how, chunk_ids, skipped, by)
    yield Progress("graph", 0, 1)
    if not engine.store.is_finished(scope):
        live = set(chunk_ids)
        extractions = [one for one in engine.store.all(Extraction, extract_scope) if one.id in live]
        graph = build_graph(documents, chunks, extractions, settings.graph, key)
        if describer is not None:
            stated = stated_descriptions(graph, extractions)
            graph = yield from merge_descriptions(engine, graph, stated)
        engine.store.replace(
            scope,
            {Entity: graph.entities, Relationship: graph.relationships, Claim: graph.claims},
        )
    else:
        graph = library.read_graph(engine.store, scope, key)
    n_entities, n_relationships = len(graph.entities), len(graph.relationships)
    yield Progress("graph", 1, 1, f"{n_entities:,} entities, {n_relationships:,} relationships")
    return scope, graph


def fold(
    engine: Engine, settings: Settings, graph_scope: str, graph: KnowledgeGraph, algorithm: str
) -> Generator[BuildEvent, None, tuple[str, Hierarchy]]:
    """Make the hierarchy of a graph, or read it; returns its scope and itself."""
    method = COMMUNITIES[algorithm]
    version = library.CODE_VERSIONS["communities"]
    how = settings.hierarchy.model_dump_json(exclude={"algorithms"})
    scope = digest("communities", version, graph_scope, algorithm, method.version, how)
    stage = f"communities {algorithm}"
    yield Progress(stage, 0, 1)
    if engine.store.is_finished(scope):
        (head,) = engine.store.all(HierarchyHead, scope)
        hierarchy = library.read_hierarchy(engine.store, scope, head.id)
    else:
        sized = size_communities(engine.tokenizer, graph, settings.hierarchy)
        hierarchy = yield from follow(
            stage,
            lambda tell: find_communities(graph, algorithm=method, settings=sized, tell=tell),
        )
        head = HierarchyHead(
            hierarchy.key,
            hierarchy.graph_key,
            hierarchy.algorithm,
            hierarchy.params,
            hierarchy.seed,
            hierarchy.unplaced,
        )
        engine.store.replace(scope, {HierarchyHead: [head], Community: hierarchy.communities})
    yield Progress(stage, 1, 1, f"{len(hierarchy.communities):,} communities")
    return scope, hierarchy


def summarise_hierarchy(hierarchy: Hierarchy) -> HierarchySummary:
    """Return a hierarchy at a glance."""
    return HierarchySummary(
        key=hierarchy.key,
        algorithm=hierarchy.algorithm,
        levels=hierarchy.n_levels,
        communities=len(hierarchy.communities),
        leaves=len(hierarchy.leaves),
        top_sizes=tuple(sorted((len(one.home_ids) for one in hierarchy.view(0)), reverse=True)),
        unplaced=len(hierarchy.unplaced),
    )


def _content_digest(
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    graph: KnowledgeGraph,
    hierarchies: Sequence[Hierarchy],
    reports: dict[str, list[Report]],
) -> str:
    return digest(
        [one.id for one in documents],
        [one.id for one in chunks],
        msgspec.json.encode((graph.entities, graph.relationships, graph.claims)),
        *(msgspec.json.encode((one.key, one.communities, one.unplaced)) for one in hierarchies),
        *(
            msgspec.json.encode(sorted(ones, key=lambda one: one.community_id))
            for ones in reports.values()
        ),
    )
