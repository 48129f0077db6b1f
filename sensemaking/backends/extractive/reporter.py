"""Reports made of quotations: the sentences that say most about a community, and its own terms.

A report context comes in, a report draft goes out. Findings are evidence sentences chosen by
centrality among all of the community's sentences (LexRank), by the prominence of what they tie, by
the figures and names they state and by how well they read alone, with diversity (MMR). Nothing is
worded by the program but headings, which are names, and the reason of the rating.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.backends.extractive.evidence import Evidence, gather
from sensemaking.backends.extractive.quoting import attribute, facts
from sensemaking.backends.extractive.ranking import Matrix, centrality, choose, similarity
from sensemaking.backends.extractive.themes import (
    distinct_terms,
    in_order,
    join_terms,
    split_terms,
)
from sensemaking.ports import UNLIMITED, FindingDraft, ReportContext, ReportDraft
from sensemaking.text.words import content_words
from sensemaking.types import Citation

MIN_FINDINGS = 5
MAX_FINDINGS = 10
MAX_RANKED = 300
"""Sentences that are compared with each other; beyond them, the least prominent are not read."""
SUMMARY_SENTENCES = 3


@dataclass(frozen=True, slots=True)
class ExtractiveReporter:
    """Writes reports by quotation; needs no model."""

    key: str = "extractive-reporter-2"
    waits: bool = False
    context_tokens: int = UNLIMITED

    def write(self, context: ReportContext) -> ReportDraft:
        """Return a report whose every sentence is a trimmed sentence of a document.

        Notes
        -----
        A context without any sentence (entities that are only listed) gives a report without
        findings, titled by its entities.
        """
        evidence = _readable(gather(context))[:MAX_RANKED]
        terms = _title_terms(context)
        if not evidence:
            rating, reason = _rate(context)
            return ReportDraft(join_terms(terms), "", (), (), rating, reason)
        cosines = similarity([content_words(one.text) for one in evidence])
        worth = _worth(evidence, cosines)
        chosen = choose(worth, cosines, MAX_FINDINGS)
        summary = _summary([evidence[index] for index in chosen], terms)
        rating, reason = _rate(context)
        return ReportDraft(
            title=join_terms(terms),
            summary=" ".join(attribute(one.text, one.speaker) for one in summary),
            summary_citations=_citations(summary),
            findings=_findings([evidence[index] for index in chosen]),
            rating=rating,
            rating_reason=reason,
        )


def _readable(evidence: list[Evidence]) -> list[Evidence]:
    """Return what reads alone, the most prominent first; if nothing does, the one best sentence."""
    ranked = sorted(evidence, key=lambda one: (-one.prominence, one.text))
    return [one for one in ranked if one.readability > 0] or ranked[:1]


def _worth(evidence: Sequence[Evidence], cosines: Matrix) -> list[float]:
    central = centrality(cosines)
    return [
        float(
            0.25 * central[index]
            + 0.2 * one.prominence
            + 0.25 * one.readability
            + 0.3 * facts(one.text)
        )
        * (0.4 + 0.6 * one.readability)
        + 1e-6
        for index, one in enumerate(evidence)
    ]


def _title_terms(context: ReportContext) -> list[str]:
    """Return up to three names: the members best tied inside the community.

    Notes
    -----
    Inner weight is damped by the share of an entity's ties that lead outside, so that a name that
    is everywhere does not title every report. Where reports stand in for sub-communities, the
    leading terms of the largest come next.
    """
    inner: defaultdict[str, float] = defaultdict(float)
    ties: defaultdict[str, int] = defaultdict(int)
    for one in context.relationships:
        for end in (one.source_id, one.target_id):
            inner[end] += one.weight
            ties[end] += 1
    scored = [
        (
            -inner[entity.id]
            * math.sqrt(max(1, ties[entity.id]) / max(1, degree))
            * (0.6 if entity.name.islower() and " " not in entity.name else 1.0),
            rank,
            entity.name,
        )
        for rank, (entity, degree) in enumerate(zip(context.entities, context.degrees, strict=True))
    ]
    own = [name for _, _, name in sorted(scored)]
    if not context.reports:
        return distinct_terms(own, 3) or own[:1]
    taken = [split_terms(report.title) for report in context.reports]
    leading = [terms[0] for terms in taken if terms] + [
        terms[1] for terms in taken if len(terms) > 1
    ]
    return distinct_terms(leading[:2] + own[:1] + leading[2:], 3) or leading[:1] or own[:1]


def _summary(chosen: Sequence[Evidence], terms: Sequence[str]) -> list[Evidence]:
    """Return the best sentence for each title term, then the best of the rest, in all three."""
    picked: list[Evidence] = []
    for term in terms:
        folded = term.casefold()
        fitting = [one for one in chosen if folded in one.text.casefold() and one not in picked]
        picked.extend(fitting[:1])
    rest = [one for one in chosen if one not in picked]
    size = 2 if len(chosen) < MIN_FINDINGS else SUMMARY_SENTENCES
    return (picked + rest)[:size]


def _citations(evidence: Sequence[Evidence]) -> tuple[Citation, ...]:
    return tuple(dict.fromkeys(citation for one in evidence for citation in one.citations))


def _findings(chosen: Sequence[Evidence]) -> tuple[FindingDraft, ...]:
    findings = []
    used: set[str] = set()
    for one in chosen:
        heading = _heading(one, used)
        used.add(heading)
        findings.append(FindingDraft(heading, attribute(one.text, one.speaker), one.citations))
    return tuple(findings)


def _heading(one: Evidence, used: set[str]) -> str:
    """Return two names of the sentence; a third where that heading is taken."""
    present = [name for name in one.names if name.casefold() in one.text.casefold()]
    ordered = in_order(present or one.names, one.text)
    for size in (2, 3):
        heading = join_terms(in_order(distinct_terms(ordered, size) or ordered[:1], one.text))
        if heading not in used:
            break
    return heading


def _rate(context: ReportContext) -> tuple[float, str]:
    """Return the rating 0-10 and its reason.

    Notes
    -----
    The sum of four logarithmic scales that reach their end at 60 relationships (3 points), 20
    documents (3), 40 entities (2) and, for the best-connected entity, degree 80 (2).
    """
    degree = max(context.degrees, default=0)
    parts = (
        (context.n_relationships, 60, 3),
        (context.n_documents, 20, 3),
        (context.n_entities, 40, 2),
        (degree, 80, 2),
    )
    rating = sum(
        points * min(1.0, math.log1p(count) / math.log1p(full)) for count, full, points in parts
    )
    best = max(
        zip(context.degrees, (entity.name for entity in context.entities), strict=True),
        key=lambda pair: (pair[0], pair[1]),
        default=(0, ""),
    )
    rounded = round(rating, 1)
    reason = (
        f"Rated {rounded}: {_count(context.n_entities, 'entity', 'entities')} tied by "
        f"{_count(context.n_relationships, 'relationship', 'relationships')} in "
        f"{_count(context.n_documents, 'document', 'documents')}"
    )
    if best[1]:
        reason += f"; {best[1]}, the best connected, has {_count(best[0], 'tie', 'ties')} in all"
    return rounded, reason + "."


def _count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
