"""A hierarchy as an algorithm returns it: arrays of communities and of their members."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sensemaking.communities.nodesets import Ints, NodeSets
from sensemaking.types import CommunityKind

KINDS: tuple[CommunityKind, ...] = ("cluster", "core", "residual", "two-hop")
NONE = -1


@dataclass(frozen=True, slots=True)
class RawCommunity:
    """One community of a `RawHierarchy`, for reading.

    `parent` is the position of its parent, which stands before it; `members` are sorted.
    `core_number` is the shell it was made from, None where the algorithm knows no cores.
    """

    level: int
    parent: int | None
    members: tuple[int, ...]
    kind: CommunityKind
    core_number: int | None


@dataclass(frozen=True, eq=False)
class RawHierarchy:
    """Communities at several levels, parents before children.

    `levels`, `parents` (`NONE` on level 0), `kinds` (positions in `KINDS`) and `cores` (`NONE`
    where the algorithm knows no cores) have one entry per community; `members` are sorted.
    """

    levels: Ints
    parents: Ints
    kinds: Ints
    cores: Ints
    members: NodeSets

    @classmethod
    def empty(cls) -> RawHierarchy:
        """Return the hierarchy without communities."""
        none = np.zeros(0, dtype=np.int64)
        return cls(none, none, none, none, NodeSets.of_lists([]))

    def __len__(self) -> int:
        return len(self.levels)

    def __iter__(self) -> Iterator[RawCommunity]:
        rows = (self.levels, self.parents, self.kinds, self.cores)
        lists = self.members.to_lists()
        for *row, members in zip(*(one.tolist() for one in rows), lists, strict=True):
            level, parent, kind, core = row
            yield RawCommunity(
                level,
                None if parent == NONE else parent,
                tuple(members),
                KINDS[kind],
                None if core == NONE else core,
            )

    @cached_property
    def leaves(self) -> Ints:
        """Return the positions of the communities without children."""
        has_children = np.zeros(len(self), dtype=bool)
        has_children[self.parents[self.parents != NONE]] = True
        return np.flatnonzero(~has_children)

    @property
    def n_levels(self) -> int:
        """Return the number of levels."""
        return int(self.levels.max(initial=-1)) + 1

    def view(self, level: int) -> Ints:
        """Return the communities at or above a level that have no child at or above it."""
        is_leaf = np.zeros(len(self), dtype=bool)
        is_leaf[self.leaves] = True
        return np.flatnonzero((self.levels == level) | ((self.levels < level) & is_leaf))

    def keep(self, kept: Ints, members: NodeSets) -> RawHierarchy:
        """Return some of the communities, with other members; parents of kept ones are kept."""
        number = np.full(len(self) + 1, NONE)
        number[kept] = np.arange(len(kept))
        return RawHierarchy(
            self.levels[kept],
            number[self.parents[kept]],
            self.kinds[kept],
            self.cores[kept],
            members,
        )


@dataclass(frozen=True, eq=False)
class Block:
    """Communities made in one step; `parents` are numbers of the maker's own."""

    levels: Ints
    parents: Ints
    kind: CommunityKind
    cores: Ints
    members: NodeSets
    numbers: Ints
    """The number by which children call each as their parent; `NONE` for those without any."""


def assemble(blocks: Sequence[Block]) -> RawHierarchy:
    """Return all communities in canonical order: by level, kind, smallest node, then as made."""
    if not blocks:
        return RawHierarchy.empty()
    levels, parents, cores, numbers, nodes = (
        np.concatenate(arrays)
        for arrays in zip(
            *(
                (one.levels, one.parents, one.cores, one.numbers, one.members.nodes)
                for one in blocks
            ),
            strict=True,
        )
    )
    kinds = np.repeat(
        [KINDS.index(one.kind) for one in blocks], [len(one.levels) for one in blocks]
    )
    sizes = np.concatenate([one.members.sizes for one in blocks])
    sets = NodeSets.of_sizes(sizes, nodes)
    order = np.lexsort((np.arange(len(levels)), nodes[sets.starts[:-1]], kinds, levels))
    place = np.full(int(numbers.max(initial=NONE)) + 2, NONE)
    named = numbers[order]
    place[named[named != NONE]] = np.flatnonzero(named != NONE)
    return RawHierarchy(
        levels[order], place[parents[order]], kinds[order], cores[order], sets.take(order)
    )
