"""The findings of a window that answer a question, each with its helpfulness.

A question and everything that will be read come in; out comes a function from a window to points.
A point is a finding as it stands: its quotation, its heading, its citation. What decides is in
`matching`; a question about the whole ("What are the main themes?") takes what is prominent.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.backends.extractive.matching import Matcher, analyse, make_matcher
from sensemaking.backends.extractive.questions import Question, read_question
from sensemaking.backends.extractive.quoting import split_attribution
from sensemaking.ports import MapWindow, PointDraft
from sensemaking.types import ContextBlock, ContextItem, Window

MIN_POINTS, MAX_POINTS = 6, 15
WANTED_POINTS = 60
WINDOW_ITEMS = 120
"""Findings in a window of 8,000 tokens, about: a small corpus gives more points a window."""
LEAST = 15
"""Helpfulness under which a finding is no point (0-100)."""
STEEPNESS = 1.6
SAME = 0.6
"""Share of common words from which two findings of a window say the same."""

_PERSON = re.compile(r"(?:[A-Z][\w.'’-]+ ){1,3}[A-Z][\w'’-]+")
_FIGURE = re.compile(r"\d")
_MOMENT = re.compile(
    r"\b(?:1[5-9]|20)\d\d\b|\b(?:since|after|before|then|now|later|today|years?|used to)\b"
)
_REASON = re.compile(
    r"\b(?:because|since|due to|owing to|reason|caused?|therefore|so that|led to|as a result|why"
    r"|came from|could not|failed)\b"
)


@dataclass(frozen=True, slots=True)
class ExtractiveMapper:
    """Reads windows by their words; needs no model."""

    key: str = "extractive-mapper-1"

    def prepare(self, question: str, blocks: Sequence[ContextBlock]) -> MapWindow:
        """Return a function that reads one window.

        Notes
        -----
        Helpfulness is 100 times the score of the finding as a share of the best in the corpus, to
        the power of 1.6, times how much of the question the best findings hold, times a factor of
        0.8-1 for how well it reads and whether it has what the question wants (a person, a figure,
        a moment, a reason).
        """
        asked = read_question(question)
        size = _points_a_window(blocks)
        if asked.kind == "themes":
            return _Prominence(_ranks(blocks), asked, size).read
        if not asked.terms or not blocks:
            return _read_nothing
        return _Matching(make_matcher(asked, blocks), size).read


def _points_a_window(blocks: Sequence[ContextBlock]) -> int:
    windows = max(1, sum(len(block.items) for block in blocks) // WINDOW_ITEMS)
    return min(MAX_POINTS, max(MIN_POINTS, WANTED_POINTS // windows))


def _read_nothing(window: Window) -> Sequence[PointDraft]:
    del window
    return ()


@dataclass(frozen=True, slots=True)
class _Matching:
    matcher: Matcher
    size: int

    def read(self, window: Window) -> list[PointDraft]:
        if self.matcher.answerable <= 0:
            return []
        scored = []
        for block in window.blocks:
            for item, score in zip(block.items, self.matcher.read(block), strict=True):
                if score <= 0:
                    continue
                fit = 0.8 + 0.1 * analyse(item.text).readability
                fit += 0.1 * _suits(self.matcher.question, item.text)
                helpfulness = round(100 * self.matcher.answerable * score**STEEPNESS * fit)
                if helpfulness >= LEAST:
                    scored.append((helpfulness, item))
        return _points(scored, self.size)


@dataclass(frozen=True, slots=True)
class _Prominence:
    ranks: dict[str, int]
    question: Question
    size: int

    def read(self, window: Window) -> list[PointDraft]:
        scored = []
        scale = 0.06 * len(self.ranks) + 6
        for block in window.blocks:
            worth = 95 * math.exp(-self.ranks.get(block.id, len(self.ranks)) / scale)
            for place, item in enumerate(block.items[:3]):
                stems = analyse(item.text).stems
                named = any(term.stems in stems for term in self.question.terms)
                read = 0.75 + 0.25 * analyse(item.text).readability
                helpfulness = round(worth * read * (1.0 if named else 0.95) * 0.8**place)
                if helpfulness >= LEAST:
                    scored.append((helpfulness, item))
        return _points(scored, self.size)


def _ranks(blocks: Sequence[ContextBlock]) -> dict[str, int]:
    """Return the place of each block by rating and weight, 0 the most prominent."""
    ordered = sorted(blocks, key=lambda block: (-block.rating, -block.weight, block.id))
    return {block.id: rank for rank, block in enumerate(ordered)}


def _suits(question: Question, text: str) -> float:
    """Return 1 when the text has what the kind of question wants, otherwise 0."""
    speaker, words = split_attribution(text)
    if question.kind == "who":
        return float(bool(speaker) or _PERSON.search(words) is not None)
    wanted = {"number": _FIGURE, "time": _MOMENT, "cause": _REASON}.get(question.kind)
    return 1.0 if wanted is None else float(wanted.search(words) is not None)


def _points(scored: list[tuple[int, ContextItem]], size: int) -> list[PointDraft]:
    points: list[PointDraft] = []
    kept: list[frozenset[str]] = []
    for helpfulness, item in sorted(scored, key=lambda pair: (-pair[0], pair[1].number)):
        stems = analyse(item.text).stems
        if any(len(stems & other) > SAME * len(stems | other) for other in kept):
            continue
        kept.append(stems)
        points.append(PointDraft(item.heading, item.text, helpfulness, (item.citation,)))
        if len(points) == size:
            break
    return points
