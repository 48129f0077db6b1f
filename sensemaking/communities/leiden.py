"""Hierarchical Leiden: modularity communities, those that are too large cut again.

In: a weighted graph. Out: level 0 partitions every node that has an edge; level l + 1 holds only
the parts of those communities of level l that had more than `max_size` members.
Traag, Waltman and van Eck 2019; the hierarchy is that of GraphRAG (Edge et al. 2024).

Notes
-----
The compiled core of graspologic does the work, with the parameters GraphRAG leaves at their
defaults: resolution 1, randomness 0.001, one iteration, modularity. Its result is fixed by the
seed and by the order of the edges, which `IndexedGraph` sorts. A community that Leiden finds no
way to divide (a star) stays larger than `max_size`.
"""

from __future__ import annotations

import graspologic_native

from sensemaking.communities.indexed import IndexedGraph, RawCommunity

RESOLUTION = 1.0
RANDOMNESS = 0.001


def find_leiden(graph: IndexedGraph, max_size: int, seed: int) -> list[RawCommunity]:
    """Return the Leiden hierarchy; communities above `max_size` members are divided again.

    >>> from sensemaking.communities.indexed import index_graph
    >>> bridged = index_graph("abcdef", [*zip("aabdde", "bccefe"), ("c", "d"), ("d", "f")])
    >>> [(one.level, one.members) for one in find_leiden(bridged, 10, 0)]
    [(0, (0, 1, 2)), (0, (3, 4, 5))]
    """
    if not graph.edges:
        return []
    rows = graspologic_native.hierarchical_leiden(
        [(str(u), str(v), weight) for u, v, weight in graph.edges],
        resolution=RESOLUTION,
        randomness=RANDOMNESS,
        iterations=1,
        use_modularity=True,
        max_cluster_size=max_size,
        seed=seed,
    )
    members: dict[tuple[int, int], list[int]] = {}
    parents: dict[tuple[int, int], tuple[int, int] | None] = {}
    for row in rows:
        key = (row.level, row.cluster)
        members.setdefault(key, []).append(int(row.node))
        parents[key] = None if row.level == 0 else (row.level - 1, row.parent_cluster)
    order = sorted(members, key=lambda key: (key[0], min(members[key])))
    index = {key: n for n, key in enumerate(order)}
    found = []
    for key in order:
        above = parents[key]
        parent = None if above is None else index[above]
        found.append(RawCommunity(key[0], parent, tuple(sorted(members[key]))))
    return found
