"""RkH: communities from the nested k-cores of the graph.

In: a graph, its weights unused. Out: level l holds, inside every core community of level l - 1,
the components of the (l + 1)-core and what remains of the community around them, cut to size.
"Core-based Hierarchies for Efficient GraphRAG", Algorithm 1.

Notes
-----
The paper counts levels from 1: its level k is our level k - 1. Where its listing, its text and its
published code part:

- Core components are cut at the top level of their component only. Cutting at every level (line
  10) would put the whole hierarchy inside chunks of `max_size`; the paper's figure and table 8
  show that it is not meant. So core communities above the last level may be larger than
  `max_size`.
- Singles are extracted from what one community leaves over, and grouped there. Singles that find
  no group wait in one pool and are attached at the end, the pool is never replaced.
- Every connected component is folded by itself up to its own highest core. A node without an edge
  has no place.
- A community equal to its parent is made again at the next level, as the definition has it.
- Two-hop communities hold their anchors where these are members of the parent. Anchors and
  attached nodes come on top of `max_size`.
- An attached node joins all ancestors of its leaf too, so that children stay subsets.
- The shell of a community is k for a core; for the rest it is the smallest core number in it,
  which is k - 1 (or 1 at the top).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from sensemaking.communities.indexed import IndexedGraph, Nodes, RawCommunity
from sensemaking.communities.splitting import attach, split, split_two_hop, two_hop_groups
from sensemaking.errors import ConfigError
from sensemaking.types import CommunityKind


def find_rkh(graph: IndexedGraph, max_size: int, seed: int = 0) -> list[RawCommunity]:
    """Return the k-core hierarchy (RkH); the seed is not used, nothing here is random.

    Raises
    ------
    ConfigError
        When `max_size` is below 2.

    Examples
    --------
    A complete graph of four nodes with a tail of two: the tail is what the 2-core leaves over.

    >>> from sensemaking.communities.indexed import index_graph
    >>> kite = index_graph("abcdef", [*zip("aaabbc", "bcdcdd"), ("d", "e"), ("e", "f")])
    >>> for one in find_rkh(kite, 20):
    ...     members = "".join(kite.labels[node] for node in one.members)
    ...     print(one.level, one.kind, one.core_number, members)
    0 core 1 abcdef
    1 core 2 abcd
    1 residual 1 ef
    2 core 3 abcd
    """
    if max_size < 2:
        raise ConfigError(
            f"The largest community size is {max_size}: a community needs at least 2 members."
        )
    folding = _Folding(graph, max_size)
    for component in graph.components:
        if len(component) > 1:
            folding.fold(component)
    return attach_pool(graph, folding.found, folding.pool)


def attach_pool(
    graph: IndexedGraph, found: list[RawCommunity], pool: Iterable[int]
) -> list[RawCommunity]:
    """Return the communities with every node of the pool in one leaf and that leaf's ancestors.

    A node that some leaf holds as an anchor has its place already.
    """
    with_children = {one.parent for one in found}
    leaves = {n: one.members for n, one in enumerate(found) if n not in with_children}
    placed = {node for members in leaves.values() for node in members}
    groups = [(node,) for node in sorted(pool) if node not in placed]
    added: dict[int, set[int]] = {}
    for group, leaf in attach(graph, leaves, groups).items():
        here: int | None = leaf
        while here is not None:
            added.setdefault(here, set()).update(groups[group])
            here = found[here].parent
    return [
        replace(one, members=tuple(sorted({*one.members, *added[n]}))) if n in added else one
        for n, one in enumerate(found)
    ]


@dataclass
class _Folding:
    """Folds components one after the other; collects communities and the pool of singles."""

    graph: IndexedGraph
    max_size: int
    found: list[RawCommunity] = field(default_factory=list)
    pool: list[int] = field(default_factory=list)

    def fold(self, component: Nodes) -> None:
        cores = self.graph.core_numbers
        top = max(cores[node] for node in component)
        queue: list[tuple[int | None, Nodes]] = [(None, component)]
        for k in range(1, top + 1):
            following: list[tuple[int | None, Nodes]] = []
            for parent, nodes in queue:
                core = [node for node in nodes if cores[node] >= k]
                rest = [node for node in nodes if cores[node] < k]
                singles: list[int] = []
                for members in self._cut(core, whole=k < top):
                    if len(members) == 1:
                        singles += members
                    else:
                        following.append((len(self.found), members))
                        self._add(k, parent, members, "core")
                for members in self._cut(rest, whole=False):
                    if len(members) == 1:
                        singles += members
                    else:
                        self._add(k, parent, members, "residual")
                self._group_singles(k, parent, nodes, singles)
            queue = following

    def _cut(self, nodes: list[int], *, whole: bool) -> list[Nodes]:
        """Return the components of the nodes, the large ones split unless `whole`."""
        found: list[Nodes] = []
        for members in self.graph.components_within(nodes):
            if whole or len(members) <= self.max_size:
                found.append(members)
            else:
                found += split(self.graph, members, self.max_size)
        return found

    def _group_singles(self, k: int, parent: int | None, inside: Nodes, singles: list[int]) -> None:
        if not singles:
            return
        allowed = set(inside)
        for group in two_hop_groups(self.graph, singles):
            parts: list[tuple[Nodes, Nodes]] = [(group, ())]
            if len(group) > self.max_size:
                parts = split_two_hop(self.graph, group, self.max_size)
            for members, anchors in parts:
                whole = sorted({*members, *(one for one in anchors if one in allowed)})
                if len(whole) == 1:
                    self.pool += whole
                else:
                    self._add(k, parent, tuple(whole), "two-hop", members)

    def _add(
        self,
        k: int,
        parent: int | None,
        members: Nodes,
        kind: CommunityKind,
        own: Nodes | None = None,
    ) -> None:
        shell = (
            k if kind == "core" else min(self.graph.core_numbers[node] for node in own or members)
        )
        self.found.append(RawCommunity(k - 1, parent, members, kind, shell))
