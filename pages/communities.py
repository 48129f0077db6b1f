"""Communities: the hierarchy as a figure, a way down and up, a report with its sources."""

from __future__ import annotations

import streamlit as st

from pages import _beside as beside
from pages import _choices as choices
from pages import _community_address as address
from pages import _community_best as best
from pages import _community_figure as drawing
from pages import _community_notes as notes
from pages import _community_search as search
from pages import _community_tables as tables
from pages import _look as look
from pages import _report as reporting
from pages import _session as session
from pages import _trust as trust
from pages._words import count, number
from sensemaking.types import Community, CommunityMark, Hierarchy, HierarchySummary, Report
from sensemaking.workspace import Corpus


def render_built(corpus: Corpus, heads: tuple[HierarchySummary, ...]) -> None:
    left, right = st.columns([1, 2.2], vertical_alignment="center")
    with (
        right,
        st.container(horizontal=True, horizontal_alignment="right", gap="small", key="row_choices"),
    ):
        chosen = choices.choose_hierarchy(heads, key="communities_hierarchy", topics_of=corpus)
        hierarchy = session.hierarchy(corpus, chosen.key)
        reports = session.reports(corpus, hierarchy.key)
        focus = hierarchy.by_id.get(session.param("community") or "")
        levels, level = address.asked_level(hierarchy, focus)
        drawing.choose_level(levels, level)
        search.draw_box()
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
            drawing.draw_figure(hierarchy, reports, focus, level)
            render_lists(corpus, hierarchy, focus, reports, level)
    with right, st.container(border=True, key="panel_report", gap="small"):
        render_reading(corpus, hierarchy, focus, reports, picked)
    render_whole(corpus, heads, hierarchy)


def render_reading(
    corpus: Corpus,
    hierarchy: Hierarchy,
    focus: Community | None,
    reports: dict[str, Report],
    picked: int | None,
) -> None:
    """Draw the report on the focus; without one what was found, or what is worth reading."""
    marks = corpus.notebook.marks()
    if focus is None:
        if search.asked():
            search.draw_found(corpus, hierarchy.key)
        else:
            notes.draw_pinned(hierarchy, reports, marks)
            best.draw_best(hierarchy, reports)
        return
    report, mark = reports.get(focus.id), marks.get(focus.member_key, CommunityMark())
    if search.asked():
        search.draw_back()
    notes.draw_actions(corpus, focus, report, mark)
    reporting.draw_head(focus, report)
    notes.draw_note(mark)
    trust.draw_badge(corpus, hierarchy, focus)
    if report is not None:
        reporting.draw_findings(focus, report, picked=picked)


def render_lists(
    corpus: Corpus,
    hierarchy: Hierarchy,
    focus: Community | None,
    reports: dict[str, Report],
    level: int,
) -> None:
    """Draw the list that is asked for: parts, a level, entities or relationships."""
    parts = sorted(
        hierarchy.children[focus.id if focus else None],
        key=lambda one: (-len(one.entity_ids), one.id),
    )
    at_level = address.listed(hierarchy, focus, level)
    shown = {"parts": f"Parts {number(len(parts))}"} if parts else {}
    if at_level and at_level != parts:
        shown["level"] = f"Level {level}: {number(len(at_level))}"
    if focus:
        shown["entities"] = f"Entities {number(len(focus.entity_ids))}"
        shown["ties"] = "Relationships"
    asked = session.param("list")
    asked = asked if asked in shown else next(iter(shown))

    def change() -> None:
        session.set_params(list=session.kept("communities_list", None), page=None)

    session.keep("communities_list", asked)
    st.segmented_control(
        "List",
        list(shown),
        format_func=shown.__getitem__,
        key="communities_list",
        label_visibility="collapsed",
        on_change=change,
    )
    if asked == "entities" and focus:
        tables.draw_members(corpus, hierarchy, focus)
    elif asked == "ties" and focus:
        tables.draw_relationships(corpus, hierarchy, focus)
    elif asked == "level":
        tables.draw_parts(corpus, hierarchy, at_level, reports, f"At level {level}")
    else:
        tables.draw_parts(corpus, hierarchy, parts, reports, "Inside" if focus else "At level 0")


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
