"""The hierarchy as areas or as a tree, and the level that both show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import streamlit as st

from pages import _community_address as address
from pages import _look as look
from pages import _session as session
from pages._community_tree import draw_tree
from sensemaking.figures.hierarchy import Shape, TreeView, community_tree_figure
from sensemaking.types import Community, Hierarchy, Report


def choose_level(levels: Sequence[int], level: int) -> None:
    """Draw the slider that rolls up and down; it is read from the address."""
    if len(levels) < 2:
        look.text(f"Level {level}", "s")
        return

    def change() -> None:
        session.set_params(level=session.kept("communities_level", level), page=None)

    session.keep("communities_level", level)
    st.select_slider(
        "Level",
        list(levels),
        format_func=lambda one: f"Level {one}",
        key="communities_level",
        label_visibility="collapsed",
        width=150,
        on_change=change,
    )


def draw_figure(
    hierarchy: Hierarchy, reports: dict[str, Report], focus: Community | None, level: int
) -> None:
    """Draw the choice of a figure, and the figure; a click in it drills down."""
    asked = address.asked_figure()

    def change() -> None:
        session.set_params(**{"as": session.kept("communities_figure", None)})

    session.keep("communities_figure", asked)
    st.segmented_control(
        "Figure",
        list(address.FIGURES),
        format_func=address.FIGURES.__getitem__,
        key="communities_figure",
        label_visibility="collapsed",
        on_change=change,
    )
    if asked == "tree":
        draw_tree(hierarchy, focus, reports)
    else:
        _draw_areas(
            hierarchy, reports, TreeView(focus.id if focus else None, level, cast("Shape", asked))
        )


def _draw_areas(hierarchy: Hierarchy, reports: dict[str, Report], view: TreeView) -> None:
    key = f"tree_{hierarchy.key}_{view.shape}"

    def clicked() -> None:
        points = session.selection(key, "points")
        here = points[0]["id"] if points else None
        if here == view.focus and here in hierarchy.by_id:  # a click on the focus rolls up
            here = hierarchy.by_id[here].parent_id
        if points:
            address.open_community(here if here in hierarchy.by_id else None)

    titles = {one: report.title for one, report in reports.items()}
    st.plotly_chart(
        community_tree_figure(hierarchy, titles, view, look.palette()),
        key=key,
        theme=None,
        on_select=clicked,
        selection_mode="points",
        config={"displayModeBar": False},
        alt="Communities as areas by number of entities; the table below has the same.",
    )
