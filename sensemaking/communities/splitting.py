"""The steps that the k-core heuristics share: split, group by two hops, split by two hops.

In: a graph and sets of its nodes. Out: sets of at most `max_size` nodes. "Core-based Hierarchies
for Efficient GraphRAG", Algorithms 1 and 2; for nodes that are left over see `attaching`.

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

from collections import deque
from collections.abc import Sequence
from heapq import heappop, heappush

import numpy as np

from sensemaking.communities.indexed import IndexedGraph
from sensemaking.communities.nodesets import Ints, NodeSets, label_components

NO_NODE = -1
GONE = -(2**40)
"""Overlap of a class of which no node is left: no sum brings it above zero."""
MANY = 64
"""An anchor with more classes than this is not gone through class by class."""

Nodes = tuple[int, ...]


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
    everything = set(nodes)
    inside = {
        node: [one for one in graph.neighbours_of(node) if one in everything] for node in nodes
    }
    seeds = sorted(inside, key=lambda node: (-len(inside[node]), node))
    found = []
    for seed in seeds:
        if seed in everything:  # from here on, what no chunk has taken
            found.append(_grow_chunk(inside, seed, everything, max_size))
    return found


def _grow_chunk(
    inside: dict[int, list[int]], seed: int, remaining: set[int], max_size: int
) -> Nodes:
    chunk: list[int] = []
    gains: dict[int, int] = {seed: 0}
    frontier = [(0, seed)]
    while frontier and len(chunk) < max_size:
        gain, node = heappop(frontier)
        if node not in remaining or -gain != gains[node]:
            continue  # taken, or its gain has grown since: a better entry is in the heap
        remaining.discard(node)
        chunk.append(node)
        for other in inside[node]:
            if other in remaining:
                gains[other] = gain = gains.get(other, 0) + 1
                heappush(frontier, (-gain, other))
    return tuple(sorted(chunk))


def two_hop_groups(graph: IndexedGraph, singles: Ints, within: Ints | None = None) -> NodeSets:
    """Group nodes that are joined by chains of steps of distance at most two, through `singles`.

    `within` says for each of them, by a number from 0, among which others it may find its group
    (None: all). Groups of one are included; groups come in order of their first node in `singles`.
    Linear in the edges of the singles: nodes meet at a shared neighbour, never pair by pair.

    >>> from sensemaking.communities.indexed import index_graph
    >>> star = index_graph("abcde", [("a", "b"), ("a", "c"), ("d", "e")])
    >>> two_hop_groups(star, np.array([1, 2, 4])).to_lists()
    [[1, 2], [4]]
    """
    around = graph.adjacency.take(singles)
    n = len(singles)
    places = np.zeros(n, dtype=np.int64) if within is None else within
    owners = np.concatenate([around.owners, np.arange(n)])
    anchors = np.concatenate([around.nodes, singles])
    meeting, place = np.unique(places[owners] * max(1, graph.n) + anchors, return_inverse=True)
    labels = label_components(n + len(meeting), owners, n + place)[:n]
    groups = NodeSets.of_labels(labels)
    return NodeSets(groups.starts, singles[groups.nodes])


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
    for seed in classes.seeds:
        if not classes.is_waiting(seed):
            continue
        members, links = classes.grow(seed, max_size)
        anchors = sorted(anchor for anchor, n in links.items() if n >= 2 and anchor not in members)
        found.append((tuple(sorted(members)), tuple(anchors)))
    return found


class _AnchorClasses:
    """The nodes of a group by their anchors: nodes with equal anchors have equal overlaps.

    A hub with thousands of one-neighbour nodes is one class. The classes at an anchor that has
    more than `MANY` are counted in one array, `_large`, so that a step costs one pass over numbers
    however many kinds of nodes meet at a hub; those at other anchors are counted one by one.
    """

    def __init__(self, graph: IndexedGraph, group: Sequence[int]) -> None:
        by_anchors: dict[Nodes, deque[int]] = {}
        for node in sorted(group):
            by_anchors.setdefault(tuple(graph.neighbours_of(node)), deque()).append(node)
        self._waiting = list(by_anchors.values())
        self._anchors = list(by_anchors)
        self._class_of = {node: n for n, ones in enumerate(self._waiting) for node in ones}
        self.seeds = sorted(
            self._class_of, key=lambda node: (-len(self._anchors[self._class_of[node]]), node)
        )
        at_anchor: dict[int, list[int]] = {}
        for n, anchors in enumerate(self._anchors):
            for anchor in anchors:
                at_anchor.setdefault(anchor, []).append(n)
        self._few = {one: set(ns) for one, ns in at_anchor.items() if len(ns) <= MANY}
        self._many = {one: np.array(ns) for one, ns in at_anchor.items() if len(ns) > MANY}
        self._large = np.zeros(len(self._waiting), dtype=np.int64)
        self._first = np.array([ones[0] for ones in self._waiting])
        self._taken: set[int] = set()

    def is_waiting(self, node: int) -> bool:
        return node not in self._taken

    def grow(self, seed: int, max_size: int) -> tuple[set[int], dict[int, int]]:
        """Return the members of the part that begins with a node, and their edges by anchor."""
        members: set[int] = set()
        links: dict[int, int] = {}
        shared: dict[int, int] = {}  # overlap at anchors with few classes
        near: list[Ints] = []  # the classes at anchors with many
        node = seed
        while node != NO_NODE:
            self._take(node)
            members.add(node)
            for anchor in self._anchors[self._class_of[node]]:
                links[anchor] = links.get(anchor, 0) + 1
                for n in self._few.get(anchor, ()):
                    shared[n] = shared.get(n, 0) + 1
                if anchor in self._many:
                    self._large[self._many[anchor]] += 1
                    if links[anchor] == 1:
                        near.append(self._many[anchor])
            node = self._best(shared, near) if len(members) < max_size else NO_NODE
        for classes in near:
            self._large[classes] = np.where(self._large[classes] < 0, GONE, 0)
        return members, links

    def _best(self, shared: dict[int, int], near: list[Ints]) -> int:
        """Return the waiting node with the largest overlap, the smallest of several.

        The array knows large anchors alone. A node it offers may have more, but then its class
        offers it with the right overlap, and that is larger.
        """
        most, best = 1, NO_NODE
        large = self._large.data
        for n, overlap in shared.items():
            waiting = self._waiting[n]
            if waiting:
                overlap += large[n]
                if overlap > most or (overlap == most and not -1 < best < waiting[0]):
                    most, best = overlap, waiting[0]
        if near:
            classes = near[0] if len(near) == 1 else np.concatenate(near)
            if len(classes) > len(self._large):
                classes = np.arange(len(self._large))
            overlaps = self._large[classes]
            overlap = int(overlaps.max())
            if overlap >= most:
                node = int(self._first[classes[overlaps == overlap]].min())
                if overlap > most or not -1 < best < node:
                    best = node
        return best

    def _take(self, node: int) -> None:
        self._taken.add(node)
        n = self._class_of[node]
        waiting = self._waiting[n]
        waiting.popleft()  # always the first of its class
        if waiting:
            self._first[n] = waiting[0]
        else:
            self._large[n] = GONE
            for anchor in self._anchors[n]:
                if anchor in self._few:
                    self._few[anchor].discard(n)
