"""Question sets on the page: added, written, changed a page at a time, exported."""

from __future__ import annotations

from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._words import count, number
from sensemaking.types import Question, QuestionSet
from sensemaking.workspace import Corpus
from sensemaking.workspace.comparing import JUDGES, JudgeName
from sensemaking.workspace.question_sets import Format

PAGE = 100
"""Questions that are shown, and can be changed, at once."""
COUNTS = (5, 5, 5)
MOST = 25
WRITTEN = "from the corpus"
WRITERS: dict[JudgeName, str] = {"extractive": "From topics and names", "llm": "By the model"}
PASTED = "pasted"
FORMATS: dict[Format, str] = {"jsonl": "JSON lines", "benchmarkqed": "BenchmarkQED list"}


def draw_sets(corpus: Corpus) -> QuestionSet | None:
    """Draw the question sets; returns the chosen one, None while there is none."""
    sets = {one.id: one for one in corpus.evaluations.questions.all()}
    look.heading("Questions", count(len(sets), "set"))
    if not corpus.is_read_only:
        with st.container(horizontal=True, gap="small", key="set_buttons"):
            _draw_adding(corpus)
            _draw_writing(corpus)
    if not sets and corpus.is_read_only:
        look.text("There is no question set here, and none can be kept.", "s")
        return None
    if not sets:
        look.text(
            "Nothing to ask yet. Add a file (JSON lines, JSON lists as of BenchmarkQED, tables, or "
            "one question a line), or have questions written from the corpus.",
            "s",
        )
        return None
    chosen = st.selectbox(
        "Question set",
        list(sets),
        format_func=lambda key: f"{key}, {count(len(sets[key].questions), 'question')}",
        key="question_set",
        label_visibility="collapsed",
    )
    found = sets[chosen]
    _draw_table(corpus, found)
    for note in found.notes:
        look.text(note, "s")
    return found


def _draw_adding(corpus: Corpus) -> None:
    def add_files() -> None:
        files: list[Any] = session.kept("questions_file", [])
        for file in files:
            _choose(session.act(corpus.evaluations.questions.read, file.name, file.getvalue()))

    def add_text() -> None:
        name = session.kept("paste_name", PASTED).strip() or PASTED
        data = session.kept("paste_text", "").encode()
        _choose(session.act(corpus.evaluations.questions.read, f"{name}.txt", data))

    with st.popover("Add", icon=":material/upload:", key="add_questions"):
        with st.form("questions_form", border=False):
            st.file_uploader(
                "Question files",
                accept_multiple_files=True,
                key="questions_file",
                help="JSON lines, JSON lists as of BenchmarkQED, tables, or one a line",
            )
            st.form_submit_button("Add files", key="go_questions", on_click=add_files)
        with st.form("paste_form", border=False):
            st.text_area("Or one question a line", key="paste_text", height=110)
            st.text_input("Name of the set", PASTED, key="paste_name")
            st.form_submit_button("Add lines", key="go_paste", on_click=add_text)


def _draw_writing(corpus: Corpus) -> None:
    def write() -> None:
        sizes = [int(session.kept(f"write_{what}", 5)) for what in ("personas", "tasks", "each")]
        made = session.act(
            corpus.evaluations.questions.write,
            WRITTEN,
            session.kept("question_writer", JUDGES[0]),
            (sizes[0], sizes[1], sizes[2]),
        )
        if made is not None:
            _choose(session.act(corpus.evaluations.questions.keep, made))

    with (
        st.popover("Write", icon=":material/auto_awesome:", key="write_popover"),
        st.form("write_form", border=False),
    ):
        look.text("Personas, their tasks, and what each would ask of the corpus as a whole.", "s")
        st.selectbox(
            "Written", list(WRITERS), format_func=WRITERS.__getitem__, key="question_writer"
        )
        st.number_input("Personas", 1, MOST, COUNTS[0], key="write_personas")
        st.number_input("Tasks of each", 1, MOST, COUNTS[1], key="write_tasks")
        st.number_input("Questions for each task", 1, MOST, COUNTS[2], key="write_each")
        st.form_submit_button("Write questions", key="go_write", on_click=write)


