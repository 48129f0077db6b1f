"""Corpora: what there is, in what state; make one, try the sample, take one out of the trash."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import _look as look
from pages import _session as session
from pages._cards import RENAME, TRASH, draw_card
from pages._look import esc
from pages._words import count, plain_label
from sensemaking.types import CorpusSummary
from sensemaking.workspace.sample import SAMPLE_NAME

COLUMNS = 3
SAMPLE_NOTE = "A made-up dossier on a harbour scheme. It builds once, in about 30 s."
OWN_NOTE = "PDF, Word, HTML, Markdown, text, CSV, JSON, or a zip of them."


def open_sample() -> None:
    """Add the sample, start its build and go where it can be watched."""
    here = session.workspace()
    made = session.act(here.add_sample)
    if made is not None:
        session.act(made.start_build)
        session.go("documents.py", corpus=made.name)


def create() -> None:
    title = session.kept("new_title", "").strip()
    made = session.act(session.workspace().create, title)
    if made is not None:
        session.go("documents.py", corpus=made.name)


def trash(row: CorpusSummary) -> None:
    here = session.workspace()
    before = set(here.trashed())
    session.act(here.trash, row.name)
    session.drop("last_corpus")
    gone = sorted(set(here.trashed()) - before)
    if gone:
        session.keep("just_trashed", (gone[0], row.title))


def rename(row: CorpusSummary) -> None:
    session.act(session.workspace().rename, row.name, session.kept(f"title_{row.name}", ""))


def bring_back(name: str) -> None:
    session.act(session.workspace().restore, name)
    session.drop("just_trashed")


def close_dialog(*, is_done: bool) -> None:
    """End a dialog, whose buttons rerun it alone; a refusal is shown inside it instead."""
    refusal = session.take_refusal()
    if refusal:
        look.failure(refusal, "dialog_refusal")
    elif is_done:
        st.rerun()


@st.dialog("New corpus")
def ask_title() -> None:
    with st.form("new_form", border=False):
        st.text_input("Name", key="new_title", placeholder="Harbour inquiry", max_chars=80)
        look.text("A corpus is one body of documents that you want to understand as a whole.", "s")
        done = st.form_submit_button("Create", type="primary", key="go_create", on_click=create)
    close_dialog(is_done=done)


@st.dialog("Rename")
def ask_other_title(row: CorpusSummary) -> None:
    with st.form("rename_form", border=False):
        most = max(80, len(row.title))
        st.text_input("Name", value=row.title, key=f"title_{row.name}", max_chars=most)
        look.text("Addresses that you have shared go on working.", "s")
        done = st.form_submit_button(
            "Rename", type="primary", key="go_rename", on_click=rename, args=(row,)
        )
    close_dialog(is_done=done)


@st.dialog("Move to trash?")
def ask_trash(row: CorpusSummary) -> None:
    look.draw(
        f'<p class="sm-p"><b>{esc(row.title)}</b>: {esc(count(row.n_documents, "document"))}, '
        f"{esc(count(row.n_reports, 'report'))} and its answers. It can be brought back from the "
        "trash; files outside Sensemaking are not touched.</p>"
    )
    with st.container(horizontal=True, gap="small", key="row_trash"):
        moved = st.button(
            "Move to trash", type="primary", key="go_trash", on_click=trash, args=(row,)
        )
        kept = st.button("Keep", key="keep_corpus")
    close_dialog(is_done=moved or kept)


def offer(key: str, title: str, note: str) -> DeltaGenerator:
    """Draw what can be started; returns the place for its button."""
    with st.container(border=True, key=f"card_{key}"):
        words, action = st.columns([3, 1.2], vertical_alignment="center")
    with words:
        look.titled(title, note)
    return action


def render_first_run() -> None:
    _, middle, _ = st.columns([1, 2.6, 1])
    with middle:
        st.space("small")
        look.draw(
            '<h1 class="sm-hero" style="padding:0">Start with a body of documents</h1>'
            '<p class="sm-p sm-quiet" style="margin-top:8px;max-width:62ch">Sensemaking reads '
            "them, draws the graph of what they talk about, and answers questions about the whole. "
            "Every sentence of an answer opens the passage it rests on. Nothing leaves this "
            "machine.</p>"
        )
        with offer("sample", "Try the sample", SAMPLE_NOTE):
            st.button(
                "Open the sample",
                type="primary",
                width="stretch",
                key="go_sample",
                on_click=open_sample,
            )
        with offer("own", "Use your own documents", OWN_NOTE):
            if st.button("New corpus", width="stretch", key="new_corpus"):
                ask_title()
        if not session.workspace().models.settings.is_configured:
            look.draw(
                f'<div class="sm-row sm-wraps">{look.sign("Working without a model", "wait")}'
                '<span class="sm-s">Answers are put together from sentences of the documents. '
                "A model can be connected under Settings.</span></div>"
            )


def render_undo() -> None:
    found = session.kept("just_trashed", ("", ""))
    if found[0] not in session.workspace().trashed():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="row_undo"):
        look.text(f"“{found[1]}” is in the trash. It stays there until the trash is emptied.", "s")
        st.button("Undo", type="tertiary", key="undo_trash", on_click=bring_back, args=(found[0],))


def render_trash(names: tuple[str, ...]) -> None:
    if not names:
        return
    with st.expander(f"Trash ({len(names)})", key="trash"):
        for name in names:
            st.button(
                f"Bring back {plain_label(name)}",
                icon=":material/restore_from_trash:",
                type="tertiary",
                key=f"restore_{name}",
                on_click=bring_back,
                args=(name,),
            )


def render_making(rows: tuple[CorpusSummary, ...]) -> None:
    with st.container(horizontal=True, horizontal_alignment="right", key="row_actions"):
        if SAMPLE_NAME not in {row.name for row in rows}:
            st.button("Add the sample", icon=":material/add:", key="sample", on_click=open_sample)
        if st.button("New corpus", type="primary", icon=":material/add:", key="go_new"):
            ask_title()


rows = session.workspace().corpora()
render_undo()
if not rows:
    render_first_run()
else:
    words, action = st.columns([3, 2], vertical_alignment="center")
    with words:
        documents = sum(row.n_documents for row in rows)
        look.head(
            "Corpora",
            f"{count(len(rows), 'corpus', 'corpora')}, {count(documents, 'document')}, "
            "all on this machine",
        )
    if not session.workspace().is_read_only:
        with action:
            render_making(rows)
    for first in range(0, len(rows), COLUMNS):
        for column, row in zip(
            st.columns(COLUMNS, gap="medium"), rows[first : first + COLUMNS], strict=False
        ):
            with column:
                chosen = draw_card(row)
            if chosen == RENAME:
                ask_other_title(row)
            elif chosen == TRASH:
                ask_trash(row)
if not session.workspace().is_read_only:
    render_trash(session.workspace().trashed())
