"""A user's pin, name and note of a community: set here, shown wherever its title stands."""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._community_address import open_community
from pages._look import exact
from pages._report import community_name
from pages._words import plain_label, shorten
from sensemaking.types import Community, CommunityMark, Hierarchy, Report
from sensemaking.workspace import Corpus


def draw_actions(
    corpus: Corpus, community: Community, report: Report | None, mark: CommunityMark
) -> None:
    """Draw the buttons that pin, name and annotate the community, and undo, where it is kept."""
    if corpus.is_read_only:
        return
    notebook, key = corpus.notebook, community.member_key

    def pin() -> None:
        session.act(notebook.pin, key, is_pinned=not mark.is_pinned)

    with st.container(horizontal=True, horizontal_alignment="right", gap="small", key="row_marks"):
        st.button(
            "Unpin" if mark.is_pinned else "Pin",
            icon=":material/keep:",
            type="tertiary",
            key="pin_community",
            on_click=pin,
        )
        with st.popover(
            "Name and note", icon=":material/edit_note:", type="tertiary", key="name_and_note"
        ):
            _draw_form(corpus, community, report, mark)
        if notebook.edits():
            st.button(
                "Undo",
                icon=":material/undo:",
                type="tertiary",
                key="undo_mark",
                help="Takes back the last pin, name or note in this corpus",
                on_click=session.act,
                args=(notebook.undo,),
            )


def _draw_form(
    corpus: Corpus, community: Community, report: Report | None, mark: CommunityMark
) -> None:
    key = community.member_key
    name, note = f"name_{key}", f"note_{key}"

    def save() -> None:
        session.act(corpus.notebook.rename, key, session.kept(name, ""))
        session.act(corpus.notebook.write, key, session.kept(note, ""))

    with st.form(f"form_{key}", border=False):
        if report is not None:
            st.text_input(
                "Name",
                value=mark.name,
                key=name,
                placeholder=shorten(report.title, 60),
                max_chars=120,
                help="Empty: the title of the report. It stays with these entities, also after "
                "a new build and in other hierarchies.",
            )
        st.text_area("Note", value=mark.note, key=note, height=120, max_chars=4000)
        st.form_submit_button("Keep", on_click=save)


def draw_note(mark: CommunityMark) -> None:
    """Draw the note of a user, in the letters of what people write."""
    if mark.note:
        look.draw(f'<p class="sm-src small">{exact(mark.note)}</p>')


def draw_pinned(
    hierarchy: Hierarchy, reports: dict[str, Report], marks: dict[str, CommunityMark]
) -> None:
    """Draw the pinned and the annotated communities of this hierarchy, pinned ones first."""
    seen: dict[str, Community] = {}
    for one in hierarchy.communities:
        if one.member_key in marks:
            seen.setdefault(one.member_key, one)
    if not seen:
        return
    look.heading("Pinned and noted", f"{len(seen)}")
    for key, one in sorted(
        seen.items(), key=lambda pair: (not marks[pair[0]].is_pinned, pair[1].level, pair[0])
    ):
        with st.container(key=f"link_mark_{key}", gap=None):
            st.button(
                plain_label(shorten(community_name(one, reports), 70)),
                type="tertiary",
                icon=":material/keep:" if marks[key].is_pinned else None,
                key=f"marked_{key}",
                on_click=open_community,
                args=(one.id,),
            )
            if marks[key].note:
                look.draw(f'<p class="sm-src small">{exact(shorten(marks[key].note, 180))}</p>')
    look.draw('<div class="sm-hr"></div>')
