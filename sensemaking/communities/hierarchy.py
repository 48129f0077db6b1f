"""From a knowledge graph to a hierarchy with stable names.

An algorithm returns sets of integers; here they get ids, every entity its home leaf, and what has
no place is listed. Adding an algorithm means one function (`FindCommunities`) and one line in
`sensemaking.methods`.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from importlib import metadata
from typing import Protocol

import numpy as np

from sensemaking.communities.indexed import IndexedGraph, index_graph
from sensemaking.communities.nodesets import Ints, NodeSets, distinct
from sensemaking.communities.raw import NONE, RawHierarchy
from sensemaking.communities.steps import Tell, keep_silent
from sensemaking.config import HierarchySettings
from sensemaking.errors import ConfigError
from sensemaking.types import Community, Hierarchy, KnowledgeGraph, digest


class FindCommunities(Protocol):
    """Takes a graph, the largest size and the seed; tells how far it is."""

    def __call__(
        self, graph: IndexedGraph, max_size: int, seed: int, *, tell: Tell = keep_silent
    ) -> RawHierarchy:
        """Return the communities."""


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
    graph: KnowledgeGraph,
    *,
    algorithm: Algorithm,
    settings: HierarchySettings,
    tell: Tell = keep_silent,
) -> Hierarchy:
    """Fold the graph into a hierarchy of communities.

    Entities without a relationship, and those outside the largest component when only that one is
    wanted, come back as `unplaced`.

    Raises
    ------
    ConfigError
        When the largest size or the seed is out of range.
    """
    indexed = index_knowledge_graph(graph)
    return fold_graph(indexed, graph.key, algorithm, settings, tell).hierarchy


@dataclass(frozen=True, eq=False)
class Folded:
    """A hierarchy with what it was made from; `ids` are those of the communities of `raw`.

    `graph` is the part that was folded: the whole, or the largest component.
    """

    hierarchy: Hierarchy
    graph: IndexedGraph
    raw: RawHierarchy
    ids: tuple[str, ...]
    max_size: int


def fold_graph(
    graph: IndexedGraph,
    graph_key: str,
    algorithm: Algorithm,
    settings: HierarchySettings,
    tell: Tell = keep_silent,
) -> Folded:
    """Fold any labelled graph; as `find_communities`, the labels are the ids of entities.

    `tell` hears how far it is, and may end it.
    """
    size = settings.max_community_size or algorithm.default_size
    params = {"components": settings.components, "max_community_size": str(size)}
    defaults = {"components": "all", "max_community_size": str(algorithm.default_size)}
    if algorithm.is_seeded:
        params["seed"], defaults["seed"] = str(settings.seed), str(DEFAULT_SEED)
    key = f"{graph_key}.{algorithm.name}"
    special = sorted(f"{name}={value}" for name, value in params.items() if value != defaults[name])
    if special:
        key += f".{digest(special)[:8]}"

    labels = graph.labels
    if settings.components == "largest":
        graph = graph.subgraph(graph.components[0] if graph.n else ())
    raw = algorithm.find(graph, size, settings.seed, tell=tell)
    placed = {graph.labels[node] for node in distinct(raw.members.nodes).tolist()}
    named = _name(key, graph, raw)
    hierarchy = Hierarchy(
        key=key,
        graph_key=graph_key,
        algorithm=algorithm.name,
        params=tuple(sorted(params.items())),
        seed=settings.seed,
        communities=tuple(
            sorted({one.id: one for one in named}.values(), key=lambda one: (one.level, one.id))
        ),
        unplaced=tuple(sorted(set(labels) - placed)),
    )
    return Folded(hierarchy, graph, raw, tuple(one.id for one in named), size)


def size_for_tokens(limit: int, tokens_per_node: float) -> int:
    """Return the largest community size M whose context fits a limit of tokens, at least 2.

    >>> size_for_tokens(8000, 400)
    20

    Raises
    ------
    ConfigError
        When a node has no tokens.
    """
    if not (limit > 0 and math.isfinite(tokens_per_node) and tokens_per_node > 0):
        raise ConfigError(
            f"A limit of {limit} tokens at {tokens_per_node:g} tokens per node gives no community "
            "size: both must be above 0."
        )
    return max(2, int(limit // tokens_per_node))


def find_view(name: str, n_levels: int) -> int:
    """Return the level that a view is named after.

    LF (or leaf) is the leaf view, L1 the one above it, LF-n (or leaf-n) n above it; a number is the
    level itself, 0 the coarsest. L1 of a hierarchy with one level is its only view.

    >>> [find_view(name, 4) for name in ("LF", "L1", "leaf-3", "1")]
    [3, 2, 0, 1]

    Raises
    ------
    ConfigError
        When the name is none of these, or the hierarchy has no such level.
    """
    deepest = n_levels - 1
    text = name.strip().upper().replace("LEAF", "LF")
    above = text.removeprefix("LF-")
    if text == "LF":
        return max(0, deepest)
    if text == "L1":
        return max(0, deepest - 1)
    if not (above.isascii() and above.isdecimal()):
        raise ConfigError(f"There is no view “{name}”: give LF, L1, LF-n, or a level from 0.")
    level = int(above) if text == above else deepest - int(above)
    if not 0 <= level <= max(0, deepest):
        raise ConfigError(
            f"There is no view “{name}”: the hierarchy has the levels 0 to {max(0, deepest)} "
            f"(LF to LF-{max(0, deepest)})."
        )
    return level


def index_knowledge_graph(graph: KnowledgeGraph) -> IndexedGraph:
    """Return the graph of entities and relationships as algorithms see it."""
    return index_graph(
        (entity.id for entity in graph.entities),
        ((one.source_id, one.target_id, one.weight) for one in graph.relationships),
    )


def find_core_numbers(graph: KnowledgeGraph) -> dict[str, int]:
    """Return the core number of each entity; 0 for those without a relationship."""
    indexed = index_knowledge_graph(graph)
    return dict(zip(indexed.labels, indexed.core_numbers.tolist(), strict=True))


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


def _name(key: str, graph: IndexedGraph, raw: RawHierarchy) -> list[Community]:
    """Return the records of a hierarchy, in its order."""
    labels = graph.labels
    found: list[Community] = []
    for one, home in zip(raw, _homes(graph, raw).to_lists(), strict=True):
        members = tuple(labels[node] for node in one.members)
        found.append(
            Community(
                id=digest(key, one.level, members),
                member_key=digest(members),
                level=one.level,
                parent_id=None if one.parent is None else found[one.parent].id,
                entity_ids=members,
                home_ids=tuple(labels[node] for node in home),
                kind=one.kind,
                core_number=one.core_number,
            )
        )
    return found


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
