"""Relationships from ties between sentences, and those that a model stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sensemaking.graph.associate import Ties
from sensemaking.graph.describe import Texts, shortened
from sensemaking.graph.entities import EntityTable
from sensemaking.graph.reading import Reading
from sensemaking.types import Relationship, Span, digest

MAX_EVIDENCE = 8
MAX_DESCRIPTION = 400


@dataclass(slots=True)
class _Tie:
    weight: float = 0.0
    description: str = ""
    strongest: float = 0.0
    speaker: str = ""
    spans: dict[Span, str] = field(default_factory=dict)
    """Evidence, best first, and the chunk of each."""


def make_relationships(
    reading: Reading, keys: Sequence[str], table: EntityTable, ties: Ties, texts: Texts
) -> tuple[Relationship, ...]:
    """Return all relationships; one that was both found and stated has both weights."""
    found: dict[tuple[int, int], _Tie] = {}
    for index in range(len(ties.weights)):
        ends = (int(ties.sources[index]), int(ties.targets[index]))
        found[ends] = _from_sentences(
            reading, ties.evidence[index], float(ties.weights[index]), texts
        )
    _add_stated(reading, keys, table, found)
    relationships = []
    for (left, right), tie in sorted(found.items()):
        low, high = sorted((table.entities[left].id, table.entities[right].id))
        kept = list(tie.spans.items())[:MAX_EVIDENCE]
        relationships.append(
            Relationship(
                id=digest(low, high),
                source_id=low,
                target_id=high,
                description=tie.description,
                weight=round(tie.weight, 6),
                spans=tuple(span for span, _ in kept),
                chunk_ids=tuple(sorted({chunk for _, chunk in kept})),
                speaker=tie.speaker,
            )
        )
    return tuple(relationships)


def _from_sentences(
    reading: Reading, evidence: Sequence[tuple[int, int]], weight: float, texts: Texts
) -> _Tie:
    tie = _Tie(weight)
    for row, reach in evidence:
        if len(tie.spans) == MAX_EVIDENCE:
            break
        first = reading.sentences[row]
        span = first.span
        if reach:
            end = reading.sentences[row + reach].span.end
            span = Span(span.document_id, span.start, end, span.page)
        chunk = reading.chunks[first.chunk].id
        if not tie.spans:
            text = texts.clean(first.document, span.start, span.end)
            tie.description = shortened(text, MAX_DESCRIPTION)
            tie.speaker = first.speaker
        tie.spans.setdefault(span, chunk)
    return tie


def _add_stated(
    reading: Reading, keys: Sequence[str], table: EntityTable, found: dict[tuple[int, int], _Tie]
) -> None:
    for chunk, extraction, forms in zip(
        reading.chunks, reading.extractions, reading.form_of, strict=True
    ):
        for stated in extraction.relationships:
            left = table.index.get(keys[forms[stated.source]])
            right = table.index.get(keys[forms[stated.target]])
            if left is None or right is None or left == right:
                continue
            tie = found.setdefault((min(left, right), max(left, right)), _Tie())
            tie.weight += max(stated.weight, 1e-6)
            if stated.weight > tie.strongest:
                tie.strongest = stated.weight
                tie.description = stated.description
                tie.speaker = ""
                tie.spans = dict.fromkeys(stated.spans, chunk.id) | tie.spans
            else:
                tie.spans |= dict.fromkeys(stated.spans, chunk.id)
