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
from sensemaking.backends.extractive.repeats import MONTHS, is_negated, is_repeat
from sensemaking.backends.extractive.themes import split_terms
from sensemaking.text.words import content_words, numbers
from sensemaking.types import Point

COMPARABLE = 0.3
"""Cosine from which two statements may be about one thing."""

_UNIT = re.compile(
    r"\d[\d.,]*\s*(?P<unit>(?:%|(?:million|billion|thousand|per cent|percent)\b)?\s*[^\W\d]*)"
)
_DATE = re.compile(rf"\b(?:{MONTHS})\s+(?:\d{{1,2}},?\s+)?(?:1[5-9]|20)\d\d\b")


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
        for at, known in enumerate(statements):
            if is_repeat(points[known.numbers[0] - 1].text, point.text):
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
            if _figures_differ(one, other) or (
                cosine >= 1.5 * COMPARABLE and is_negated(one.text) != is_negated(other.text)
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


def _figures_differ(one: Statement, other: Statement) -> bool:
    """Return whether both give a date and share none, or figures of one unit and share none.

    Numbers that belong to a name ("Quay 7") are no figures.
    """
    dates = set(_DATE.findall(one.text)), set(_DATE.findall(other.text))
    if all(dates):
        return not dates[0] & dates[1]
    first, second = (
        _without_names(statement, (*one.terms, *other.terms)) for statement in (one, other)
    )
    if set(numbers(first)) & set(numbers(second)):
        return False
    return bool(_units(first) & _units(second))


def _without_names(statement: Statement, terms: Sequence[str]) -> str:
    text = statement.text
    for term in terms:
        if any(letter.isdigit() for letter in term):
            text = text.replace(term, " ")
    return text


def _units(text: str) -> set[str]:
    return {
        unit
        for found in _UNIT.finditer(text)
        if (unit := " ".join(found["unit"].casefold().split())) and len(unit) > 1
    }
