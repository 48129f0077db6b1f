"""Compare: two to four runs of one question side by side, aligned claim by claim, judged blind."""

from __future__ import annotations

import streamlit as st

from pages import _answer as answering
from pages import _choices as choices
from pages import _comparing as comparing
from pages import _look as look
from pages import _session as session
from sensemaking.types import AnswerSnapshot
from sensemaking.workspace import Corpus

MOST = 4
MAX_QUESTION = 5000


def start(corpus: Corpus) -> None:
    question = session.kept("compare_question", "").strip()
    words = session.kept("compare_conditions", list[str]())
    chosen = [one for one in corpus.evaluations.conditions() if one.label in words]
    ids = []
    for condition in chosen:
        settings = session.act(corpus.evaluations.settings_of, condition)
        found = session.act(corpus.start_answer, question, settings) if settings else None
        if found is None:
            return
        ids.append(found)
    session.clear_params()
    session.set_params(answers=",".join(ids))


def render_question(corpus: Corpus) -> None:
    look.head("Compare", "one question, two to four methods")
    known = {one.label: choices.condition_label(one) for one in corpus.evaluations.conditions()}
    with st.form("compare_box", border=True):
        st.text_area(
            "Question",
            key="compare_question",
            height=96,
            max_chars=MAX_QUESTION,
            placeholder="What are the main disagreements, and who holds them?",
            label_visibility="collapsed",
        )
        st.multiselect(
            "Methods",
            list(known),
            max_selections=MOST,
            format_func=lambda word: known.get(word, word),
            key="compare_conditions",
            placeholder="Choose two to four: method, communities, level",
            label_visibility="collapsed",
        )
        st.form_submit_button(
            "Compare", type="primary", key="go_compare", on_click=start, args=(corpus,)
        )
    look.text(
        "“leaf” is the finest view, 0 the coarsest. Every answer is kept and has a link.", "s"
    )


def render_answers(corpus: Corpus, snapshots: list[AnswerSnapshot]) -> None:
    answering.draw_question(snapshots[0].question)
    if any(one.is_running for one in snapshots):
        comparing.draw_running(corpus, [one.id for one in snapshots])
        return
    answers = [one.answer for one in snapshots if one.answer is not None]
    is_blind = session.param("blind") is not None and len(answers) == 2 == len(snapshots)
    shown = snapshots
    if is_blind and corpus.evaluations.comparing.is_swapped(answers[0], answers[1]):
        shown = snapshots[::-1]
    with st.container(horizontal=True, gap="small", key="row_compare"):
        st.button(
            "Compare again", icon=":material/edit:", key="again", on_click=session.clear_params
        )
        if len(answers) == 2 and not is_blind:
            st.button(
                "Judge blind",
                icon=":material/visibility_off:",
                key="go_blind",
                on_click=session.set_params,
                kwargs={"blind": "1"},
            )
            st.download_button(
                "Export",
                lambda: corpus.evaluations.comparing.to_json(answers[0], answers[1]),
                file_name="comparison.json",
                mime="application/json",
                on_click="ignore",
                icon=":material/ios_share:",
                key="export",
            )
    for n, column in enumerate(st.columns(len(shown), gap="medium")):
        with column, st.container(border=True, key=f"panel_answer_{n}", gap="small"):
            letter = ("Left", "Right")[n] if is_blind else comparing.LETTERS[n]
            comparing.draw_column(shown[n], letter, is_named=not is_blind)
    if is_blind:
        with st.container(border=True, key="panel_blind", gap="small"):
            comparing.draw_blind(corpus, answers[0], answers[1])
        return
    if len(answers) > 1:
        render_pair(corpus, snapshots)


def render_pair(corpus: Corpus, snapshots: list[AnswerSnapshot]) -> None:
    named = {
        f"{comparing.LETTERS[n]} {comparing.label(one)}": one.answer
        for n, one in enumerate(snapshots)
        if one.answer is not None
    }
    names = list(named)
    first, second = names[0], names[1]
    if len(names) > 2:
        left, right = st.columns(2)
        with left:
            first = st.selectbox("First", names, index=0, key="pair_first")
        with right:
            others = [one for one in names if one != first]
            second = st.selectbox("Second", others, index=0, key="pair_second")
    one, other = named[first], named[second]
    if one is None or other is None:
        return
    split = corpus.evaluations.comparing.split
    left, right = st.columns([1.6, 1], gap="medium")
    with left, st.container(border=True, key="panel_claims", gap="small"):
        comparing.draw_claims(corpus, split(one), split(other))
    with right, st.container(border=True, key="panel_verdicts", gap="small"):
        comparing.draw_verdicts(corpus, one, other, (first[0], second[0]))


here = session.corpus()
if here is not None:
    session.set_params(corpus=here.name)
asked = session.param("answers")
if here is not None and asked:
    render_answers(here, [here.answer(one) for one in asked.split(",")[:MOST]])
elif here is not None and choices.hierarchies(here):
    render_question(here)
else:
    look.head("Compare")
    choices.draw_not_ready(here, "Answers are compared when there are reports to answer from.")
