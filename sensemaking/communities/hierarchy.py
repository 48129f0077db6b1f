"""From a knowledge graph to a hierarchy with stable names.

An algorithm returns sets of integers; here they get ids, every entity its home leaf, and what has
no place is listed. Adding an algorithm means one function (`FindCommunities`) and one line in
`sensemaking.methods`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from sensemaking.communities.indexed import IndexedGraph, Nodes, RawCommunity, index_graph
from sensemaking.config import HierarchySettings
from sensemaking.types import Community, Hierarchy, KnowledgeGraph, digest

FindCommunities = Callable[[IndexedGraph, int, int], list[RawCommunity]]
"""(graph, largest size, seed) to communities, parents before children."""

DEFAULT_SEED = 0xDEADBEEF


@dataclass(frozen=True, slots=True)
class Algorithm:
    """One way to fold a graph: `name` goes into keys, `label` and `sentence` onto the screen."""

    name: str
    label: str
    sentence: str
    find: FindCommunities
    default_size: int
    is_seeded: bool


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

    indexed = index_graph(
        (entity.id for entity in graph.entities),
        ((one.source_id, one.target_id, one.weight) for one in graph.relationships),
    )
    if settings.components == "largest":
        indexed = indexed.subgraph(indexed.components[0] if indexed.n else ())
    raw = algorithm.find(indexed, size, settings.seed)
    placed = {indexed.labels[node] for one in raw for node in one.members}
    return Hierarchy(
        key=key,
        graph_key=graph.key,
        algorithm=algorithm.name,
        params=tuple(sorted(params.items())),
        seed=settings.seed,
        communities=_name(key, indexed, raw),
        unplaced=tuple(sorted({entity.id for entity in graph.entities} - placed)),
    )


def home_leaves(graph: IndexedGraph, leaves: Mapping[int, Nodes]) -> dict[int, int]:
    """Return the home of each node among leaves that may overlap.

    The leaf with most of its neighbours, then the smaller, then the one with the smaller nodes.
    """
    leaves_of: dict[int, list[int]] = {}
    for key, nodes in leaves.items():
        for node in nodes:
            leaves_of.setdefault(node, []).append(key)
    sets = {key: set(nodes) for key, nodes in leaves.items()}

    def rank(node: int, key: int) -> tuple[int, int, Nodes]:
        inside = sum(other in sets[key] for other in graph.neighbours[node])
        return -inside, len(sets[key]), leaves[key]

    return {
        node: keys[0] if len(keys) == 1 else min(keys, key=lambda key: rank(node, key))
        for node, keys in leaves_of.items()
    }


def _name(key: str, graph: IndexedGraph, raw: Sequence[RawCommunity]) -> tuple[Community, ...]:
    with_children = {one.parent for one in raw}
    leaves = {n: one.members for n, one in enumerate(raw) if n not in with_children}
    homes: list[list[int]] = [[] for _ in raw]
    for node, leaf in sorted(home_leaves(graph, leaves).items()):
        here: int | None = leaf
        while here is not None:
            homes[here].append(node)
            here = raw[here].parent
    ids: list[str] = []
    found: dict[str, Community] = {}
    for one, home in zip(raw, homes, strict=True):
        members = tuple(graph.labels[node] for node in one.members)
        ids.append(digest(key, one.level, members))
        found[ids[-1]] = Community(
            id=ids[-1],
            member_key=digest(members),
            level=one.level,
            parent_id=None if one.parent is None else ids[one.parent],
            entity_ids=members,
            home_ids=tuple(graph.labels[node] for node in home),
            kind=one.kind,
            core_number=one.core_number,
        )
    return tuple(sorted(found.values(), key=lambda one: (one.level, one.id)))
