"""Relationships from ties between sentences, and those that a model stated."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sensemaking.graph.associate import Ties
from sensemaking.graph.describe import Texts, shortened
from sensemaking.graph.entities import EntityTable
from sensemaking.graph.reading import Reading
from sensemaking.types import Relationship, Span, digest

_POINTS_BACK = re.compile(
    r"(?:it|this|that|these|those|he|she|they|such|both|his|her|its|their)\b(?!’|')", re.IGNORECASE
)
MAX_EVIDENCE = 8
MAX_TOLD = 3
"""Evidence sentences that a description holds."""
MAX_DESCRIPTION = 400
"""Characters of one of them."""
MAX_WORDS_OF_TWO = 40
"""Words up to which a sentence that points back is told with the one before it."""
MAX_LOOKED_AT = 24
"""Evidence sentences among which those are chosen."""


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
    """Return a tie with its evidence; those sentences that its description holds come first."""
    tie = _Tie(weight)
    told = _told(reading, evidence, texts)
    tie.description = "\n".join(told.values())
    tie.speaker = reading.sentences[next(iter(told))[0]].speaker
    for row, reach in (*told, *evidence):
        if len(tie.spans) == MAX_EVIDENCE:
            break
        chunk = reading.chunks[reading.sentences[row].chunk].id
        tie.spans.setdefault(_span(reading, texts, row, reach), chunk)
    return tie


def _told(
    reading: Reading, evidence: Sequence[tuple[int, int]], texts: Texts
) -> dict[tuple[int, int], str]:
    """Return the evidence that is told, with its words: the best, then the best of elsewhere.

    Sentences of other documents go before more of the same; none is told twice.
    """
    told: dict[tuple[int, int], str] = {}
    documents: set[int] = set()
    for is_elsewhere in (True, False):
        for row, reach in evidence[:MAX_LOOKED_AT]:
            first = reading.sentences[row]
            if (row, reach) in told or (is_elsewhere and first.document in documents):
                continue
            span = _span(reading, texts, row, reach)
            text = shortened(texts.clean(first.document, span.start, span.end), MAX_DESCRIPTION)
            if not text or text in told.values():
                continue
            told[row, reach] = _with_speaker(text, first.speaker) if told else text
            documents.add(first.document)
            if len(told) == MAX_TOLD:
                return told
    return told or {evidence[0]: ""}


def _with_speaker(text: str, speaker: str) -> str:
    """Return a further sentence with who says it, where that is known."""
    return f"{speaker}: “{text}”" if speaker else text


def _span(reading: Reading, texts: Texts, row: int, reach: int) -> Span:
    """Return the place of evidence; a sentence that points back has the one before it with it."""
    span = reading.sentences[row].span
    end = reading.sentences[row + reach].span.end
    start = span.start if reach else _with_what_it_points_to(reading, texts, row)
    return Span(span.document_id, start, end, span.page)


def _with_what_it_points_to(reading: Reading, texts: Texts, row: int) -> int:
    """Return where a sentence begins, or the one before that a short "It is …" speaks of."""
    here = reading.sentences[row]
    text = texts.clean(here.document, here.span.start, here.span.end)
    if not row or not _POINTS_BACK.match(text):
        return here.span.start
    before = reading.sentences[row - 1]
    if (before.document, before.speaker, before.span.page) != (
        here.document,
        here.speaker,
        here.span.page,
    ):
        return here.span.start
    both = texts.clean(here.document, before.span.start, here.span.end)
    is_short = len(both.split()) <= MAX_WORDS_OF_TWO
    return before.span.start if is_short else here.span.start


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
