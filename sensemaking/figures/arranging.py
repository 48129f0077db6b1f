"""Where the circles of a network stand: the same every time, no two names on top of each other.

In: units, ties, the groups of opened communities. Out: x and y in pixels. What is opened becomes a
disc of its own, arranged inside, that pushes the others away from where it stood.

Notes
-----
ForceAtlas2 (Jacomy and others 2014, as in networkx) on each group alone, from a start on a circle
in order of size, so that a thousand entities cost no more than their groups. Afterwards circles are
moved apart until each has room for itself and for the name below it. What stood somewhere before a
community was opened starts from there, so that the map one knows stays the map.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensemaking.figures.network import Network, Unit

SEED = 86
ROUNDS = 120
DENSITY = 0.42
"""Spread of places before they are moved apart, as a share of the side of the area they need."""
SEPARATIONS = 240
WIDE = 1.25
"""Screens are wider than high."""
SMALLEST_PX, LARGEST_PX = 7.0, 34.0
ENTITY_PX = 6.0
CHARACTER_PX = 6.4
NAME_PX = 22.0
GAP_PX = 10.0
ROOMS = ((40, 1.0), (150, 0.6))
MANY_ROOM = 0.12
"""Share of a name's width that is kept free for up to so many names, and for more; the browser
leaves out names that still collide."""
FORCED = 8
"""So few items need no forces: they stand in a spiral."""
SHOWN = 22
"""Characters of a name that its place is reckoned with."""

Positions = NDArray[np.float64]
"""(n, 2)"""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """`places` (n_units, 2) and `radii` (n_units,) in pixels; discs of groups as (x, y, radius)."""

    places: Positions
    radii: NDArray[np.float64]
    discs: Mapping[str, tuple[float, float, float]]


@dataclass(slots=True)
class _Item:
    """Something with a place in a group: a unit, or a group that stands in it."""

    key: str
    half_width: float
    half_height: float
    radius: float


def arrange(network: Network, before: tuple[Network, Arrangement] | None = None) -> Arrangement:
    """Return where every unit stands; the same network gives the same places.

    `before` is the picture from which something was opened: the rest stays about where it was.
    """
    known: dict[str, Positions] = {}
    if before is not None:
        known = {
            one.id: place for one, place in zip(before[0].units, before[1].places, strict=True)
        }
        known |= {key: np.array([x, y]) for key, (x, y, _) in before[1].discs.items()}
    return _Arranger(network, _radii(network.units), known).arrange()


def shown_name(unit: Unit) -> str:
    """Return a name as it is written below its circle."""
    name = unit.name
    return name if len(name) <= SHOWN + 4 else f"{name[: SHOWN + 3].rstrip()}…"


def _radii(units: Sequence[Unit]) -> NDArray[np.float64]:
    """Return radii by the square root of size, communities and entities each on their scale."""
    found = np.zeros(len(units))
    for what, low, high in (
        ("community", SMALLEST_PX, LARGEST_PX),
        ("entity", ENTITY_PX, 0.7 * LARGEST_PX),
    ):
        sizes = [one.size for one in units if one.what == what]
        most = math.sqrt(max(sizes, default=1) or 1)
        for n, one in enumerate(units):
            if one.what == what:
                found[n] = low + (high - low) * math.sqrt(one.size) / most
    return found


class _Arranger:
    def __init__(
        self, network: Network, radii: NDArray[np.float64], known: Mapping[str, Positions]
    ) -> None:
        self._network, self._known = network, known
        self._radii = radii
        n = len(network.units)
        self._room = CHARACTER_PX * next((room for few, room in ROOMS if n <= few), MANY_ROOM)
        self._above = dict(network.groups)
        self._inside: dict[str, list[int]] = defaultdict(list)
        for n, unit in enumerate(network.units):
            self._inside[unit.group if unit.group in self._above else ""].append(n)
        self._parts: dict[str, list[str]] = defaultdict(list)
        for key, above in network.groups:
            self._parts[above if above in self._above else ""].append(key)
        self._places = np.zeros((len(network.units), 2))
        self._discs: dict[str, tuple[float, float, float]] = {}

    def arrange(self) -> Arrangement:
        self._place("")
        return Arrangement(np.round(self._places, 2), self._radii, self._discs)

    def _place(self, group: str) -> float:
        """Place what is in a group around (0, 0); return the radius it takes."""
        items = []
        for n in self._inside[group]:
            radius = float(self._radii[n])
            half = max(radius, self._room * len(shown_name(self._network.units[n])) / 2)
            items.append(_Item(f"unit {n}", half, radius + NAME_PX / 2, radius))
        for part in self._parts[group]:
            radius = self._place(part) + GAP_PX
            items.append(_Item(f"group {part}", radius, radius, radius))
        if not items:
            return 0.0
        stood = [self._known.get(self._name(one)) for one in items]
        start = np.array([one for one in stood if one is not None])
        if len(start) < len(items):
            start = _spread(items, self._ties_among(group, items))
        places = _separate(start, items)
        reach = 0.0
        for item, place in zip(items, places, strict=True):
            self._move(item, place)
            reach = max(reach, float(np.hypot(*place)) + max(item.half_width, item.half_height))
        return reach

    def _name(self, item: _Item) -> str:
        what, key = item.key.split(" ", 1)
        return self._network.units[int(key)].id if what == "unit" else key

    def _move(self, item: _Item, place: NDArray[np.float64]) -> None:
        what, key = item.key.split(" ", 1)
        if what == "unit":
            self._places[int(key)] += place
            return
        self._discs[key] = (float(place[0]), float(place[1]), item.radius)
        for inner in self._within(key):
            self._places[self._inside[inner]] += place
            if inner != key:
                x, y, radius = self._discs[inner]
                self._discs[inner] = (x + float(place[0]), y + float(place[1]), radius)

    def _within(self, group: str) -> list[str]:
        found = [group]
        for part in self._parts[group]:
            found += self._within(part)
        return found

    def _ties_among(self, group: str, items: Sequence[_Item]) -> dict[tuple[int, int], float]:
        """Return the weights of ties among the items of a group, by position."""
        position = {one.key: n for n, one in enumerate(items)}
        item_of: dict[int, int] = {n: position[f"unit {n}"] for n in self._inside[group]}
        for part in self._parts[group]:
            for inner in self._within(part):
                item_of |= dict.fromkeys(self._inside[inner], position[f"group {part}"])
        found: dict[tuple[int, int], float] = defaultdict(float)
        for tie in self._network.ties:
            a, b = item_of.get(tie.source), item_of.get(tie.target)
            if a is not None and b is not None and a != b:
                found[min(a, b), max(a, b)] += math.log1p(tie.n)
        return found


def _spread(items: Sequence[_Item], ties: Mapping[tuple[int, int], float]) -> Positions:
    """Return places by forces, scaled to the room that the items need."""
    import networkx as nx

    n = len(items)
    angles = np.arange(n) * (math.pi * (3 - math.sqrt(5)))
    start = np.sqrt(np.arange(n) + 0.5)[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
    if n < FORCED or not ties:
        places = start
    else:
        graph: nx.Graph[int] = nx.Graph()
        graph.add_nodes_from(range(n))
        graph.add_weighted_edges_from((a, b, weight) for (a, b), weight in sorted(ties.items()))
        found = nx.forceatlas2_layout(
            graph,
            pos=dict(enumerate(start)),
            max_iter=ROUNDS,
            scaling_ratio=4.0,
            gravity=1.5,
            weight="weight",
            seed=SEED,
        )
        places = np.array([found[i] for i in range(n)])
    places = _pulled_in(places - np.median(places, axis=0))
    spread = float(np.sqrt((places**2).sum(axis=1).mean())) or 1.0
    area = sum(4 * (one.half_width + GAP_PX) * (one.half_height + GAP_PX) for one in items)
    scaled: Positions = places * (DENSITY * math.sqrt(area) / spread)
    scaled[:, 0] *= WIDE
    return scaled


def _pulled_in(places: Positions) -> Positions:
    """Return places where what is tied to nothing does not stand far out."""
    reach = np.hypot(places[:, 0], places[:, 1])
    edge = 1.6 * float(np.median(reach)) or 1.0
    shrink = np.where(reach > edge, (edge + 0.25 * (np.minimum(reach, 4 * edge) - edge)), reach)
    pulled: Positions = places * (shrink / np.maximum(reach, 1e-9))[:, None]
    return pulled


def _separate(places: Positions, items: Sequence[_Item]) -> Positions:
    """Return places where no two items overlap, moved no further than needed."""
    n = len(items)
    if n < 2:
        return np.zeros_like(places)
    width = np.array([one.half_width for one in items]) + GAP_PX / 2
    height = np.array([one.half_height for one in items]) + GAP_PX / 2
    need_x, need_y = width[:, None] + width[None, :], height[:, None] + height[None, :]
    nudge = 1e-3 * np.stack([np.cos(np.arange(n)), np.sin(np.arange(n))], 1)
    places = places + nudge
    for _ in range(SEPARATIONS):
        apart = places[:, None, :] - places[None, :, :]
        reach = np.hypot(apart[..., 0] / need_x, apart[..., 1] / need_y)
        np.fill_diagonal(reach, 2.0)
        near = reach < 1.0
        if not near.any():
            break
        push = np.where(near, 0.5 * (1.0 / np.maximum(reach, 0.05) - 1.0) * 0.6, 0.0)
        places = places + (apart * push[..., None]).sum(axis=1)
    centred: Positions = places - (places.max(axis=0) + places.min(axis=0)) / 2
    return centred
