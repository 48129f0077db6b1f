"""Evaluate: question sets, batches over methods, win rates, tests, claims, faithfulness."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from pages import _choices as choices
from pages import _evaluating as evaluating
from pages import _look as look
from pages import _session as session
from pages._words import count, number, plain_label
from sensemaking.types import Batch, QuestionSet
from sensemaking.workspace import Corpus
from sensemaking.workspace.comparing import JUDGES, JudgeName

COUNTS = (5, 5, 5)
MANY = 25
JUDGE_NAMES = {
    "extractive": "Extractive: measures, needs no model",
    "llm": "The model of the role judge",
}
NO_EXPERIMENT = "My own choice"


def add_file(corpus: Corpus) -> None:
    files: list[Any] = session.kept("questions_file", [])
    for file in files:
        session.act(corpus.evaluations.read_questions, file.name, file.getvalue())


def write(corpus: Corpus) -> None:
    made = session.act(corpus.evaluations.write_questions, "from the corpus", "extractive", COUNTS)
    if made is not None:
        corpus.evaluations.keep_questions(made)


def render_sets(corpus: Corpus) -> QuestionSet | None:
    sets = {one.id: one for one in corpus.evaluations.question_sets()}
    look.heading("Questions", count(len(sets), "set"))
    with st.container(horizontal=True, gap="small", key="row_sets"):
        with (
            st.popover("Add a file", icon=":material/upload:", key="add_questions"),
            st.form("questions_form", border=False),
        ):
            st.file_uploader(
                "Question files",
                accept_multiple_files=True,
                key="questions_file",
                help="JSON lines, JSON lists as of BenchmarkQED, tables, or one a line",
            )
            st.form_submit_button("Add", key="go_questions", on_click=add_file, args=(corpus,))
        st.button(
            "Write from the corpus",
            icon=":material/auto_awesome:",
            key="write_questions",
            help="5 personas, 5 tasks each, 5 questions a task, from topics and names",
            on_click=write,
            args=(corpus,),
        )
    if not sets:
        look.text("Add a file with questions, or have some written from the corpus.", "s")
        return None
    chosen = st.selectbox(
        "Question set", list(sets), key="question_set", label_visibility="collapsed"
    )
    found = sets[chosen]
    frame = pd.DataFrame(
        [
            {"Question": one.text, "Gold": len(one.gold), "From": ", ".join(one.origin)}
            for one in found.questions
        ]
    )
    st.dataframe(frame, hide_index=True, height=240, key="table_questions")
    for note in found.notes:
        look.text(note, "s")
    st.download_button(
        "Questions as JSON lines",
        corpus.evaluations.questions_file(found),
        file_name="questions.jsonl",
        on_click="ignore",
        key="export_questions",
    )
    return found


def planned(corpus: Corpus, questions: QuestionSet) -> Batch | None:
    """Draw what is to be compared; returns the batch, or None while it is not one."""
    evaluations = corpus.evaluations
    experiments = {one.title: one for one in evaluations.experiments()}
    title = st.selectbox("Experiment", [NO_EXPERIMENT, *experiments], key="experiment")
    if title in experiments:
        look.text(experiments[title].sentence, "s")
        conditions, missing = evaluations.split_available(experiments[title])
        for label, why in missing:
            look.text(f"{label} is left out: {why}.", "s")
    else:
        known = {one.label: one for one in evaluations.conditions()}
        words = st.multiselect(
            "Methods",
            list(known),
            format_func=lambda word: choices.condition_label(known[word]),
            key="batch_conditions",
        )
        named = [(known[one], choices.condition_label(known[one])) for one in words]
        conditions = tuple(replace(one, label=label) for one, label in named)
    left, right = st.columns(2)
    with left:
        criteria = st.multiselect(
            "Criteria",
            [one.name for one in evaluations.criteria()],
            default=[one.name for one in evaluations.criteria()][:4],
            format_func=str.capitalize,
            key="batch_criteria",
        )
    with right:
        most = len(questions.questions)
        limit = st.number_input("Questions", 1, most, min(MANY, most), key="batch_limit")
    judges = st.multiselect(
        "Judges",
        list(JUDGES),
        default=list(JUDGES[:1]),
        format_func=JUDGE_NAMES.__getitem__,
        key="batch_judges",
    )
    if len(conditions) < 2 or not criteria or not judges:
        look.text("Choose at least two methods, a criterion and a judge.", "s")
        return None
    some = QuestionSet(questions.id, questions.questions[: int(limit)], questions.notes)
    return evaluations.plan(some, conditions, judges, criteria=criteria)


def judge_names(batch: Batch) -> list[JudgeName]:
    """Return the names of the judges whose keys a batch holds."""
    return ["extractive" if "extractive" in key else "llm" for key in batch.judges]


def start(corpus: Corpus, batch: Batch) -> None:
    if session.act(corpus.evaluations.start, batch, judge_names(batch)) is not None:
        session.set_params(batch=batch.id)


def render_plan(corpus: Corpus, questions: QuestionSet) -> None:
    look.heading("Compare methods", "each pair is judged in both orders")
    with look.guard("plan_failure"):
        render_batch_plan(corpus, questions)


def render_batch_plan(corpus: Corpus, questions: QuestionSet) -> None:
    batch = planned(corpus, questions)
    if batch is None:
        return
    estimate = corpus.evaluations.estimate(batch, judge_names(batch))
    evaluating.draw_estimate(estimate)
    st.button("Start", type="primary", key="go_batch", on_click=start, args=(corpus, batch))


def render_batches(corpus: Corpus) -> None:
    batches = corpus.evaluations.batches()
    if not batches:
        return
    look.heading("Evaluations", number(len(batches)))
    for one in batches:
        labels = ", ".join(condition.label for condition in one.conditions)
        st.button(
            plain_label(f"{one.name}: {len(one.questions)} questions, {labels}"),
            type="tertiary",
            key=f"batch_{one.id}",
            on_click=session.set_params,
            kwargs={"batch": one.id},
        )


def render_batch(corpus: Corpus, batch_id: str) -> None:
    found = corpus.evaluations.findings(batch_id)
    look.head("Evaluate", f"{found.batch.name}, {count(len(found.batch.questions), 'question')}")
    job = corpus.evaluations.job(batch_id)
    with st.container(horizontal=True, gap="small", key="row_batch"):
        st.button("All evaluations", key="all_batches", on_click=session.clear_params)
        if job is not None and job.is_running:
            stop = corpus.evaluations.stop
            st.button("Stop", key="stop_batch", on_click=stop, args=(batch_id,))
        elif job is None or job.status != "done" or job.skipped:
            st.button("Go on", key="go_on", on_click=start, args=(corpus, found.batch))
    if job is not None and job.is_running:
        evaluating.draw_running(corpus, batch_id)
        return
    if job is not None and job.error:
        look.failure(job.error, "batch_error", "It ended early")
    evaluating.draw_result(found)
    evaluating.draw_files(corpus, batch_id)


here = session.corpus()
if here is not None:
    session.set_params(corpus=here.name)
opened = session.param("batch")
if here is not None and opened:
    render_batch(here, opened)
elif here is not None and choices.hierarchies(here):
    look.head("Evaluate", "which method is better, by how much, and how sure")
    with st.container(border=True, key="panel_sets", gap="small"):
        chosen_set = render_sets(here)
    if chosen_set is not None:
        with st.container(border=True, key="panel_plan", gap="small"):
            render_plan(here, chosen_set)
    render_batches(here)
else:
    look.head("Evaluate")
    choices.draw_not_ready(here, "Methods are compared when there are reports to answer from.")
