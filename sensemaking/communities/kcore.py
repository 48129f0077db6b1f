"""RkH, M2hC and MRC: communities from the nested k-cores of the graph.

In: a graph, its weights unused. Out: level l holds, inside every core community of level l - 1,
the components of the (l + 1)-core and what remains of the community around them, cut to size.
"Core-based Hierarchies for Efficient GraphRAG", Algorithms 1 (RkH) and 2 (M2hC, MRC).

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
- M2hC merges two-hop communities of exactly two nodes, MRC residual ones too (components and
  chunks alike). They merge into leaves only: the ancestors, which read literally may be chosen,
  always have most neighbours, and what is merged into them is in no leaf. A pair that no path of
  pairs joins to another leaf stays. Pairs are merged before singles are attached.
- A merged pair is one community less; its nodes join the leaf and all ancestors of that leaf, so
  that children stay subsets. With `max_size` 2 a parent may lose all its children that way; it is
  a leaf then.
- The shell of a community is k for a core; for the rest it is the smallest core number in it,
  which is k - 1 (or 1 at the top).
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from sensemaking.communities.attaching import attach
from sensemaking.communities.cores import nest_cores
from sensemaking.communities.indexed import IndexedGraph
from sensemaking.communities.nodesets import Ints, NodeSets, label_components
from sensemaking.communities.raw import KINDS, NONE, Block, RawHierarchy, assemble
from sensemaking.communities.splitting import split, split_two_hop, two_hop_groups
from sensemaking.communities.steps import Tell, keep_silent
from sensemaking.errors import ConfigError
from sensemaking.types import CommunityKind

PAIR = 2
STEPS = 100
"""What a fold is told in; the groups around shared neighbours take most of the time."""


def find_core_communities(
    graph: IndexedGraph,
    max_size: int,
    seed: int = 0,
    *,
    merging: tuple[CommunityKind, ...] = (),
    tell: Tell = keep_silent,
) -> RawHierarchy:
    """Return a k-core hierarchy; pairs of the kinds in `merging` are merged into other leaves.

    The seed is not used, nothing here is random.

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

    MRC merges the pair into the leaf that it touches:

    >>> for one in find_mrc(kite, 20):
    ...     print(one.level, one.kind, "".join(kite.labels[node] for node in one.members))
    0 core abcdef
    1 core abcdef
    2 core abcdef
    """
    if max_size < 2:
        raise ConfigError(
            f"The largest community size is {max_size}: a community needs at least 2 members."
        )
    tell(0, STEPS, "core numbers")
    draft, pool = _Folding(graph, max_size, tell).run()
    tell(STEPS - 2, STEPS, "pairs")
    small = np.isin(draft.kinds, [KINDS.index(kind) for kind in merging])
    small &= draft.members.sizes == PAIR
    pairs, others = np.flatnonzero(small), draft.leaves[~small[draft.leaves]]
    to = attach(graph, draft.members.take(others), draft.members.take(pairs), found_new=True)
    into = np.concatenate([others, pairs])[to]
    merged = pairs[into != pairs]
    leaves = np.setdiff1d(draft.leaves, merged)
    owners = np.repeat(into[into != pairs], PAIR)
    nodes = draft.members.take(merged).nodes

    tell(STEPS - 1, STEPS, "single nodes")
    in_leaf = np.zeros(graph.n, dtype=bool)
    in_leaf[draft.members.take(leaves).nodes] = True
    pool = pool[~in_leaf[pool]]  # an anchor has its place already
    joined = (np.searchsorted(leaves, owners), nodes)
    to = attach(graph, draft.members.take(leaves), NodeSets.of_singles(pool), joined=joined)
    added = np.concatenate([owners, leaves[to]]), np.concatenate([nodes, pool])
    return _add_upwards(draft, np.setdiff1d(np.arange(len(draft)), merged), *added)


find_rkh = find_core_communities
find_m2hc = partial(find_core_communities, merging=("two-hop",))
find_mrc = partial(find_core_communities, merging=("two-hop", "residual"))


def _add_upwards(draft: RawHierarchy, kept: Ints, owners: Ints, nodes: Ints) -> RawHierarchy:
    """Return the kept communities; nodes join their owners and all ancestors of these."""
    all_owners, all_nodes = [draft.members.owners], [draft.members.nodes]
    while len(owners):
        all_owners.append(owners)
        all_nodes.append(nodes)
        owners = draft.parents[owners]
        owners, nodes = owners[owners != NONE], nodes[owners != NONE]
    members = NodeSets.of_pairs(len(draft), np.concatenate(all_owners), np.concatenate(all_nodes))
    return draft.keep(kept, members.take(kept))


class _Folding:
    """Folds a graph into communities and the pool of singles that found no group.

    A node leaves the cores once, at the level above its own core number, out of one parent: so
    what is left over at all levels is found at once, as the components of nodes of equal core
    number, and so are the groups of singles.
    """

    def __init__(self, graph: IndexedGraph, max_size: int, tell: Tell) -> None:
        self.graph, self.max_size, self.tell = graph, max_size, tell
        self.cores = graph.core_numbers
        self.nested = nest_cores(self.cores, graph.sources, graph.targets)
        counts = [len(one) for one in self.nested.members]
        # Core components are numbered over all levels: component j of the k-core is
        # offsets[k] + j, and above[number] is the one around it.
        self.offsets = np.concatenate([[0, 0], np.cumsum(counts)]).astype(np.int64)
        above = [np.full(counts[0], NONE)] if counts else []
        above += [self.offsets[k] + self.nested.parents[k] for k in range(1, len(counts))]
        self.above = np.concatenate(above) if above else np.zeros(0, dtype=np.int64)
        self.blocks: list[Block] = []

    def run(self) -> tuple[RawHierarchy, Ints]:
        self.tell(1, STEPS, "nested cores")
        self._add_whole_cores()
        pool = self._add_groups(*self._add_shells())
        return assemble(self.blocks), pool

    def _add(self, kind: CommunityKind, ks: Ints, parents: Ints, members: NodeSets) -> None:
        """Add communities that are nobody's parents; their shell is the smallest core number."""
        shells = self.cores[members.nodes]
        shells = np.minimum.reduceat(shells, members.starts[:-1]) if len(members) else shells
        none = np.full(len(ks), NONE)
        self.blocks.append(Block(ks - 1, parents, kind, shells, members, none))

    def _add_whole_cores(self) -> None:
        """Add the core components above the top level of their connected component."""
        for k, members in enumerate(self.nested.members, start=1):
            first = members.nodes[members.starts[:-1]]
            whole = np.flatnonzero(self.nested.tops[first] > k)
            numbers = self.offsets[k] + whole
            ks = np.full(len(whole), k)
            members, parents = members.take(whole), self.above[numbers]
            self.blocks.append(Block(ks - 1, parents, "core", ks, members, numbers))

    def _add_shells(self) -> tuple[Ints, Ints, Ints]:
        """Add what is left over, and the top cores, cut to size.

        Returns the nodes that are left single, with k and parent of each.
        """
        graph, cores = self.graph, self.cores
        same = cores[graph.sources] == cores[graph.targets]
        labels = label_components(graph.n, graph.sources[same], graph.targets[same])
        shells = NodeSets.of_labels(np.where(cores > 0, labels, NONE))
        shells = shells.take(np.flatnonzero(shells.sizes))
        first = shells.nodes[shells.starts[:-1]]
        is_top = self.nested.tops[first] == cores[first]
        inside = self.offsets[cores[first]] + self.nested.shell_of[first]
        ks, parents = cores[first] + ~is_top, np.where(is_top, self.above[inside], inside)

        large = np.flatnonzero(shells.sizes > self.max_size)
        chunks: list[tuple[int, ...]] = []
        origin: list[int] = []
        for n, nodes in zip(large.tolist(), shells.take(large).to_lists(), strict=True):
            found = split(graph, nodes, self.max_size)
            chunks += found
            origin += [n] * len(found)
        small = np.flatnonzero(shells.sizes <= self.max_size)
        parts = NodeSets.concatenate(shells.take(small), NodeSets.of_lists(chunks))
        whence = np.concatenate([small, np.array(origin, dtype=np.int64)])
        is_top, ks, parents = is_top[whence], ks[whence], parents[whence]
        whole = parts.sizes > 1
        kinds: tuple[CommunityKind, CommunityKind] = ("core", "residual")
        for kind, chosen in zip(kinds, (whole & is_top, whole & ~is_top), strict=True):
            self._add(kind, ks[chosen], parents[chosen], parts.take(np.flatnonzero(chosen)))
        single = np.flatnonzero(~whole)
        return parts.take(single).nodes, ks[single], parents[single]

    def _add_groups(self, singles: Ints, ks: Ints, parents: Ints) -> Ints:
        """Add the two-hop groups of singles of the same parent; returns the ungrouped ones."""
        order = np.argsort(singles)
        singles, ks, parents = singles[order], ks[order], parents[order]
        groups = two_hop_groups(self.graph, singles, parents + 1)
        place = np.searchsorted(singles, groups.nodes[groups.starts[:-1]])
        ks, parents = ks[place], parents[place]
        fits = np.flatnonzero((groups.sizes > 1) & (groups.sizes <= self.max_size))
        self._add("two-hop", ks[fits], parents[fits], groups.take(fits))

        pool = [groups.take(np.flatnonzero(groups.sizes == 1)).nodes]
        large = np.flatnonzero(groups.sizes > self.max_size)
        nodes_left = nodes_in_all = int(groups.sizes[large].sum())
        origin: list[int] = []
        found: list[list[int]] = []
        shells: list[int] = []
        for n, nodes in zip(large.tolist(), groups.take(large).to_lists(), strict=True):
            done = 1 + (STEPS - 3) * (nodes_in_all - nodes_left) // nodes_in_all
            self.tell(done, STEPS, "groups around shared neighbours")
            nodes_left -= len(nodes)
            for members, anchors in split_two_hop(self.graph, nodes, self.max_size):
                # A neighbour of a single of the parent is in the parent too where its core
                # number allows.
                inside = [one for one in anchors if self.cores[one] >= ks[n] - 1]
                found.append(sorted({*members, *inside}))
                shells.append(int(self.cores[list(members)].min()))
                origin.append(n)
        parts, whence = NodeSets.of_lists(found), np.array(origin, dtype=np.int64)
        whole = np.flatnonzero(parts.sizes > 1)
        self._add("two-hop", ks[whence][whole], parents[whence][whole], parts.take(whole))
        # The shell is that of the singles, whatever their anchors are.
        self.blocks[-1] = replace(self.blocks[-1], cores=np.array(shells, dtype=np.int64)[whole])
        pool.append(parts.take(np.flatnonzero(parts.sizes == 1)).nodes)
        return np.concatenate(pool)
