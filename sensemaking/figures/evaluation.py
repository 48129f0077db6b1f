"""Who beats whom, how often, and what it costs: figures of an evaluation.

A result comes in; plotly figures go out. A win rate is the mean score of the row's condition
against the column's, ties counting half; bold with a star is what is unlikely to be chance after
correction, all else is drawn paler. Nothing is told by colour alone: every cell and bar carries its
number.
"""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import Literal

import plotly.graph_objects as go

from sensemaking.figures.theme import Palette, layout, mix
from sensemaking.types import Comparison, ConditionResult, EvaluationResult

Cost = Literal["seconds", "tokens", "cost"]
COSTS: dict[Cost, str] = {
    "seconds": "Seconds an answer",
    "tokens": "Tokens read an answer",
    "cost": "Dollars an answer",
}
ROW_PX, HEAD_PX = 44, 90
PALE = 0.45
"""How far from the middle of the scale a difference is drawn that may be chance."""
MAX_LABEL = 28


def win_rate_figure(result: EvaluationResult, criterion: str, palette: Palette) -> go.Figure:
    """Draw the win rate of every row against every column on one criterion, in percent."""
    labels = result.labels
    found = {
        (one.first, one.second): one for one in result.comparisons if one.criterion == criterion
    }
    shades = [[_shade(found, row, column) for column in labels] for row in labels]
    texts = [[_cell(found, row, column) for column in labels] for row in labels]
    hovers = [[_told(found, row, column) for column in labels] for row in labels]
    shown = [_label(one) for one in labels]
    figure = go.Figure(
        go.Heatmap(
            z=shades,
            x=shown,
            y=shown,
            text=texts,
            texttemplate="%{text}",
            customdata=hovers,
            hovertemplate="%{customdata}<extra></extra>",
            zmin=0,
            zmax=100,
            colorscale=_scale(palette),
            textfont={"color": palette.ink, "size": 13},
            showscale=False,
            xgap=2,
            ygap=2,
        ),
        layout(palette, HEAD_PX + ROW_PX * len(labels)),
    )
    figure.update_xaxes(side="top", showgrid=False, type="category", automargin=True)
    figure.update_yaxes(autorange="reversed", showgrid=False, type="category", automargin=True)
    return figure


def outcome_figure(result: EvaluationResult, criterion: str, palette: Palette) -> go.Figure:
    """Draw wins, ties and losses of every pair on one criterion, as numbers of questions."""
    pairs = [one for one in result.comparisons if one.criterion == criterion]
    names = [f"{_label(one.first)} – {_label(one.second)}" for one in pairs]
    parts: tuple[tuple[str, list[int], str], ...] = (
        ("first wins", [one.wins for one in pairs], palette.communities[0]),
        ("tie", [one.ties for one in pairs], palette.rest),
        ("second wins", [one.losses for one in pairs], palette.communities[1]),
    )
    figure = go.Figure(
        [
            go.Bar(
                name=name,
                x=counts,
                y=names,
                orientation="h",
                text=[str(n) if n else "" for n in counts],
                textposition="inside",
                insidetextanchor="middle",
                marker={"color": mix(color, palette.surface, 0.6)},
                textfont={"color": palette.ink},
                hovertemplate=f"%{{y}}<br>{name}: %{{x}} questions<extra></extra>",
            )
            for name, counts, color in parts
        ],
        layout(palette, HEAD_PX + ROW_PX * max(1, len(pairs))),
    )
    figure.update_layout(
        barmode="stack",
        showlegend=True,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "traceorder": "normal"},
    )
    figure.update_yaxes(autorange="reversed", type="category", automargin=True)
    figure.update_xaxes(showgrid=False, title="Questions", automargin=True)
    return figure


def pareto_figure(result: EvaluationResult, cost: Cost, palette: Palette) -> go.Figure:
    """Draw mean win rate against cost; a line joins the conditions that no other beats on both."""
    points = [
        (one.label, x, one.quality)
        for one in result.conditions
        if (x := _cost(one, cost)) is not None and one.quality is not None
    ]
    best = pareto_front([(x, y) for _, x, y in points])
    line = sorted((points[at][1], points[at][2]) for at in best)
    figure = go.Figure(
        [
            go.Scatter(
                x=[x for x, _ in line],
                y=[y for _, y in line],
                mode="lines",
                line={"color": palette.line_strong, "dash": "dot", "shape": "hv"},
                hoverinfo="skip",
            ),
            go.Scatter(
                x=[x for _, x, _ in points],
                y=[y for _, _, y in points],
                mode="markers+text",
                text=[_label(label) for label, _, _ in points],
                textposition="top center",
                marker={
                    "size": 12,
                    "color": palette.communities[0],
                    "symbol": [
                        "circle" if at in best else "circle-open" for at in range(len(points))
                    ],
                },
                hovertemplate="%{text}<br>%{x:.3g} → %{y:.1f} %<extra></extra>",
            ),
        ],
        layout(palette, 380),
    )
    lines = {"gridcolor": palette.sunken, "zerolinecolor": palette.sunken, "automargin": True}
    figure.update_xaxes(title=COSTS[cost], rangemode="tozero", **lines)
    figure.update_yaxes(title={"text": "Mean win rate, %", "standoff": 12}, **lines)
    return figure


def pareto_front(points: Sequence[tuple[float, float]]) -> frozenset[int]:
    """Return which points (cost, quality) no other beats: cheaper and as good, or better as cheap.

    >>> sorted(pareto_front([(1, 50), (2, 60), (2, 40), (3, 60)]))
    [0, 1]
    """
    return frozenset(
        at
        for at, (x, y) in enumerate(points)
        if not any(
            other_x <= x and other_y >= y and (other_x, other_y) != (x, y)
            for other_x, other_y in points
        )
    )


def _cost(one: ConditionResult, cost: Cost) -> float | None:
    return {"seconds": one.seconds, "tokens": one.tokens, "cost": one.cost}[cost]


Found = dict[tuple[str, str], Comparison]


def _rate(found: Found, row: str, column: str) -> float | None:
    forward, backward = found.get((row, column)), found.get((column, row))
    if forward is not None:
        return forward.win_rate
    if backward is not None and backward.win_rate is not None:
        return 100 - backward.win_rate
    return None


def _scale(palette: Palette) -> list[tuple[float, str]]:
    steps = palette.win_rate or (
        mix(palette.communities[1], palette.surface, 0.75),
        palette.surface,
        mix(palette.communities[0], palette.surface, 0.75),
    )
    return [(n / (len(steps) - 1), color) for n, color in enumerate(steps)]


def _shade(found: Found, row: str, column: str) -> float | None:
    rate = _rate(found, row, column)
    if rate is None:
        return None
    one = found.get((row, column)) or found[column, row]
    return rate if one.is_sure else 50 + PALE * (rate - 50)


def _cell(found: Found, row: str, column: str) -> str:
    rate = _rate(found, row, column)
    if rate is None:
        return ""
    one = found.get((row, column)) or found[column, row]
    return f"<b>{rate:.0f}*</b>" if one.is_sure else f"{rate:.0f}"


def _told(found: Found, row: str, column: str) -> str:
    rate = _rate(found, row, column)
    if rate is None:
        return ""
    one = found.get((row, column)) or found[column, row]
    names = f"{html.escape(row)} against {html.escape(column)}"
    return f"{names}<br>{rate:.1f} % of {one.n:,} questions<br>p = {one.p_holm:.3g} (Holm)"


def _label(text: str) -> str:
    short = text if len(text) <= MAX_LABEL else text[: MAX_LABEL - 1] + "…"
    return html.escape(short, quote=False)
