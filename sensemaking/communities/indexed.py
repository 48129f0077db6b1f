"""Graphs as community algorithms see them: integers in arrays.

Nodes are numbered in the order of their labels, so that the smallest number is the smallest label
and every tie that is decided by number is decided by name.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sensemaking.communities.cores import peel
from sensemaking.communities.nodesets import NodeSets, label_components
from sensemaking.errors import InputError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Edge = tuple[int, int, float]

MAX_WEIGHT = 1e100
"""Above it the squares of sums, which modularity needs, are no longer finite."""


@dataclass(frozen=True, eq=False)
class IndexedGraph:
    """An undirected graph without loops or parallel edges.

    `labels` are sorted and unique, node i is `labels[i]`. Edge e joins `sources[e]` and the larger
    `targets[e]` with `weights[e]`, each (m,), sorted by both ends. Build it with `index_graph`.
    """

    labels: Sequence[str]
    sources: Ints
    targets: Ints
    weights: Floats

    @property
    def n(self) -> int:
        """Return the number of nodes."""
        return len(self.labels)

    @property
    def m(self) -> int:
        """Return the number of edges."""
        return len(self.sources)

    @property
    def edges(self) -> list[Edge]:
        """Return the edges as (source, target, weight), sorted."""
        arrays = (self.sources.tolist(), self.targets.tolist(), self.weights.tolist())
        return list(zip(*arrays, strict=True))

    @cached_property
    def adjacency(self) -> NodeSets:
        """Return the sorted neighbours of each node."""
        # The edges are sorted by both ends. With the larger ends first, a stable sort by node puts
        # the smaller neighbours of each node before the larger ones, both sorted.
        ends = np.concatenate([self.targets, self.sources])
        others = np.concatenate([self.sources, self.targets])
        order = np.argsort(ends, kind="stable")
        return NodeSets.of_sizes(np.bincount(ends, minlength=self.n), others[order])

    @cached_property
    def _views(self) -> tuple[memoryview, memoryview]:
        return self.adjacency.starts.data, self.adjacency.nodes.data

    def neighbours_of(self, node: int) -> list[int]:
        """Return the sorted neighbours of one node."""
        starts, nodes = self._views
        found: list[int] = nodes[starts[node] : starts[node + 1]].tolist()
        return found

    @cached_property
    def degrees(self) -> Ints:
        """Return the number of neighbours of each node, (n,)."""
        return self.adjacency.sizes

    @cached_property
    def core_numbers(self) -> Ints:
        """Return the core number of each node, (n,): the largest k whose k-core holds it.

        >>> kite = index_graph("abcd", [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")])
        >>> kite.core_numbers.tolist()
        [2, 2, 2, 1]
        """
        return peel(self.adjacency)

    @cached_property
    def components(self) -> list[tuple[int, ...]]:
        """Return the connected components, largest first, ties by smallest node."""
        labels = label_components(self.n, self.sources, self.targets)
        found = [tuple(one.tolist()) for one in NodeSets.of_labels(labels)]
        return sorted(found, key=lambda nodes: (-len(nodes), nodes[0]))

    def subgraph(self, nodes: Iterable[int]) -> IndexedGraph:
        """Return the graph on some of the nodes, numbered anew in the same order."""
        kept = np.unique(np.fromiter(nodes, dtype=np.int64))
        number = np.full(self.n, -1)
        number[kept] = np.arange(len(kept))
        sources, targets = number[self.sources], number[self.targets]
        inside = (sources >= 0) & (targets >= 0)
        labels = tuple(self.labels[node] for node in kept.tolist())
        return IndexedGraph(labels, sources[inside], targets[inside], self.weights[inside])

    def without_edges(self, dropped: Ints) -> IndexedGraph:
        """Return the graph without some edges, given by position; all nodes stay."""
        kept = np.ones(self.m, dtype=bool)
        kept[dropped] = False
        return IndexedGraph(self.labels, self.sources[kept], self.targets[kept], self.weights[kept])


def index_graph(
    labels: Iterable[str], edges: Iterable[tuple[str, str] | tuple[str, str, float]]
) -> IndexedGraph:
    """Return the indexed graph of labelled edges, the same for any order of its input.

    Loops are dropped. Of parallel edges the weights are added, smallest first, so that rounding
    does not depend on the order either.

    Raises
    ------
    InputError
        When a weight is not a number above 0 and at most `MAX_WEIGHT`.

    Examples
    --------
    >>> index_graph("ba", [("b", "a"), ("b", "b"), ("a", "b", 0.5)]).edges
    [(0, 1, 1.5)]
    """
    ordered = tuple(sorted(set(labels)))
    number = {label: n for n, label in enumerate(ordered)}
    ends: list[tuple[int, int]] = []
    weights: list[float] = []
    for source, target, *rest in edges:
        weight = rest[0] if rest else 1.0
        if not (isinstance(weight, int | float) and 0 < weight <= MAX_WEIGHT):
            raise InputError(weight_message(source, target, weight))
        ends.append((number[source], number[str(target)]))
        weights.append(float(weight))
    return index_arrays(
        ordered, np.array(ends, dtype=np.int64).reshape(-1, 2), np.array(weights, dtype=np.float64)
    )


def weight_message(source: str, target: object, weight: object) -> str:
    """Say what is wrong with the weight of an edge."""
    if isinstance(weight, float) and not math.isnan(weight):
        weight = f"{weight:g}"
    return (
        f"The edge “{source}” - “{target}” has the weight {weight}: a weight must be a number "
        f"above 0 and at most {MAX_WEIGHT:g}. Correct it, or leave the edge out."
    )


def index_arrays(labels: Sequence[str], ends: Ints, weights: Floats) -> IndexedGraph:
    """Return the graph of edges between numbered nodes; `ends` is (m, 2), `weights` (m,)."""
    low, high = ends.min(axis=1, initial=len(labels)), ends.max(axis=1, initial=-1)
    proper = low < high
    codes, weights = (low * len(labels) + high)[proper], weights[proper]
    order = np.lexsort((weights, codes))
    found, first = np.unique(codes[order], return_index=True)
    sums = np.add.reduceat(weights[order], first) if len(first) else weights
    return IndexedGraph(labels, found // max(1, len(labels)), found % max(1, len(labels)), sums)
