"""How well a finding answers a question, by its words.

`Matcher` is made once per question from everything that will be read; it then scores single
findings. A text is analysed once and remembered, whatever the question.

Notes
-----
The weight of a term is its inverse frequency over the blocks. A finding earns a term fully by its
text, less by its heading or by the title of its report, less by a word of the same idea. The best
findings lend the question a few of their own words (pseudo-relevance feedback, the RM3 idea of
Abdul-Jaleel and others, 2004, reduced to sets of words). Scores are then read against the best
score in the corpus: how good that is in itself says whether the corpus answers at all.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sensemaking.backends.extractive.questions import Question, Term
from sensemaking.backends.extractive.quoting import readability, split_attribution
from sensemaking.text.words import content_words
from sensemaking.types import ContextBlock, ContextItem

HEADING, TITLE, OTHER, PAIR, FEEDBACK = 0.8, 0.35, 0.55, 0.35, 0.25
"""What a match is worth against a match in the finding's own text."""
SAMPLE = 1500
"""Findings read in advance, of the blocks that hold most of the question's words."""
N_FEEDBACK = 10
BEST = 8
ENOUGH = 0.5
"""Share of the question that the best findings must hold for a full score."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The stems of a text, as a set and in order (blanks around each), and how well it reads."""

    stems: frozenset[str]
    sequence: str
    readability: float


@lru_cache(maxsize=100_000)
def analyse(text: str) -> Analysis:
    """Return the analysis of a text; speaker labels count as words."""
    stems = content_words(text)
    words = split_attribution(text)[1]
    return Analysis(frozenset(stems), f" {' '.join(stems)} ", readability(words))


@dataclass(frozen=True, slots=True)
class Matcher:
    """Scores findings against one question.

    `weights` belong to `question.terms` and sum to 1; `feedback` are stems with weights. `best` is
    the score that counts as full, `answerable` (0-1) says how much of the question it holds.
    """

    question: Question
    weights: tuple[float, ...]
    feedback: tuple[tuple[str, float], ...]
    best: float
    answerable: float

    def score(self, item: ContextItem, title: str) -> float:
        """Return how much of the question a finding holds, as a share of the best, 0-1."""
        if self.best <= 0:
            return 0.0
        raw = _coverage(self.question, self.weights, item, title)
        if raw <= 0:
            return 0.0
        stems = analyse(item.text).stems
        raw += FEEDBACK * sum(weight for one, weight in self.feedback if one in stems)
        return min(1.0, raw / self.best)


def make_matcher(question: Question, blocks: Sequence[ContextBlock]) -> Matcher:
    """Return a matcher whose statistics come from the blocks.

    Parameters
    ----------
    question
        With at least one term.
    blocks
        Everything that will be read.
    """
    lowered = [_whole(block).casefold() for block in blocks]
    counts, hits = _block_counts(question.terms, lowered)
    weights = _weights(question.terms, counts, len(blocks))
    sample = _sample(blocks, hits)
    scored = sorted(
        ((_coverage(question, weights, item, title), item.text) for item, title in sample),
        key=lambda pair: (-pair[0], pair[1]),
    )
    top = [(score, text) for score, text in scored[:BEST] if score > 0]
    if not top:
        return Matcher(question, weights, (), 0.0, 0.0)
    feedback = _feedback(question, [text for _, text in scored[:N_FEEDBACK]], sample)
    mean = sum(score for score, _ in top) / len(top)
    known = sum(weight for weight, count in zip(weights, counts, strict=True) if count)
    answerable = min(1.0, mean / ENOUGH) if known >= 0.5 else 0.0
    return Matcher(question, weights, feedback, mean + FEEDBACK * 0.5, answerable)


def _whole(block: ContextBlock) -> str:
    items = (f"{item.heading} {item.text}" for item in block.items)
    return " ".join((block.title, block.text, *items))


def _block_counts(terms: Sequence[Term], lowered: Sequence[str]) -> tuple[list[int], list[int]]:
    """Return in how many blocks each term occurs, and how many terms occur in each block.

    A stem is looked for as the beginning of a word, which is nearly what stemming would find and
    takes milliseconds for megabytes.
    """
    counts = [0] * len(terms)
    hits = [0] * len(lowered)
    for index, term in enumerate(terms):
        parts = [_beginning(part) for part in term.stems.split()]
        for at, text in enumerate(lowered):
            if all(part in text for part in parts):
                counts[index] += 1
                hits[at] += 1
    return counts, hits


def _beginning(one: str) -> str:
    return one[:-1] if len(one) > 3 and one.endswith("i") else one


def _weights(terms: Sequence[Term], counts: Sequence[int], n_blocks: int) -> tuple[float, ...]:
    """Return the share of each term in the question, summing to 1.

    A word that no block holds weighs as much as the rarest that one does.
    """
    full = math.log(1 + n_blocks) or 1.0
    raw = [
        term.factor
        * (1.3 if term.is_name else 1.0)
        * (0.25 + 0.75 * math.log((1 + n_blocks) / max(1, count)) / full)
        for term, count in zip(terms, counts, strict=True)
    ]
    total = sum(raw) or 1.0
    return tuple(value / total for value in raw)


def _sample(blocks: Sequence[ContextBlock], hits: Sequence[int]) -> list[tuple[ContextItem, str]]:
    order = sorted(range(len(blocks)), key=lambda at: (-hits[at], blocks[at].id))
    found: list[tuple[ContextItem, str]] = []
    for at in order:
        found.extend((item, blocks[at].title) for item in blocks[at].items)
        if len(found) >= SAMPLE:
            break
    return found


def _coverage(question: Question, weights: Sequence[float], item: ContextItem, title: str) -> float:
    """Return the share of the question that a finding holds, 0 to about 1.3 (pairs add)."""
    text, heading, around = analyse(item.text), analyse(item.heading), analyse(title)
    total = 0.0
    own = 0.0
    for term, weight in zip(question.terms, weights, strict=True):
        if _holds(text, term.stems):
            share = 1.0
        else:
            others = sum(_holds(text, one) for one in term.others)
            share = 1 - (1 - OTHER) ** min(others, 3) if others else 0.0
        own += share * weight
        if share < HEADING and _holds(heading, term.stems):
            share = HEADING
        elif share < TITLE and _holds(around, term.stems):
            share = TITLE
        total += share * weight
    if own <= 0:
        return 0.0
    by_stem = {term.stems: weight for term, weight in zip(question.terms, weights, strict=True)}
    for pair in question.pairs:
        if f" {pair} " in text.sequence:
            total += PAIR * sum(by_stem.get(part, 0.0) for part in pair.split())
    return total


def _holds(analysis: Analysis, stems: str) -> bool:
    if " " in stems:
        return f" {stems} " in analysis.sequence
    return stems in analysis.stems


def _feedback(
    question: Question, texts: Sequence[str], sample: Sequence[tuple[ContextItem, str]]
) -> tuple[tuple[str, float], ...]:
    """Return the words that set the best findings apart from the others, weights summing to 1."""
    asked = {part for term in question.terms for part in term.stems.split()}
    inside: Counter[str] = Counter()
    for text in texts:
        inside.update(analyse(text).stems)
    outside: Counter[str] = Counter()
    for item, _ in sample:
        outside.update(analyse(item.text).stems)
    scored = sorted(
        (
            (count * math.log(1 + len(sample) / outside[one]), one)
            for one, count in inside.items()
            if count >= 2 and one not in asked
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )[:8]
    total = sum(score for score, _ in scored) or 1.0
    return tuple((one, score / total) for score, one in scored)
