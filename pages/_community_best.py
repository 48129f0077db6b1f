"""What is worth reading first, while no community is picked."""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages._community_address import open_community
from pages._look import esc
from pages._words import count, plain_label, shorten
from sensemaking.types import Hierarchy, Report

BEST = 5


def draw_best(hierarchy: Hierarchy, reports: dict[str, Report]) -> None:
    """Draw the reports with the highest ratings, while no community is picked."""
    look.heading("Highest rated", f"{count(len(reports), 'report')} in all")
    known = [one for one in hierarchy.communities if one.id in reports]
    known.sort(key=lambda one: (-reports[one.id].rating, -reports[one.id].weight, one.id))
    seen: set[str] = set()
    for one in known:
        report = reports[one.id]
        if report.id in seen or len(seen) == BEST:
            continue
        seen.add(report.id)
        with st.container(key=f"link_best_{one.id}", gap=None):
            st.button(
                plain_label(shorten(report.title, 70)),
                type="tertiary",
                key=f"best_{one.id}",
                on_click=open_community,
                args=(one.id,),
            )
            look.draw(
                f'<p class="sm-s"><b>{report.rating:.1f}</b> '
                f"{esc(shorten(report.summary, 180))}</p>"
            )
