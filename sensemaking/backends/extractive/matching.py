"""How well a finding answers a question, by its words.

`Matcher` is made once per question from everything that will be read; it then scores single
findings. A text is analysed once and remembered, whatever the question.

Notes
-----
The weight of a term is its inverse frequency over the blocks. A finding earns a term fully by its
text, less by its heading, by a word of the same idea, by the title of its report or the findings
beside it. Terms have company, too: words that stand with a term in the corpus more often than by
chance count a little for it (local association, after Xu and Croft, 1996). Scores are then read
against the best in the corpus; how good those are says whether the corpus answers at all.
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
from sensemaking.types import ContextBlock

HEADING, TITLE, AROUND, OTHER, LEARNT, PAIR = 0.8, 0.35, 0.3, 0.55, 0.4, 0.35
"""What a match is worth against a match in the finding's own text."""
SAMPLE = 600
"""Findings read in advance, of the blocks that hold most of the question's words."""
BEST = 8
RARE = 0.15
"""A term in more than this share of the findings has no company of its own."""
KNOWN = 0.5
"""Share of the question's weight that must occur in the corpus at all."""
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

    `weights` belong to `question.terms` and sum to 1; `learnt` holds, per term, the words that keep
    company with it, with shares. `best` is the score that counts as full, `answerable` (0-1) says
    how much of the question the best findings hold.
    """

    question: Question
    weights: tuple[float, ...]
    learnt: tuple[tuple[tuple[str, float], ...], ...]
    best: float
    answerable: float

    def read(self, block: ContextBlock) -> list[float]:
        """Return how much of the question each finding of a block holds, 0-1 of the best."""
        if self.best <= 0:
            return [0.0] * len(block.items)
        return [min(1.0, coverage / self.best) for coverage in self.coverages(block)]

    def coverages(self, block: ContextBlock) -> list[float]:
        """Return the share of the question that each finding holds, 0 to about 1.3 (pairs add).

        Half counts the whole question, half the clause that the finding answers best.
        """
        title = analyse(block.title)
        texts = [analyse(item.text) for item in block.items]
        around = []
        for term in self.question.terms:
            held = sum(_holds(text, term.stems) for text in texts)
            titled = TITLE if _holds(title, term.stems) else 0.0
            around.append(max(titled, AROUND * min(1.0, held / 3)))
        return [
            self._coverage(text, analyse(item.heading), around)
            for text, item in zip(texts, block.items, strict=True)
        ]

    def _coverage(self, text: Analysis, heading: Analysis, around: Sequence[float]) -> float:
        shares = []
        for term, learnt, context in zip(self.question.terms, self.learnt, around, strict=True):
            share = max(_share(text, term, learnt), context)
            if share < HEADING and _holds(heading, term.stems):
                share = HEADING
            shares.append(share)
        total = sum(share * weight for share, weight in zip(shares, self.weights, strict=True))
        total += self._paired(text)
        if not self.question.clauses:
            return total
        return (total + max(self._clause(one, shares) for one in self.question.clauses)) / 2

    def _clause(self, members: tuple[int, ...], shares: Sequence[float]) -> float:
        weight = sum(self.weights[at] for at in members)
        held = sum(self.weights[at] * shares[at] for at in members)
        return held / weight * min(1.0, weight * len(self.question.clauses))

    def _paired(self, text: Analysis) -> float:
        weight_of = {
            term.stems: weight
            for term, weight in zip(self.question.terms, self.weights, strict=True)
        }
        return sum(
            PAIR * weight_of.get(part, 0.0)
            for pair in self.question.pairs
            if f" {pair} " in text.sequence
            for part in pair.split()
        )


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
    learnt = _learn(question, [analyse(item.text) for block in sample for item in block.items])
    draft = Matcher(question, weights, learnt, 1.0, 1.0)
    scores = sorted((one for block in sample for one in draft.coverages(block)), reverse=True)
    n_best = min(BEST, max(1, len(scores) // 20))
    top = [score for score in scores[:n_best] if score > 0]
    known = _known(question.terms, weights, counts, len(blocks))
    if not top or known <= 0:
        return Matcher(question, weights, learnt, 0.0, 0.0)
    mean = sum(top) / len(top)
    return Matcher(question, weights, learnt, mean, known * min(1.0, mean / ENOUGH))


def _known(
    terms: Sequence[Term], weights: Sequence[float], counts: Sequence[int], n_blocks: int
) -> float:
    """Return 1 where the corpus knows half of what is asked, 0.5 or 0 where it does not.

    Half is taken by weight and by number. Of a question that is mostly about something else, a term
    that occurs by accident (in fewer than three blocks, or one in fifty) is no reason to
    answer. In scripts that are indexed by pairs of characters, a quarter is enough: word endings
    make half of the pairs.
    """
    full = sum(term.factor for term in terms)
    held = [at for at, count in enumerate(counts) if count]
    by_number = sum(terms[at].factor for at in held) / full
    share = max(sum(weights[at] for at in held), by_number)
    paired = sum(not term.stems.isascii() and len(term.stems) == 2 for term in terms)
    if share > (0.25 if 2 * paired > len(terms) else KNOWN):
        return 1.0
    common = max(3, n_blocks // 50)
    return 0.5 if any(counts[at] >= common and terms[at].factor >= 1 for at in held) else 0.0


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
        term.factor * (0.25 + 0.75 * math.log((1 + n_blocks) / max(1, count)) / full)
        for term, count in zip(terms, counts, strict=True)
    ]
    total = sum(raw) or 1.0
    return tuple(value / total for value in raw)


def _sample(blocks: Sequence[ContextBlock], hits: Sequence[int]) -> list[ContextBlock]:
    order = sorted(range(len(blocks)), key=lambda at: (-hits[at], blocks[at].id))
    found: list[ContextBlock] = []
    size = 0
    for at in order:
        found.append(blocks[at])
        size += len(blocks[at].items)
        if size >= SAMPLE:
            break
    return found


def _share(text: Analysis, term: Term, learnt: Sequence[tuple[str, float]]) -> float:
    """Return how far a text holds a term: itself 1, words of the idea or its company less."""
    if _holds(text, term.stems):
        return 1.0
    others = sum(_holds(text, one) for one in term.others)
    if others:
        return 1 - (1 - OTHER) ** min(others, 3)
    return LEARNT * min(1.0, sum(share for one, share in learnt if one in text.stems))


def _holds(analysis: Analysis, stems: str) -> bool:
    if " " in stems:
        return f" {stems} " in analysis.sequence
    return stems in analysis.stems


def _learn(
    question: Question, sample: Sequence[Analysis]
) -> tuple[tuple[tuple[str, float], ...], ...]:
    """Return, per term, up to eight words that stand with it more often than by chance."""
    frequency: Counter[str] = Counter()
    for one in sample:
        frequency.update(one.stems)
    asked = {part for term in question.terms for part in term.stems.split()}
    return tuple(_company(term, sample, frequency, asked) for term in question.terms)


def _company(
    term: Term, sample: Sequence[Analysis], frequency: Counter[str], asked: set[str]
) -> tuple[tuple[str, float], ...]:
    holding = [one for one in sample if _holds(one, term.stems)]
    if term.factor < 1 or not 2 <= len(holding) <= RARE * len(sample):
        return ()
    inside: Counter[str] = Counter()
    for one in holding:
        inside.update(one.stems)
    chance = len(holding) / len(sample)
    scored = sorted(
        (
            (count / len(holding) * math.log(count / (chance * frequency[word])), word)
            for word, count in inside.items()
            if count >= 2 and word not in asked and count > 2 * chance * frequency[word]
        ),
        key=lambda pair: (-pair[0], pair[1]),
    )[:8]
    total = scored[0][0] if scored else 1.0
    return tuple((word, round(score / total, 4)) for score, word in scored)
