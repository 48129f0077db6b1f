"""A batch of an evaluation: what it will do, how far it is, what it came to."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages import _look as look
from pages import _progress as progress
from pages._look import esc
from pages._words import count, number
from sensemaking.figures.evaluation import outcome_figure, pareto_figure, win_rate_figure
from sensemaking.types import BatchEstimate, EvaluationResult, Faithfulness
from sensemaking.workspace import Corpus
from sensemaking.workspace.evaluating import Findings

POLL_SECONDS = 1.0
MEDIA = {"csv": "text/csv", "json": "application/json", "html": "text/html"}
UNSUPPORTED = 20
"""Unsupported sentences that are listed for each method."""


def draw_estimate(one: BatchEstimate) -> None:
    """Draw what a batch still has to do."""
    answers = one.n_answers - one.n_answers_done
    verdicts = one.n_judgements - one.n_judgements_done
    look.text(
        f"To do: {count(answers, 'answer')} of {number(one.n_answers)} "
        f"({count(one.n_windows, 'window')}, {number(one.n_tokens)} tokens) and at most "
        f"{count(verdicts, 'verdict')} of {number(one.n_judgements)}.",
        "s",
    )


def draw_running(corpus: Corpus, batch_id: str) -> None:
    """Draw how far a batch is, until it has ended."""

    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        with look.guard("batch_failure"):
            job = corpus.evaluations.job(batch_id)
            if job is None or not job.is_running:
                st.rerun()
                return
            look.heading("Running", progress.elapsed(job))
            for stage in job.stages:
                part = stage.done / stage.total if stage.total else 0.0
                look.draw(
                    f'<div class="sm-row"><span class="sm-s">{esc(stage.name.capitalize())} '
                    f"{esc(number(stage.done))} of {esc(number(stage.total))}</span>"
                    f"{look.bar(part, 'var(--accent)')}</div>"
                )

    with st.container(key="poll_batch"):
        follow()


def draw_result(found: Findings) -> None:
    """Draw the words, the figures and the tables of a batch."""
    result = found.result
    with st.container(border=True, key="panel_words", gap="xsmall"):
        look.heading("In words", f"{count(result.n_questions, 'question')}")
        for one in result.summary:
            look.text(one)
    criterion = result.criteria[0]
    if len(result.criteria) > 1:
        chosen = st.segmented_control(
            "Criterion",
            list(result.criteria),
            default=criterion,
            format_func=str.capitalize,
            key="criterion",
            label_visibility="collapsed",
        )
        criterion = chosen or criterion
    colors = look.palette()
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, key="panel_heat", gap="small"):
        look.heading("Win rates", "row against column, %; * is unlikely to be chance")
        st.plotly_chart(win_rate_figure(result, criterion, colors), key="chart_heat", theme=None)
    with right, st.container(border=True, key="panel_bars", gap="small"):
        look.heading("Won, tied, lost", criterion)
        st.plotly_chart(outcome_figure(result, criterion, colors), key="chart_bars", theme=None)
    with st.container(border=True, key="panel_tests", gap="small"):
        look.heading("Tests", "Wilcoxon signed-rank, Holm over the pairs of a criterion")
        st.dataframe(comparisons_frame(result, criterion), hide_index=True, key="table_tests")
    left, right = st.columns([1, 1.4], gap="medium")
    with left, st.container(border=True, key="panel_pareto", gap="small"):
        look.heading("Quality and time", "mean win rate, directness left out")
        st.plotly_chart(pareto_figure(result, "seconds", colors), key="chart_pareto", theme=None)
    with right, st.container(border=True, key="panel_methods", gap="small"):
        look.heading("Methods", "means per answer; shares in %")
        st.dataframe(methods_frame(result), hide_index=True, key="table_methods")
        look.heading("Claim counts and verdicts", "how often more of it won, %")
        st.dataframe(agreement_frame(result), hide_index=True, key="table_claims")
    _draw_unsupported(result)


def draw_files(corpus: Corpus, batch_id: str) -> None:
    """Draw the downloads of a batch."""
    with st.container(horizontal=True, gap="small", key="row_files"):
        for name, text in corpus.evaluations.files(batch_id).items():
            st.download_button(
                name,
                text,
                file_name=name,
                mime=MEDIA[name.rpartition(".")[2]],
                on_click="ignore",
                key=f"file_{name.replace('.', '_')}",
            )


def comparisons_frame(result: EvaluationResult, criterion: str) -> pd.DataFrame:
    """Return the comparisons of one criterion as a table."""
    return pd.DataFrame(
        [
            {
                "First": one.first,
                "Second": one.second,
                "Questions": one.n,
                "Won": one.wins,
                "Tied": one.ties,
                "Lost": one.losses,
                "Win rate": _rounded(one.win_rate, 1),
                "95 %": "" if one.interval is None else _span(one.interval),
                "Effect": _rounded(one.test.effect, 2),
                "p": f"{one.test.p:.2g}",
                "Holm": f"{one.p_holm:.2g}",
                "Unread": one.n_unparsed,
            }
            for one in result.comparisons
            if one.criterion == criterion
        ]
    )


def methods_frame(result: EvaluationResult) -> pd.DataFrame:
    """Return the methods as a table."""
    return pd.DataFrame(
        [
            {
                "Method": one.label,
                "Answers": one.n_answers,
                "Failed": one.n_failed,
                "Words": _rounded(one.words, 0),
                "Claims": _rounded(one.claims, 1),
                "Documents": _rounded(one.documents, 1),
                "Tokens": _rounded(one.tokens, 0),
                "Seconds": _rounded(one.seconds, 2),
                **_shares(one.faithfulness),
            }
            for one in result.conditions
        ]
    )


def agreement_frame(result: EvaluationResult) -> pd.DataFrame:
    """Return how often measures and verdicts agree, a column per criterion."""
    found: dict[str, dict[str, float | str | None]] = {}
    for one in result.agreements:
        row = found.setdefault(one.measure, {"Measure": one.measure})
        row[one.criterion.capitalize()] = _percent(one.share)
    return pd.DataFrame(list(found.values()))


def _draw_unsupported(result: EvaluationResult) -> None:
    for one in result.conditions:
        sentences = one.faithfulness.unsupported
        if not sentences:
            continue
        with st.container(border=True, key=f"panel_bare_{result.labels.index(one.label)}"):
            look.heading(f"{one.label}: unsupported", count(len(sentences), "sentence"))
            for sentence in sentences[:UNSUPPORTED]:
                look.draw(f'<p class="sm-s">{look.exact(sentence)}</p>')


def _shares(one: Faithfulness) -> dict[str, float | None]:
    return {
        "Supported": _percent(one.supported),
        "Citations": _percent(one.resolved),
        "Facts": _percent(one.facts_found),
    }


def _percent(value: float | None) -> float | None:
    return None if value is None else round(100 * value)


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _span(interval: Sequence[float]) -> str:
    return f"{interval[0]:.0f}-{interval[1]:.0f}"
