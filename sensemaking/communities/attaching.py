"""Where the small ones go: groups of nodes join the cluster that has most of their neighbours.

In: a graph, clusters, groups. Out: for each group the number of its cluster. "Core-based
Hierarchies for Efficient GraphRAG": the last step of Algorithm 1 (single nodes) and Algorithm 2
(pairs).

Notes
-----
The group with most distinct neighbours in clusters goes first (then the smaller nodes); it goes to
the cluster with most distinct neighbours of it, then most edges, then fewest nodes, then smallest
nodes, sizes and nodes of clusters as they were made. From then on its nodes count as nodes of that
cluster. So groups that touch no other group do not depend on any order: they are placed at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from sensemaking.communities.indexed import IndexedGraph
from sensemaking.communities.nodesets import Ints, NodeSets

NOWHERE = -1
_NO_PAIRS: tuple[Ints, Ints] = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def attach(
    graph: IndexedGraph,
    clusters: NodeSets,
    groups: NodeSets,
    *,
    joined: tuple[Ints, Ints] = _NO_PAIRS,
    found_new: bool = False,
) -> Ints:
    """Say to which cluster each group of nodes goes, by position.

    `joined` are (cluster, node) pairs that count as members although the cluster was made without
    them. A group that no path of groups joins to a cluster goes `NOWHERE`; with `found_new`, the
    one with the smallest nodes of those becomes a cluster, numbered from the last on by its own
    position, and others may go there.

    >>> from sensemaking.communities.indexed import index_graph
    >>> path = index_graph("abcde", zip("abcd", "bcde"))
    >>> attach(path, NodeSets.of_lists([[0, 1]]), NodeSets.of_lists([[4], [2], [3]])).tolist()
    [0, 0, 0]
    """
    owners = np.concatenate([clusters.owners, joined[0]])
    state = _Placing(
        graph=graph,
        clusters=clusters,
        members=NodeSets.of_pairs(graph.n, np.concatenate([clusters.nodes, joined[1]]), owners),
        groups=groups,
        found=np.full(len(groups), NOWHERE),
    )
    group_of = np.full(graph.n, NOWHERE)
    group_of[groups.nodes] = groups.owners
    around = graph.adjacency.take(groups.nodes)
    inner, outer = groups.owners[around.owners], around.nodes
    outside = group_of[outer] != inner
    inner, outer = inner[outside], outer[outside]
    depends = np.zeros(len(groups), dtype=bool)
    depends[inner[group_of[outer] != NOWHERE]] = True

    state.place_at_once(inner[~depends[inner]], outer[~depends[inner]])
    if found_new:
        alone = np.flatnonzero((state.found == NOWHERE) & ~depends)
        state.found[alone] = len(clusters) + alone
    state.place_in_turn(np.flatnonzero(depends).tolist(), group_of, found_new=found_new)
    return state.found


def _rank(clusters: NodeSets) -> Ints:
    """Return the place of each cluster by size, then nodes."""
    sizes = clusters.sizes
    first = clusters.nodes[np.minimum(clusters.starts[:-1], max(0, len(clusters.nodes) - 1))]
    order = np.lexsort((first, sizes))
    ties = (np.diff(sizes[order]) == 0) & (np.diff(first[order]) == 0)
    # Only clusters of one size that begin with one node are compared node by node.
    begin = np.flatnonzero(ties & ~np.concatenate([[False], ties[:-1]]))
    end = np.flatnonzero(ties & ~np.concatenate([ties[1:], [False]])) + 2
    for here, there in zip(begin.tolist(), end.tolist(), strict=True):
        tied = order[here:there].tolist()
        order[here:there] = sorted(tied, key=lambda n: (clusters[n].tolist(), n))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


@dataclass(frozen=True, eq=False)
class _Placing:
    """Fills `found`; `members` holds the clusters of each node as they are before the first."""

    graph: IndexedGraph
    clusters: NodeSets
    members: NodeSets
    groups: NodeSets
    found: Ints

    def place_at_once(self, inner: Ints, outer: Ints) -> None:
        """Place groups that touch no other, from all their edges (group, node outside)."""
        width = max(1, self.graph.n)
        codes, n_edges = np.unique(inner * width + outer, return_counts=True)
        at = self.members.take(codes % width)
        group, n_edges = (codes // width)[at.owners], n_edges[at.owners]
        width = max(1, len(self.clusters))
        choices, place = np.unique(group * width + at.nodes, return_inverse=True)
        neighbours = np.bincount(place, minlength=len(choices))
        edges = np.bincount(place, weights=n_edges, minlength=len(choices))
        group, cluster = choices // width, choices % width
        order = np.lexsort((_rank(self.clusters)[cluster], -edges, -neighbours, group))
        group, cluster = group[order], cluster[order]
        best = np.flatnonzero(np.diff(group, prepend=-1))
        self.found[group[best]] = cluster[best]

    def place_in_turn(self, waiting: list[int], group_of: Ints, *, found_new: bool) -> None:
        """Place groups that touch others one after the other."""
        nodes_of = {n: self.groups[n].tolist() for n in waiting}
        around = {n: self._edges_out(nodes) for n, nodes in nodes_of.items()}
        known: dict[int, set[int]] = {}

        def clusters_of(node: int) -> set[int]:
            found = known.get(node)
            if found is None:
                found = known[node] = set(self.members[node].tolist())
            return found

        is_placed = (self.members.sizes > 0).data
        counts = {n: sum(is_placed[one] for one in around[n]) for n in waiting}
        heap = [(-counts[n], nodes_of[n], n) for n in waiting if counts[n] or found_new]
        heapify(heap)
        done: set[int] = set()
        while heap:
            count, nodes, n = heappop(heap)
            if n in done or -count != counts[n]:
                continue  # placed, or it has gained neighbours since: that entry is in the heap
            done.add(n)
            if count:
                self.found[n] = self._best(around[n], clusters_of)
            else:
                self.found[n] = len(self.clusters) + n
            for node in nodes:
                before = clusters_of(node)
                known[node] = {*before, int(self.found[n])}
                near = {int(group_of[one]) for one in self.graph.neighbours_of(node)}
                for other in () if before else near - {NOWHERE, n} - done:
                    counts[other] += 1
                    heappush(heap, (-counts[other], nodes_of[other], other))

    def _edges_out(self, nodes: list[int]) -> Counter[int]:
        inside = set(nodes)
        ends = (one for node in nodes for one in self.graph.neighbours_of(node))
        return Counter(one for one in ends if one not in inside)

    def _best(self, edges: Counter[int], clusters_of: Callable[[int], set[int]]) -> int:
        neighbours: Counter[int] = Counter()
        for node in edges:
            neighbours.update(clusters_of(node))
        most = max(neighbours.values())
        best = {cluster: 0 for cluster, n in neighbours.items() if n == most}
        if len(best) > 1:
            for node, n in edges.items():
                for cluster in clusters_of(node) & best.keys():
                    best[cluster] += n
        most = max(best.values())
        sizes = {one: self._size(one) for one, n in best.items() if n == most}
        least = min(sizes.values())
        return min(
            (one for one, size in sizes.items() if size == least),
            key=lambda one: (self._nodes(one).tolist(), one),
        )

    def _size(self, cluster: int) -> int:
        n = len(self.clusters)
        starts = self.clusters.starts if cluster < n else self.groups.starts
        place = cluster if cluster < n else cluster - n
        return int(starts[place + 1] - starts[place])

    def _nodes(self, cluster: int) -> Ints:
        """Return the nodes of a cluster as it was made; also of one that was found on the way."""
        n = len(self.clusters)
        return self.clusters[cluster] if cluster < n else self.groups[cluster - n]
