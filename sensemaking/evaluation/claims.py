"""Counting what answers claim: experiment 2 of GraphRAG.

The text of an answer and its claims come in; out come their number, the number of clusters of
claims at several thresholds, and how often such a measure agrees with the judges.

Notes
-----
"From Local to Global" (Edge et al. 2024), section 4: comprehensiveness is the number of claims of
an answer, diversity the number of clusters of complete linkage on 1 - ROUGE-L.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sensemaking.answers.dialect import parse_blocks, parse_sentences
from sensemaking.text.rouge import count_clusters
from sensemaking.text.words import content_words
from sensemaking.types import Answer, ClaimAgreement, EvaluatedAnswer, PairScore

THRESHOLDS = (0.5, 0.6, 0.7, 0.8)
"""Distances up to which claims are of one cluster, as in the paper."""


def readable_text(answer: Answer) -> str:
    """Return an answer as judges read it: headings and sentences, no numbers, no notes."""
    parts: list[str] = []
    for paragraph in answer.paragraphs:
        if paragraph.heading:
            parts.append(f"## {paragraph.heading}")
        parts.append(" ".join(one.text for one in paragraph.sentences))
    return "\n\n".join(parts)


def readable_import(text: str) -> str:
    """Return somebody else's answer in the same form: citation marks and notes are left out."""
    parts: list[str] = []
    for block in parse_blocks(text):
        if block.kind == "heading":
            parts.append(f"## {block.text}")
        elif block.kind == "paragraph":
            parts.append(" ".join(sentence for sentence, _ in parse_sentences(block.text)))
    return "\n\n".join(part for part in parts if part)


def cluster_claims(claims: Sequence[str]) -> tuple[tuple[float, int], ...]:
    """Return (threshold, number of clusters) for each of `THRESHOLDS`."""
    return tuple(zip(THRESHOLDS, count_clusters(claims, THRESHOLDS), strict=True))


def attach_claims(claims: Sequence[str], sentences: Sequence[str]) -> tuple[int, ...]:
    """Return, for each claim, the sentence it comes from (-1 where they share no content word).

    The sentence with the largest share of common words; the first of equal ones.
    """
    held = [set(content_words(one)) for one in sentences]
    found = []
    for claim in claims:
        wanted = set(content_words(claim))
        shares = [len(wanted & one) / (len(wanted | one) or 1) for one in held]
        best = max(shares, default=0.0)
        found.append(shares.index(best) if best > 0 else -1)
    return tuple(found)


def measures(answer: EvaluatedAnswer) -> dict[str, int]:
    """Return what is counted of an answer, by name."""
    clusters = {f"clusters at {threshold:g}": n for threshold, n in answer.clusters}
    claims = {} if answer.claims is None else {"claims": len(answer.claims)}
    return {"words": answer.n_words, **claims, **clusters, "documents": answer.n_documents}


def agree(
    scores: Iterable[PairScore], answers: Mapping[tuple[str, str], EvaluatedAnswer]
) -> tuple[ClaimAgreement, ...]:
    """Return how often the answer with more of each measure won, by criterion.

    `answers` go by (question id, condition). Pairs without a winner, or with equal counts, are left
    out, as in the paper.
    """
    counts: dict[tuple[str, str], list[int]] = {}
    for score in scores:
        first = answers.get((score.question_id, score.first))
        second = answers.get((score.question_id, score.second))
        if not score.winner or first is None or second is None:
            continue
        other = measures(second)
        for name, value in measures(first).items():
            if name not in other or value == other[name]:
                continue
            tally = counts.setdefault((score.criterion, name), [0, 0])
            tally[0] += 1
            tally[1] += (value > other[name]) == (score.winner == 1)
    return tuple(
        ClaimAgreement(criterion, measure, n, n_agree)
        for (criterion, measure), (n, n_agree) in counts.items()
    )
