"""Graph: the whole as community super-nodes; open one, search an entity, follow its evidence."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages import _choices as choices
from pages import _filters as filtering
from pages import _look as look
from pages import _session as session
from pages._entity import draw_entity
from pages._look import esc
from pages._network import draw_network
from pages._report import community_name
from pages._words import count, number, plain_label, shorten
from sensemaking.figures.arranging import Arrangement
from sensemaking.figures.downloads import graph_html, graph_ml
from sensemaking.figures.hierarchy import color_ranks
from sensemaking.figures.network import FEW, MOST, Network, Request, Unit
from sensemaking.figures.theme import community_color
from sensemaking.types import Community, Hierarchy, HierarchySummary, Report, digest
from sensemaking.workspace import Corpus

ENTITIES = "entities"
MAX_OPENED = 12
SEARCHED = 4000
"""Entities offered by the search box, the best connected first."""
LEGEND = 8


def asked_level(hierarchy: Hierarchy) -> int | None:
    """Return the level of the address, None for entities; else the first with a dozen parts."""
    text = session.param("level")
    if text == ENTITIES:
        return None
    asked = session.number_param("level")
    if asked is not None:
        return min(asked, hierarchy.n_levels - 1)
    enough = (level for level in range(hierarchy.n_levels) if len(hierarchy.view(level)) >= 12)
    return next(enough, hierarchy.n_levels - 1)


def asked_opened(hierarchy: Hierarchy) -> tuple[str, ...]:
    asked = (session.param("open") or "").split(",")
    return tuple(one for one in dict.fromkeys(asked) if one in hierarchy.by_id)[:MAX_OPENED]


def pick(unit: Unit | None) -> None:
    is_entity = unit is not None and unit.what == "entity"
    session.set_params(
        entity=unit.id if unit and is_entity else None,
        community=unit.id if unit and not is_entity else None,
    )


def pick_entity(entity_id: str | None) -> None:
    session.set_params(entity=entity_id, community=None)


def open_in_place(hierarchy: Hierarchy, community_ids: list[str]) -> None:
    opened = [*asked_opened(hierarchy), *community_ids]
    session.set_params(open=",".join(dict.fromkeys(opened[-MAX_OPENED:])), community=None)


def close(hierarchy: Hierarchy, community_id: str) -> None:
    inner = {community_id, *(one.id for one in hierarchy.descendants(community_id))}
    left = [one for one in asked_opened(hierarchy) if one not in inner]
    session.set_params(open=",".join(left) or None, community=community_id, entity=None)


def render_level(hierarchy: Hierarchy, level: int | None) -> None:
    options = [*(str(n) for n in range(hierarchy.n_levels)), ENTITIES]

    def change() -> None:
        session.set_params(
            level=session.kept("graph_level", options[0]), open=None, all=None, community=None
        )

    session.keep("graph_level", ENTITIES if level is None else str(level))
    st.selectbox(
        "Level",
        options,
        format_func=lambda one: "Entities" if one == ENTITIES else f"Level {one}",
        key="graph_level",
        label_visibility="collapsed",
        width=118,
        on_change=change,
    )


def render_search(corpus: Corpus) -> None:
    graph = session.graph(corpus)
    ordered = session.entities_by_degree(corpus)[:SEARCHED]
    asked = session.param("entity")
    if asked in graph.entity_by_id and asked not in ordered:
        ordered = [asked, *ordered]

    def change() -> None:
        pick_entity(session.kept("graph_search", None))

    session.keep("graph_search", asked if asked in graph.entity_by_id else None)
    st.selectbox(
        "Find an entity",
        ordered,
        format_func=lambda key: shorten(graph.entity_by_id[key].name, 80),
        key="graph_search",
        placeholder="Find an entity",
        label_visibility="collapsed",
        width=230,
        on_change=change,
    )


def render_downloads(
    corpus: Corpus, network: Network, arrangement: Arrangement, hierarchy: Hierarchy
) -> None:
    place, palette = f"{corpus.name}-{hierarchy.algorithm}", look.palette()
    st.download_button(
        "This view as a page (HTML)",
        lambda: graph_html(network, arrangement, palette),
        file_name=f"{place}.html",
        mime="text/html",
        icon=":material/public:",
        on_click="ignore",
        width="stretch",
    )
    st.download_button(
        "The whole graph (GraphML)",
        lambda: graph_ml(session.graph(corpus), hierarchy),
        file_name=f"{place}.graphml",
        mime="application/xml",
        icon=":material/hub:",
        on_click="ignore",
        width="stretch",
    )


def render_opened(
    hierarchy: Hierarchy, opened: tuple[str, ...], reports: dict[str, Report]
) -> None:
    """Draw what was opened in place; each is a button that closes it again."""
    if not opened:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="breadcrumb"):
        for one in opened:
            name = shorten(community_name(hierarchy.by_id[one], reports), 34)
            st.button(
                plain_label(name),
                icon=":material/close:",
                type="tertiary",
                key=f"close_{one}",
                help="Opened in place: close it again",
                on_click=close,
                args=(hierarchy, one),
            )


def ranked_communities(hierarchy: Hierarchy) -> list[Community]:
    """Return the communities that give the colours, in the order of their ranks."""
    ranks = color_ranks(hierarchy)
    found: dict[int, Community] = {}
    for one in hierarchy.communities:  # coarser ones stand before finer ones
        rank = ranks[one.id]
        if rank is not None:
            found.setdefault(rank, one)
    return [found[rank] for rank in sorted(found)]


def render_legend(network: Network, hierarchy: Hierarchy, reports: dict[str, Report]) -> None:
    palette = look.palette()
    if all(unit.what == "entity" for unit in network.units):
        kinds = {unit.kind for unit in network.units}
        parts = [
            (kind.capitalize(), color)
            for kind, color in palette.kinds.items()
            if kind in kinds and kind != "concept"
        ]
        parts += [("Concept and other", palette.kinds["concept"])] * bool(kinds - set(dict(parts)))
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


def render_hidden(network: Network, request: Request) -> None:
    """Say what is not drawn and why, with the buttons that draw it."""
    what = "entities" if request.level is None else f"communities at level {request.level}"
    if any(unit.group for unit in network.units) and request.level is not None:
        what = "circles"
    units, ties = len(network.units), len(network.ties)
    parts = [f"{number(units)} of {number(network.n_units)} {what}"]
    if units < network.n_units:
        rest = "the best connected" if request.level is None else "the largest"
        parts.append(f"; {rest} are drawn")
    parts.append(f". {number(ties)} of {number(network.n_ties)} ties among them")
    parts.append(". Circle area is entities, line width is relationships.")
    if request.level is None:
        parts[-1] = ". Circle area is mentions."
    look.text("".join(parts), "s")
    with st.container(horizontal=True, gap="small", key="row_hidden"):
        more = min(network.n_units, MOST)
        if units < more:
            st.button(
                f"Show {'all ' if more == network.n_units else ''}{number(more)}",
                type="tertiary",
                key="loss_units",
                on_click=session.set_params,
                kwargs={"all": "1"},
            )
        elif session.param("all"):
            st.button(
                f"Show {FEW} again",
                type="tertiary",
                key="loss_fewer",
                on_click=session.set_params,
                kwargs={"all": None},
            )
        if ties < network.n_ties:
            st.button(
                f"Show all {number(network.n_ties)} ties",
                type="tertiary",
                key="loss_ties",
                on_click=session.set_params,
                kwargs={"ties": "all"},
            )
        elif request.all_ties:
            st.button(
                "Show the strongest ties",
                type="tertiary",
                key="loss_strong",
                on_click=session.set_params,
                kwargs={"ties": None},
            )


def render_table(network: Network) -> None:
    """Draw what the picture shows as a table; a row that is picked is picked in the picture."""
    with st.expander(f"The same as a table, {count(len(network.units), 'row')}"):
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
                pick(network.units[rows[0]])

        st.dataframe(
            frame,
            hide_index=True,
            key=key,
            on_select=chosen,
            selection_mode="single-row",
            height=320,
            alt="What the picture shows",
        )


def render_community(
    corpus: Corpus, hierarchy: Hierarchy, one: Community, report: Report | None
) -> None:
    inside = hierarchy.children[one.id]
    look.draw(
        f'<p class="sm-l">Community, level {one.level}</p>'
        f'<h2 class="sm-h2">{esc(report.title if report else "No report yet")}</h2>'
    )
    look.facts(
        [
            ("Entities", number(len(one.entity_ids))),
            ("Parts", number(len(inside))),
            ("Rating", f"{report.rating:.1f}" if report else "–"),
        ]
    )
    if report:
        look.text(shorten(report.summary, 520), "p")
    st.button(
        "Open here",
        icon=":material/zoom_in_map:",
        key="open_here",
        width="stretch",
        help="Shows its parts in place, or its entities (also a double click)",
        on_click=open_in_place,
        args=(hierarchy, [one.id]),
    )
    with st.container(key="link_community"):
        st.page_link(
            "communities.py",
            label="Read its report",
            icon=":material/open_in_new:",
            query_params={
                "corpus": corpus.name,
                "hierarchy": hierarchy.key,
                "community": one.id,
            },
        )


def render_card(
    corpus: Corpus, hierarchy: Hierarchy, reports: dict[str, Report], network: Network
) -> None:
    graph = session.graph(corpus)
    entity = graph.entity_by_id.get(session.param("entity") or "")
    community = hierarchy.by_id.get(session.param("community") or "")
    if entity is not None:
        home = session.homes(corpus, hierarchy.key).get(entity.id)
        place = community_name(hierarchy.by_id[home], reports) if home else ""
        draw_entity(
            corpus,
            graph,
            entity,
            core_number=session.core_numbers(corpus)[entity.id],
            place=place,
            on_pick=pick_entity,
        )
        drawn = {unit.id for unit in network.units}
        if home and entity.id not in drawn:
            path = [one.id for one in hierarchy.path(home)]
            st.button(
                "Show it in the graph",
                icon=":material/my_location:",
                key="show_in_graph",
                width="stretch",
                on_click=open_in_place,
                args=(hierarchy, path),
            )
    elif community is not None:
        render_community(corpus, hierarchy, community, reports.get(community.id))
    else:
        look.heading("Nothing is picked")
        look.text(
            "Click a circle for what it holds, double-click it to open it in place. Find an entity "
            "by name above.",
            "p",
        )


def picked_unit(corpus: Corpus, hierarchy: Hierarchy, network: Network) -> str | None:
    """Return the circle to mark: the picked one, or the community that holds the picked entity."""
    drawn = {unit.id for unit in network.units}
    asked = session.param("entity") or session.param("community")
    if asked in drawn:
        return asked
    home = session.homes(corpus, hierarchy.key).get(asked or "")
    path = hierarchy.path(home) if home else ()
    return next((one.id for one in reversed(path) if one.id in drawn), None)


def render_built(corpus: Corpus, heads: tuple[HierarchySummary, ...]) -> None:
    left, right = st.columns([1, 4], vertical_alignment="center")
    graph = session.graph(corpus)
    documents = session.documents(corpus)
    with (
        right,
        st.container(horizontal=True, horizontal_alignment="right", gap="small", key="row_graph"),
    ):
        chosen = heads[0]
        if len(heads) > 1:
            chosen = choices.choose_hierarchy(heads, key="graph_hierarchy")
        hierarchy = session.hierarchy(corpus, chosen.key)
        reports = session.reports(corpus, hierarchy.key)
        level = asked_level(hierarchy)
        render_level(hierarchy, level)
        render_search(corpus)
        filters = filtering.asked_filters(graph, documents)
        top_core = max(session.core_numbers(corpus).values(), default=0)
        with st.popover(
            "Filters", icon=":material/tune:", type="primary" if filters.is_set else "secondary"
        ):
            filtering.draw_filters(filters, graph, documents, top_core=top_core)
        request = Request(
            level,
            asked_opened(hierarchy) if level is not None else (),
            MOST if session.param("all") else FEW,
            session.param("ties") == "all",
        )
        network, arrangement = session.drawn(corpus, hierarchy.key, request, filters)
        with st.popover("", icon=":material/download:", help="Download"):
            render_downloads(corpus, network, arrangement, hierarchy)
    with left:
        look.head("Graph")
    left, right = st.columns([2.3, 1], gap="medium")
    with left:
        render_opened(hierarchy, request.opened, reports)
        if not network.units:
            with look.empty("Nothing passes the filters", "Widen them, or clear them.", "no_units"):
                st.button("Clear filters", key="clear_all", on_click=filtering.clear_filters)
        else:
            draw_network(
                network,
                arrangement,
                version=digest(corpus.version(), str(request), str(filters)),
                picked=picked_unit(corpus, hierarchy, network),
                key="network",
                on_pick=pick,
                on_enter=lambda unit: (
                    open_in_place(hierarchy, [unit.id]) if unit.what == "community" else pick(unit)
                ),
            )
            render_legend(network, hierarchy, reports)
            render_hidden(network, request)
            render_table(network)
    with right, st.container(border=True, key="panel_graph", gap="small"):
        render_card(corpus, hierarchy, reports, network)


here = session.corpus()
heads = choices.hierarchies(here)
if here is not None:
    session.set_params(corpus=here.name)
if here is not None and heads:
    render_built(here, heads)
else:
    look.head("Graph")
    choices.draw_not_ready(
        here, "A build finds what the documents talk about and ties it together."
    )
