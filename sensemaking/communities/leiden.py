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

from typing import Any

import numpy as np

from sensemaking.communities.indexed import IndexedGraph
from sensemaking.communities.nodesets import Ints, NodeSets
from sensemaking.communities.raw import NONE, RawHierarchy
from sensemaking.communities.steps import Tell, keep_silent
from sensemaking.errors import ConfigError

RESOLUTION = 1.0
RANDOMNESS = 0.001
MAX_SEED = 2**64 - 1

NativeEdges = list[tuple[str, str, float]]


def find_leiden(
    graph: IndexedGraph, max_size: int, seed: int, *, tell: Tell = keep_silent
) -> RawHierarchy:
    """Return the Leiden hierarchy; communities above `max_size` members are divided again.

    Raises
    ------
    ConfigError
        When `max_size` is below 2 or `seed` is not between 0 and `MAX_SEED`.

    Examples
    --------
    >>> from sensemaking.communities.indexed import index_graph
    >>> bridged = index_graph("abcdef", [*zip("aabdde", "bccefe"), ("c", "d"), ("d", "f")])
    >>> [(one.level, one.members) for one in find_leiden(bridged, 10, 0)]
    [(0, (0, 1, 2)), (0, (3, 4, 5))]
    """
    if max_size < 2:
        raise ConfigError(
            f"The largest community size is {max_size}: a community needs at least 2 members."
        )
    if not 0 <= seed <= MAX_SEED:
        raise ConfigError(f"The seed is {seed}: give a whole number from 0 to {MAX_SEED}.")
    if not graph.m:
        return RawHierarchy.empty()
    tell(0, 3, "edges")
    edges = to_native(graph)
    tell(1, 3, "the compiled library divides the graph")
    rows = run_leiden(edges, max_size, seed)
    tell(2, 3, "communities")
    return read_rows(rows)


def to_native(graph: IndexedGraph) -> NativeEdges:
    """Return the edges as the compiled library takes them."""
    sources, targets = map(str, graph.sources.tolist()), map(str, graph.targets.tolist())
    return list(zip(sources, targets, graph.weights.tolist(), strict=True))


def run_leiden(edges: NativeEdges, max_size: int, seed: int) -> list[Any]:
    """Return the rows of the compiled library: node, level, cluster, parent cluster."""
    import graspologic_native  # compiled code, loaded by the first build and by no page

    rows: list[Any] = graspologic_native.hierarchical_leiden(
        edges,
        resolution=RESOLUTION,
        randomness=RANDOMNESS,
        iterations=1,
        use_modularity=True,
        max_cluster_size=max_size,
        seed=seed,
    )
    return rows


def read_rows(rows: list[Any]) -> RawHierarchy:
    """Return the hierarchy that rows describe, by level and smallest node."""
    table = np.array(
        [
            (row.level, row.cluster, int(row.node), -1 if row.level == 0 else row.parent_cluster)
            for row in rows
        ],
        dtype=np.int64,
    )
    level, cluster, node, above = table[np.lexsort((table[:, 2], table[:, 1], table[:, 0]))].T
    is_first = (np.diff(level, prepend=NONE) != 0) | (np.diff(cluster, prepend=NONE) != 0)
    starts = np.flatnonzero(is_first)
    members = NodeSets.of_sizes(np.diff(np.append(starts, len(node))), node)
    level, cluster, above, first = level[starts], cluster[starts], above[starts], node[starts]
    order = np.lexsort((first, level))
    return RawHierarchy(
        levels=level[order],
        parents=_positions(level, cluster, above, order),
        kinds=np.zeros(len(order), dtype=np.int64),
        cores=np.full(len(order), NONE),
        members=members.take(order),
    )


def _positions(level: Ints, cluster: Ints, above: Ints, order: Ints) -> Ints:
    """Return for each community, in order, the place of its parent in that order."""
    width = int(cluster.max()) + 2
    codes = level * width + cluster  # sorted, as the communities are
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    found = np.searchsorted(codes, (level - 1) * width + above)
    parents = np.where(level == 0, NONE, place[np.minimum(found, len(order) - 1)])
    return parents[order]
