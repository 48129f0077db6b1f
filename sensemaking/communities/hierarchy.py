"""From a knowledge graph to a hierarchy with stable names.

An algorithm returns sets of integers; here they get ids, every entity its home leaf, and what has
no place is listed. Adding an algorithm means one function (`FindCommunities`) and one line in
`sensemaking.methods`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata

import numpy as np

from sensemaking.communities.indexed import IndexedGraph, index_graph
from sensemaking.communities.nodesets import Ints, NodeSets, distinct
from sensemaking.communities.raw import NONE, RawHierarchy
from sensemaking.config import HierarchySettings
from sensemaking.types import Community, Hierarchy, KnowledgeGraph, digest

FindCommunities = Callable[[IndexedGraph, int, int], RawHierarchy]
"""(graph, largest size, seed) to communities."""

DEFAULT_SEED = 0xDEADBEEF


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One way to fold a graph: `name` goes into keys, `label` and `sentence` onto the screen.

    `package` is whose results change with its version.
    """

    name: str
    label: str
    sentence: str
    find: FindCommunities
    default_size: int
    is_seeded: bool
    package: str = ""

    @property
    def version(self) -> str:
        """Return the version of the package that does the work, "" where that is our own code."""
        return metadata.version(self.package) if self.package else ""


def find_communities(
    graph: KnowledgeGraph, *, algorithm: Algorithm, settings: HierarchySettings
) -> Hierarchy:
    """Fold the graph into a hierarchy of communities.

    Entities without a relationship, and those outside the largest component when only that one is
    wanted, come back as `unplaced`.
    """
    size = settings.max_community_size or algorithm.default_size
    params = {"components": settings.components, "max_community_size": str(size)}
    defaults = {"components": "all", "max_community_size": str(algorithm.default_size)}
    if algorithm.is_seeded:
        params["seed"], defaults["seed"] = str(settings.seed), str(DEFAULT_SEED)
    key = f"{graph.key}.{algorithm.name}"
    special = sorted(f"{name}={value}" for name, value in params.items() if value != defaults[name])
    if special:
        key += f".{digest(special)[:8]}"

    indexed = index_knowledge_graph(graph)
    if settings.components == "largest":
        indexed = indexed.subgraph(indexed.components[0] if indexed.n else ())
    raw = algorithm.find(indexed, size, settings.seed)
    placed = {indexed.labels[node] for node in distinct(raw.members.nodes).tolist()}
    return Hierarchy(
        key=key,
        graph_key=graph.key,
        algorithm=algorithm.name,
        params=tuple(sorted(params.items())),
        seed=settings.seed,
        communities=name_communities(key, indexed, raw),
        unplaced=tuple(sorted({entity.id for entity in graph.entities} - placed)),
    )


def index_knowledge_graph(graph: KnowledgeGraph) -> IndexedGraph:
    """Return the graph of entities and relationships as algorithms see it."""
    return index_graph(
        (entity.id for entity in graph.entities),
        ((one.source_id, one.target_id, one.weight) for one in graph.relationships),
    )


def home_leaves(graph: IndexedGraph, leaves: NodeSets) -> Ints:
    """Return the home of each node among leaves that may overlap, `NONE` for nodes in none.

    The leaf with most of its neighbours, then the smaller, then the one with the smaller nodes.
    """
    at = NodeSets.of_pairs(graph.n, leaves.nodes, leaves.owners)
    homes = np.full(graph.n, NONE)
    homes[leaves.nodes] = leaves.owners

    def rank(leaf: int, inside: Counter[int]) -> tuple[int, int, list[int], int]:
        return -inside[leaf], len(leaves[leaf]), leaves[leaf].tolist(), leaf

    for node in np.flatnonzero(at.sizes > 1).tolist():
        near = at.take(np.array(graph.neighbours_of(node), dtype=np.int64)).nodes
        inside = Counter(near.tolist())
        homes[node] = min(at[node].tolist(), key=lambda leaf: rank(leaf, inside))
    return homes


def name_communities(key: str, graph: IndexedGraph, raw: RawHierarchy) -> tuple[Community, ...]:
    """Return the records of a hierarchy, in order of (level, id)."""
    homes = _homes(graph, raw).to_lists()
    labels = graph.labels
    ids: list[str] = []
    found: dict[str, Community] = {}
    for one, home in zip(raw, homes, strict=True):
        members = tuple(labels[node] for node in one.members)
        ids.append(digest(key, one.level, members))
        found[ids[-1]] = Community(
            id=ids[-1],
            member_key=digest(members),
            level=one.level,
            parent_id=None if one.parent is None else ids[one.parent],
            entity_ids=members,
            home_ids=tuple(labels[node] for node in home),
            kind=one.kind,
            core_number=one.core_number,
        )
    return tuple(sorted(found.values(), key=lambda one: (one.level, one.id)))


def _homes(graph: IndexedGraph, raw: RawHierarchy) -> NodeSets:
    """Return for each community the nodes whose home leaf lies in it."""
    homes = home_leaves(graph, raw.members.take(raw.leaves))
    nodes = np.flatnonzero(homes != NONE)
    here = raw.leaves[homes[nodes]]
    owners, members = [here], [nodes]
    while len(here):
        here = raw.parents[here]
        nodes, here = nodes[here != NONE], here[here != NONE]
        owners.append(here)
        members.append(nodes)
    return NodeSets.of_pairs(len(raw), np.concatenate(owners), np.concatenate(members))
