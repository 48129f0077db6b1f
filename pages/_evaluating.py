"""A batch of an evaluation: how far it is, and what it came to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages import _evaluation_tables as tables
from pages import _look as look
from pages import _progress as progress
from pages._look import esc
from pages._words import count, distinct, plain_label
from sensemaking.figures.evaluation import (
    COSTS,
    Cost,
    outcome_figure,
    pareto_figure,
    win_rate_figure,
)
from sensemaking.types import EvaluationResult, StageSnapshot
from sensemaking.types.evaluation import LEAST_DIFFERENCES
from sensemaking.workspace import Corpus
from sensemaking.workspace.evaluating import Findings

POLL_SECONDS = 1.0
MEDIA = {"csv": "text/csv", "json": "application/json", "html": "text/html"}
UNSUPPORTED = 20
"""Unsupported sentences that are listed for each method."""
MANY = 8
"""Sentences of the summary that are shown at once."""
ROW_PX = 32
COST_NAMES: dict[Cost, str] = {"seconds": "Time", "tokens": "Tokens", "cost": "Money"}
NO_BAR = {"displayModeBar": False}


def draw_running(corpus: Corpus, batch_id: str) -> None:
    """Draw how far a batch is, until it has ended."""

    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        with look.guard("batch_failure"):
            job = corpus.evaluations.job(batch_id)
            if job is None or not job.is_running:
                st.rerun()
                return
            draw_stages(job.stages, progress.elapsed(job))
            if job.skipped:
                look.text(f"{count(len(job.skipped), 'thing')} did not work so far.", "s")

    with st.container(key="poll_batch"):
        follow()


def draw_stages(stages: Sequence[StageSnapshot], elapsed: str) -> None:
    """Draw how far each stage of a job is."""
    look.heading("Running", elapsed)
    rows = []
    for one in stages:
        part = one.done / one.total if one.total else 0.0
        rows.append(
            f'<div class="sm-row"><span class="sm-s" style="min-width:190px">'
            f"{esc(one.name.capitalize())} {one.done:,} of {one.total:,}</span>"
            f"{look.bar(part, 'var(--accent)')}</div>"
        )
    look.draw("".join(rows))


def draw_result(corpus: Corpus, found: Findings) -> None:
    """Draw the words, the figures and the tables of a batch."""
    result = found.result
    _draw_words(result)
    criterion = result.criteria[0]
    if len(result.criteria) > 1:
        chosen = st.segmented_control(
            "Criterion",
            list(result.criteria),
            default=criterion,
            format_func=str.capitalize,
            key="criterion",
            required=True,
            label_visibility="collapsed",
        )
        criterion = chosen or criterion
    _draw_criterion(result, criterion)
    _draw_methods(result)
    _draw_claims(result)
    _draw_faithfulness(result)
    with st.container(border=True, key="panel_judges", gap="small"):
        look.heading("Judges", "whether they look at the answers, or at something else")
        _table(tables.judges_frame(result), "table_judges", "How each judge judged")
    _draw_each(corpus, found, criterion)


def _draw_words(result: EvaluationResult) -> None:
    with st.container(border=True, key="panel_words", gap="xsmall"):
        look.heading("In words", count(result.n_questions, "question"))
        for one in result.summary[:MANY]:
            look.text(one)
        if len(result.summary) > MANY:
            with st.expander(count(len(result.summary) - MANY, "more sentence"), key="more_words"):
                for one in result.summary[MANY:]:
                    look.text(one)


def _draw_criterion(result: EvaluationResult, criterion: str) -> None:
    colors = look.palette()
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, key="panel_heat", gap="small"):
        look.heading("Win rates", "row against column, %")
        st.plotly_chart(
            win_rate_figure(result, criterion, colors),
            key="chart_heat",
            theme=None,
            config=NO_BAR,
            alt="Win rates of rows against columns, as in the table of tests",
        )
        look.text(
            "Bold with a star: unlikely to be chance after correction, and at least "
            f"{LEAST_DIFFERENCES} questions differ. Ties count half.",
            "s",
        )
    with right, st.container(border=True, key="panel_bars", gap="small"):
        look.heading("Won, tied, lost", criterion)
        st.plotly_chart(
            outcome_figure(result, criterion, colors),
            key="chart_bars",
            theme=None,
            config=NO_BAR,
            alt="Questions won, tied and lost by each pair, as in the table of tests",
        )
    with st.container(border=True, key="panel_tests", gap="small"):
        look.heading("Tests", "Wilcoxon signed-rank, Holm over the pairs of a criterion")
        _table(tables.comparisons_frame(result, criterion), "table_tests", "Tests of each pair")


def _draw_methods(result: EvaluationResult) -> None:
    left, right = st.columns([1, 1.3], gap="medium")
    with left, st.container(border=True, key="panel_pareto", gap="small"):
        look.heading("Quality against what it takes", "filled: nothing is better and cheaper")
        cost = st.segmented_control(
            "Cost",
            list(COSTS),
            default="seconds",
            format_func=COST_NAMES.__getitem__,
            key="pareto_cost",
            required=True,
            label_visibility="collapsed",
        )
        st.plotly_chart(
            pareto_figure(result, cost or "seconds", look.palette()),
            key="chart_pareto",
            theme=None,
            config=NO_BAR,
            alt="Mean win rate of each method against its cost, as in the table of methods",
        )
    with right, st.container(border=True, key="panel_methods", gap="small"):
        look.heading("Methods", "means per answer; quality: mean win rate without directness")
        _table(tables.methods_frame(result), "table_methods", "Means of each method")


def _draw_claims(result: EvaluationResult) -> None:
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, key="panel_claim_counts", gap="small"):
        look.heading("Claims and their clusters", "means per answer")
        _table(tables.claims_frame(result), "table_claims", "Claims of each method")
    with right, st.container(border=True, key="panel_agreement", gap="small"):
        look.heading("Counts and verdicts", "how often more of it won, %; 50 is no relation")
        _table(tables.agreement_frame(result), "table_agreement", "Agreement by criterion")


def _draw_faithfulness(result: EvaluationResult) -> None:
    with st.container(border=True, key="panel_faith", gap="small"):
        look.heading("Faithfulness", "measured in the documents, without a model")
        _table(tables.faithfulness_frame(result), "table_faith", "What answers can show")
        look.text(
            "Supported: the cited passages hold the words of the sentence. Facts: numbers and "
            "names that stand in the cited passages.",
            "s",
        )
        for n, one in enumerate(result.conditions):
            sentences = one.faithfulness.unsupported
            if not sentences:
                continue
            title = f"{one.label}: {count(len(sentences), 'unsupported sentence')}"
            with st.expander(plain_label(title), key=f"unsupported_{n}"):
                for sentence in sentences[:UNSUPPORTED]:
                    look.draw(f'<p class="sm-s">{look.exact(sentence)}</p>')
                if len(sentences) > UNSUPPORTED:
                    look.text(f"{len(sentences) - UNSUPPORTED} more are in answers.csv.", "s")


def _draw_each(corpus: Corpus, found: Findings, criterion: str) -> None:
    """Draw the answers of two methods to one question, and why one of them won."""
    if not found.batch.pairs or not found.answers:
        return
    with st.container(border=True, key="panel_each_question", gap="small"):
        look.heading("Question by question", "what was said, and why it won")
        questions = distinct({one.id: one.text for one in found.batch.questions})
        question = st.selectbox(
            "Question", list(questions), format_func=questions.__getitem__, key="each_question"
        )
        pair = st.selectbox(
            "Methods",
            found.batch.pairs,
            format_func=lambda one: f"{one[0]} and {one[1]}",
            key="each_pair",
        )
        scores = [
            one
            for one in found.scores
            if one.question_id == question and (one.first, one.second) == tuple(pair)
        ]
        _table(tables.scores_frame(scores), "table_each", "Verdicts on this question")
        for one in scores:
            if one.criterion == criterion and one.reasons:
                look.text(f"{criterion.capitalize()}: {' '.join(one.reasons)}", "s")
        for label, column in zip(pair, st.columns(2, gap="medium"), strict=True):
            row = found.answers.get((question, label))
            with column:
                look.heading(label, "" if row is None else count(row.n_words, "word"))
                if row is None:
                    look.text("Not answered yet.", "s")
                elif row.status == "failed":
                    look.draw(look.sign("Failed", "bad"))
                    look.text(row.reason, "s")
                else:
                    text = row.text.replace("## ", "") or "It found nothing to say."
                    look.draw(f'<p class="sm-p sm-wrap">{look.exact(text)}</p>')


def draw_files(corpus: Corpus, batch_id: str) -> None:
    """Draw the downloads of a batch; they are made when they are asked for."""
    with st.container(border=True, key="panel_files", gap="small"):
        look.heading("Export", "everything as tables, JSON, and a page with figures")
        with st.container(horizontal=True, gap="small", key="file_buttons"):
            for name in corpus.evaluations.file_names(batch_id):
                st.download_button(
                    name,
                    partial(corpus.evaluations.file, batch_id, name),
                    file_name=name,
                    mime=MEDIA[name.rpartition(".")[2]],
                    on_click="ignore",
                    icon=":material/download:",
                    key=f"file_{name.replace('.', '_')}",
                )


def _table(frame: object, key: str, alt: str) -> None:
    st.dataframe(frame, hide_index=True, row_height=ROW_PX, key=key, placeholder="–", alt=alt)
