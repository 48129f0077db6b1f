"""Communities: the hierarchy as a figure, a way down and up, a report with its sources."""

from __future__ import annotations

import streamlit as st

from pages import _beside as beside
from pages import _choices as choices
from pages import _inside as inside
from pages import _look as look
from pages import _report as reporting
from pages import _session as session
from pages import _trust as trust
from pages._words import count
from sensemaking.figures.hierarchy import community_tree_figure
from sensemaking.types import Community, Hierarchy, HierarchySummary, Report
from sensemaking.workspace import Corpus


def asked_level(hierarchy: Hierarchy, focus: Community | None) -> tuple[list[int], int]:
    """Return the levels below the focus, and the one to list: the asked one, or the next."""
    deepest = hierarchy.n_levels - 1
    below = min(deepest, focus.level + 1 if focus else 0)
    asked = session.number_param("level")
    level = deepest if session.param("level") == choices.LEAVES else below
    level = level if asked is None else asked
    return list(range(below, deepest + 1)), min(max(level, below), deepest)


def listed(hierarchy: Hierarchy, focus: Community | None, level: int) -> list[Community]:
    inside = {one.id for one in hierarchy.descendants(focus.id)} if focus else None
    found = [one for one in hierarchy.view(level) if inside is None or one.id in inside]
    return sorted(found, key=lambda one: (-len(one.entity_ids), one.id))


def render_figure(hierarchy: Hierarchy, reports: dict[str, Report], focus: str | None) -> None:
    key = f"tree_{hierarchy.key}"

    def clicked() -> None:
        points = session.selection(key, "points")
        here = points[0]["id"] if points else None
        if here == focus and here in hierarchy.by_id:  # a click on the focus itself rolls up
            here = hierarchy.by_id[here].parent_id
        if points:
            known = here if here in hierarchy.by_id else None
            session.set_params(community=known, finding=None, level=None)

    titles = {one: report.title for one, report in reports.items()}
    figure = community_tree_figure(hierarchy, titles, focus=focus, palette=look.palette())
    st.plotly_chart(
        figure,
        key=key,
        theme=None,
        on_select=clicked,
        selection_mode="points",
        config={"displayModeBar": False},
        alt="Communities as areas by number of entities; the table below has the same.",
    )


def render_built(corpus: Corpus, heads: tuple[HierarchySummary, ...]) -> None:
    left, right = st.columns([2, 3], vertical_alignment="center")
    with (
        right,
        st.container(horizontal=True, horizontal_alignment="right", gap="small", key="row_choices"),
    ):
        chosen = choices.choose_hierarchy(heads, key="communities_hierarchy")
        hierarchy = session.hierarchy(corpus, chosen.key)
        reports = session.reports(corpus, hierarchy.key)
        focus = hierarchy.by_id.get(session.param("community") or "")
        levels, level = asked_level(hierarchy, focus)
        choices.choose_level(levels, level, key="communities_level")
    with left:
        unplaced = count(len(hierarchy.unplaced), "entity", "entities")
        look.head("Communities", f"{unplaced} in none" if hierarchy.unplaced else "")
    report = reports.get(focus.id) if focus else None
    picked = session.number_param("finding") if report else None
    left, right = st.columns([1, 1.12], gap="medium")
    with left:
        reporting.draw_breadcrumb(hierarchy, focus, reports)
        if focus and report and picked is not None and picked <= len(report.findings):
            with (
                st.container(key="pane_sources", height="stretch"),
                st.container(border=True, key="panel_sources", gap="small"),
            ):
                reporting.draw_sources(corpus, hierarchy, focus, report, picked)
        else:
            render_figure(hierarchy, reports, focus.id if focus else None)
            rows = listed(hierarchy, focus, level)
            if rows:
                inside.draw_parts(rows, reports, "Inside" if focus else f"At level {level}")
            elif focus:
                inside.draw_members(corpus, hierarchy, focus)
    with right, st.container(border=True, key="panel_report", gap="small"):
        if focus:
            trust.draw_badge(corpus, hierarchy, focus)
            reporting.draw_report(corpus, focus, report, picked=picked)
        else:
            inside.draw_best(hierarchy, reports)
    render_whole(corpus, heads, hierarchy)


def render_whole(corpus: Corpus, heads: tuple[HierarchySummary, ...], hierarchy: Hierarchy) -> None:
    """Draw what is to be known of the hierarchy as a whole, the part that is asked for."""
    parts = {"shape": "Shape", "trust": "Trust", "beside": "Side by side"}

    def change() -> None:
        session.set_params(about=session.kept("about", None))

    asked = session.param("about")
    session.keep("about", asked if asked in parts else None)
    st.segmented_control(
        "About this hierarchy",
        list(parts),
        format_func=parts.__getitem__,
        key="about",
        on_change=change,
    )
    if asked in parts:
        with st.container(border=True, key="panel_about", gap="small"):
            if asked == "shape":
                trust.draw_shape(corpus, hierarchy)
            elif asked == "trust":
                trust.draw_stability(corpus, hierarchy)
            else:
                beside.draw_beside(corpus, heads, hierarchy)


here = session.corpus()
heads = choices.hierarchies(here)
if here is not None:
    session.set_params(corpus=here.name)
if here is not None and heads:
    render_built(here, heads)
else:
    look.head("Communities")
    choices.draw_not_ready(
        here, "A build groups what the documents talk about and writes a report on each group."
    )
