"""Relationships dealt to leaves in turn until a budget is used (RRTC)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sensemaking.config import RoundRobinSettings
from sensemaking.context.rows import RowTable
from sensemaking.types import Hierarchy


@dataclass(frozen=True, slots=True)
class LeafQueue:
    """The relationships inside a leaf, the most prominent first, as numbers."""

    id: str
    shell: int
    edges: tuple[int, ...]


@dataclass(frozen=True)
class LeafSelection:
    """Which relationships each leaf may show, as positions in `RowTable.relationships`, sorted.

    `n_eligible` counts the relationships inside a leaf; budget and `spent` are in relationships or
    in tokens. When the budget does not bind, all eligible ones were taken.
    """

    chosen: dict[str, tuple[int, ...]]
    n_eligible: int
    n_chosen: int
    budget: int
    spent: int

    @property
    def binds(self) -> bool:
        """Whether the budget left out anything."""
        return self.n_chosen < self.n_eligible


def deal_in_turn(
    leaves: Sequence[LeafQueue], order: str, budget: int, cost: Callable[[str, int], int]
) -> list[tuple[str, int]]:
    """Return (leaf, relationship) pairs in the order in which they are dealt.

    Order A goes round all leaves by (shell from the highest, id), one relationship a turn; order B
    goes round the leaves of the highest shell until they have none left, then the next. One that
    another leaf has got already is passed over without using the turn. The first that does not fit
    the budget ends it.

    >>> leaves = [LeafQueue("x", 1, (0, 1)), LeafQueue("y", 2, (2, 1, 3))]
    >>> deal_in_turn(leaves, "A", 3, lambda leaf, edge: 1)
    [('y', 2), ('x', 0), ('y', 1)]
    >>> deal_in_turn(leaves, "B", 4, lambda leaf, edge: 1)
    [('y', 2), ('y', 1), ('y', 3), ('x', 0)]
    """
    ordered = sorted(leaves, key=lambda leaf: (-leaf.shell, leaf.id))
    shells = [[leaf for leaf in ordered if leaf.shell == k] for k in _falling(ordered)]
    taken: set[int] = set()
    dealt: list[tuple[str, int]] = []
    for table in shells if order == "B" else [ordered]:
        for leaf, edge in _go_round(table, taken):
            price = cost(leaf, edge)
            if price > budget:
                return dealt
            budget -= price
            dealt.append((leaf, edge))
    return dealt


def _falling(leaves: Sequence[LeafQueue]) -> list[int]:
    return sorted({leaf.shell for leaf in leaves}, reverse=True)


def _go_round(leaves: Sequence[LeafQueue], taken: set[int]) -> Iterator[tuple[str, int]]:
    waiting = [(leaf.id, iter(leaf.edges)) for leaf in leaves]
    while waiting:
        following = []
        for leaf, edges in waiting:
            edge = next((one for one in edges if one not in taken), None)
            if edge is not None:
                taken.add(edge)
                following.append((leaf, edges))
                yield leaf, edge
        waiting = following


def choose_in_turn(
    hierarchy: Hierarchy,
    table: RowTable,
    settings: RoundRobinSettings,
    core_numbers: Mapping[str, int],
) -> LeafSelection:
    """Choose the relationships that leaves may show: round-robin token-constrained selection.

    `core_numbers` are those of the entities.

    Notes
    -----
    "Core-based Hierarchies for Efficient GraphRAG", RRTC; no code is published. Prominence is the
    combined degree in the whole graph, then the ids of the ends. The shell of a leaf is the one it
    was made from; for algorithms without cores, the smallest core number of its members. In tokens,
    a relationship costs its row and, once in each leaf, the rows of its ends.
    """
    leaves = _queues(hierarchy, table, core_numbers)
    n_eligible = len({edge for leaf in leaves for edge in leaf.edges})
    listed: set[tuple[str, str]] = set()
    spent = 0

    def price(leaf: str, edge: int) -> int:
        if settings.tokens is None:
            return 1
        one = table.relationships[edge]
        ends = [end for end in (one.source_id, one.target_id) if (leaf, end) not in listed]
        return sum(table.rows[key].n_tokens for key in (one.id, *ends))

    def pay(leaf: str, edge: int) -> int:
        nonlocal spent
        paid = price(leaf, edge)
        if spent + paid <= budget:
            spent += paid
            one = table.relationships[edge]
            listed.update(((leaf, one.source_id), (leaf, one.target_id)))
        return paid

    base = n_eligible if settings.base == "eligible" else len(table.relationships)
    budget = settings.percent * base // 100 if settings.tokens is None else settings.tokens
    chosen: dict[str, list[int]] = {leaf.id: [] for leaf in leaves}
    dealt = deal_in_turn(leaves, settings.order, budget, pay)
    for leaf, edge in dealt:
        chosen[leaf].append(edge)
    return LeafSelection(
        chosen={leaf: tuple(sorted(edges)) for leaf, edges in chosen.items()},
        n_eligible=n_eligible,
        n_chosen=len(dealt),
        budget=budget,
        spent=spent,
    )


def _queues(
    hierarchy: Hierarchy, table: RowTable, core_numbers: Mapping[str, int]
) -> list[LeafQueue]:
    degrees = table.graph.degrees

    def prominence(position: int) -> tuple[int, str, str]:
        one = table.relationships[position]
        return -degrees[one.source_id] - degrees[one.target_id], one.source_id, one.target_id

    found = []
    for leaf in hierarchy.leaves:
        members = set(leaf.entity_ids)
        inside = (
            position
            for one in leaf.entity_ids
            for position in table.starting[one]
            if table.relationships[position].target_id in members
        )
        shell = leaf.core_number
        if shell is None:
            shell = min((core_numbers[one] for one in members), default=0)
        found.append(LeafQueue(leaf.id, shell, tuple(sorted(inside, key=prominence))))
    return found
