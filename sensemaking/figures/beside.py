"""Two hierarchies of one graph side by side: which leaves are the same, and who moved.

In: two hierarchies. Out: pairs of leaves, entities that moved, and two figures in which everything
stands at the same place.

Notes
-----
Leaves are compared by their home entities. Pairs are taken by Jaccard overlap, the largest first
(then the larger common part, then ids), each leaf once, as long as anything is shared. An entity
has moved when its home in the second hierarchy is not the leaf that its home in the first is paired
with.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sensemaking.figures.theme import Palette, community_color, layout
from sensemaking.types import Community, Hierarchy

if TYPE_CHECKING:
    import plotly.graph_objects as go

HEIGHT_PX = 380
FAR_OFF = 2
"""Percent at either end of an axis that may lie outside at first."""


@dataclass(frozen=True, slots=True)
class LeafPair:
    """A leaf of each hierarchy, and how many entities they share; one side may be missing."""

    first: Community | None
    second: Community | None
    shared: int

    @property
    def size(self) -> int:
        """Return the number of home entities of the larger of the two."""
        return max(len(one.home_ids) for one in (self.first, self.second) if one)


@dataclass(frozen=True, slots=True)
class Matching:
    """All leaves of both, the largest pairs first, and the ids of the entities that moved."""

    pairs: tuple[LeafPair, ...]
    moved: tuple[str, ...]
    n_placed: int


def match_leaves(first: Hierarchy, second: Hierarchy) -> Matching:
    """Pair the leaves of two hierarchies."""
    ones, others = ({one.id: one for one in h.leaves if one.home_ids} for h in (first, second))
    home = {entity: leaf.id for leaf in ones.values() for entity in leaf.home_ids}
    away = {entity: leaf.id for leaf in others.values() for entity in leaf.home_ids}
    common = Counter((home[entity], away[entity]) for entity in home.keys() & away.keys())

    def rank(pair: tuple[str, str]) -> tuple[float, int, str, str]:
        one, other = pair
        united = len(ones[one].home_ids) + len(others[other].home_ids) - common[pair]
        return -common[pair] / united, -common[pair], one, other

    paired: dict[str, str] = {}
    for one, other in sorted(common, key=rank):
        if one not in paired and other not in paired.values():
            paired[one] = other
    taken = set(paired.values())
    pairs = [
        LeafPair(leaf, others.get(paired.get(key, "")), common[key, paired.get(key, "")])
        for key, leaf in ones.items()
    ]
    pairs += [LeafPair(None, leaf, 0) for key, leaf in others.items() if key not in taken]
    both = home.keys() & away.keys()
    moved = {one for one in both if paired.get(home[one]) != away[one]}
    return Matching(
        pairs=tuple(sorted(pairs, key=lambda one: (-one.size, -one.shared, _id(one)))),
        moved=tuple(sorted(moved)),
        n_placed=len(both),
    )


def _id(pair: LeafPair) -> str:
    leaf = pair.first or pair.second
    return leaf.id if leaf is not None else ""


@dataclass(frozen=True, slots=True)
class Dot:
    """An entity at its place, in pixels."""

    id: str
    name: str
    x: float
    y: float


def beside_figures(
    dots: Sequence[Dot], matching: Matching, titles: Mapping[str, str], palette: Palette
) -> tuple[go.Figure, go.Figure]:
    """Draw both hierarchies over the same places: paired leaves in one colour, the moved outlined.

    Colours go round among the pairs, the largest first: neighbours seldom share one. A leaf without
    a pair is drawn in the colour of the rest.
    """
    moved = set(matching.moved)
    sides: list[dict[str, tuple[int, str]]] = [{}, {}]
    for place, pair in enumerate(matching.pairs):
        n_colors = len(palette.communities)
        rank = place % n_colors if pair.first and pair.second else n_colors
        for side, leaf in zip(sides, (pair.first, pair.second), strict=True):
            for entity in leaf.home_ids if leaf else ():
                side[entity] = rank, leaf.id if leaf else ""
    first, second = (_figure(dots, side, moved, titles, palette) for side in sides)
    return first, second


def _figure(
    dots: Sequence[Dot],
    side: Mapping[str, tuple[int, str]],
    moved: set[str],
    titles: Mapping[str, str],
    palette: Palette,
) -> go.Figure:
    import plotly.graph_objects as go

    none = (len(palette.communities), "")
    places = [side.get(dot.id, none) for dot in dots]
    marks = go.Scattergl(
        x=[dot.x for dot in dots],
        y=[-dot.y for dot in dots],
        mode="markers",
        marker={
            "color": [community_color(palette, rank) for rank, _ in places],
            "size": [9 if dot.id in moved else 7 for dot in dots],
            "line": {
                "color": palette.ink,
                "width": [1.6 if dot.id in moved else 0 for dot in dots],
            },
        },
        text=[
            f"<b>{html.escape(dot.name, quote=False)}</b><br>"
            f"{html.escape(titles.get(leaf, 'in no community'), quote=False)}"
            f"{'<br>moved' if dot.id in moved else ''}"
            for dot, (_, leaf) in zip(dots, places, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
    )
    figure = go.Figure(marks, layout(palette, HEIGHT_PX))
    figure.update_xaxes(visible=False, range=_middle([dot.x for dot in dots]))
    figure.update_yaxes(
        visible=False, range=_middle([-dot.y for dot in dots]), scaleanchor="x", scaleratio=1
    )
    figure.update_layout(dragmode="pan")
    return figure


def _middle(values: Sequence[float]) -> list[float]:
    """Return a range that holds nearly all: a few far off must not make the rest small."""
    ordered = sorted(values)
    if not ordered:
        return [0.0, 1.0]
    cut = len(ordered) * FAR_OFF // 100
    low, high = ordered[cut], ordered[len(ordered) - 1 - cut]
    room = 0.05 * (high - low) or 1.0
    return [low - room, high + room]
