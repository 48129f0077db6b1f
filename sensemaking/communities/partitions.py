"""How alike two partitions are, and how good one is.

In: labels, one per node, negative for nodes without a place. Out: numbers. Nodes without a place in
either partition are left out of a comparison.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensemaking.communities.indexed import Floats, IndexedGraph
from sensemaking.communities.nodesets import Ints


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two partitions side by side, on the nodes that both place.

    `rand` is the adjusted Rand index (Hubert and Arabie 1985), 1 for equal partitions and about 0
    for unrelated ones. `information` is the mutual information over the mean of both entropies,
    0-1. `mates` has one entry per node: the mean over both directions of the share of a node's
    community mates that are its mates in the other partition too; NaN for nodes that one of the
    partitions leaves out, and for those without mates in both.
    """

    rand: float
    information: float
    mates: Floats


def compare(one: Ints, other: Ints) -> Comparison:
    """Compare two partitions of the same nodes, each (n,).

    Partitions without a pair of nodes to compare agree.

    >>> same = compare(np.array([0, 0, 1, 1]), np.array([7, 7, 3, 3]))
    >>> same.rand, same.information, same.mates.tolist()
    (1.0, 1.0, [1.0, 1.0, 1.0, 1.0])
    """
    placed = np.flatnonzero((one >= 0) & (other >= 0))
    mates = np.full(len(one), np.nan)
    if not len(placed):
        return Comparison(1.0, 1.0, mates)
    rows, columns = one[placed], other[placed]
    cells, cell = np.unique(rows * (int(columns.max()) + 1) + columns, return_inverse=True)
    both = np.bincount(cell, minlength=len(cells))
    a, b = np.bincount(rows), np.bincount(columns)
    row, column = cells // (int(columns.max()) + 1), cells % (int(columns.max()) + 1)

    shares = np.full((2, len(placed)), np.nan)
    for direction, sizes in enumerate((a[rows], b[columns])):
        has_mates = sizes > 1
        shares[direction, has_mates] = (both[cell][has_mates] - 1) / (sizes[has_mates] - 1)
    known = ~np.isnan(shares)
    n_known = known.sum(axis=0)
    sums = np.where(known, shares, 0.0).sum(axis=0)
    mates[placed[n_known > 0]] = sums[n_known > 0] / n_known[n_known > 0]
    return Comparison(
        _adjusted_rand(both, a, b, len(placed)),
        _information(both / len(placed), a[row] / len(placed), b[column] / len(placed), a, b),
        mates,
    )


def _pairs(counts: Ints) -> float:
    return float((counts.astype(float) * (counts - 1) / 2).sum())


def _adjusted_rand(both: Ints, a: Ints, b: Ints, n: int) -> float:
    total = n * (n - 1) / 2
    expected = _pairs(a) * _pairs(b) / total if total else 0.0
    largest = (_pairs(a) + _pairs(b)) / 2
    return 1.0 if largest == expected else (_pairs(both) - expected) / (largest - expected)


def _information(both: Floats, row: Floats, column: Floats, a: Ints, b: Ints) -> float:
    mutual = float((both * np.log(both / (row * column))).sum())
    entropy = (_entropy(a) + _entropy(b)) / 2
    return 1.0 if entropy == 0 else min(1.0, max(0.0, mutual / entropy))


def _entropy(counts: Ints) -> float:
    shares = counts[counts > 0] / counts.sum()
    return float(-(shares * np.log(shares)).sum())


def modularity(graph: IndexedGraph, labels: Ints) -> float:
    """Return the modularity of a partition at resolution 1; nodes without a place are alone.

    >>> from sensemaking.communities.indexed import index_graph
    >>> modularity(index_graph("abcd", [("a", "b"), ("c", "d")]), np.array([0, 0, 1, 1]))
    0.5
    """
    total = float(graph.weights.sum())
    if not total:
        return 0.0
    alone = labels < 0
    labels = np.where(alone, labels.max(initial=-1) + np.cumsum(alone), labels)
    inside = labels[graph.sources] == labels[graph.targets]
    strength = np.bincount(labels[graph.sources], graph.weights, minlength=graph.n + len(labels))
    strength += np.bincount(labels[graph.targets], graph.weights, minlength=len(strength))
    expected = float(((strength / (2 * total)) ** 2).sum())
    return float(graph.weights[inside].sum()) / total - expected
