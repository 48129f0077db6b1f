"""Beneath the graph: whose colours these are, what is not drawn and why, the same as a table."""

from __future__ import annotations

import streamlit as st

from pages import _graph_address as address
from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._report import community_name
from pages._words import count, number, shorten
from sensemaking.figures.hierarchy import color_ranks
from sensemaking.figures.network import FEW, MOST, Network, Request
from sensemaking.figures.theme import community_color
from sensemaking.types import Community, Hierarchy, Report, digest

LEGEND = 8


def ranked_communities(hierarchy: Hierarchy) -> list[Community]:
    """Return the communities that give the colours, in the order of their ranks."""
    ranks = color_ranks(hierarchy)
    found: dict[int, Community] = {}
    for one in hierarchy.communities:  # coarser ones stand before finer ones
        rank = ranks[one.id]
        if rank is not None:
            found.setdefault(rank, one)
    return [found[rank] for rank in sorted(found)]


def draw_legend(network: Network, hierarchy: Hierarchy, reports: dict[str, Report]) -> None:
    """Draw what the colours stand for: kinds where only entities are drawn, else communities."""
    palette = look.palette()
    if all(unit.what == "entity" for unit in network.units):
        kinds = {unit.kind for unit in network.units}
        parts = [
            (kind.capitalize(), color)
            for kind, color in palette.kinds.items()
            if kind in kinds and kind != "concept"
        ]
        rest = kinds - set(palette.kinds) | kinds & {"concept"}
        parts += [("Concept and other", palette.kinds["concept"])] * bool(rest)
    else:
        ranked = ranked_communities(hierarchy)
        shown = {unit.rank for unit in network.units}
        parts = [
            (shorten(community_name(one, reports), 34), community_color(palette, rank))
            for rank, one in enumerate(ranked[:LEGEND])
            if rank in shown
        ]
    dots = "".join(
        f'<span><i class="sm-dot" style="background:{color}"></i>{esc(name)}</span>'
        for name, color in parts
    )
    look.draw(f'<p class="sm-legend">{dots}</p>')


def told_hidden(network: Network, request: Request) -> str:
    """Return in words what is drawn, what is not, and why."""
    what = "entities" if request.level is None else f"communities at level {request.level}"
    what = "circles" if network.outlined else what
    units, ties = len(network.units), len(network.ties)
    told = f"{number(units)} of {number(network.n_units)} {what}"
    if units < network.n_units:
        first = "the best connected" if request.level is None else "the largest"
        why = (
            f"more than {number(MOST)} circles would not move smoothly. Filter, or choose a "
            "coarser level, to see the others"
            if units >= MOST
            else "so that their names can be read"
        )
        told += f": {first}, {'as ' if units >= MOST else ''}{why}"
    told += f". {number(ties)} of {number(network.n_ties)} ties among them"
    if ties < network.n_ties:
        told += ", the strongest of each"
    area = "mentions" if request.level is None else "entities"
    return f"{told}. Circle area is {area}, line width is relationships."


def draw_hidden(network: Network, request: Request) -> None:
    """Say what is not drawn and why, with the buttons that draw it."""
    look.text(told_hidden(network, request), "s")
    units, ties = len(network.units), len(network.ties)
    with st.container(horizontal=True, gap="small", key="link_hidden"):
        more = min(network.n_units, MOST)
        if units < more:
            every = "all " if more == network.n_units else ""
            _button("units", f"Show {every}{number(more)}", all="1")
        elif session.param("all"):
            _button("fewer", f"Show {FEW} again", all=None)
        if ties < network.n_ties:
            _button("ties", f"Show all {number(network.n_ties)} ties", ties="all")
        elif request.all_ties:
            _button("strong", "Show the strongest ties", ties=None)


def draw_table(network: Network, hierarchy: Hierarchy) -> None:
    """Draw what the picture shows as a table; a picked row does what a click on its circle does."""
    place = st.expander(
        f"The same as a table, {count(len(network.units), 'row')}",
        key="graph_rows",
        on_change="rerun",  # drawn once it is opened: the table is heavy in the browser
    )
    if not place.open:
        return
    import pandas as pd

    degree = [0] * len(network.units)
    for tie in network.ties:
        degree[tie.source] += 1
        degree[tie.target] += 1
    frame = pd.DataFrame(
        {
            "Name": [unit.name for unit in network.units],
            "Kind": [unit.kind or "community" for unit in network.units],
            "Size": [unit.size for unit in network.units],
            "Ties drawn": degree,
        }
    )
    key = f"graph_table_{digest(unit.id for unit in network.units)}"

    def chosen() -> None:
        rows = session.selection(key, "rows")
        if rows:
            address.click(hierarchy, network.units[rows[0]])

    with place:
        st.dataframe(
            frame,
            hide_index=True,
            key=key,
            on_select=chosen,
            selection_mode="single-row",
            height=320,
            alt="What the picture shows",
        )


def _button(key: str, label: str, **params: str | None) -> None:
    st.button(label, type="tertiary", key=f"loss_{key}", on_click=session.set_params, kwargs=params)
