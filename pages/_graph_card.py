"""The card beside the graph: the community or the entity that is picked, or how to pick one."""

from __future__ import annotations

import streamlit as st

from pages import _graph_address as address
from pages import _graph_choices as choosing
from pages import _look as look
from pages import _session as session
from pages._entity import draw_entity
from pages._look import esc
from pages._report import community_name
from pages._words import number, shorten
from sensemaking.figures.network import Network
from sensemaking.types import Community, Entity, Hierarchy, Report
from sensemaking.workspace import Corpus

SUMMARY_LENGTH = 520


def draw_card(
    corpus: Corpus, hierarchy: Hierarchy, reports: dict[str, Report], network: Network
) -> None:
    """Draw what the address picks."""
    entity = session.graph(corpus).entity_by_id.get(session.param("entity") or "")
    community = hierarchy.by_id.get(session.param("community") or "")
    asked = session.param("find")
    if entity is not None:
        _draw_entity(corpus, hierarchy, reports, network, entity)
    elif community is not None:
        _draw_community(corpus, hierarchy, community, reports.get(community.id))
    elif asked:
        choosing.draw_found(corpus, asked)
    else:
        look.heading("Nothing is picked")
        look.text(
            "Click a circle: a community opens in place, an entity shows what is said of it. "
            "Find an entity by its name above.",
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


def _draw_entity(
    corpus: Corpus,
    hierarchy: Hierarchy,
    reports: dict[str, Report],
    network: Network,
    entity: Entity,
) -> None:
    home = session.homes(corpus, hierarchy.key).get(entity.id)
    draw_entity(
        corpus,
        session.graph(corpus),
        entity,
        core_number=session.core_numbers(corpus)[entity.id],
        place=community_name(hierarchy.by_id[home], reports) if home else "",
        on_pick=address.pick_entity,
    )
    if home and entity.id not in {unit.id for unit in network.units}:
        st.button(
            "Show it in the graph",
            icon=":material/my_location:",
            key="show_in_graph",
            width="stretch",
            on_click=address.reveal,
            args=(hierarchy, entity.id, [one.id for one in hierarchy.path(home)]),
        )


def _draw_community(
    corpus: Corpus, hierarchy: Hierarchy, one: Community, report: Report | None
) -> None:
    look.draw(
        f'<p class="sm-l">Community, level {one.level}</p>'
        f'<h2 class="sm-h2">{esc(report.title if report else "No report yet")}</h2>'
    )
    look.facts(
        [
            ("Entities", number(len(one.entity_ids))),
            ("Parts", number(len(hierarchy.children[one.id]))),
            ("Rating", f"{report.rating:.1f}" if report else "–"),
        ]
    )
    if report:
        look.text(shorten(report.summary, SUMMARY_LENGTH), "p")
    is_open = one.id in address.asked_opened(hierarchy)
    st.button(
        "Close it" if is_open else "Open here",
        icon=":material/zoom_out_map:" if is_open else ":material/zoom_in_map:",
        key="close_here" if is_open else "open_here",
        width="stretch",
        help="One circle again" if is_open else "Shows its parts in place, or its entities",
        on_click=address.close if is_open else address.open_in_place,
        args=(hierarchy, one.id if is_open else [one.id]),
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
