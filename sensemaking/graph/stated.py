"""What models said of each entity and relationship of a graph, chunk by chunk.

Extractions and the finished graph come in; out go, per record, the different descriptions that were
stated, in the order of the documents. Those of an extractor that states none are empty.
"""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.types import Extraction, KnowledgeGraph, Mention, digest


def stated_descriptions(
    graph: KnowledgeGraph, extractions: Sequence[Extraction]
) -> dict[str, tuple[str, ...]]:
    """Return the stated descriptions by record id; a mention counts for the entity at its place."""
    owner = {
        (span.document_id, span.start, span.end): one.id
        for one in graph.entities
        for span in one.spans
    }
    named: dict[str, list[str]] = {}
    for one in graph.entities:
        for name in (one.name, *one.aliases):
            named.setdefault(name.casefold(), []).append(one.id)
    ties = {one.id for one in graph.relationships}
    found: dict[str, dict[str, None]] = {}
    for extraction in sorted(extractions, key=lambda one: one.id):
        ids = [_entity_of(one, owner, named) for one in extraction.mentions]
        for mention, entity in zip(extraction.mentions, ids, strict=True):
            if entity and mention.description:
                found.setdefault(entity, {})[mention.description] = None
        for stated in extraction.relationships:
            ends = sorted((ids[stated.source] or "", ids[stated.target] or ""))
            tie = digest(*ends)
            if tie in ties and stated.description:
                found.setdefault(tie, {})[stated.description] = None
    return {key: tuple(sorted(texts)) for key, texts in found.items()}


def _entity_of(
    mention: Mention, owner: dict[tuple[str, int, int], str], named: dict[str, list[str]]
) -> str | None:
    for span in mention.spans:
        entity = owner.get((span.document_id, span.start, span.end))
        if entity is not None:
            return entity
    # A name that the model did not quote to the letter has no place: only its name is left.
    candidates = named.get(mention.name.casefold(), [])
    return candidates[0] if len(candidates) == 1 else None
