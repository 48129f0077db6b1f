"""Compare: two to four runs of one question side by side, aligned claim by claim, judged blind."""

from __future__ import annotations

import streamlit as st

from pages import _answer as answering
from pages import _choices as choices
from pages import _claims as claims
from pages import _compare_menu as menu
from pages import _comparing as sides
from pages import _look as look
from pages import _session as session
from pages import _verdicts as verdicts
from sensemaking.types import Answer, AnswerSnapshot
from sensemaking.workspace import Corpus


def render_answers(corpus: Corpus, snapshots: list[AnswerSnapshot]) -> None:
    answering.draw_question(snapshots[0].question)
    if any(one.is_running for one in snapshots):
        is_blind = session.param("blind") is not None
        sides.draw_running(corpus, [one.id for one in snapshots], is_blind=is_blind)
        return
    pair = sides.chosen_pair(snapshots)
    answers = [snapshots[n].answer for n in pair] if pair is not None else []
    both = (answers[0], answers[1]) if len(answers) == 2 else (None, None)
    if pair is None or both[0] is None or both[1] is None:
        render_buttons(corpus, snapshots, None)
        sides.draw_done(snapshots)
        look.text("Claims and verdicts need two answers.", "s")
        return
    couple = (both[0], both[1])
    if session.param("blind") is not None:
        verdicts.draw_blind(corpus, *couple)
        return
    render_buttons(corpus, snapshots, couple)
    sides.draw_done(snapshots)
    sides.choose_pair(snapshots, pair)
    split = corpus.evaluations.comparing.split
    left, right = st.columns([1.6, 1], gap="medium")
    with left, st.container(border=True, key="panel_claims", gap="small"):
        claims.draw_claims(corpus, (split(couple[0]), split(couple[1])), pair)
    with right, st.container(border=True, key="panel_verdicts", gap="small"):
        verdicts.draw_verdicts(corpus, couple, pair)


def render_buttons(
    corpus: Corpus, snapshots: list[AnswerSnapshot], couple: tuple[Answer, Answer] | None
) -> None:
    with st.container(horizontal=True, gap="small", key="row_compare"):
        st.button(
            "Compare again",
            icon=":material/edit:",
            key="again",
            on_click=menu.ask_again,
            args=(snapshots[0].question, dict(snapshots[0].settings)),
        )
        if couple is None:
            return
        st.button(
            "Judge blind",
            icon=":material/visibility_off:",
            key="blind_start",
            on_click=session.set_params,
            kwargs={"blind": "1"},
        )
        st.download_button(
            "Export",
            lambda: corpus.evaluations.comparing.to_json(*couple),
            file_name="comparison.json",
            mime="application/json",
            on_click="ignore",
            icon=":material/ios_share:",
            key="export",
        )


here = session.corpus()
if here is not None:
    session.set_params(corpus=here.name)
asked = session.param("answers")
if here is not None and asked:
    render_answers(here, [here.answer(one) for one in asked.split(",")[: len(sides.LETTERS)]])
elif here is not None and choices.hierarchies(here):
    menu.draw_menu(here)
else:
    look.head("Compare")
    choices.draw_not_ready(here, "Answers are compared when there are reports to answer from.")
