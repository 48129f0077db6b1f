"""The claims of two answers side by side: what both say, what one says, where they differ.

Two lists of claims come in; each claim goes out once, alone or with its partner.

Notes
-----
Our own definition. Claims are partners when they share most of their content words (Dice, figures
left out), the closest first, each at most once. Partners whose figures, dates or negation differ
are in conflict: it is said what differs, not who is right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.text.words import content_words, numbers
from sensemaking.types import AlignedClaim

PARTNERS = 0.5
"""Share of common content words (0-1) from which two claims are about the same."""

_SPEAKER = re.compile(r"[^“”:\n]{2,60}: (?=“)")
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|neither|nor|cannot|without|den(?:y|ies|ied)|reject(?:s|ed)?"
    r"|refuse[sd]?|fail(?:s|ed)? to)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Content:
    stems: frozenset[str]
    figures: frozenset[str]
    months: frozenset[str]
    is_negated: bool


def align_claims(first: Sequence[str], second: Sequence[str]) -> tuple[AlignedClaim, ...]:
    """Return every claim of both answers once: partners first in order of the first answer.

    Examples
    --------
    >>> aligned = align_claims(
    ...     ["The repair costs 3 million.", "Boats run."], ["The repair costs 4 million."]
    ... )
    >>> [(one.kind, one.first, one.second) for one in aligned]
    [('conflict', 0, 0), ('first only', 1, -1)]
    """
    one, other = [_read(claim) for claim in first], [_read(claim) for claim in second]
    near = [
        (_dice(a.stems, b.stems), not _difference(a, b), i, j)
        for i, a in enumerate(one)
        for j, b in enumerate(other)
    ]
    near = [found for found in near if found[0] >= PARTNERS]
    # Of equally close partners the one that agrees comes first.
    near.sort(key=lambda found: (-found[0], not found[1], found[2], found[3]))
    partner: dict[int, tuple[int, float]] = {}
    taken: set[int] = set()
    for similarity, _, i, j in near:
        if i not in partner and j not in taken:
            partner[i] = (j, similarity)
            taken.add(j)
    aligned: list[AlignedClaim] = []
    for i, content in enumerate(one):
        if i not in partner:
            aligned.append(AlignedClaim("first only", i, -1))
            continue
        j, similarity = partner[i]
        reason = _difference(content, other[j])
        aligned.append(
            AlignedClaim("conflict" if reason else "agree", i, j, round(similarity, 6), reason)
        )
    aligned += [AlignedClaim("second only", -1, j) for j in range(len(other)) if j not in taken]
    return tuple(aligned)


def without_common(first: Sequence[str], second: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return what each answer says that the other does not; conflicts stay in both."""
    aligned = align_claims(first, second)
    return (
        [first[one.first] for one in aligned if one.first >= 0 and one.kind != "agree"],
        [second[at] for at in sorted(_kept(aligned))],
    )


def _kept(aligned: Sequence[AlignedClaim]) -> set[int]:
    return {one.second for one in aligned if one.second >= 0 and one.kind != "agree"}


def _read(claim: str) -> _Content:
    text = _SPEAKER.sub("", claim)
    stems = frozenset(word for word in content_words(text) if not word[0].isdigit())
    return _Content(
        stems,
        frozenset(numbers(text)),
        frozenset(_MONTH.findall(text)),
        _NEGATION.search(text) is not None,
    )


def _dice(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def _difference(one: _Content, other: _Content) -> str:
    """Return what two claims about the same differ in, "" when nothing does."""
    if not (one.figures <= other.figures or other.figures <= one.figures):
        return f"figures: {_list(one.figures)} against {_list(other.figures)}"
    if not (one.months <= other.months or other.months <= one.months):
        return f"months: {_list(one.months)} against {_list(other.months)}"
    if one.is_negated != other.is_negated:
        return "one of them denies"
    return ""


def _list(found: frozenset[str]) -> str:
    return ", ".join(sorted(found))