def _choose(made: QuestionSet | None) -> None:
    if made is not None:
        session.keep("question_set", made.id)
        session.drop("questions_page")


def _draw_table(corpus: Corpus, found: QuestionSet) -> None:
    """Draw one page of a set, to be changed; new rows at its end."""
    n_pages = max(1, -(-len(found.questions) // PAGE))
    page = 1
    if n_pages > 1:
        with st.container(horizontal=True, key="pages_row", vertical_alignment="center"):
            page = st.pagination(n_pages, key="questions_page")
            first, last = (page - 1) * PAGE + 1, min(page * PAGE, len(found.questions))
            look.text(f"{number(first)} to {number(last)} of {number(len(found.questions))}", "s")
    start, stop = (page - 1) * PAGE, min(page * PAGE, len(found.questions))
    version = session.kept("questions_version", 0)
    edited = st.data_editor(
        _frame(found.questions[start:stop]),
        hide_index=True,
        num_rows="fixed" if corpus.is_read_only else "dynamic",
        height=280,
        key=f"edit_{found.id}_{start}_{version}",
        disabled=corpus.is_read_only or ["From"],
        column_config={
            "Question": st.column_config.TextColumn(width="large", required=True),
            "Answer": st.column_config.TextColumn(help="What a good answer says, where known"),
            "Gold": st.column_config.TextColumn(help="Documents that answer it, with ; between"),
            "Kind": st.column_config.TextColumn(width="small"),
            "Id": st.column_config.TextColumn(width="small", help="Left empty, one is made"),
        },
        alt="Questions of the set",
    )

    def save() -> None:
        revised = session.act(
            corpus.evaluations.questions.revise, found.id, start, stop, _rows(edited)
        )
        if revised is not None:
            session.keep("questions_version", version + 1)

    with st.container(horizontal=True, gap="small", key="set_files"):
        if not corpus.is_read_only:
            st.button(
                "Save changes", icon=":material/edit_note:", key="save_questions", on_click=save
            )
        for form, label in FORMATS.items():
            st.download_button(
                label,
                partial(corpus.evaluations.questions.to_file, found, form),
                file_name=f"{found.id}.{'jsonl' if form == 'jsonl' else 'json'}",
                on_click="ignore",
                icon=":material/download:",
                key=f"export_{form}",
            )
        if not corpus.is_read_only:
            _draw_more(corpus, found)


def _draw_more(corpus: Corpus, found: QuestionSet) -> None:
    def rename() -> None:
        _choose(
            session.act(corpus.evaluations.questions.rename, found.id, session.kept("set_name", ""))
        )

    def delete() -> None:
        session.act(corpus.evaluations.questions.drop, found.id)
        session.drop("question_set")

    with st.popover("More", icon=":material/more_horiz:", key="set_more"):
        st.text_input("Another name", key="set_name")
        st.button("Rename", key="rename_set", on_click=rename)
        look.text("Evaluations that were made with a set stay when it is deleted.", "s")
        st.button("Delete this set", key="delete_set", on_click=delete)


def _frame(questions: tuple[Question, ...]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Question": one.text,
                "Answer": one.answer,
                "Gold": "; ".join(name for name, _ in one.gold),
                "Kind": one.kind,
                "From": ", ".join(one.origin),
                "Id": one.id,
            }
            for one in questions
        ],
        columns=["Question", "Answer", "Gold", "Kind", "From", "Id"],
        dtype=str,
    )


def _rows(edited: pd.DataFrame) -> list[dict[str, str]]:
    """Return the rows of the table with the keys of a question file."""
    names = {"Question": "question", "Answer": "answer", "Gold": "gold_ids"}
    names |= {"Kind": "type", "Id": "id"}
    return [
        {
            name: "" if row[column] is None or pd.isna(row[column]) else str(row[column])
            for column, name in names.items()
        }
        for row in edited.to_dict("records")
    ]
