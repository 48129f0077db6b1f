"""The shape of a hierarchy in numbers: how many communities of which size, and at which level."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from sensemaking.figures.theme import Palette, layout
from sensemaking.types import Hierarchy

HEIGHT_PX = 170
BOUNDS = (2, 3, 5, 10, 20, 50, 100, 500)
"""Smallest size of each class of sizes; the last has no end."""


def leaf_sizes(hierarchy: Hierarchy) -> list[tuple[str, int]]:
    """Return how many leaves there are in each class of sizes, from the smallest used on.

    >>> from sensemaking.types import Community
    >>> pair = Community("c", "c", 0, None, ("a", "b"), ("a", "b"))
    >>> leaf_sizes(Hierarchy("general.x", "general", "x", (), 0, (pair,), ()))
    [('2', 1)]
    """
    sizes = [len(leaf.entity_ids) for leaf in hierarchy.leaves]
    found = []
    for place, low in enumerate(BOUNDS):
        high = BOUNDS[place + 1] - 1 if place + 1 < len(BOUNDS) else None
        n = sum(low <= size <= (high or size) for size in sizes)
        name = f"{low}" if low == high else f"{low}–{high}" if high else f"{low} and more"
        found.append((name, n))
    while found and not found[-1][1]:
        found.pop()
    return found


def level_counts(hierarchy: Hierarchy) -> list[tuple[str, int, int]]:
    """Return (level, communities, of these leaves), the coarsest first."""
    leaves = {leaf.id for leaf in hierarchy.leaves}
    found = []
    for level in range(hierarchy.n_levels):
        here = [one for one in hierarchy.communities if one.level == level]
        found.append((f"Level {level}", len(here), sum(one.id in leaves for one in here)))
    return found


def sizes_figure(hierarchy: Hierarchy, palette: Palette) -> go.Figure:
    """Draw how many leaves there are of each size."""
    rows = leaf_sizes(hierarchy)
    bars = go.Bar(
        x=[name for name, _ in rows],
        y=[n for _, n in rows],
        marker={"color": palette.rest},
        hovertemplate="%{y:,} leaves of %{x} entities<extra></extra>",
    )
    return _drawn([bars], palette)


def depth_figure(hierarchy: Hierarchy, palette: Palette) -> go.Figure:
    """Draw how many communities there are at each level, leaves apart."""
    rows = level_counts(hierarchy)
    names = [name.removeprefix("Level ") for name, _, _ in rows]
    with_parts = go.Bar(
        x=names,
        y=[n - leaves for _, n, leaves in rows],
        marker={"color": palette.line_strong},
        hovertemplate="level %{x}: %{y:,} communities with parts<extra></extra>",
    )
    ends = go.Bar(
        x=names,
        y=[leaves for _, _, leaves in rows],
        marker={"color": palette.rest},
        hovertemplate="level %{x}: %{y:,} leaves<extra></extra>",
    )
    return _drawn([ends, with_parts], palette)


def _drawn(bars: Sequence[go.Bar], palette: Palette) -> go.Figure:
    figure = go.Figure(list(bars), layout(palette, HEIGHT_PX))
    figure.update_layout(barmode="stack", bargap=0.25, margin={"l": 36, "r": 4, "t": 8, "b": 24})
    figure.update_xaxes(type="category", fixedrange=True, color=palette.ink2)
    figure.update_yaxes(
        fixedrange=True,
        gridcolor=palette.sunken,
        zeroline=False,
        color=palette.ink2,
        tickformat=",",
    )
    return figure
