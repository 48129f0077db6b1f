"""Bridges between parts of the graph that no two neighbouring sentences connect.

A part is joined to the rest through the nearest sentences of the same document that mention
something of both, up to `REACH` sentences apart. Only pairs that connect two parts are returned, so
bridges hold the graph together and say nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

REACH = 8


class Parts:
    """Disjoint sets of entities (union by smaller number, with path halving)."""

    def __init__(self, size: int) -> None:
        self._parent = list(range(size))

    def root(self, one: int) -> int:
        """Return the number that stands for the set of an entity."""
        parent = self._parent
        while parent[one] != one:
            parent[one] = parent[parent[one]]
            one = parent[one]
        return one

    def join(self, left: int, right: int) -> bool:
        """Join the sets of two entities; return whether they were apart."""
        left, right = self.root(left), self.root(right)
        if left == right:
            return False
        self._parent[max(left, right)] = min(left, right)
        return True


def find_bridges(
    entities: Sequence[tuple[int, ...]],
    documents: Sequence[int],
    pairs: Iterable[tuple[int, int]],
    size: int,
) -> list[tuple[int, int, int, int]]:
    """Return (source, target, first sentence, sentences further) for pairs that join two parts.

    `entities` and `documents` are those of each sentence; `pairs` are tied already.

    Examples
    --------
    >>> find_bridges([(0, 1), (), (), (2, 3)], [0, 0, 0, 0], [(0, 1), (2, 3)], 4)
    [(0, 2, 0, 3)]
    """
    parts = Parts(size)
    for left, right in pairs:
        parts.join(left, right)
    found = []
    for distance in range(2, REACH + 1):
        for row in range(len(entities) - distance):
            here, there = entities[row], entities[row + distance]
            if not here or not there or documents[row] != documents[row + distance]:
                continue
            if parts.join(here[0], there[0]):
                low, high = sorted((here[0], there[0]))
                found.append((low, high, row, distance))
    return found
