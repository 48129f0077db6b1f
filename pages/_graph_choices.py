"""The choices above the graph: its level, the search for an entity, the files to take away."""

from __future__ import annotations

import streamlit as st

from pages import _graph_address as address
from pages import _look as look
from pages import _session as session
from pages._report import community_name
from pages._words import distinct, plain_label, shorten
from sensemaking.figures.arranging import Arrangement
from sensemaking.figures.downloads import graph_html, graph_ml
from sensemaking.figures.network import Network
from sensemaking.types import Hierarchy, KnowledgeGraph, Report
from sensemaking.workspace import Corpus

SUGGESTED = 1500
"""Entities offered while one types, the best connected first; what else is typed is looked for
in all names and aliases."""
FOUND = 30
FEW_LEVELS = 5
"""Levels that stand side by side; more become a list."""


def draw_level(hierarchy: Hierarchy, level: int | None) -> None:
    """Draw the choice of a level, entities alone being the last."""
    options = [*(str(n) for n in range(hierarchy.n_levels)), address.ENTITIES]

    def change() -> None:
        chosen = session.kept("graph_level", options[0])
        session.set_params(level=chosen, open=None, all=None, **address.CARD)

    def name(one: str) -> str:
        return "Entities" if one == address.ENTITIES else f"Level {one}"

    session.keep("graph_level", address.ENTITIES if level is None else str(level))
    if hierarchy.n_levels > FEW_LEVELS:
        st.selectbox(
            "Level",
            options,
            format_func=name,
            key="graph_level",
            label_visibility="collapsed",
            width=130,
            on_change=change,
        )
        return
    st.segmented_control(
        "Level",
        options,
        required=True,
        format_func=name,
        key="graph_level",
        label_visibility="collapsed",
        on_change=change,
    )


def draw_search(corpus: Corpus) -> None:
    """Draw the search: names are suggested, anything else that is typed is looked for."""
    graph = session.graph(corpus)
    suggested = session.entities_by_degree(corpus)[:SUGGESTED]
    asked = session.param("entity")
    asked = asked if asked in graph.entity_by_id else session.param("find")
    if asked and asked not in suggested:
        suggested = [asked, *suggested]

    def change() -> None:
        typed = session.kept("graph_search", None)
        if typed is None or typed in graph.entity_by_id:
            address.pick_entity(typed)
        else:
            session.set_params(**address.CARD | {"find": shorten(typed, 200)})

    known = [(key, graph.entity_by_id.get(key)) for key in suggested]
    names = distinct({key: shorten(one.name if one else key, 80) for key, one in known})
    session.keep("graph_search", asked)
    st.selectbox(
        "Find an entity",
        suggested,
        format_func=lambda key: names.get(key, key),
        key="graph_search",
        placeholder="Find an entity",
        label_visibility="collapsed",
        accept_new_options=True,
        width=230,
        on_change=change,
    )


def find_entities(graph: KnowledgeGraph, text: str) -> list[str]:
    """Return the ids of entities whose name or alias holds every word of a text.

    Whole names come first, then names that begin with it, then the best connected.
    """
    asked = " ".join(text.casefold().split())
    words = asked.split()
    found = []
    for entity in graph.entities:
        names = [one.casefold() for one in (entity.name, *entity.aliases)]
        if any(all(word in one for word in words) for one in names):
            rank = 0 if asked in names else 1 if any(one.startswith(asked) for one in names) else 2
            found.append((rank, -graph.degrees[entity.id], entity.name, entity.id))
    return [entity_id for *_, entity_id in sorted(found)]


def draw_found(corpus: Corpus, text: str) -> None:
    """Draw the entities that a typed text may mean."""
    graph = session.graph(corpus)
    found = find_entities(graph, text)
    look.heading("Found" if found else "Nothing has that name", f"{len(found)}" if found else "")
    look.text(f"Looked for “{shorten(text, 80)}” in all names and aliases.", "s")
    with st.container(key="link_found", gap=None):
        for one in found[:FOUND]:
            st.button(
                plain_label(shorten(graph.entity_by_id[one].name, 60)),
                type="tertiary",
                key=f"found_{one}",
                on_click=address.pick_entity,
                args=(one,),
            )
    if len(found) > FOUND:
        look.text(f"{len(found) - FOUND} more; type more of the name.", "s")


def draw_opened(
    hierarchy: Hierarchy, opened: tuple[str, ...], level: int | None, reports: dict[str, Report]
) -> None:
    """Draw the way back: the level as it is, then what was opened, each closed by a click."""
    if not opened:
        return
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="breadcrumb"):
        st.button(
            f"All of level {level}",
            icon=":material/arrow_back:",
            type="tertiary",
            key="close_all",
            on_click=address.close_all,
        )
        for one in opened:
            st.button(
                plain_label(shorten(community_name(hierarchy.by_id[one], reports), 34)),
                icon=":material/close:",
                type="tertiary",
                key=f"close_{one}",
                help="Opened in place: close it again",
                on_click=address.close,
                args=(hierarchy, one),
            )


def draw_downloads(
    corpus: Corpus, network: Network, arrangement: Arrangement, hierarchy: Hierarchy
) -> None:
    """Draw the buttons that take the view or the whole graph away; files are made when asked."""
    place, palette = f"{corpus.name}-{hierarchy.algorithm}", look.palette()
    st.download_button(
        "This view as a page (HTML)",
        lambda: graph_html(network, arrangement, palette),
        file_name=f"{place}.html",
        mime="text/html",
        icon=":material/public:",
        on_click="ignore",
        width="stretch",
        key="download_html",
    )
    st.download_button(
        "The whole graph (GraphML)",
        lambda: graph_ml(session.graph(corpus), hierarchy),
        file_name=f"{place}.graphml",
        mime="application/xml",
        icon=":material/hub:",
        on_click="ignore",
        width="stretch",
        key="download_graphml",
    )
