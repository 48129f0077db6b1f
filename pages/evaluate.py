"""Evaluate: question sets, batches over methods, win rates and tests, searches measured."""

from __future__ import annotations

import streamlit as st

from pages import _choices as choices
from pages import _evaluating as evaluating
from pages import _look as look
from pages import _planning as planning
from pages import _questions as questions
from pages import _retrieving as retrieving
from pages import _session as session
from pages._words import count, plain_label, shorten
from sensemaking.types import JobSnapshot
from sensemaking.workspace import Corpus
from sensemaking.workspace.evaluating import Findings

VIEWS = {"methods": "Methods", "searches": "Searches"}


def choose_view() -> str:
    view = session.param("view") or "methods"

    def change() -> None:
        session.set_params(view=session.kept("view", "methods"))

    session.keep("view", view if view in VIEWS else "methods")
    chosen = st.segmented_control(
        "What is evaluated",
        list(VIEWS),
        format_func=VIEWS.__getitem__,
        key="view",
        on_change=change,
        required=True,
        label_visibility="collapsed",
    )
    return chosen or "methods"


def render_batches(corpus: Corpus) -> None:
    batches = corpus.evaluations.batches()
    if not batches:
        return
    look.heading("Evaluations", count(len(batches), "evaluation"))
    for one in batches:
        labels = ", ".join(condition.label for condition in one.conditions)
        told = f"{one.name}: {count(len(one.questions), 'question')}, {shorten(labels, 90)}"
        st.button(
            plain_label(told),
            type="tertiary",
            key=f"batch_{one.id}",
            on_click=session.set_params,
            kwargs={"batch": one.id},
        )


def render_start(corpus: Corpus) -> None:
    look.head("Evaluate", "which method is better, by how much, and how sure")
    view = choose_view()
    with st.container(border=True, key="panel_sets", gap="small"):
        chosen = questions.draw_sets(corpus)
    if chosen is not None:
        with st.container(border=True, key="panel_plan", gap="small"):
            if view == "searches":
                retrieving.draw_plan(corpus, chosen)
            else:
                planning.draw_plan(corpus, chosen)
    if view == "searches":
        retrieving.draw_runs(corpus)
    else:
        render_batches(corpus)


def render_batch(corpus: Corpus, batch_id: str) -> None:
    found = corpus.evaluations.findings(batch_id)
    look.head("Evaluation", f"{found.batch.name}, {count(len(found.batch.questions), 'question')}")
    job = corpus.evaluations.job(batch_id)
    render_buttons(corpus, found, job)
    if job is not None and job.is_running:
        evaluating.draw_running(corpus, batch_id)
        return
    if job is not None and job.error:
        look.failure(job.error, "batch_error", "It ended early")
    if not found.answers:
        look.text("Nothing is answered yet.", "s")
        return
    evaluating.draw_result(corpus, found)
    evaluating.draw_files(corpus, batch_id)


def render_buttons(corpus: Corpus, found: Findings, job: JobSnapshot | None) -> None:
    batch = found.batch
    with st.container(horizontal=True, gap="small", key="row_batch"):
        st.button(
            "All evaluations", key="all_batches", on_click=session.set_params,
            kwargs={"batch": None},
        )  # fmt: skip
        if job is not None and job.is_running:
            st.button(
                "Stop",
                icon=":material/stop_circle:",
                key="stop_batch",
                help="Keeps what is done",
                on_click=corpus.evaluations.stop,
                args=(batch.id,),
            )
        elif (not found.is_whole or (job is not None and job.skipped)) and not corpus.is_read_only:
            st.button("Go on", key="go_on", on_click=planning.start, args=(corpus, batch))


here = session.corpus()
if here is not None:
    session.set_params(corpus=here.name)
batch_asked, run_asked = session.param("batch"), session.param("run")
if here is not None and batch_asked:
    render_batch(here, batch_asked)
elif here is not None and run_asked:
    retrieving.draw_run(here, run_asked)
elif here is not None and choices.hierarchies(here):
    render_start(here)
else:
    look.head("Evaluate")
    choices.draw_not_ready(here, "Methods are compared when there are reports to answer from.")
