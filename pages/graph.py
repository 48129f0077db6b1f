"""Graph: the whole as community super-nodes; open one, search an entity, follow its evidence."""

from __future__ import annotations

import streamlit as st

from pages import _choices as choices
from pages import _filters as filtering
from pages import _graph_address as address
from pages import _graph_beneath as beneath
from pages import _graph_card as card
from pages import _graph_choices as choosing
from pages import _look as look
from pages import _session as session
from pages._network import draw_network
from sensemaking.figures.arranging import Arrangement
from sensemaking.figures.filtering import Filters
from sensemaking.figures.network import Network, Request
from sensemaking.types import Hierarchy, HierarchySummary, digest
from sensemaking.workspace import Corpus


def render_filters(corpus: Corpus) -> Filters:
    """Draw the panel of filters once it is opened; returns what is asked for."""
    graph, documents = session.graph(corpus), session.documents(corpus)
    filters = filtering.asked_filters(graph, documents)
    panel = st.popover(
        f"Filters ({filters.n_set})" if filters.is_set else "Filters",
        icon=":material/tune:",
        key="graph_filters",
        on_change="rerun",
    )
    if panel.open:
        with panel:
            top = max(session.core_numbers(corpus).values(), default=0)
            filtering.draw_filters(filters, graph, documents, top_core=top)
    return filters


def render_choices(
    corpus: Corpus, heads: tuple[HierarchySummary, ...]
) -> tuple[Hierarchy, Request, Filters, Network, Arrangement]:
    chosen = heads[0]
    if len(heads) > 1 or session.topic_hierarchies(corpus):
        chosen = choices.choose_hierarchy(heads, key="graph_hierarchy", topics_of=corpus)
    hierarchy = session.hierarchy(corpus, chosen.key)
    choosing.draw_search(corpus)
    filters = render_filters(corpus)
    request = address.asked_request(hierarchy)
    network, arrangement = session.drawn(corpus, hierarchy.key, request, filters)
    panel = st.popover(
        "", icon=":material/download:", help="Download", key="download", on_change="rerun"
    )
    if panel.open:
        with panel:
            choosing.draw_downloads(corpus, network, arrangement, hierarchy)
    return hierarchy, request, filters, network, arrangement


def render_built(corpus: Corpus, heads: tuple[HierarchySummary, ...]) -> None:
    left, right = st.columns([1, 4], vertical_alignment="center")
    with left:
        look.head("Graph")
    with (
        right,
        st.container(horizontal=True, horizontal_alignment="right", gap="small", key="row_graph"),
    ):
        hierarchy, request, filters, network, arrangement = render_choices(corpus, heads)
    reports = session.reports(corpus, hierarchy.key)
    left, right = st.columns([2.3, 1], gap="medium")
    with left:
        choosing.draw_level(hierarchy, request.level)
        choosing.draw_opened(hierarchy, request.opened, request.level, reports)
        if not network.units:
            with look.empty("Nothing passes the filters", "Widen them, or clear them.", "no_units"):
                st.button("Clear filters", key="clear_all", on_click=filtering.clear_filters)
        else:
            draw_network(
                network,
                arrangement,
                version=digest(corpus.version(), hierarchy.key, str(request), str(filters)),
                picked=card.picked_unit(corpus, hierarchy, network),
                key="network",
                on_pick=lambda unit: address.click(hierarchy, unit),
                on_disc=address.pick_community,
            )
            beneath.draw_legend(network, hierarchy, reports)
            beneath.draw_hidden(network, request)
            beneath.draw_table(network, hierarchy)
    with right, st.container(border=True, key="panel_graph", gap="small"):
        card.draw_card(corpus, hierarchy, reports, network)


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
