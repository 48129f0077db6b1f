"""The findings of a window that answer a question, each with its helpfulness.

A question and everything that will be read come in; out comes a function from a window to points.
A point is a finding as it stands: its quotation, its heading, its citation. What decides is in
`matching`; a question about the whole ("What are the main themes?") takes what is prominent.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sensemaking.backends.extractive.matching import Matcher, analyse, make_matcher
from sensemaking.backends.extractive.questions import Question, read_question
from sensemaking.backends.extractive.quoting import facts, split_attribution
from sensemaking.backends.extractive.repeats import is_repeat
from sensemaking.ports import UNLIMITED, MapWindow, PointDraft
from sensemaking.types import ContextBlock, ContextItem, Window

MIN_POINTS, MAX_POINTS = 6, 40
WANTED_POINTS = 200
"""Points that fill the budget of a reducer, 8,000 tokens, about."""
WINDOW_ITEMS = 120
"""Findings in a window of 8,000 tokens, about: a small corpus gives more points a window."""
LEAST = 6
"""Helpfulness under which a finding is no point (0-100)."""
STEEPNESS = 1.6
HOST = 0.6
"""What the host says counts so much where guests are asked about."""
READABLE = 0.6
PER_BLOCK = 3
"""Findings of one report in an answer about the whole."""

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

    key: str = "extractive-mapper-2"
    waits: bool = False
    context_tokens: int = UNLIMITED

    def prepare(self, question: str, blocks: Sequence[ContextBlock]) -> MapWindow:
        """Return a function that reads one window.

        Notes
        -----
        Helpfulness is 100 times the score of the finding as a share of the best in the corpus, to
        the power of 1.6, times how much of the question the best findings hold, times a factor of
        0.4-1 for how well it reads, how many figures and names it states, and whether it has what
        the question wants (a person, a figure, a moment, a reason). Where the question asks about
        guests, what the host says counts less: the host is who speaks a quarter of the findings and
        more.
        """
        asked = read_question(question)
        size = _points_a_window(blocks)
        host = _host(blocks) if asked.of_guests else ""
        if asked.kind == "themes":
            return _Prominence(_ranks(blocks), asked, size, host).read
        if not asked.terms or not blocks:
            return _read_nothing
        return _Matching(make_matcher(asked, blocks), size, host).read


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
    host: str

    def read(self, window: Window) -> list[PointDraft]:
        if self.matcher.answerable <= 0:
            return []
        scored = []
        for block in window.blocks:
            for item, score in zip(block.items, self.matcher.read(block), strict=True):
                if score <= 0:
                    continue
                fit = 0.4 + 0.3 * analyse(item.text).readability + 0.2 * facts(item.text)
                fit += 0.1 * _suits(self.matcher.question, item.text)
                fit *= HOST if _is_said_by(self.host, item.text) else 1.0
                helpfulness = round(100 * self.matcher.answerable * score**STEEPNESS * fit)
                if helpfulness >= LEAST:
                    scored.append((helpfulness, item))
        return _points(scored, self.size)


@dataclass(frozen=True, slots=True)
class _Prominence:
    ranks: dict[str, int]
    question: Question
    size: int
    host: str

    def read(self, window: Window) -> list[PointDraft]:
        scored = []
        scale = 0.06 * len(self.ranks) + 6
        for block in window.blocks:
            worth = 95 * math.exp(-self.ranks.get(block.id, len(self.ranks)) / scale)
            for place, item in enumerate(_spread(block, self.host)):
                stems = analyse(item.text).stems
                named = any(term.stems in stems for term in self.question.terms)
                read = 0.7 + 0.3 * analyse(item.text).readability
                helpfulness = round(worth * read * (1.0 if named else 0.95) * 0.9**place)
                if helpfulness >= LEAST:
                    scored.append((helpfulness, replace(item, heading=block.title)))
        return _points(scored, self.size)


def _spread(block: ContextBlock, host: str) -> list[ContextItem]:
    """Return the first three findings of a block that read well; the host's come last."""
    ranked = sorted(
        block.items,
        key=lambda item: (
            _is_said_by(host, item.text),
            analyse(item.text).readability < READABLE,
            item.number,
        ),
    )
    return ranked[:PER_BLOCK]


def _host(blocks: Sequence[ContextBlock]) -> str:
    """Return who speaks more than anybody else and at least a quarter of all findings, or ""."""
    speakers = Counter(split_attribution(item.text)[0] for block in blocks for item in block.items)
    total = speakers.total()
    speakers.pop("", None)
    ranked = sorted(speakers.items(), key=lambda pair: (-pair[1], pair[0]))
    return ranked[0][0] if len(ranked) > 2 and 4 * ranked[0][1] >= total else ""


def _is_said_by(speaker: str, text: str) -> bool:
    return bool(speaker) and text.startswith(f"{speaker}: “")


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
    for helpfulness, item in sorted(scored, key=lambda pair: (-pair[0], pair[1].number)):
        if any(is_repeat(item.text, point.text) for point in points):
            continue
        points.append(PointDraft(item.heading, item.text, helpfulness, (item.citation,)))
        if len(points) == size:
            break
    return points
