"""Search in the words of all reports of a hierarchy."""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._paging import draw_pager, paged
from pages._words import count, plain_label, shorten
from sensemaking.types import FoundReport
from sensemaking.workspace import Corpus

PARAM = "find"


def asked() -> str:
    """Return what is looked for, "" for nothing."""
    return (session.param(PARAM) or "")[:300]


def draw_box() -> None:
    """Draw the box; what is typed goes into the address and leads back to the list."""

    def change() -> None:
        session.set_params(
            find=session.kept("search_reports", "").strip()[:300] or None,
            community=None,
            finding=None,
            page=None,
        )

    session.keep("search_reports", asked())
    st.text_input(
        "Search reports",
        key="search_reports",
        placeholder="Search reports",
        icon=":material/search:",
        label_visibility="collapsed",
        on_change=change,
        width=200,
    )


def draw_found(corpus: Corpus, hierarchy_key: str) -> None:
    """Draw the reports that were found, best first, each with its passage that fits best."""
    words = asked()
    found = corpus.notebook.search(hierarchy_key, words)
    look.heading("Found", count(len(found), "report"))
    if not found:
        look.text(f"No report has a word of “{shorten(words, 80)}”. Try another word.", "s")
    for one in paged(found):
        _draw_hit(one)
    draw_pager(len(found), key="found")


def draw_back() -> None:
    """Draw the way back from a report to the list it was found in."""
    st.button(
        plain_label(f"Found for “{shorten(asked(), 40)}”"),
        icon=":material/chevron_left:",
        type="tertiary",
        key="back_to_found",
        on_click=session.set_params,
        kwargs={"community": None, "finding": None},
    )


def _draw_hit(one: FoundReport) -> None:
    with st.container(key=f"link_found_{one.community_id}", gap=None):
        st.button(
            plain_label(shorten(one.title, 70)),
            type="tertiary",
            key=f"found_{one.community_id}",
            on_click=session.set_params,
            kwargs={
                "community": one.community_id,
                "finding": one.finding if one.finding >= 0 else None,
                "level": None,
            },
        )
        heading = f"<b>{esc(one.heading)}</b> " if one.heading else ""
        look.draw(f'<p class="sm-s">Level {one.level}. {heading}{esc(shorten(one.text, 200))}</p>')
