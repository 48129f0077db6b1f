"""Groups of texts that speak of the same things.

Bags of terms come in, groups of their positions go out. The bags become tf-idf vectors, and these
are written as sums of a few patterns of terms, each with a weight that is never negative
(non-negative matrix factorisation). A text belongs to the pattern that weighs most in it. Nothing
is random: the patterns begin from the strongest directions of the vectors.

References
----------
Lee and Seung, "Algorithms for Non-negative Matrix Factorization" (2001). Boutsidis and Gallopoulos,
"SVD based initialization: A head start for nonnegative matrix factorization" (2008).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import svds

MOST_SHARE = 0.5
"""A term in more than this share of the texts tells nothing about any of them."""
STEPS = 100
"""Rounds in which patterns and weights are fitted to the vectors."""
LEAST = 1e-6
"""What every weight begins with: one that is zero would stay so."""
DIGITS = 6
"""Weights are rounded to these before they are compared: further digits depend on the machine."""

Rows = NDArray[np.float64]


def group(bags: Sequence[Mapping[str, int]], size: int) -> tuple[list[list[int]], list[int]]:
    """Return up to `size` groups of positions, largest first, and the texts in none.

    A text that shares no term with any other is in no group.
    """
    vectors = _vectorise(bags)
    filled = np.diff(vectors.indptr) > 0
    known = np.flatnonzero(filled)
    strange: list[int] = np.flatnonzero(~filled).tolist()
    if not len(known):
        return [], strange
    places = _places(vectors[known], size)
    groups = [known[places == one].tolist() for one in sorted(set(places.tolist()))]
    return sorted(groups, key=lambda members: (-len(members), members)), strange


def _vectorise(bags: Sequence[Mapping[str, int]]) -> sparse.csr_matrix:
    """Return tf-idf rows of unit length, (n_texts, n_terms); terms of one text are left out."""
    frequency: Counter[str] = Counter(word for bag in bags for word in bag)
    most = max(3, math.ceil(MOST_SHARE * len(bags)))
    kept = sorted(word for word, count in frequency.items() if 1 < count <= most)
    column = {word: index for index, word in enumerate(kept)}
    data: list[float] = []
    indices: list[int] = []
    starts = [0]
    for bag in bags:
        found = sorted((column[word], count) for word, count in bag.items() if word in column)
        weights = [
            (1 + math.log(count)) * math.log((1 + len(bags)) / (1 + frequency[kept[index]]))
            for index, count in found
        ]
        length = math.sqrt(sum(weight * weight for weight in weights)) or 1.0
        data.extend(weight / length for weight in weights)
        indices.extend(index for index, _ in found)
        starts.append(len(data))
    return sparse.csr_matrix((data, indices, starts), shape=(len(bags), len(kept)))


def _places(vectors: sparse.csr_matrix, size: int) -> NDArray[np.int64]:
    """Return the number of the pattern that weighs most in each row."""
    weights, patterns = _begin(vectors, size)
    across = vectors.T.tocsr()
    for _ in range(STEPS):
        gram = weights.T @ weights
        patterns *= (across @ weights).T / (gram @ patterns + LEAST)
        gram = patterns @ patterns.T
        weights *= (vectors @ patterns.T) / (weights @ gram + LEAST)
    scaled = np.round(weights * np.linalg.norm(patterns, axis=1), DIGITS)
    found: NDArray[np.int64] = np.argmax(scaled, axis=1)
    return found


def _begin(vectors: sparse.csr_matrix, size: int) -> tuple[Rows, Rows]:
    """Return weights (n_texts, n) and patterns (n, n_terms) made of the strongest directions."""
    left, strengths, right = _directions(vectors, size)
    weights, patterns = [], []
    for column, strength, row in zip(left.T, strengths, right, strict=True):
        # A direction's sign is arbitrary: the side that holds more of it is taken.
        sides = [(np.maximum(sign * column, 0), np.maximum(sign * row, 0)) for sign in (1, -1)]
        lengths = [float(np.linalg.norm(a) * np.linalg.norm(b)) for a, b in sides]
        side = 0 if lengths[0] >= lengths[1] else 1
        scale = math.sqrt(max(0.0, float(strength)) * lengths[side])
        texts, terms = sides[side]
        weights.append(scale * texts / (float(np.linalg.norm(texts)) or 1.0))
        patterns.append(scale * terms / (float(np.linalg.norm(terms)) or 1.0))
    return np.maximum(np.stack(weights, axis=1), LEAST), np.maximum(np.stack(patterns), LEAST)


def _directions(vectors: sparse.csr_matrix, size: int) -> tuple[Rows, Rows, Rows]:
    """Return the strongest singular vectors and values, strongest first, at most `size`."""
    least = min(vectors.shape)
    if least <= size + 1:
        left, strengths, right = np.linalg.svd(vectors.toarray(), full_matrices=False)
    else:
        left, strengths, right = svds(vectors, k=size, v0=np.ones(least))
    order = np.argsort(-strengths, kind="stable")[:size]
    return left[:, order], strengths[order], right[order]
