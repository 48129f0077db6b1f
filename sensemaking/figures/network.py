"""Which parts of the graph are drawn: the communities of a level, some of them opened in place.

In: a graph, a hierarchy, a level, what was opened and what passes the filters. Out: units (super-
nodes, or the entities of an opened leaf) and the ties between them, with what was left out counted.

Notes
-----
Entities count where they are at home, so that the sizes of overlapping communities add up. A tie of
two units is all relationships with one end in each. The largest units are drawn, and whatever was
opened; of the ties the strongest, and the strongest of each unit, so that none looks alone that is
not. Many units are grouped by a coarser level, for a place near their kin; such a group is not
outlined.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sensemaking.figures.hierarchy import color_ranks
from sensemaking.types import Community, Hierarchy, KnowledgeGraph

FEW, MOST = 60, 3000
"""Units drawn at first, and at most."""
TIES_PER_UNIT = 1.6
MANY = 150
"""Units from which on they are arranged by groups."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One circle: a community, or an entity; `group` is the opened community it stands in, or "".

    `size` counts the entities of a community, the mentions of an entity. `rank` is the rank of size
    whose colour it has.
    """

    id: str
    what: Literal["community", "entity"]
    name: str
    size: int
    rank: int | None
    kind: str
    group: str


@dataclass(frozen=True, slots=True)
class Tie:
    """All relationships between two units, by their positions; `weight` is the sum of theirs."""

    source: int
    target: int
    n: int
    weight: float


@dataclass(frozen=True, slots=True)
class Network:
    """What is drawn. `groups` are communities with the groups they stand in, "" for none.

    `outlined` are those of them that were opened in place.
    """

    units: tuple[Unit, ...]
    ties: tuple[Tie, ...]
    groups: tuple[tuple[str, str], ...]
    n_units: int
    n_ties: int
    outlined: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Request:
    """What to draw: a level (None: entities), communities opened in place, how much of it."""

    level: int | None
    opened: tuple[str, ...] = ()
    most_units: int = FEW
    all_ties: bool = False


def make_network(
    graph: KnowledgeGraph,
    hierarchy: Hierarchy,
    titles: Mapping[str, str],
    request: Request,
    passing: Collection[str] | None = None,
) -> Network:
    """Return the units and ties to draw; `passing` are the ids of entities that pass the filters.

    Examples
    --------
    With no community there is nothing to draw but entities:

    >>> from sensemaking.types import Hierarchy, KnowledgeGraph
    >>> graph = KnowledgeGraph("general", (), (), ())
    >>> hierarchy = Hierarchy("general.leiden", "general", "leiden", (), 0, (), ())
    >>> make_network(graph, hierarchy, {}, Request(0)).n_units
    0
    """
    pool = _Pool(graph, hierarchy, titles, None if passing is None else set(passing))
    if request.level is None:
        pool.draw_entities(hierarchy.view(hierarchy.n_levels - 1))
    else:
        pool.draw_communities(hierarchy.view(request.level), set(request.opened))
    return pool.network(request)


class _Pool:
    """Collects units, the entities of each and the groups they stand in."""

    def __init__(
        self,
        graph: KnowledgeGraph,
        hierarchy: Hierarchy,
        titles: Mapping[str, str],
        passing: set[str] | None,
    ) -> None:
        self._graph, self._hierarchy, self._titles = graph, hierarchy, titles
        self._passing = passing
        self._ranks = color_ranks(hierarchy)
        self._units: list[Unit] = []
        self._members: dict[str, list[str]] = {}
        self._groups: dict[str, str] = {}

    def draw_entities(self, leaves: Iterable[Community]) -> None:
        """Take every entity."""
        for leaf in leaves:
            self._add_entities(leaf.home_ids, self._ranks[leaf.id], "")
        self._add_entities(self._hierarchy.unplaced, None, "")

    def draw_communities(self, view: Iterable[Community], opened: set[str]) -> None:
        """Take a view, where opened communities are replaced by what is in them."""
        waiting = [(one, "") for one in view]
        while waiting:
            one, group = waiting.pop()
            if one.id not in opened:
                self._add_community(one, group)
                continue
            self._groups[one.id] = group
            children = self._hierarchy.children[one.id]
            waiting += [(child, one.id) for child in children]
            if not children:
                self._add_entities(one.home_ids, self._ranks[one.id], one.id)

    def network(self, request: Request) -> Network:
        """Return as much of what was taken as is asked for."""
        degrees = self._graph.degrees
        if request.level is None:
            self._units.sort(key=lambda one: (-degrees[one.id], -one.size, one.id))
        else:
            self._units.sort(key=lambda one: (not one.group, -one.size, one.id))
        kept = self._units[: min(request.most_units, MOST)]
        ties = self._ties(kept)
        shown = ties if request.all_ties else _strongest(ties, len(kept))
        outlined = frozenset(self._groups)
        if len(kept) > MANY:
            kept = self._grouped(kept, request.level)
        groups = self._groups_of(kept)
        outlined &= {key for key, _ in groups}
        return Network(tuple(kept), tuple(shown), groups, len(self._units), len(ties), outlined)

    def _grouped(self, units: Sequence[Unit], drawn_level: int | None) -> list[Unit]:
        """Put what stands in no group into the community of a coarser level that holds it.

        That level is the one with about as many communities as each of them then has units.
        """
        tree, enough = self._hierarchy, math.sqrt(len(units))
        coarser = range(tree.n_levels if drawn_level is None else drawn_level)
        if not coarser:
            return list(units)
        level = min(coarser, key=lambda n: (abs(math.log(len(tree.view(n)) / enough)), n))
        kin = {key: one.id for one in tree.view(level) for key in one.home_ids}
        for key, above in list(self._groups.items()):
            if not above and tree.by_id[key].level > level:
                self._groups[key] = kin.get(next(iter(tree.by_id[key].home_ids), ""), "")
        placed = [
            one if one.group else replace(one, group=kin.get(self._members[one.id][0], ""))
            for one in units
        ]
        above_all = {one.group for one in placed} | set(self._groups.values())
        self._groups |= dict.fromkeys(sorted(above_all - {"", *self._groups}), "")
        return placed

    def _passes(self, entity_ids: Iterable[str]) -> list[str]:
        return [one for one in entity_ids if self._passing is None or one in self._passing]

    def _add_community(self, one: Community, group: str) -> None:
        members = self._passes(one.home_ids)
        if not members:
            return
        name = " ".join(self._titles.get(one.id, "").split())
        name = name or f"{len(one.entity_ids):,} entities"
        self._members[one.id] = members
        self._units.append(
            Unit(one.id, "community", name, len(members), self._ranks[one.id], "", group)
        )

    def _add_entities(self, ids: Iterable[str], rank: int | None, group: str) -> None:
        for key in self._passes(ids):
            entity = self._graph.entity_by_id[key]
            self._members[key] = [key]
            self._units.append(
                Unit(key, "entity", entity.name, len(entity.spans), rank, entity.kind, group)
            )

    def _ties(self, units: Sequence[Unit]) -> list[Tie]:
        """Return the ties of the units, strongest first."""
        unit_of = {entity: n for n, unit in enumerate(units) for entity in self._members[unit.id]}
        found: dict[tuple[int, int], tuple[int, float]] = {}
        for one in self._graph.relationships:
            ends = unit_of.get(one.source_id), unit_of.get(one.target_id)
            if ends[0] is None or ends[1] is None or ends[0] == ends[1]:
                continue
            pair = (min(ends[0], ends[1]), max(ends[0], ends[1]))
            n, weight = found.get(pair, (0, 0.0))
            found[pair] = (n + 1, weight + one.weight)
        ties = [Tie(a, b, n, round(weight, 6)) for (a, b), (n, weight) in found.items()]
        return sorted(ties, key=lambda one: (-one.n, -one.weight, one.source, one.target))

    def _groups_of(self, units: Iterable[Unit]) -> tuple[tuple[str, str], ...]:
        """Return the groups that hold a unit, directly or through another group."""
        used: set[str] = set()
        for unit in units:
            group = unit.group
            while group and group not in used:
                used.add(group)
                group = self._groups[group]
        return tuple(sorted((one, self._groups[one]) for one in used))


def _strongest(ties: Sequence[Tie], n_units: int) -> list[Tie]:
    """Return the strongest ties and the strongest of each unit, from ties in order."""
    budget = round(TIES_PER_UNIT * n_units)
    seen: set[int] = set()
    kept = []
    for n, one in enumerate(ties):
        if n < budget or one.source not in seen or one.target not in seen:
            kept.append(one)
        seen.update((one.source, one.target))
    return kept
