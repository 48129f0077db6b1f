"""A hierarchy as areas: the community in focus, its parts, and in these the parts at a level.

In: a hierarchy, the titles of its communities, colours. Out: a plotly treemap, icicle or sunburst
whose nodes have the ids of the communities, so that a click says which. The corpus is the root;
areas count entities by their home leaf, so that overlapping communities add up.

Notes
-----
Browsers build every node they are sent, drawn or not: only what can be seen is sent, of each
community at most `MAX_PARTS` parts, the largest, and some `MAX_INNER` inner ones in all. The space
of the others stays in the colour of their parent, and its hover text counts them.
"""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sensemaking.figures.theme import CLEAR, Palette, community_color, layout, mix
from sensemaking.types import Community, Hierarchy

if TYPE_CHECKING:
    import plotly.graph_objects as go

ROOT = "corpus"
ROOT_LABEL = "All entities"
HEIGHT_PX = 468
TIERS = 2
MAX_PARTS, MAX_INNER, MIN_INNER = 60, 400, 4
WIDTH_PX = 560
CHARACTER_PX = 6.5
NARROW = 0.75
"""What the room for labels is reckoned from: the usual width of the figure, a mean character,
the width of a narrow area for its size."""
MAX_LABEL, MAX_LINE, MIN_LINE = 48, 22, 8
LARGE = 0.02
"""Share of the entities from which on a community counts for the choice of the coloured level."""


Shape = Literal["treemap", "icicle", "sunburst"]
_ONE_LINE = {"icicle": 22, "sunburst": 13}
"""Characters that fit across a column or a ring."""


@dataclass(frozen=True, slots=True)
class TreeView:
    """What of a hierarchy is drawn, and how.

    `focus` None is the whole corpus. `level` is that of the inner parts, None the second below the
    focus; the first below the focus draws its parts alone.
    """

    focus: str | None = None
    level: int | None = None
    shape: Shape = "treemap"


def community_tree_figure(
    hierarchy: Hierarchy, titles: Mapping[str, str], view: TreeView, palette: Palette
) -> go.Figure:
    """Draw the community in focus with its parts, and in these the parts at a level.

    A focus without parts is drawn among its siblings, outlined in ink. A community without a title
    is called by its size.
    """
    import plotly.graph_objects as go

    seen = hierarchy.by_id.get(view.focus or "")
    entry = seen.id if seen else ROOT
    if seen and not hierarchy.children[seen.id]:
        entry = seen.parent_id or ROOT
    outlined = view.focus if view.focus != entry else None  # what fills the figure needs no mark
    nodes = _nodes(hierarchy, entry, view.level)
    ranks = color_ranks(hierarchy)
    heads = {one.parent for one in nodes}
    whole = next(one.size for one in nodes if one.id == entry)
    # One line wherever there is room for one alone; what does not fit is not drawn.
    in_one_line = heads if view.shape == "treemap" else {one.id for one in nodes}
    room = _ONE_LINE.get(view.shape)
    labels = [
        _label(one, titles, room=room or _room(one.size, whole), is_header=one.id in in_one_line)
        for one in nodes
    ]
    trace = getattr(go, view.shape.capitalize())(
        ids=[one.id for one in nodes],
        parents=[one.parent for one in nodes],
        labels=labels,
        values=[one.size for one in nodes],
        customdata=[_told(one, titles) for one in nodes],
        branchvalues="total",
        level=entry,
        maxdepth=TIERS + 1,
        sort=True,
        texttemplate=[
            "%{label}" if one.id in in_one_line else "%{label}<br>%{value:,}" for one in nodes
        ],
        textfont={"color": palette.ink},
        hovertemplate="%{customdata}<extra></extra>",
        root={"color": CLEAR},
        marker={
            "colors": [_color(one, ranks, palette) for one in nodes],
            "line": {
                "color": [palette.ink if one.id == outlined else palette.page for one in nodes],
                "width": [2 if one.id == outlined else 1 for one in nodes],
            },
        },
    )
    trace.update(_BY_SHAPE[view.shape])
    figure = go.Figure(trace, layout(palette, HEIGHT_PX))
    figure.update_layout(uniformtext={"minsize": 11, "mode": "hide"})
    return figure


_BY_SHAPE: dict[Shape, dict[str, Any]] = {
    "treemap": {
        "tiling": {"pad": 3, "packing": "squarify"},
        "pathbar": {"visible": False},
        "textposition": "top left",
        "marker": {"pad": {"t": 22, "l": 3, "r": 3, "b": 3}, "cornerradius": 2},
    },
    "icicle": {
        "tiling": {"pad": 1, "orientation": "h"},
        "pathbar": {"visible": False},
        "textposition": "top left",
    },
    "sunburst": {"insidetextorientation": "auto", "leaf": {"opacity": 1}},
}


