"""The look of all figures: colours by role from the design tokens, and one plotly layout."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import plotly.graph_objects as go

Mode = Literal["light", "dark"]

FONT = "Hanken Grotesk, Source Sans, sans-serif"
FONT_PX = 12
CLEAR = "rgba(0,0,0,0)"


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one mode as "#RRGGBB"; `tints` are shares 0-1 of a colour on the surface.

    `kinds` are the colours of entity kinds, `graph_fill` the share of a ring's colour inside it.
    `win_rate` goes from always lost over a draw to always won.
    """

    page: str
    surface: str
    sunken: str
    line_strong: str
    ink: str
    ink2: str
    communities: tuple[str, ...]
    rest: str
    tints: tuple[float, ...]
    kinds: Mapping[str, str]
    graph_fill: float
    win_rate: tuple[str, ...] = ()


def read_palette(tokens: Mapping[str, Any], mode: Mode) -> Palette:
    """Return the palette of a mode from the content of `tokens.json`."""
    role = {name: both[mode] for name, both in tokens["color"].items()}
    named = {one["name"]: one[mode] for one in tokens["categorical"]}
    return Palette(
        page=role["page"],
        surface=role["surface"],
        sunken=role["sunken"],
        line_strong=role["line-strong"],
        ink=role["ink"],
        ink2=role["ink2"],
        communities=tuple(named.values()),
        rest=named["slate"],
        tints=tuple(tokens["tint"]["treemap"][mode]),
        kinds={name: both[mode] for name, both in tokens["kinds"].items()},
        graph_fill=tokens["tint"]["graph_fill"][mode],
        win_rate=tuple(tokens["scale"]["win_rate"][mode]),
    )


def community_color(palette: Palette, rank: int) -> str:
    """Return the colour of a rank of size, from 0; all past the last share one."""
    return palette.communities[rank] if rank < len(palette.communities) else palette.rest


def mix(color: str, ground: str, share: float) -> str:
    """Return a share (0-1) of a colour laid on a ground.

    >>> mix("#FF0000", "#FFFFFF", 0.2)
    '#FFCCCC'
    """
    pairs = ((int(color[n : n + 2], 16), int(ground[n : n + 2], 16)) for n in (1, 3, 5))
    return "#" + "".join(f"{round(one * share + other * (1 - share)):02X}" for one, other in pairs)


def layout(palette: Palette, height: int) -> go.Layout:
    """Return the layout that every figure starts from; `height` in pixels."""
    import plotly.graph_objects as go

    return go.Layout(
        height=height,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        paper_bgcolor=CLEAR,
        plot_bgcolor=CLEAR,
        font={"family": FONT, "size": FONT_PX, "color": palette.ink2},
        showlegend=False,
        hoverlabel={
            "bgcolor": palette.surface,
            "bordercolor": palette.line_strong,
            "font": {"family": FONT, "size": FONT_PX, "color": palette.ink},
        },
    )
