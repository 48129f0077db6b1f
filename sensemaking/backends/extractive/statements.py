"""The statements an answer is made of: points joined where they say the same, set side by side.

Points come in, most helpful first. Out go statements, each with the numbers of its points, and the
pairs of statements about one thing that differ in a figure or in a negation.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sensemaking.backends.extractive.questions import read_names
from sensemaking.backends.extractive.quoting import quote, split_attribution
from sensemaking.backends.extractive.ranking import Matrix
from sensemaking.backends.extractive.themes import split_terms
from sensemaking.text.words import content_words, numbers
from sensemaking.types import Point

SAME = 0.6
"""Share of common words from which two points are one statement."""
INSIDE = 0.85
"""Share of the shorter one's words found in the longer one, from which they are one statement."""
COMPARABLE = 0.3
"""Cosine from which two statements may be about one thing."""

_UNIT = re.compile(
    r"\d[\d.,]*\s*(?P<unit>(?:%|(?:million|billion|thousand|per cent|percent)\b)?\s*[^\W\d]*)"
)
_DATE = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)"
    r"\s+(?:\d{1,2},?\s+)?(?:1[5-9]|20)\d\d\b"
)
_NEGATION = re.compile(
    r"\b(?:not|never|no longer|none|neither|nor|cannot|without|den(?:y|ies|ied)|rejects?|rejected"
    r"|refuse[sd]?)\b|n['’]t\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """One quotation of an answer.

    `numbers` are its points, from 1, the most helpful first. `terms` name what it is about;
    `stems` are its content words; `helpfulness` is that of its best point (0-100).
    """

    text: str
    speaker: str
    numbers: tuple[int, ...]
    helpfulness: int
    terms: tuple[str, ...]
    stems: tuple[str, ...]
    heading: str

    @property
    def cited(self) -> str:
        """Return the quotation with its numbers, as the dialect of answers has it."""
        return f"{self.text} [{', '.join(map(str, self.numbers))}]"


def join_points(points: Sequence[Point]) -> list[Statement]:
    """Return the statements of the points, most helpful first.

    The wording of a joined statement is that of its most helpful point.
    """
    statements: list[Statement] = []
    for number, point in enumerate(points, start=1):
        fresh = _statement(number, point)
        words = set(fresh.stems)
        for at, known in enumerate(statements):
            if _is_same(words, set(known.stems)):
                statements[at] = replace(
                    known,
                    numbers=(*known.numbers, number),
                    terms=tuple(dict.fromkeys((*known.terms, *fresh.terms))),
                )
                break
        else:
            statements.append(fresh)
    return statements


def _statement(number: int, point: Point) -> Statement:
    speaker, words = split_attribution(point.text)
    headed = split_terms(point.heading)
    folded = " ".join(headed).casefold()
    fresh = (name for name in read_names(words) if name.casefold() not in folded)
    terms = dict.fromkeys((*headed, *fresh))
    return Statement(
        text=quote(point.text),
        speaker=speaker,
        numbers=(number,),
        helpfulness=point.helpfulness,
        terms=tuple(terms),
        stems=tuple(content_words(words)),
        heading=point.heading,
    )


def _is_same(one: set[str], other: set[str]) -> bool:
    common = len(one & other)
    shorter = min(len(one), len(other))
    if shorter < 4:
        return one == other
    return common >= SAME * len(one | other) or common >= INSIDE * shorter


def find_differing(statements: Sequence[Statement], cosines: Matrix) -> list[tuple[int, int]]:
    """Return pairs of statements that may contradict each other, closest first.

    Notes
    -----
    Two statements are compared when they share a term and their cosine is at least 0.3. They differ
    when both give a figure of one unit, or a date, and share no figure; or when exactly one of them
    is negated and their cosine is at least 0.45. Whether they contradict each other is for the
    reader to say. Each statement is in one pair at most.
    """
    found = []
    for first in range(len(statements)):
        for second in range(first + 1, len(statements)):
            cosine = float(cosines[first, second])
            one, other = statements[first], statements[second]
            if cosine < COMPARABLE or not _share_term(one, other):
                continue
            if _figures_differ(one.text, other.text) or (
                cosine >= 1.5 * COMPARABLE
                and bool(_NEGATION.search(one.text)) != bool(_NEGATION.search(other.text))
            ):
                found.append((-cosine, first, second))
    pairs: list[tuple[int, int]] = []
    used: set[int] = set()
    for _, first, second in sorted(found):
        if first not in used and second not in used:
            pairs.append((first, second))
            used |= {first, second}
    return pairs


def _share_term(one: Statement, other: Statement) -> bool:
    return bool({term.casefold() for term in one.terms} & {term.casefold() for term in other.terms})


def _figures_differ(one: str, other: str) -> bool:
    if set(numbers(one)) & set(numbers(other)):
        return False
    if _DATE.search(one) and _DATE.search(other):
        return True
    return bool(_units(one) & _units(other))


def _units(text: str) -> set[str]:
    return {
        unit
        for found in _UNIT.finditer(text)
        if (unit := " ".join(found["unit"].casefold().split())) and len(unit) > 1
    }
