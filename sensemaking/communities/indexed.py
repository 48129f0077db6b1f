"""Graphs as community algorithms see them: integers in, tuples of integers out.

Nodes are numbered in the order of their labels, so that the smallest number is the smallest label
and every tie that is decided by number is decided by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from sensemaking.types import CommunityKind

Edge = tuple[int, int, float]
Nodes = tuple[int, ...]


@dataclass(frozen=True)
class IndexedGraph:
    """An undirected graph without loops or parallel edges.

    `labels` are sorted and unique, node i is `labels[i]`; `edges` are sorted (u, v, weight) with
    u < v. Build it with `index_graph`.
    """

    labels: tuple[str, ...]
    edges: tuple[Edge, ...]

    @property
    def n(self) -> int:
        """Return the number of nodes."""
        return len(self.labels)

    @cached_property
    def neighbours(self) -> tuple[Nodes, ...]:
        """Return the sorted neighbours of each node."""
        found: list[list[int]] = [[] for _ in self.labels]
        for u, v, _ in self.edges:
            found[u].append(v)
            found[v].append(u)
        return tuple(tuple(sorted(ones)) for ones in found)

    @cached_property
    def core_numbers(self) -> Nodes:
        """Return the core number of each node: the largest k whose k-core holds it.

        Nodes are taken off by smallest remaining degree, in time linear in the edges (Batagelj
        and Zaversnik 2003).

        >>> kite = index_graph("abcd", [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")])
        >>> kite.core_numbers
        (2, 2, 2, 1)
        """
        degrees = [len(ones) for ones in self.neighbours]
        buckets: list[list[int]] = [[] for _ in range(max(degrees, default=0) + 1)]
        for node, degree in enumerate(degrees):
            buckets[degree].append(node)
        taken = [False] * self.n
        k = 0
        while k < len(buckets):
            if not buckets[k]:
                k += 1
                continue
            node = buckets[k].pop()
            if taken[node] or degrees[node] != k:
                continue
            taken[node] = True
            for other in self.neighbours[node]:
                if not taken[other] and degrees[other] > k:
                    degrees[other] -= 1
                    buckets[degrees[other]].append(other)
        return tuple(degrees)

    @cached_property
    def components(self) -> tuple[Nodes, ...]:
        """Return the connected components, largest first, ties by smallest node."""
        found = self.components_within(range(self.n))
        return tuple(sorted(found, key=lambda nodes: (-len(nodes), nodes[0])))

    def components_within(self, nodes: Iterable[int]) -> list[Nodes]:
        """Return the components of the subgraph on `nodes`, each sorted, by smallest node."""
        remaining = set(nodes)
        found = []
        for start in sorted(remaining):
            if start not in remaining:
                continue
            remaining.discard(start)
            members = [start]
            for here in members:  # grows while it is read
                for other in self.neighbours[here]:
                    if other in remaining:
                        remaining.discard(other)
                        members.append(other)
            found.append(tuple(sorted(members)))
        return found

    def subgraph(self, nodes: Iterable[int]) -> IndexedGraph:
        """Return the graph on some of the nodes, numbered anew in the same order."""
        kept = sorted(set(nodes))
        number = {node: n for n, node in enumerate(kept)}
        edges = tuple(
            (number[u], number[v], weight)
            for u, v, weight in self.edges
            if u in number and v in number
        )
        return IndexedGraph(tuple(self.labels[node] for node in kept), edges)


@dataclass(frozen=True, slots=True)
class RawCommunity:
    """A community as an algorithm returns it.

    `parent` is the index of its parent in the same list, which stands before it; `members` are
    sorted. `core_number` is the shell it was made from, None where the algorithm knows no cores.
    """

    level: int
    parent: int | None
    members: Nodes
    kind: CommunityKind = "cluster"
    core_number: int | None = None


def index_graph(
    labels: Iterable[str], edges: Iterable[tuple[str, str] | tuple[str, str, float]]
) -> IndexedGraph:
    """Return the indexed graph of labelled edges, the same for any order of its input.

    Loops are dropped. Of parallel edges the weights are added, smallest first, so that rounding
    does not depend on the order either.

    >>> index_graph("ba", [("b", "a"), ("b", "b")])
    IndexedGraph(labels=('a', 'b'), edges=((0, 1, 1.0),))
    """
    ordered = tuple(sorted(set(labels)))
    number = {label: n for n, label in enumerate(ordered)}
    weights: dict[tuple[int, int], list[float]] = {}
    for source, target, *rest in edges:
        u, v = number[str(source)], number[str(target)]
        if u != v:
            weights.setdefault((min(u, v), max(u, v)), []).append(_weight(rest))
    return IndexedGraph(
        ordered, tuple((u, v, sum(sorted(ones))) for (u, v), ones in sorted(weights.items()))
    )


def _weight(rest: Sequence[object]) -> float:
    return float(rest[0]) if rest and isinstance(rest[0], int | float) else 1.0