def color_ranks(hierarchy: Hierarchy) -> dict[str, int | None]:
    """Return the rank of size whose colour each community has; None where it has no colour.

    Colours are given at the first level whose view holds at least two communities of at least 2 %
    of the entities (the coarsest where there is none), by size; what lies below has the colour of
    its ancestor there, what lies above none.
    """
    total = sum(len(one.home_ids) for one in hierarchy.view(0))
    level = next(
        (
            level
            for level in range(hierarchy.n_levels)
            if sum(len(one.home_ids) >= LARGE * total for one in hierarchy.view(level)) >= 2
        ),
        0,
    )
    ordered = sorted(hierarchy.view(level), key=lambda one: (-len(one.home_ids), one.id))
    ranks: dict[str, int | None] = {one.id: rank for rank, one in enumerate(ordered)}
    for one in hierarchy.communities:  # parents stand before their children
        above = ranks.get(one.parent_id) if one.parent_id else None
        ranks.setdefault(one.id, above)
    return ranks


@dataclass(frozen=True, slots=True)
class _Node:
    """`depth` counts from the entry, 0; ancestors have none. `hidden` parts are not drawn."""

    id: str
    parent: str
    size: int
    depth: int
    community: Community | None
    hidden: int = 0


def _nodes(hierarchy: Hierarchy, entry: str, level: int | None) -> list[_Node]:
    top = None if entry == ROOT else entry
    path: Sequence[Community] = () if top is None else hierarchy.path(top)
    whole = sum(len(one.home_ids) for one in hierarchy.children[None])
    parents = [ROOT, *(one.id for one in path)]
    found = [
        _Node(one.id, parent, len(one.home_ids), 0, one)
        for one, parent in zip(path, parents, strict=False)
    ]
    found.insert(0, _Node(ROOT, "", whole, 0, None))
    last = found.pop()
    parts = _largest(hierarchy.children[top])
    hidden = len(hierarchy.children[top]) - len(parts)
    found.append(_Node(last.id, last.parent, last.size, 0, last.community, hidden))
    inner_level = len(path) + 1 if level is None else level
    for one in parts:
        inner = list(_at_level(hierarchy, one, inner_level))
        inner = [part for part in inner if part.id != one.id]
        room = max(MIN_INNER, round(MAX_INNER * len(one.home_ids) / max(1, last.size)))
        shown = _largest(inner)[:room]
        size = len(one.home_ids)
        found.append(_Node(one.id, entry, size, 1, one, len(inner) - len(shown)))
        found += [_Node(part.id, one.id, len(part.home_ids), 2, part) for part in shown]
    return found


def _at_level(hierarchy: Hierarchy, community: Community, level: int) -> Iterator[Community]:
    """Yield the communities of a level's view inside one, itself where it has no parts above."""
    parts = hierarchy.children[community.id] if community.level < level else ()
    if not parts:
        yield community
    for part in parts:
        yield from _at_level(hierarchy, part, level)


def _largest(communities: Iterable[Community]) -> list[Community]:
    ordered = sorted(communities, key=lambda one: (-len(one.home_ids), one.id))
    return [one for one in ordered if one.home_ids][:MAX_PARTS]


def _title(community: Community | None, titles: Mapping[str, str]) -> str:
    if community is None:
        return ROOT_LABEL
    title = " ".join(titles.get(community.id, "").split())
    return title or f"{_count(len(community.entity_ids), 'entity', 'entities')}, no report"


def _room(size: int, whole: int) -> int:
    """Return how many characters fit across an area, taking it for higher than wide."""
    return int(NARROW * WIDTH_PX * math.sqrt(size / whole) / CHARACTER_PX) if whole else MAX_LABEL


def _label(node: _Node, titles: Mapping[str, str], *, room: int, is_header: bool) -> str:
    """Return a label that shows a title as it is, markup and all, cut to the room there is.

    One line above parts, up to three in an area of its own.
    """
    title = _title(node.community, titles)
    if is_header:
        room = max(MIN_LINE, min(room, MAX_LABEL))
        lines = [title if len(title) <= room else title[: room - 1].rstrip() + "…"]
    else:
        lines = textwrap.wrap(
            title,
            max(MIN_LINE, min(room, MAX_LINE)),
            max_lines=3,
            placeholder="…",
            break_long_words=max(map(len, title.split())) > MAX_LINE,
        )
    return "<br>".join(html.escape(line, quote=False) for line in lines)


def _told(node: _Node, titles: Mapping[str, str]) -> str:
    lines = textwrap.wrap(_title(node.community, titles), MAX_LABEL, max_lines=3, placeholder="…")
    shown = "<br>".join(html.escape(line, quote=False) for line in lines)
    text = f"<b>{shown}</b><br>{_count(node.size, 'entity', 'entities')}"
    if node.hidden:
        text += f"<br>{_count(node.hidden, 'smaller part', 'smaller parts')} not drawn"
    return text


def _count(n: int, one: str, many: str) -> str:
    return f"{n:,} {one if n == 1 else many}"


def _color(node: _Node, ranks: Mapping[str, int | None], palette: Palette) -> str:
    rank = ranks[node.community.id] if node.community else None
    if rank is None:
        return palette.sunken
    tint = palette.tints[min(node.depth, len(palette.tints) - 1)]
    return mix(community_color(palette, rank), palette.surface, tint)
