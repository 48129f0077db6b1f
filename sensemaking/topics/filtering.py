"""A topic's graph cut out of the general one: cheap, and not what ReTAG does.

Notes
-----
Ours. ReTAG extracts anew for each topic; here a relationship stays when one of its chunks speaks of
the topic, an entity when it is an end of such a relationship or is named in such a chunk twice.
What stays keeps its description, weight and evidence of the general graph, evidence elsewhere too:
the sentences of a description stand in the order of the spans that they are from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import TypeVar

from sensemaking.types import Chunk, Claim, Entity, KnowledgeGraph, Relationship, Span

R = TypeVar("R", Entity, Relationship, Claim)

MIN_MENTIONS = 2
"""Mentions in the topic's chunks that keep an entity without a relationship."""


def filter_graph(
    graph: KnowledgeGraph, key: str, chunks: Mapping[str, Chunk], chosen: Collection[str]
) -> KnowledgeGraph:
    """Return what the chosen chunks say, as a graph of that key.

    `chunks` are all chunks by id, `chosen` the ids of those that speak of the topic.
    """
    kept_ids = frozenset(chosen)
    ranges: dict[str, list[tuple[int, int]]] = {}
    for chunk_id in sorted(kept_ids):
        chunk = chunks[chunk_id]
        ranges.setdefault(chunk.document_id, []).append((chunk.start, chunk.end))

    def inside(span: Span) -> bool:
        places = ranges.get(span.document_id, ())
        return any(start <= span.start < end for start, end in places)

    ties = (_cut(one, kept_ids, inside) for one in graph.relationships)
    relationships = tuple(tie for tie in ties if tie.spans)
    tied = {end for one in relationships for end in (one.source_id, one.target_id)}
    entities = []
    for entity in graph.entities:
        mentioned = _cut(entity, kept_ids, inside)
        if entity.id in tied or sum(map(inside, mentioned.spans)) >= MIN_MENTIONS:
            entities.append(mentioned if mentioned.spans else entity)
    known = {one.id for one in entities}
    stated = (
        _cut(one, kept_ids, inside)
        for one in graph.claims
        if one.subject_id in known and (one.object_id is None or one.object_id in known)
    )
    claims = tuple(claim for claim in stated if claim.spans)
    return KnowledgeGraph(key, tuple(entities), relationships, claims)


def _cut(record: R, kept_ids: frozenset[str], inside: Callable[[Span], bool]) -> R:
    """Return the record as one of the chosen chunks, without evidence where they have none."""
    if kept_ids.isdisjoint(record.chunk_ids) or not any(map(inside, record.spans)):
        return replace(record, spans=(), chunk_ids=())
    return replace(record, chunk_ids=tuple(one for one in record.chunk_ids if one in kept_ids))
