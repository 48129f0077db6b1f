"""What an evaluation compares and how it is judged, before it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages._words import count, number
from sensemaking.types import Batch, BatchEstimate, Condition, QuestionSet, Scoring
from sensemaking.workspace import Corpus
from sensemaking.workspace.comparing import JUDGES, JudgeName

MANY = 25
JUDGE_NAMES: dict[JudgeName, str] = {
    "extractive": "Extractive: measures, needs no model",
    "llm": "The model of the role judge",
}
NO_EXPERIMENT = "My own choice"
ALL_PAIRS = "each with each"


@dataclass(frozen=True, slots=True)
class _Judging:
    """How verdicts are made and added up."""

    replicates: int
    scoring: Scoring
    is_differential: bool
    baseline: str | None


def draw_plan(corpus: Corpus, questions: QuestionSet) -> None:
    """Draw the choice of methods and judges, what it will take, and the button."""
    look.heading("Compare methods", "each pair is judged in both orders")
    with look.guard("plan_failure"):
        batch = _planned(corpus, questions)
        if batch is None:
            return
        draw_estimate(corpus.evaluations.estimate(batch, judge_names(batch)))
        st.button(
            "Start",
            type="primary",
            key="go_batch",
            on_click=start,
            args=(corpus, batch),
            disabled=corpus.is_read_only,
        )


def start(corpus: Corpus, batch: Batch) -> None:
    """Start a batch, or go on with it, and open it."""
    if session.act(corpus.evaluations.start, batch, judge_names(batch)) is not None:
        session.set_params(batch=batch.id)


def judge_names(batch: Batch) -> list[JudgeName]:
    """Return the names of the judges whose keys a batch holds."""
    return ["extractive" if "extractive" in key else "llm" for key in batch.judges]


def draw_estimate(one: BatchEstimate) -> None:
    """Draw what a batch still has to do."""
    answers = one.n_answers - one.n_answers_done
    verdicts = one.n_judgements - one.n_judgements_done
    windows = f"{count(one.n_windows, 'window')}, {number(one.n_tokens)} tokens"
    if one.n_hierarchies:
        look.text(
            f"First {count(one.n_hierarchies, 'hierarchy', 'hierarchies')} with their reports are "
            "made from the graph; the corpus stays as it is.",
            "s",
        )
        windows = f"at least {windows}"
    look.text(
        f"To do: {count(answers, 'answer')} of {number(one.n_answers)} ({windows}) and at most "
        f"{count(verdicts, 'verdict')} of {number(one.n_judgements)}. What is done is kept and "
        "never asked again.",
        "s",
    )


def _planned(corpus: Corpus, questions: QuestionSet) -> Batch | None:
    evaluations = corpus.evaluations
    experiments = {one.title: one for one in evaluations.experiments()}
    title = st.selectbox("Experiment", [NO_EXPERIMENT, *experiments], key="experiment")
    experiment = experiments.get(title)
    if experiment is not None:
        look.text(experiment.sentence, "s")
        conditions, missing = evaluations.split_available(experiment)
        reasons: dict[str, list[str]] = {}
        for label, why in missing:
            reasons.setdefault(why, []).append(label)
        for why, labels in reasons.items():
            look.text(f"Left out: {', '.join(labels)}: {why}.", "s")
    else:
        conditions = _choose_conditions(corpus)
    left, right = st.columns(2)
    with left:
        names = [one.name for one in evaluations.criteria()]
        criteria = st.multiselect(
            "Criteria",
            names,
            default=names[:4],
            format_func=str.capitalize,
            key="batch_criteria",
        )
    with right:
        most = len(questions.questions)
        # Of each set its own: the number of a small one is not that of the next.
        key = f"batch_limit_{questions.id}"
        limit = st.number_input("Questions", 1, most, min(MANY, most), key=key)
    judges = st.multiselect(
        "Judges",
        JUDGES,
        default=list(JUDGES[:1]),
        format_func=JUDGE_NAMES.__getitem__,
        key="batch_judges",
    )
    how = _choose_judging(conditions, has_pairs=experiment is not None)
    if len(conditions) < 2 or not criteria or not judges:
        look.text("Choose at least two methods, a criterion and a judge.", "s")
        return None
    some = QuestionSet(questions.id, questions.questions[: int(limit)], questions.notes)
    return evaluations.plan(
        some,
        conditions,
        judges,
        criteria=criteria,
        baseline=how.baseline,
        experiment=experiment,
        replicates=how.replicates,
        scoring=how.scoring,
        is_differential=how.is_differential,
    )


def _choose_conditions(corpus: Corpus) -> tuple[Condition, ...]:
    known = {one.label: one for one in corpus.evaluations.conditions()}
    words = st.multiselect(
        "Methods",
        list(known),
        format_func=lambda word: choices.condition_label(known[word]),
        key="batch_conditions",
        placeholder="Method, communities, level",
    )
    return tuple(replace(known[one], label=choices.condition_label(known[one])) for one in words)


def _choose_judging(conditions: Sequence[Condition], *, has_pairs: bool) -> _Judging:
    with st.expander("How it is judged", icon=":material/balance:", key="how_judged"):
        replicates = st.number_input(
            "Readings of each pair in each order",
            1,
            25,
            1,
            key="batch_replicates",
            help="A model may say another thing the second time; measurements do not",
        )
        is_majority = st.toggle(
            "Majority inside a judge, then over the judges",
            key="batch_majority",
            help="As in Core-based Hierarchies; otherwise the mean of all verdicts",
        )
        is_differential = st.toggle(
            "Judge only what two answers do not share",
            key="batch_differential",
            help="Claims that both make are taken out first",
        )
        baseline = ALL_PAIRS
        if not has_pairs:
            baseline = st.selectbox(
                "Compared",
                [ALL_PAIRS, *(one.label for one in conditions)],
                format_func=lambda one: one if one == ALL_PAIRS else f"each with {one}",
                key="batch_baseline",
            )
    return _Judging(
        int(replicates),
        "majority" if is_majority else "mean",
        is_differential,
        None if baseline == ALL_PAIRS else baseline,
    )
