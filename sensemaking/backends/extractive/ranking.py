"""Which of many short texts matter most, and a choice of them that does not repeat itself.

Texts come in as tuples of terms. Centrality is LexRank: the stationary weight of a text in the
graph of cosine similarities. The choice is maximal marginal relevance.

References
----------
Erkan and Radev, "LexRank: Graph-based Lexical Centrality as Salience in Text Summarization" (2004).
Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking" (1998).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
_DAMPING = 0.85
_ROUNDS = 20


def similarity(texts: Sequence[Sequence[str]]) -> Matrix:
    """Return the cosines of tf-idf vectors, (n, n); a text without terms is similar to none.

    The inverse document frequency is taken over the texts themselves.
    """
    frequency: Counter[str] = Counter()
    for terms in texts:
        frequency.update(set(terms))
    shared = sorted(term for term, count in frequency.items() if count > 1)
    column = {term: index for index, term in enumerate(shared)}
    vectors = np.zeros((len(texts), len(column)), dtype=np.float64)
    squares = np.zeros(len(texts), dtype=np.float64)
    for row, terms in enumerate(texts):
        # Sorted, so that floats are added in the same order in every process.
        for term, count in sorted(Counter(terms).items()):
            weight = (1 + math.log(count)) * math.log((1 + len(texts)) / frequency[term] + 1)
            squares[row] += weight * weight
            if term in column:
                vectors[row, column[term]] = weight
    vectors /= np.sqrt(np.where(squares > 0, squares, 1))[:, None]
    cosines = vectors @ vectors.T
    rounded: Matrix = np.round(np.clip(cosines, 0, 1), 5).astype(np.float64)
    return rounded


def centrality(cosines: Matrix) -> NDArray[np.float64]:
    """Return the LexRank weight of each text, (n,), scaled so that the largest is 1.

    Notes
    -----
    Continuous LexRank: similarities are transition weights, without a threshold; a fixed number of
    rounds. A text that resembles no other keeps the teleport share.
    """
    n = len(cosines)
    if n == 0:
        return np.zeros(0)
    weights = cosines.astype(np.float64)
    np.fill_diagonal(weights, 0)
    sums = weights.sum(axis=1, keepdims=True)
    steps = np.divide(weights, sums, out=np.full_like(weights, 1 / n), where=sums > 0)
    scores = np.full(n, 1 / n)
    for _ in range(_ROUNDS):
        scores = (1 - _DAMPING) / n + _DAMPING * (scores @ steps)
    scaled: NDArray[np.float64] = np.round(scores / scores.max(), 5)
    return scaled


def choose(
    relevance: Sequence[float],
    cosines: Matrix,
    size: int,
    *,
    trade_off: float = 0.7,
    same: float = 0.8,
) -> list[int]:
    """Return up to `size` indices by maximal marginal relevance, best first.

    `relevance` is 0-1; texts at or under 0 are never chosen. `trade_off` is the share of relevance
    against novelty; a text with a cosine of at least `same` to a chosen one is left out. Ties go to
    the smaller index.
    """
    worth = np.asarray(relevance, dtype=np.float64)
    closeness = np.zeros(len(worth))
    is_open = worth > 0
    chosen: list[int] = []
    while len(chosen) < size and is_open.any():
        value = trade_off * worth - (1 - trade_off) * closeness
        value[~is_open] = -np.inf
        best = int(np.argmax(np.round(value, 6)))
        chosen.append(best)
        closeness = np.maximum(closeness, cosines[best])
        is_open &= cosines[best] < same
        is_open[best] = False
    return chosen
