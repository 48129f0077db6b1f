"""Answers made of quotations: the most helpful first, then by theme, then what is missing.

A question and the points that were kept come in; the answer comes out in pieces, in the dialect of
`ports.Reducer`. Every sentence is a quotation with the numbers of all points that say it; what the
program says itself stands in headings and notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensemaking.backends.extractive.covering import cover
from sensemaking.backends.extractive.grouping import (
    FURTHER,
    Group,
    group_by_heading,
    group_by_speaker,
    group_by_term,
)
from sensemaking.backends.extractive.questions import Question, asked_names, read_question
from sensemaking.backends.extractive.quoting import count_words
from sensemaking.backends.extractive.ranking import Matrix, choose, similarity
from sensemaking.backends.extractive.statements import Statement, find_differing, join_points
from sensemaking.ports import UNLIMITED
from sensemaking.text.words import content_words
from sensemaking.types import Point

MAX_STATEMENTS = 40
MAX_WORDS = 800
"""Words of an answer: about three minutes of reading."""
MAX_THEMES = 7
LEAD = 3
LEADING = 0.6
"""Share of the best statement's helpfulness that one must have to begin the answer."""
MAX_PAIRS = 3
RELATIVE = 0.12
"""Share of the best point's helpfulness under which a point is left out."""
SIDE_BY_SIDE = "Statements to compare"
QUOTED = (
    "Every sentence is a quotation from the documents. Openings such as “So,” are left out, and … "
    "marks where a sentence was cut."
)

_PIECE = re.compile(r"(?:\S+\s*){1,4}")


@dataclass(frozen=True, slots=True)
class ExtractiveReducer:
    """Writes answers by quotation; needs no model."""

    key: str = "extractive-reducer-2"
    waits: bool = False
    context_tokens: int = UNLIMITED

    def reduce(self, question: str, points: Sequence[Point]) -> Iterator[str]:
        """Yield the answer in pieces of a few words; point n is cited as [n]."""
        asked = read_question(question)
        for part in _parts(asked, question, points):
            yield from _PIECE.findall(part)
            yield "\n\n"


def _parts(asked: Question, question: str, points: Sequence[Point]) -> Iterator[str]:
    """Yield the headings, paragraphs and notes."""
    statements, cosines = _choose(asked, points)
    if not statements:
        yield "> No passage answers the question."
        return
    found = find_differing(statements, cosines)
    lead = _lead(asked, statements, cosines, found)
    if lead:
        yield " ".join(statements[at].cited for at in lead)
    rest = [at for at in range(len(statements)) if at not in lead]
    differing = [pair for pair in found if not set(pair) & set(lead)][:MAX_PAIRS]
    apart = {at for pair in differing for at in pair}
    body = [at for at in rest if at not in apart]
    for heading, members in _groups(asked, statements, cosines, body):
        if heading:
            yield f"## {heading}"
        yield " ".join(statements[at].cited for at in members)
    if differing:
        yield f"## {SIDE_BY_SIDE}"
        for first, second in differing:
            yield f"{statements[first].cited} {statements[second].cited}"
    for note in _notes(asked, question, points):
        yield f"> {note}"


def _lead(
    asked: Question,
    statements: Sequence[Statement],
    cosines: Matrix,
    differing: Sequence[tuple[int, int]],
) -> list[int]:
    """Return the statements to begin with; an answer about the whole begins with its themes.

    A statement that differs from one of them stands right behind it.
    """
    if asked.kind == "themes":
        return []
    least = LEADING * max(one.helpfulness for one in statements)
    worth = [one.helpfulness / 100 if one.helpfulness >= least else 0.0 for one in statements]
    lead = sorted(choose(worth, cosines, LEAD, trade_off=0.6, same=0.45))
    other = dict(differing) | {second: first for first, second in differing}
    ordered: list[int] = []
    for at in lead:
        ordered.extend(one for one in (at, other.get(at, at)) if one not in ordered)
    return ordered


def _choose(asked: Question, points: Sequence[Point]) -> tuple[list[Statement], Matrix]:
    """Return what the answer quotes, most helpful first, and the cosines.

    Helpful statements that add something (`covering`), until the words an answer may have are used
    up; of a question about the whole, three statements of each of the most prominent reports.
    """
    joined = join_points(points)
    if not joined:
        return [], similarity([])
    least = RELATIVE * joined[0].helpfulness
    joined = [one for one in joined if one.helpfulness >= least]
    if asked.kind == "themes":
        headings = list(dict.fromkeys(one.heading for one in joined))[:MAX_THEMES]
        order = [at for at, one in enumerate(joined) if one.heading in headings]
        kept = sorted(_fitting(order, [count_words(one.text) for one in joined]))
    else:
        kept = sorted(cover(joined, MAX_STATEMENTS, MAX_WORDS))
    cosines = similarity([one.stems for one in joined])
    return [joined[at] for at in kept], cosines[kept][:, kept]


def _fitting(order: Sequence[int], words: Sequence[int]) -> list[int]:
    """Return as many as the words of an answer allow, in order; the first in any case."""
    kept: list[int] = []
    total = 0
    for at in order:
        total += words[at]
        if total > MAX_WORDS and kept:
            break
        kept.append(at)
    return kept


def _groups(
    asked: Question, statements: Sequence[Statement], cosines: Matrix, body: Sequence[int]
) -> list[Group]:
    """Return the groups of the body, as indices of `statements`.

    Who says what is the order of an answer about persons, and of one whose statements share few
    terms, where most of them are spoken.
    """
    chosen = [statements[at] for at in body]
    is_spoken = 3 * sum(bool(one.speaker) for one in chosen) > 2 * len(chosen)
    if asked.kind == "themes":
        groups = group_by_heading(chosen)
    elif asked.kind == "who" and is_spoken:
        groups = group_by_speaker(chosen)
    else:
        groups = group_by_term(chosen, cosines[body][:, body])
        further = sum(len(members) for heading, members in groups if heading in ("", FURTHER))
        if is_spoken and 3 * further > len(chosen):
            groups = group_by_speaker(chosen, least=2)
    return [(heading, [body[at] for at in members]) for heading, members in groups]


def _notes(asked: Question, question: str, points: Sequence[Point]) -> Iterator[str]:
    text = " ".join(f"{point.heading} {point.text}" for point in points)
    held = f" {' '.join(content_words(text))} "
    stand_ins = {term.shown: term.others for term in asked.terms}
    missing = [
        name
        for name in asked_names(question)
        if not any(
            f" {one} " in held for one in (" ".join(content_words(name)), *stand_ins.get(name, ()))
        )
    ]
    if missing:
        listed = ", ".join(f"“{name}”" for name in missing[:6])
        yield f"No passage used here mentions {listed}."
    if points and points[0].helpfulness < 50:
        yield "The passages found touch the question only in part."
    yield QUOTED
