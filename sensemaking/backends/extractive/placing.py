"""Which of several topics a question is about, told from the reports that fit it.

In: the reports of a corpus, once; then a question and the words of topics. Out: how close each
topic is, and how much of the question the corpus speaks of at all.

Notes
-----
Ours; ReTAG asks a model. A question votes with the reports that fit it best, by the weight of its
terms there (BM25). A report gives its vote to the topics in parts, by the squares of how well it
fits each of them (BM25 of the topic's words, every topic scaled to length 1), so that topics of
words which stand everywhere win nothing by their width. The other half of closeness is the share
of the question's terms, by rarity, that the topic's own words hold. A term is a name as a whole
("Quay 7" is neither "quay" nor "7"), or a word that does not only frame the question; what may
stand for it counts half.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sensemaking.backends.extractive.questions import Term, read_question
from sensemaking.retrieval.lexical import K1, B, LexicalIndex, tokens
from sensemaking.text.words import is_pair

VOTERS = 25
"""Reports that a question votes with."""
INSTEAD = 0.5
"""What a word that may stand for a term counts against the term."""
ABSENT_PAIR = 0.2
"""What a pair of characters that no report holds counts against one that is a word."""
MAX_KEPT = 1000
"""Queries whose scores are kept: those of the topics, for the next question."""

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Placement:
    """Closeness of each topic, 0-1, and the share of the question that any text speaks of, 0-1."""

    closeness: tuple[float, ...]
    known: float


@dataclass(frozen=True, slots=True)
class Placer:
    """Places questions among topics; `reports` are the texts by the ids of the index."""

    index: LexicalIndex
    reports: Mapping[str, str]
    _strings: list[str] = field(init=False)
    _lengths: Scores = field(init=False)
    _kept: dict[str, Scores] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        strings = [_string(self.reports[key]) for key in self.index.ids]
        lengths = np.array([text.count(" ") - 1 for text in strings], dtype=np.float64)
        object.__setattr__(self, "_strings", strings)
        object.__setattr__(self, "_lengths", lengths / max(1.0, float(lengths.mean() or 1)))

    def place(self, question: str, topics: Sequence[str]) -> Placement:
        """Return how close a question is to topics, each given by its words."""
        terms = read_question(question).terms or tuple(
            Term(one, one, (), 1.0, is_name=False) for one in dict.fromkeys(tokens(question))
        )
        own = [_string(topic) for topic in topics]
        fits, held = np.zeros(len(self._strings)), np.zeros(len(topics))
        whole = 0.0
        for term in terms:
            counts = np.array([_count(term, text) for text in self._strings])
            weight = term.factor * _rarity(int((counts >= 1).sum()), len(self._strings))
            saturation = counts + K1 * (1 - B + B * self._lengths)
            fits += weight * counts * (K1 + 1) / np.maximum(saturation, 1e-9)
            held += weight * np.array([min(1.0, _count(term, text)) for text in own])
            is_told = bool(counts.any()) or not is_pair(term.stems)
            whole += weight if is_told else ABSENT_PAIR * weight
        if not whole:
            return Placement((0.0,) * len(topics), 0.0)
        best = float(fits.max(initial=0.0)) / (whole * (K1 + 1))
        close = (self._votes(fits, topics) + held / whole) / 2
        known = max(best, float(held.max(initial=0.0)) / whole)
        return Placement(tuple(round(one, 6) for one in close.tolist()), known)

    def _votes(self, fits: Scores, topics: Sequence[str]) -> Scores:
        """Return the share of the votes that each topic gets, (n_topics,)."""
        voters = np.argsort(-fits, kind="stable")[:VOTERS]
        voters = voters[fits[voters] > 0]
        if not len(voters):
            return np.zeros(len(topics))
        parts = np.array([self._direction(topic)[voters] for topic in topics]) ** 2
        parts /= np.maximum(parts.sum(axis=0), 1e-12)
        shares: Scores = parts @ fits[voters] / fits[voters].sum()
        return shares

    def _direction(self, query: str) -> Scores:
        """Return the scores of all reports for a query, scaled to length 1."""
        known = self._kept.get(query)
        if known is None:
            scores = self.index.scores(query)
            known = scores / (float(np.linalg.norm(scores)) or 1.0)
            if len(self._kept) < MAX_KEPT:
                self._kept[query] = known
        return known


def _string(text: str) -> str:
    """Return the words of a text, each between blanks."""
    return f" {' '.join(tokens(text))} "


def _count(term: Term, text: str) -> float:
    """Return how often a text says a term; once and half where it has another word for it."""
    count = text.count(f" {term.stems} ")
    if count or not any(f" {other} " in text for other in term.others):
        return float(count)
    return INSTEAD


def _rarity(n_texts: int, n_all: int) -> float:
    return math.log(1 + (n_all - n_texts + 0.5) / (n_texts + 0.5))
