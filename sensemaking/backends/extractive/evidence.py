"""The sentences a report can be written from, each with the records that rest on it.

A report context comes in; out go pieces of evidence in order of prominence: the best sentences of
its relationships and claims, and the findings of the reports that stand in for sub-communities.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sensemaking.backends.extractive.quoting import readability, split_attribution, trim
from sensemaking.backends.extractive.themes import split_terms
from sensemaking.ports import ReportContext
from sensemaking.types import Citation, Claim, Relationship

MAX_CITATIONS = 5
FURTHER = 0.9
"""Prominence of the second and third sentence of a relationship, against the one before."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sentence that can be quoted.

    `text` is trimmed. `names` are the entities it ties, in order of appearance. `prominence` and
    `readability` are 0-1.
    """

    text: str
    speaker: str
    names: tuple[str, ...]
    citations: tuple[Citation, ...]
    prominence: float
    readability: float


def gather(context: ReportContext) -> list[Evidence]:
    """Return the evidence of a context, most prominent first; a sentence occurs once.

    Notes
    -----
    Prominence is half the rank of the first record that rests on the sentence, half the degree (on
    a logarithmic scale) of the best-connected entity it ties. A finding taken over from the report
    on a sub-community keeps its citations.
    """
    by_sentence: dict[str, Evidence] = {}
    ties: list[Relationship | Claim] = [*context.relationships, *context.claims]
    degrees = _degrees(context)
    names = {entity.id: entity.name for entity in context.entities}
    for rank, record in enumerate(ties):
        ends = [one for one in _ends(record) if one in names]
        degree = max((degrees[one] for one in ends), default=0.0)
        kind_rank = rank if rank < len(context.relationships) else rank - len(context.relationships)
        place = 1 - kind_rank / len(ties)
        for number, (sentence, speaker, citation) in enumerate(_sentences(record)):
            _add(
                by_sentence,
                sentence,
                speaker,
                tuple(names[one] for one in ends),
                (citation,),
                (place + degree) / 2 * FURTHER**number,
            )
    for rank, report in enumerate(context.reports):
        for number, finding in enumerate(report.findings):
            place = 1 - (rank + number / len(report.findings)) / (len(context.reports) + 1)
            speaker, words = split_attribution(finding.text)
            terms = tuple(split_terms(finding.heading))
            prominence = (place + report.rating / 10) / 2
            _add(by_sentence, words, speaker, terms, finding.citations, prominence)
    return list(by_sentence.values())


def _degrees(context: ReportContext) -> dict[str, float]:
    logs = [math.log1p(degree) for degree in context.degrees]
    top = max(logs, default=0.0) or 1.0
    return {entity.id: value / top for entity, value in zip(context.entities, logs, strict=True)}


def _ends(record: Relationship | Claim) -> tuple[str, ...]:
    if isinstance(record, Relationship):
        return record.source_id, record.target_id
    return (
        (record.subject_id,) if record.object_id is None else (record.subject_id, record.object_id)
    )


def _sentences(record: Relationship | Claim) -> list[tuple[str, str, Citation]]:
    """Return the sentences of a record, who says each, and the record with the span of each.

    The lines of a relationship that was found in sentences are those of its first spans; what a
    model wrote about it is one text that rests on all of them.
    """
    if isinstance(record, Claim):
        return [(record.description, record.speaker, Citation("claim", record.id, record.spans))]
    lines = record.description.split("\n")
    found = []
    for number, line in enumerate(lines[: max(1, len(record.spans))]):
        speaker, words = (record.speaker, line) if number == 0 else split_attribution(line)
        spans = record.spans[number : number + 1]
        found.append((words, speaker, Citation("relationship", record.id, spans)))
    return found


def _add(
    by_sentence: dict[str, Evidence],
    sentence: str,
    speaker: str,
    names: tuple[str, ...],
    citations: tuple[Citation, ...],
    prominence: float,
) -> None:
    text = trim(sentence)
    if not text:
        return
    known = by_sentence.get(text)
    if known is None:
        by_sentence[text] = Evidence(
            text, speaker, names, citations, round(prominence, 5), readability(text)
        )
        return
    by_sentence[text] = Evidence(
        text,
        known.speaker or speaker,
        tuple(dict.fromkeys((*known.names, *names))),
        tuple(dict.fromkeys((*known.citations, *citations)))[:MAX_CITATIONS],
        known.prominence,
        known.readability,
    )
