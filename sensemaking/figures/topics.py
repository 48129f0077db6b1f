"""Topics at a glance: how much of a corpus each covers, how they overlap, when they come up.

In: rows, shares and trends of topics, colours. Out: plotly figures. Names are shortened and
escaped; what is cut stands in the hover text and in the table beside the figure.
"""

from __future__ import annotations

import html
from collections.abc import Sequence

import plotly.graph_objects as go

from sensemaking.figures.theme import Palette, community_color, layout, mix
from sensemaking.types import TopicRow, TopicTrend

ROW_PX = 26
MAX_NAME = 34
MAX_BARS = 30
MAX_CELLS = 40
"""Topics in the overlap figure: more cannot be told apart."""
FEW_DOCUMENTS = 6
MAX_LINES = 8


def topic_coverage_figure(rows: Sequence[TopicRow], palette: Palette) -> go.Figure:
    """Draw the share of documents and of entities of each topic, the widest at the top."""
    shown = sorted(rows, key=lambda row: (-row.document_share, row.topic.name))[:MAX_BARS]
    names = [_short(row.topic.name) for row in shown]
    figure = go.Figure(layout=layout(palette, ROW_PX * 2 * max(1, len(shown)) // 2 + 60))
    parts = (
        ("Documents", [row.document_share for row in shown], palette.communities[0]),
        ("Entities", [row.entity_share for row in shown], palette.communities[1]),
    )
    for label, shares, color in parts:
        figure.add_bar(
            y=list(range(len(shown))),
            x=shares,
            name=label,
            orientation="h",
            marker={"color": color},
            customdata=[[html.escape(row.topic.name), row.topic.slug] for row in shown],
            hovertemplate=f"%{{customdata[0]}}<br>{label} %{{x:.0%}}<extra></extra>",
        )
    figure.update_layout(
        barmode="group",
        bargap=0.3,
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.0, "yanchor": "bottom"},
        margin={"l": 0, "r": 8, "t": 26, "b": 20},
    )
    figure.update_xaxes(tickformat=".0%", range=[0, 1], gridcolor=palette.sunken, zeroline=False)
    figure.update_yaxes(
        tickvals=list(range(len(shown))), ticktext=names, autorange="reversed", automargin=True
    )
    return figure


def topic_overlap_figure(
    rows: Sequence[TopicRow], shares: Sequence[Sequence[float]], palette: Palette
) -> go.Figure:
    """Draw which share of their entities each two topics have in common, the widest first."""
    order = sorted(
        range(len(rows)), key=lambda at: (-rows[at].document_share, rows[at].topic.name)
    )[:MAX_CELLS]
    size = len(order)
    names = [rows[at].topic.name for at in order]
    short = [_short(name) for name in names]
    cells = [[None if one == other else shares[one][other] for other in order] for one in order]
    labels = [
        [f"{html.escape(names[row])}<br>{html.escape(names[column])}" for column in range(size)]
        for row in range(size)
    ]
    figure = go.Figure(layout=layout(palette, ROW_PX * max(2, size) + 130))
    color = palette.communities[0]
    figure.add_heatmap(
        z=cells,
        x=list(range(size)),
        y=list(range(size)),
        zmin=0,
        zmax=max(0.1, *(one for row in cells for one in row if one is not None), 0.1),
        colorscale=[[0, mix(color, palette.surface, 0.04)], [1, color]],
        customdata=labels,
        hovertemplate="%{customdata}<br>%{z:.0%} of their entities in common<extra></extra>",
        colorbar={"thickness": 8, "tickformat": ".0%", "outlinewidth": 0},
        xgap=2,
        ygap=2,
        hoverongaps=False,
    )
    axis = {
        "tickvals": list(range(size)),
        "ticktext": short,
        "showgrid": False,
        "zeroline": False,
    }
    figure.update_xaxes(**axis, tickangle=-40, automargin=True)
    figure.update_yaxes(**axis, autorange="reversed", automargin=True)
    return figure


def topic_trend_figure(
    trends: Sequence[TopicTrend], names: dict[str, str], palette: Palette
) -> go.Figure:
    """Draw in how many documents of each period the largest topics are spoken of."""
    shown = sorted(trends, key=lambda one: (-sum(one.counts), names[one.topic_id]))[:MAX_LINES]
    figure = go.Figure(layout=layout(palette, 380))
    for rank, trend in enumerate(shown):
        name = names[trend.topic_id]
        figure.add_scatter(
            x=list(trend.periods),
            y=list(trend.counts),
            name=_short(name),
            mode="lines+markers",
            line={"color": community_color(palette, rank), "width": 2},
            marker={"size": 5},
            customdata=[html.escape(name)] * len(trend.periods),
            hovertemplate="%{customdata}<br>%{x}: %{y} documents<extra></extra>",
        )
    figure.update_layout(
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.04, "yanchor": "bottom"},
        margin={"l": 0, "r": 8, "t": 8, "b": 8},
    )
    figure.update_xaxes(type="category", showgrid=False, automargin=True)
    most = max((max(one.counts, default=0) for one in shown), default=0)
    figure.update_yaxes(
        rangemode="tozero",
        gridcolor=palette.sunken,
        zeroline=False,
        tickformat="d",
        dtick=1 if most <= FEW_DOCUMENTS else None,  # there is no half a document
        automargin=True,
    )
    return figure


def _short(name: str) -> str:
    cut = name if len(name) <= MAX_NAME else f"{name[: MAX_NAME - 1].rstrip()}…"
    return html.escape(cut)
