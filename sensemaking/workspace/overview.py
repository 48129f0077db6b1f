"""A corpus at a glance: its state, its documents, and what reached which stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sensemaking.config import Settings
from sensemaking.errors import NotFound
from sensemaking.pipeline.library import CHUNKS, COVERED, MADE_BY, SEEN, Library, made_by, seen
from sensemaking.text.reading import safe_name
from sensemaking.types import (
    Chunk,
    CorpusSummary,
    Document,
    DocumentRow,
    JobSnapshot,
    SourceFile,
)
from sensemaking.types.views import CorpusState

BUILT_AT = "built_at"
"""Head that holds when the last build ended (ISO 8601, UTC)."""


def summarise(
    named: tuple[str, str], library: Library, settings: Settings, job: JobSnapshot | None
) -> CorpusSummary:
    """Return the corpus at a glance; `named` is its name and its title."""
    name, title = named
    files = [file for file in library.files() if file.status != "removed"]
    built = library.last_build()
    hierarchy = built.hierarchies[0] if built is not None and built.hierarchies else None
    return CorpusSummary(
        name=name,
        title=title,
        state=_state(files, library, settings, job),
        n_documents=sum(len(file.document_ids) for file in files),
        n_words=sum(file.n_words for file in files),
        n_not_read=sum(file.status in ("failed", "empty") for file in files),
        n_entities=built.entities if built is not None else 0,
        n_reports=built.reports if built is not None else 0,
        top_sizes=hierarchy.top_sizes if hierarchy is not None else (),
        n_unplaced=hierarchy.unplaced if hierarchy is not None else 0,
        built_at=library.store.head(BUILT_AT) or None,
        n_waiting=sum(file.status == "waiting" for file in files),
        covered=_parse_share(library.store.head(COVERED) or ""),
    )


def _parse_share(text: str) -> tuple[int, int] | None:
    part, _, whole = text.partition("/")
    return (int(part), int(whole)) if part.isdecimal() and whole.isdecimal() else None


def _state(
    files: Sequence[SourceFile], library: Library, settings: Settings, job: JobSnapshot | None
) -> CorpusState:
    if job is not None and job.is_running:
        return "building"
    if not files:
        return "empty"
    if job is not None and job.status == "stopped":
        return "stopped"
    if job is not None and job.status == "failed":
        return "failed"
    known = library.store.head(SEEN)
    if not known:
        return "ready"
    waiting = any(file.status == "waiting" for file in files)
    ids = (key for file in files for key in file.document_ids)
    if waiting or seen(ids) != known:
        return "changed"
    return "built" if library.store.head(MADE_BY) == made_by(settings) else "outdated"


def document_rows(library: Library) -> tuple[DocumentRow, ...]:
    """Return one row per document, by name; `n_chunks` is 0 before the first build."""
    scope = library.store.head(CHUNKS)
    chunks = library.store.all(Chunk, scope) if scope else []
    counts = Counter(chunk.document_id for chunk in chunks)
    return tuple(
        DocumentRow(
            id=one.id,
            name=one.name,
            title=one.title,
            media_type=one.media_type,
            language=one.language,
            n_words=one.n_words,
            n_chunks=counts[one.id],
            date=dict(one.metadata).get("date"),
        )
        for one in library.documents()
    )


def coverage_ledger(
    library: Library, files: Sequence[SourceFile], hierarchy_key: str, level: int | None
) -> tuple[tuple[str, int, int], ...]:
    """Return (stage, how many reached it, how many were lost on the way there), in order.

    The stages after reading are there once the corpus is built. `level` None is the leaf view.
    """
    n_read = sum(file.status in ("read", "duplicate") for file in files)
    rows = [("Files", len(files), 0), ("Read", n_read, len(files) - n_read)]
    keys = library.hierarchy_keys()
    if not keys:
        return tuple(rows)
    key = hierarchy_key if hierarchy_key in keys else keys[0]
    graph, hierarchy, reports = library.graph(), library.hierarchy(key), library.reports(key)
    n_chunks = sum(row.n_chunks for row in document_rows(library))
    used = len({chunk for entity in graph.entities for chunk in entity.chunk_ids})
    placed = len(graph.entities) - len(hierarchy.unplaced)
    view = hierarchy.view(hierarchy.n_levels if level is None else level)
    shown = [community for community in view if community.id in reports]
    n_communities = len(hierarchy.communities)
    return (
        *rows,
        ("Chunks", n_chunks, 0),
        ("With records", used, max(0, n_chunks - used)),
        ("Entities", len(graph.entities), 0),
        ("In a community", placed, len(hierarchy.unplaced)),
        ("Communities", n_communities, 0),
        ("With a report", len(reports), n_communities - len(reports)),
        ("Read for an answer", len(shown), len(view) - len(shown)),
    )


def document_called(library: Library, corpus: str, name: str) -> Document:
    """Return the document of that name or id in a corpus of this name; raises `NotFound`."""
    for row in document_rows(library):
        if name in (row.id, row.name):
            return library.document(row.id)
    raise NotFound(
        f"There is no document “{safe_name(name)[:200]}” in {corpus}: `sensemaking show {corpus}` "
        "lists them."
    )
