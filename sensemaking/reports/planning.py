"""What each community consists of, and in which order reports are written.

In: a hierarchy and the counted rows of its graph. Out: the communities level by level, deepest
first, each with its elements in order of prominence.

Notes
-----
All relationships with both ends in the community count, and entities without any are listed after
them. With round-robin settings leaves count only those that they were dealt, and entities without
one are dropped; a leaf that was dealt none shows its entities alone. An entity brings at most
`CLAIMS_PER_ENTITY` claims: those about another member first, then those from the chunks of its
relationships inside. Without a limit, which the papers do not need because claims are off there,
one hub's claims would fill every context.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.communities import find_core_numbers
from sensemaking.config import RoundRobinSettings
from sensemaking.context import LeafSelection, RowTable, choose_in_turn
from sensemaking.types import Claim, Community, Hierarchy, Relationship

CLAIMS_PER_ENTITY = 8


@dataclass(frozen=True, slots=True)
class Elements:
    """What one community consists of, in order of prominence.

    `relationships` are positions in `RowTable.relationships`; `claims` the chosen ones of each
    member that has any; `n_tokens` the size of all rows with their labels.
    """

    relationships: tuple[int, ...]
    entities: tuple[str, ...]
    claims: dict[str, tuple[Claim, ...]]
    n_tokens: int


@dataclass(frozen=True)
class ReportPlan:
    """The communities of a hierarchy, deepest level first, and what each consists of.

    The communities of one batch do not depend on each other.
    """

    hierarchy: Hierarchy
    table: RowTable
    batches: tuple[tuple[Community, ...], ...]
    elements: dict[str, Elements]
    selection: LeafSelection | None = None

    @property
    def leaf_tokens(self) -> int:
        """Return the tokens of the rows of all leaves, whatever fits their reports."""
        return sum(self.elements[one.id].n_tokens for one in self.hierarchy.leaves)


def plan_reports(
    hierarchy: Hierarchy, table: RowTable, round_robin: RoundRobinSettings | None = None
) -> ReportPlan:
    """Return the order of work; `table` is that of the hierarchy's graph (`make_rows`)."""
    levels = reversed(range(hierarchy.n_levels))
    selection = None
    if round_robin:
        selection = choose_in_turn(hierarchy, table, round_robin, find_core_numbers(table.graph))
    chosen = selection.chosen if selection else {}
    return ReportPlan(
        hierarchy=hierarchy,
        table=table,
        batches=tuple(
            tuple(one for one in hierarchy.communities if one.level == level) for level in levels
        ),
        elements={one.id: _gather(one, table, chosen.get(one.id)) for one in hierarchy.communities},
        selection=selection,
    )


def _gather(community: Community, table: RowTable, chosen: tuple[int, ...] | None) -> Elements:
    members = set(community.entity_ids)
    inside: Sequence[int] = chosen or ()
    if chosen is None:
        inside = sorted(
            position
            for one in community.entity_ids
            for position in table.starting[one]
            if table.relationships[position].target_id in members
        )
    ends: dict[str, list[Relationship]] = {}
    for position in inside:
        relationship = table.relationships[position]
        ends.setdefault(relationship.source_id, []).append(relationship)
        ends.setdefault(relationship.target_id, []).append(relationship)
    if chosen:
        members = set(ends)
    degrees = table.graph.degrees
    lone = sorted(members.difference(ends), key=lambda one: (-degrees[one], one))
    claims = {
        one: _choose_claims(table.claims[one], members, ends.get(one, []))
        for one in (*ends, *lone)
        if one in table.claims
    }
    ids = [*members, *(table.relationships[position].id for position in inside)]
    ids += [claim.id for ones in claims.values() for claim in ones]
    label = table.label_tokens("E", len(ids))
    return Elements(
        relationships=tuple(inside),
        entities=(*ends, *lone),
        claims=claims,
        n_tokens=sum(table.rows[one].n_tokens + label for one in ids),
    )


def _choose_claims(
    claims: tuple[Claim, ...], members: set[str], relationships: Sequence[Relationship]
) -> tuple[Claim, ...]:
    if len(claims) <= CLAIMS_PER_ENTITY:
        return claims
    chunks = {chunk for one in relationships for chunk in one.chunk_ids}

    def rank(claim: Claim) -> tuple[bool, bool, str]:
        return claim.object_id not in members, chunks.isdisjoint(claim.chunk_ids), claim.id

    return tuple(sorted(claims, key=rank)[:CLAIMS_PER_ENTITY])
