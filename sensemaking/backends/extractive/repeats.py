"""When two passages say the same, and when they only look like it.

Two passages with nearly the same words repeat each other, unless a figure, a month or a negation
differs: "ready in March 2027" and "ready in November 2027" are two statements.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sensemaking.backends.extractive.quoting import split_attribution
from sensemaking.text.words import content_words, numbers

SAME = 0.6
"""Share of common words from which two passages are one statement."""
INSIDE = 0.85
"""Share of the shorter one's words found in the longer one, from which they are one statement."""

MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_MONTH = re.compile(rf"\b(?:{MONTHS})\b")
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|neither|nor|cannot|without|den(?:y|ies|ied)|rejects?|rejected"
    r"|refuse[sd]?)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Content:
    stems: frozenset[str]
    figures: frozenset[str]
    months: frozenset[str]
    is_negated: bool


@lru_cache(maxsize=65_536)
def _content(text: str) -> _Content:
    words = split_attribution(text)[1]
    return _Content(
        frozenset(content_words(words)),
        frozenset(numbers(words)),
        frozenset(_MONTH.findall(words)),
        is_negated(words),
    )


def is_negated(text: str) -> bool:
    """Return whether a text denies something."""
    return _NEGATION.search(text) is not None


def is_repeat(one: str, other: str) -> bool:
    """Return whether two passages say the same; who says it does not matter.

    >>> is_repeat("The gate is ready in March 2027.", "In March 2027 the gate is ready.")
    True
    >>> is_repeat("The gate is ready in March 2027.", "The gate is ready in May 2027.")
    False
    """
    first, second = _content(one), _content(other)
    common = len(first.stems & second.stems)
    shorter = min(len(first.stems), len(second.stems))
    if shorter < 4:
        return first == second
    if common < SAME * len(first.stems | second.stems) and common < INSIDE * shorter:
        return False
    return (
        first.is_negated == second.is_negated
        and (first.figures <= second.figures or second.figures <= first.figures)
        and (first.months <= second.months or second.months <= first.months)
    )
