"""Which rows of a community leave its context as its sub-communities are replaced one by one."""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.context import RowTable
from sensemaking.reports.planning import Elements
from sensemaking.types import Community


class Steps:
    """When each row of a community leaves.

    A row with step s is still there after s replacements and gone after s + 1; rows that no
    replacement takes have the number of children as their step. Sums are kept for every step, so
    that trying one more replacement costs nothing, however many children there are.
    """

    def __init__(
        self,
        community: Community,
        elements: Elements,
        children: Sequence[Community],
        table: RowTable,
        label_tokens: int,
    ) -> None:
        never = len(children)
        inside: dict[str, set[int]] = {one: set() for one in community.entity_ids}
        for step, child in enumerate(children):
            for one in child.entity_ids:
                inside[one].add(step)
        self._claims = {one: min(steps, default=never) for one, steps in inside.items()}
        self._entities = dict(self._claims)
        self._relationships: dict[str, int] = {}
        for position in elements.relationships:
            relationship = table.relationships[position]
            ends = (relationship.source_id, relationship.target_id)
            step = min(inside[ends[0]] & inside[ends[1]], default=never)
            self._relationships[relationship.id] = step
            for end in ends:  # the ends of a row that stays stay with it
                self._entities[end] = max(self._entities[end], step)
        steps = list(self._entities.items()) + list(self._relationships.items())
        for one, claims in elements.claims.items():
            steps += [(claim.id, self._claims[one]) for claim in claims]
        self._sizes = [0] * (never + 1)
        for record_id, step in steps:
            self._sizes[step] += table.rows[record_id].n_tokens + label_tokens
        for step in reversed(range(never)):
            self._sizes[step] += self._sizes[step + 1]
        self._steps = dict(steps)

    def remaining(self, n: int) -> int:
        """Return the tokens of the rows that are left when n children are replaced."""
        return self._sizes[n]

    def stays(self, record_id: str, n: int) -> bool:
        """Return whether a row is left when n children are replaced."""
        return self._steps[record_id] >= n

    def count_outside(self, n: int) -> int:
        """Count the entities and relationships that lie in none of the first n children."""
        steps = [*self._claims.values(), *self._relationships.values()]
        return sum(step >= n for step in steps)
