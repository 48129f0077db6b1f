"""Files to reports, as a generator of events: the line of the product on one screen.

Every unit is stored when it is done, and a stage whose scope is finished is not run again; so a
build that was stopped or killed goes on where it was, and an unchanged corpus costs a look.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace

import msgspec

from sensemaking.communities import find_communities
from sensemaking.config import ReportSettings, Settings
from sensemaking.errors import InputError
from sensemaking.graph import build_graph, stated_descriptions
from sensemaking.methods import COMMUNITIES
from sensemaking.pipeline import library
from sensemaking.pipeline.describing import merge_descriptions
from sensemaking.pipeline.engine import Engine, metered, model_notes
from sensemaking.pipeline.extracting import Extracting, begins_early, extract_chunks
from sensemaking.pipeline.following import follow
from sensemaking.pipeline.reading import ReadOriginal
from sensemaking.pipeline.reporting import write_reports
from sensemaking.pipeline.sizing import size_communities
from sensemaking.pipeline.texts import Texts, read_texts
from sensemaking.pipeline.vectors import VectorWork, vectors_alongside
from sensemaking.ports import Reporter
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
    Usage,
    digest,
)

NO_TEXT = (
    "None of the files has any text to work with. Add documents (text, Markdown, HTML, PDF, DOCX, "
    "CSV or JSON); the Documents page says of each file why it was not read."
)
Built = Generator[BuildEvent, None, None]


def build(engine: Engine, settings: Settings, read_original: ReadOriginal) -> Built:
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


def _stages(engine: Engine, settings: Settings, read_original: ReadOriginal) -> Built:
    report_settings, notes = fit_reports(settings.reports, engine.backend.reporter)
    hierarchies: list[Hierarchy] = []
    reports: dict[str, list[Report]] = {}
    with vectors_alongside(engine) as vectors:
        (documents, chunks), extractions = yield from _extract(
            engine, settings, read_original, vectors
        )
        graph_scope, graph = yield from make_graph(
            engine, settings, extractions, (documents, chunks), see=vectors.embed_entities
        )
        if engine.store.head(library.graph_head("general")) != graph_scope:
            vectors.write_early((documents, chunks), graph.entities)
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
        vectors.embed_rest()
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
    yield from vectors.finish((documents, chunks), graph.entities, reports)
    yield ready


def _extract(
    engine: Engine, settings: Settings, read_original: ReadOriginal, vectors: VectorWork
) -> Generator[BuildEvent, None, tuple[Texts, str]]:
    """Return all documents and chunks, and the scope of what was extracted from them."""
    extracting = Extracting(engine, settings) if begins_early(engine) else None
    texts = yield from read_texts(
        engine, settings, read_original, see=vectors.embed_document, then=extracting
    )
    if not texts[0]:
        raise InputError(NO_TEXT)
    if extracting is None:
        return texts, (yield from extract_chunks(engine, settings, *texts))
    extracting.check()
    return texts, extracting.scope


def fit_reports(
    settings: ReportSettings, reporter: Reporter
) -> tuple[ReportSettings, tuple[str, ...]]:
    """Return settings whose budget the reporter can read, and what had to be made smaller."""
    most = reporter.context_tokens
    if most >= settings.context_tokens:
        return settings, ()
    note = f"Reports are written from {most:,} tokens at most: the model reads no more at once."
    return settings.model_copy(update={"context_tokens": max(200, most)}), (note,)


def make_graph(
    engine: Engine,
    settings: Settings,
    extract_scope: str,
    texts: tuple[Sequence[Document], Sequence[Chunk]],
    key: str = "general",
    see: Callable[[Sequence[Entity]], None] = lambda _: None,
) -> Generator[BuildEvent, None, tuple[str, KnowledgeGraph]]:
    """Make the graph of that key from the extractions of a scope, or read it; returns its scope.

    `see` is shown entities that are as they will be, while a model describes others.
    """
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
            graph = yield from merge_descriptions(engine, graph, stated, see)
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
