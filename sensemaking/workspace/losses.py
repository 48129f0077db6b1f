"""What of a corpus did not reach a stage: each thing by name, where it stands, and why.

The stages are those of the coverage ledger; a list has as many things as the ledger says are lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sensemaking.pipeline.library import CHUNKS, Library
from sensemaking.types import Community, KnowledgeGraph, SourceFile, Span

READ = "Read"
WITH_RECORDS = "With records"
IN_A_COMMUNITY = "In a community"
WITH_A_REPORT = "With a report"
READ_FOR_AN_ANSWER = "Read for an answer"
BEGINNING = 140
NAMED = 4


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that was lost on the way: `name` says what, `reason` why.

    `span` is where it stands, where it stands anywhere; `entity_id` names an entity.
    """

    name: str
    reason: str
    span: Span | None = None
    entity_id: str = ""


def list_losses(
    library: Library, files: Sequence[SourceFile], stage: str, hierarchy_key: str, level: int | None
) -> tuple[Loss, ...]:
    """Return what was lost on the way to a stage, in order of name or place; () for other words.

    `level` None is the leaf view, as in the ledger.
    """
    if stage == READ:
        return tuple(
            Loss(one.name, one.reason or "There is no text in it.")
            for one in files
            if one.status not in ("read", "duplicate")
        )
    keys = library.hierarchy_keys()
    if not keys:
        return ()
    key = hierarchy_key if hierarchy_key in keys else keys[0]
    if stage == WITH_RECORDS:
        return _empty_chunks(library)
    if stage == IN_A_COMMUNITY:
        return _unplaced(library.graph(), library.hierarchy(key).unplaced)
    hierarchy = library.hierarchy(key)
    if stage == WITH_A_REPORT:
        return _unreported(library, key, hierarchy.communities)
    if stage == READ_FOR_AN_ANSWER:
        shown = hierarchy.view(hierarchy.n_levels if level is None else level)
        return _unreported(library, key, shown)
    return ()


def _reasons(library: Library, stage: str) -> dict[str, str]:
    built = library.last_build()
    if built is None:
        return {}
    return {one.subject: one.reason for one in built.skipped if one.stage.split()[0] == stage}


def _empty_chunks(library: Library) -> tuple[Loss, ...]:
    graph = library.graph()
    used = {chunk for entity in graph.entities for chunk in entity.chunk_ids}
    documents = {one.id: one for one in library.documents()}
    reasons = _reasons(library, "extract")
    chunks = library.chunks(list(documents.values()), library.store.head(CHUNKS) or "")
    found = []
    for one in chunks:
        if one.id in used:
            continue
        document = documents[one.document_id]
        begins = " ".join(document.text[one.start : one.end].split())[:BEGINNING]
        titles = (document.title, document.name)
        why = next(
            (
                reasons[key]
                for key in (f"{name}, chunk {one.ordinal + 1}" for name in titles)
                if key in reasons
            ),
            "",
        )
        found.append(
            Loss(
                f"{document.name}: {begins}",
                why or "Nothing in it is named in a way that the graph keeps.",
                Span(one.document_id, one.start, one.end),
            )
        )
    return tuple(found)


def _unplaced(graph: KnowledgeGraph, ids: Iterable[str]) -> tuple[Loss, ...]:
    entities = sorted((graph.entity_by_id[one] for one in ids), key=lambda one: (one.name, one.id))
    return tuple(
        Loss(
            one.name,
            "It hangs together with a few others only, apart from the rest."
            if graph.degrees[one.id]
            else "Nothing in the documents ties it to anything else.",
            one.spans[0] if one.spans else None,
            one.id,
        )
        for one in entities
    )


def _unreported(library: Library, key: str, communities: Iterable[Community]) -> tuple[Loss, ...]:
    reports, graph = library.reports(key), library.graph(key.partition(".")[0])
    reasons = _reasons(library, "reports")
    found = []
    for one in communities:
        if one.id in reports:
            continue
        members = [graph.entity_by_id[entity] for entity in one.entity_ids]
        members.sort(key=lambda entity: (-len(entity.spans), entity.name))
        name = ", ".join(entity.name for entity in members[:NAMED])
        found.append(
            Loss(
                f"Level {one.level}: {name}",
                reasons.get(one.id, "Its report was not written: build again."),
            )
        )
    return tuple(found)
