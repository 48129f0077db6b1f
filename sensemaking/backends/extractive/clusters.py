"""Groups of texts that speak of the same things.

Bags of words come in, groups of their positions go out. The bags become tf-idf vectors, these are
reduced to a few directions (latent semantic analysis), and the nearest are joined again and again
(Ward). Nothing is random.

References
----------
Deerwester et al., "Indexing by Latent Semantic Analysis" (1990). Ward, "Hierarchical Grouping to
Optimize an Objective Function" (1963).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.sparse.linalg import svds
from scipy.spatial.distance import pdist

MOST_SHARE = 0.5
"""A word in more than this share of the texts tells nothing about any of them."""
MAX_JOINED = 3000
"""Texts that are compared with each other; the others go to the nearest group of these."""

DIRECTIONS = 1.5
"""Directions for each group."""

Rows = NDArray[np.float64]


def group(bags: Sequence[Mapping[str, int]], size: int) -> tuple[list[list[int]], list[int]]:
    """Return up to `size` groups of positions, largest first, and the texts in none.

    A text that shares no word with any other is in no group.
    """
    vectors = _vectorise(bags)
    known = np.flatnonzero(np.diff(vectors.indptr))
    strange: list[int] = np.flatnonzero(np.diff(vectors.indptr) == 0).tolist()
    places = _join(_reduce(vectors[known], round(DIRECTIONS * size)), size)
    groups = [known[places == one].tolist() for one in sorted(set(places.tolist()))]
    return sorted(groups, key=lambda members: (-len(members), members)), strange


def _vectorise(bags: Sequence[Mapping[str, int]]) -> sparse.csr_matrix:
    """Return tf-idf rows of unit length, (n_texts, n_words); words of one text are left out."""
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


def _reduce(vectors: sparse.csr_matrix, size: int) -> Rows:
    """Return rows of unit length in the strongest directions, (n, at most size)."""
    if min(vectors.shape) <= size + 1:
        return np.asarray(vectors.toarray(), dtype=np.float64)
    left, strengths, _ = svds(vectors, k=size, v0=np.ones(min(vectors.shape)))
    rows = left * strengths
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    # Rounded: further digits depend on the machine, and decide ties.
    scaled: Rows = np.round(rows / np.where(lengths > 0, lengths, 1), 6)
    return scaled


def _join(rows: Rows, size: int) -> NDArray[np.int64]:
    """Return the number of the group of each row."""
    if len(rows) < 2:
        return np.zeros(len(rows), dtype=np.int64)
    joined = rows[:MAX_JOINED]
    places = np.asarray(fcluster(linkage(pdist(joined), "ward"), size, "maxclust"), dtype=np.int64)
    if len(rows) == len(joined):
        return places
    numbers = sorted(set(places.tolist()))
    centres = np.stack([joined[places == number].mean(axis=0) for number in numbers])
    nearest = np.argmax(np.round(rows[MAX_JOINED:] @ centres.T, 6), axis=1)
    return np.concatenate([places, np.array(numbers)[nearest]])
