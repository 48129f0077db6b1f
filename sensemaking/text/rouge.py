"""How much two texts say the same in the same order, and how many different things texts say.

Lower-case words come in (`words`); out comes ROUGE-L, the F-measure (beta 1) of the longest common
subsequence, or the number of clusters of complete-linkage clustering on 1 - ROUGE-L.

Notes
-----
Lin (2004), without stemming. The subsequence is found by the bit-parallel method of Hyyrö (2004):
one machine word a token pair instead of a table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sensemaking.text.words import words


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence.

    >>> lcs_length("the docks close in may".split(), "in may the docks will close".split())
    3
    """
    return _lcs(_masks(first), len(first), second)


def rouge_l(first: str, second: str) -> float:
    """Return the ROUGE-L F-measure of two texts, 0-1; 1 when both are without words.

    >>> round(rouge_l("The docks close in May.", "The docks will close."), 3)
    0.667
    """
    one, other = words(first), words(second)
    return _f_measure(lcs_length(one, other), len(one), len(other))


def distances(texts: Sequence[str]) -> list[float]:
    """Return 1 - ROUGE-L of all pairs, in the order (0, 1), (0, 2), …, (1, 2), …."""
    tokens = [words(text) for text in texts]
    found: list[float] = []
    for at, one in enumerate(tokens):
        masks = _masks(one)
        for other in tokens[at + 1 :]:
            shared = _lcs(masks, len(one), other)
            found.append(1 - _f_measure(shared, len(one), len(other)))
    return found


def count_clusters(texts: Sequence[str], thresholds: Sequence[float]) -> tuple[int, ...]:
    """Return how many clusters there are at each threshold of distance (0-1).

    In a cluster of complete linkage no two texts are further apart than the threshold.

    >>> count_clusters(["The docks close.", "The docks close soon.", "It rains."], [0.0, 0.5])
    (3, 2)
    """
    if len(texts) < 2:
        return tuple(len(texts) for _ in thresholds)
    from scipy.cluster.hierarchy import linkage

    merges = linkage(np.asarray(distances(texts)), method="complete")
    heights = merges[:, 2]
    # Complete linkage is monotone: every merge up to the threshold makes one cluster less.
    return tuple(int(len(texts) - np.count_nonzero(heights <= one + 1e-12)) for one in thresholds)


def _f_measure(shared: int, one: int, other: int) -> float:
    return 2 * shared / (one + other) if one + other else 1.0


def _masks(tokens: Sequence[str]) -> dict[str, int]:
    masks: dict[str, int] = {}
    for at, token in enumerate(tokens):
        masks[token] = masks.get(token, 0) | 1 << at
    return masks


def _lcs(masks: dict[str, int], length: int, tokens: Sequence[str]) -> int:
    everything = (1 << length) - 1
    row = everything
    for token in tokens:
        common = row & masks.get(token, 0)
        row = ((row + common) | (row - common)) & everything
    return length - row.bit_count()
