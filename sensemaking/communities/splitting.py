"""The steps that the k-core heuristics share: split, group by two hops, attach.

In: a graph and sets of its nodes. Out: sets of at most `max_size` nodes, and for every node that
is left over the cluster it goes to. "Core-based Hierarchies for Efficient GraphRAG", Algorithms 1
and 2.

Notes
-----
The listings leave ties open and contradict the text in places; what is done here:

- Every tie is decided by a total order that ends with the smallest node.
- SPLIT keeps its whole frontier: replacing it by the neighbours of the last node (line 8 read
  literally) would stop at the first dead end.
- A two-hop group is the transitive closure of "distance at most two", the node between may be any
  node of the graph.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

import numpy as np

from sensemaking.communities.indexed import IndexedGraph, Nodes


def split(graph: IndexedGraph, nodes: Sequence[int], max_size: int) -> list[Nodes]:
    """Cut a set of nodes into connected chunks of at most `max_size`, grown greedily.

    A chunk starts at the node with most neighbours in `nodes` (counted once, before the first
    chunk) and takes the node with most edges into the chunk until it is full or has no neighbour
    left. Ties go to the smallest node. Chunks come in the order they were made.

    >>> from sensemaking.communities.indexed import index_graph
    >>> path = index_graph("abcde", zip("abcd", "bcde"))
    >>> split(path, range(5), 3)
    [(0, 1, 2), (3, 4)]
    """
    remaining = set(nodes)
    degree = {node: sum(other in remaining for other in graph.neighbours[node]) for node in nodes}
    found = []
    for seed in sorted(nodes, key=lambda node: (-degree[node], node)):
        if seed in remaining:
            found.append(_grow_chunk(graph, seed, remaining, max_size))
    return found


def _grow_chunk(graph: IndexedGraph, seed: int, remaining: set[int], max_size: int) -> Nodes:
    chunk: list[int] = []
    gains: Counter[int] = Counter()
    frontier = [(0, seed)]
    while frontier and len(chunk) < max_size:
        gain, node = heappop(frontier)
        if node not in remaining or -gain != gains[node]:
            continue  # taken, or its gain has grown since: a better entry is in the heap
        remaining.discard(node)
        chunk.append(node)
        for other in graph.neighbours[node]:
            if other in remaining:
                gains[other] += 1
                heappush(frontier, (-gains[other], other))
    return tuple(sorted(chunk))


def two_hop_groups(graph: IndexedGraph, singles: Sequence[int]) -> list[Nodes]:
    """Group nodes that are joined by chains of steps of distance at most two, through `singles`.

    Groups of one are included; groups come in order of their smallest node. Linear in the edges of
    the singles: nodes meet at a shared neighbour, never pair by pair.

    >>> from sensemaking.communities.indexed import index_graph
    >>> star = index_graph("abcde", [("a", "b"), ("a", "c"), ("d", "e")])
    >>> two_hop_groups(star, [1, 2, 4])
    [(1, 2), (4,)]
    """
    leader = {node: node for node in singles}

    def find(node: int) -> int:
        while leader[node] != node:
            leader[node] = leader[leader[node]]
            node = leader[node]
        return node

    first_at: dict[int, int] = {}
    for node in sorted(leader):
        first_at.setdefault(node, node)
        for anchor in (node, *graph.neighbours[node]):
            one, other = find(first_at.setdefault(anchor, node)), find(node)
            leader[max(one, other)] = min(one, other)
    groups: dict[int, list[int]] = {}
    for node in sorted(leader):
        groups.setdefault(find(node), []).append(node)
    return [tuple(ones) for ones in groups.values()]


def split_two_hop(
    graph: IndexedGraph, group: Sequence[int], max_size: int
) -> list[tuple[Nodes, Nodes]]:
    """Cut a two-hop group into (members, anchors), at most `max_size` members each.

    The anchors of a node are its neighbours. Members start with the node that has most anchors and
    are joined by the node with the largest overlap, the sum over members of the anchors they share
    with it, until the overlap is 0. The anchors of a part are those with at least two edges into
    its members. Ties go to the smallest node.

    >>> from sensemaking.communities.indexed import index_graph
    >>> star = index_graph("abcde", zip("aaaa", "bcde"))
    >>> split_two_hop(star, [1, 2, 3, 4], 3)
    [((1, 2, 3), (0,)), ((4,), ())]
    """
    classes = _AnchorClasses(graph, group)
    found = []
    for seed in sorted(group, key=lambda node: (-len(graph.neighbours[node]), node)):
        if not classes.is_waiting(seed):
            continue
        members = classes.grow(seed, max_size)
        links = Counter(anchor for node in members for anchor in graph.neighbours[node])
        anchors = sorted(anchor for anchor, n in links.items() if n >= 2 and anchor not in members)
        found.append((tuple(sorted(members)), tuple(anchors)))
    return found


class _AnchorClasses:
    """The nodes of a group by their anchors: nodes with equal anchors have equal overlaps.

    A hub with thousands of one-neighbour nodes is one class, so that a step costs the number of
    classes at its anchors and not the number of nodes.
    """

    def __init__(self, graph: IndexedGraph, group: Sequence[int]) -> None:
        by_anchors: dict[Nodes, deque[int]] = {}
        for node in sorted(group):
            by_anchors.setdefault(graph.neighbours[node], deque()).append(node)
        self._waiting = list(by_anchors.values())
        self._anchors = list(by_anchors)
        self._class_of = {node: n for n, ones in enumerate(self._waiting) for node in ones}
        at_anchor: dict[int, list[int]] = {}
        for n, anchors in enumerate(self._anchors):
            for anchor in anchors:
                at_anchor.setdefault(anchor, []).append(n)
        self._at_anchor = {anchor: np.array(ones) for anchor, ones in at_anchor.items()}
        self._taken: set[int] = set()
        # The smallest waiting node of each class; past the end when none is left.
        self._none_left = graph.n
        self._first = np.array([ones[0] for ones in self._waiting])

    def is_waiting(self, node: int) -> bool:
        return node not in self._taken

    def grow(self, seed: int, max_size: int) -> set[int]:
        overlap = np.zeros(len(self._waiting), dtype=np.int64)
        members: set[int] = set()
        node = seed
        while True:
            self._take(node)
            members.add(node)
            for anchor in self._anchors[self._class_of[node]]:
                overlap[self._at_anchor[anchor]] += 1
            open_overlap = np.where(self._first < self._none_left, overlap, 0)
            best = int(open_overlap.max())
            if len(members) >= max_size or best == 0:
                return members
            node = int(self._first[open_overlap == best].min())

    def _take(self, node: int) -> None:
        self._taken.add(node)
        n = self._class_of[node]
        waiting = self._waiting[n]
        waiting.popleft()  # the seed and every best node are the first of their class
        self._first[n] = waiting[0] if waiting else self._none_left


def attach(
    graph: IndexedGraph, clusters: Mapping[int, Nodes], groups: Sequence[Nodes]
) -> dict[int, int]:
    """Say to which cluster each group of nodes goes: group index to cluster key.

    The group with most distinct neighbours in clusters goes first (then the smaller nodes); it
    goes to the cluster with most distinct neighbours of it, then most edges, then fewest nodes,
    then smallest nodes, cluster sizes and nodes as given. From then on its nodes count as nodes of
    that cluster. A group that no path of groups joins to a cluster is left out.

    >>> from sensemaking.communities.indexed import index_graph
    >>> path = index_graph("abcde", zip("abcd", "bcde"))
    >>> attach(path, {7: (0, 1)}, [(4,), (2,), (3,)])
    {1: 7, 2: 7, 0: 7}
    """
    clusters_of: dict[int, list[int]] = {}
    for key, nodes in sorted(clusters.items()):
        for node in nodes:
            clusters_of.setdefault(node, []).append(key)
    group_of = {node: n for n, nodes in enumerate(groups) for node in nodes}
    around = [_neighbour_edges(graph, nodes) for nodes in groups]
    counts = [sum(node in clusters_of for node in edges) for edges in around]
    heap = [(-counts[n], nodes, n) for n, nodes in enumerate(groups) if counts[n]]
    heapify(heap)
    found: dict[int, int] = {}
    while heap:
        count, nodes, n = heappop(heap)
        if n in found or -count != counts[n]:
            continue
        found[n] = _best_cluster(around[n], clusters_of, clusters)
        for node in nodes:
            is_new = node not in clusters_of
            clusters_of.setdefault(node, []).append(found[n])
            touched = {group_of[other] for other in graph.neighbours[node] if other in group_of}
            for other in sorted(touched - {n}) if is_new else ():
                counts[other] += 1
                heappush(heap, (-counts[other], groups[other], other))
    return found


def _neighbour_edges(graph: IndexedGraph, nodes: Nodes) -> Counter[int]:
    """Count the edges to each node outside `nodes`."""
    inside = set(nodes)
    return Counter(
        other for node in nodes for other in graph.neighbours[node] if other not in inside
    )


def _best_cluster(
    edges: Counter[int], clusters_of: Mapping[int, list[int]], clusters: Mapping[int, Nodes]
) -> int:
    n_neighbours: Counter[int] = Counter()
    n_edges: Counter[int] = Counter()
    for node, count in edges.items():
        for key in clusters_of.get(node, ()):
            n_neighbours[key] += 1
            n_edges[key] += count
    return min(
        n_neighbours,
        key=lambda key: (
            -n_neighbours[key],
            -n_edges[key],
            len(clusters[key]),
            clusters[key],
            key,
        ),
    )
