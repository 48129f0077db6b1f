"""Core numbers, and the nested components of the k-cores.

In: sorted neighbours or edges as arrays. Out: for each node the largest k whose k-core holds it,
and for each k the components of the k-core with their parents in the (k - 1)-core.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sensemaking.communities.nodesets import Ints, NodeSets, label_components

FEW = 256
"""Below so many nodes a plain loop is faster than arrays."""


def peel(adjacency: NodeSets) -> Ints:
    """Return the core number of each node.

    Nodes are taken off by smallest remaining degree (Batagelj and Zaversnik 2003); whole rounds of
    them at once where there are many. A node is looked at once per k up to its core number and once
    per neighbour, so the work is linear in the edges whatever the shape of the graph.
    """
    degrees = adjacency.sizes.copy()
    waiting = np.ones(len(adjacency), dtype=bool)
    nodes = np.arange(len(adjacency))
    k = 0
    while len(nodes):
        k = max(k, int(degrees[nodes].min()))
        frontier = nodes[degrees[nodes] <= k]
        waiting[frontier] = False
        while len(frontier):
            if len(frontier) < FEW:
                frontier = _peel_singly(adjacency, degrees, waiting, frontier, k)
            else:
                frontier = _peel_round(adjacency, degrees, waiting, frontier, k)
        nodes = nodes[waiting[nodes]]
        k += 1
    return degrees


def _peel_round(
    adjacency: NodeSets, degrees: Ints, waiting: np.ndarray, frontier: Ints, k: int
) -> Ints:
    degrees[frontier] = k
    touched = adjacency.take(frontier).nodes
    touched, counts = np.unique(touched[waiting[touched]], return_counts=True)
    degrees[touched] -= counts
    following = touched[degrees[touched] <= k]
    waiting[following] = False
    return following


def _peel_singly(
    adjacency: NodeSets, degrees: Ints, waiting: np.ndarray, frontier: Ints, k: int
) -> Ints:
    """Peel one by one until nothing is left, or so much that a round is cheaper."""
    starts, nodes = adjacency.starts.data, adjacency.nodes.data
    left, is_waiting = degrees.data, waiting.data
    stack = frontier.tolist()
    while stack and len(stack) < FEW:
        node = stack.pop()
        left[node] = k
        for other in nodes[starts[node] : starts[node + 1]].tolist():
            if is_waiting[other]:
                left[other] -= 1
                if left[other] <= k:
                    is_waiting[other] = False
                    stack.append(other)
    return np.array(stack, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class NestedCores:
    """The components of the k-core for every k from 1 to the highest.

    Component j of the k-core is set j of `members[k - 1]`, sorted; `parents[k - 1][j]` is the
    component of the (k - 1)-core around it (k above 1). `shell_of` says for each node in which
    component of the k-core it is, k its own core number; `tops` for each node the highest core
    number in its connected component. Both are -1 and 0 for nodes without a neighbour.
    """

    members: list[NodeSets]
    parents: list[Ints]
    shell_of: Ints
    tops: Ints


def nest_cores(core_numbers: Ints, sources: Ints, targets: Ints) -> NestedCores:
    """Return the components of all k-cores.

    From the highest k down, each component of the core above counts as one node, so every edge is
    looked at once.
    """
    n, highest = len(core_numbers), int(core_numbers.max(initial=0))
    lower_ends = np.minimum(core_numbers[sources], core_numbers[targets])
    edges_of, nodes_of = NodeSets.of_labels(lower_ends), NodeSets.of_labels(core_numbers)
    label, shell_of = np.full(n, -1), np.full(n, -1)
    inside = np.zeros(0, dtype=np.int64)
    n_above = 0
    members: list[NodeSets] = []
    parents: list[Ints] = []
    for k in range(highest, 0, -1):
        fresh = nodes_of[k]
        if len(fresh) or not members:
            label[fresh] = n_above + np.arange(len(fresh))
            edges = edges_of[k]
            found = label_components(
                n_above + len(fresh), label[sources[edges]], label[targets[edges]]
            )
            inside = np.sort(np.concatenate([inside, fresh]))
            label[inside] = found[label[inside]]
            shell_of[fresh] = label[fresh]
            parents.append(found[:n_above])
            n_above = int(found.max(initial=-1)) + 1
            order = np.argsort(label[inside], kind="stable")
            sizes = np.bincount(label[inside], minlength=n_above)
            members.append(NodeSets.of_sizes(sizes, inside[order]))
        else:
            parents.append(np.arange(n_above))
            members.append(members[-1])
    tops = np.zeros(n, dtype=np.int64)
    if members:
        highest_in = np.zeros(n_above, dtype=np.int64)
        np.maximum.at(highest_in, label[inside], core_numbers[inside])
        tops[inside] = highest_in[label[inside]]
    # parents[i] was found one step after members[i]: it belongs to the level above it.
    return NestedCores(
        members[::-1], [np.zeros(0, dtype=np.int64), *parents[:0:-1]], shell_of, tops
    )
