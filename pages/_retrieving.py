"""How well searches find the documents that are known to answer: means, then each question."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from pages import _evaluating as evaluating
from pages import _look as look
from pages import _progress as progress
from pages import _session as session
from pages._look import esc
from pages._words import count, duration, plain_label, shorten
from sensemaking.types import Question, QuestionSet, RetrievalRow, RetrievalRun
from sensemaking.workspace import Corpus

POLL_SECONDS = 1.0
NAMES = {"bm25": "BM25 (words)", "dense": "Dense (vectors)", "fused": "Both, fused"}
DEFINITIONS = (
    "Recall: documents found among the first k, of as many as k places can hold. nDCG: the same, "
    "where earlier places count more (log2), as a share of the best order. Seconds: one search."
)
ROW_PX = 32
SHOWN = 12
QUOTE = 300
PASSAGES = 200
"""Passages that are looked through for those of the ranked documents."""


def draw_plan(corpus: Corpus, questions: QuestionSet) -> None:
    """Draw the choice of retrievers, and the button."""
    n_gold = sum(bool(one.gold) for one in questions.questions)
    look.heading("Measure searches", f"{count(n_gold, 'question')} with known documents")
    if not n_gold:
        look.text("No question of this set names its documents: fill in Gold, or add a file.", "s")
        return
    left, right = st.columns([2, 1])
    with left:
        methods = st.multiselect(
            "Retrievers",
            list(NAMES),
            default=list(NAMES),
            format_func=NAMES.__getitem__,
            key="retrievers",
        )
    with right:
        k = st.number_input("Places that count (k)", 1, 100, 10, key="retrieval_k")

    def begin() -> None:
        searches = corpus.evaluations.searches
        run = session.act(searches.plan, questions.id, questions.questions, methods, int(k))
        if run is not None and session.act(searches.start, run) is not None:
            session.set_params(run=run.id)

    st.button(
        "Measure",
        type="primary",
        key="go_retrieval",
        on_click=begin,
        disabled=corpus.is_read_only or not methods,
    )


def draw_runs(corpus: Corpus) -> None:
    """Draw the measurements that were ever begun."""
    runs = corpus.evaluations.searches.runs()
    if not runs:
        return
    look.heading("Measurements", count(len(runs), "measurement"))
    for one in runs:
        asked = count(len(one.questions), "question")
        told = f"{one.name}: {asked}, {', '.join(one.methods)} at {one.k}"
        st.button(
            plain_label(told),
            type="tertiary",
            key=f"run_{one.id}",
            on_click=session.set_params,
            kwargs={"run": one.id},
        )


def draw_run(corpus: Corpus, run_id: str) -> None:
    """Draw a measurement: while it runs, its means, and each question."""
    searches = corpus.evaluations.searches
    run, rows = searches.result(run_id)
    look.head("Searches", f"{run.name}, {count(len(run.questions), 'question')}, k = {run.k}")
    job = searches.job(run_id)
    is_whole = len(rows) == len(run.questions) * len(run.methods)
    with st.container(horizontal=True, gap="small", key="run_buttons"):
        st.button("All measurements", key="all_runs", on_click=_leave)
        if job is not None and job.is_running:
            st.button("Stop", key="stop_run", on_click=searches.stop, args=(run_id,))
        elif not is_whole and not corpus.is_read_only:
            st.button("Go on", key="go_on_run", on_click=session.act, args=(searches.start, run))
        if rows:
            st.download_button(
                "CSV",
                searches.to_csv(rows),
                file_name="retrieval.csv",
                mime="text/csv",
                on_click="ignore",
                icon=":material/download:",
                key="export_run",
            )
    if job is not None and job.is_running:
        _draw_running(corpus, run_id)
        return
    if job is not None and job.error:
        look.failure(job.error, "run_error", "It ended early")
    if not rows:
        look.text("Nothing is measured yet.", "s")
        return
    with st.container(border=True, key="panel_means", gap="small"):
        look.heading("Means", f"{count(len(run.questions), 'question')}")
        st.dataframe(
            _means(corpus, run, rows),
            hide_index=True,
            row_height=ROW_PX,
            key="table_means",
            alt="Means of each retriever",
            column_config={
                "Seconds": st.column_config.NumberColumn(format="%.4f"),
                **{name: _share_column() for name in (f"Recall@{run.k}", f"nDCG@{run.k}")},
            },
        )
        look.text(DEFINITIONS, "s")
        if told := searches.told(run):
            look.text(told, "s")
    _draw_questions(corpus, run, rows)


def _leave() -> None:
    session.set_params(run=None, question=None)


def _share_column() -> ColumnConfig:
    return st.column_config.ProgressColumn(
        format="%.3f", min_value=0, max_value=1, color="primary", width="medium"
    )


def _means(corpus: Corpus, run: RetrievalRun, rows: Sequence[RetrievalRow]) -> pd.DataFrame:
    return pd.DataFrame(
        [
            {
                "Retriever": NAMES[one.method],
                f"Recall@{run.k}": one.recall,
                f"nDCG@{run.k}": one.ndcg,
                "Seconds": one.seconds,
                "Questions": one.n_questions,
            }
            for one in corpus.evaluations.searches.sum_up(rows, run.k)
        ]
    )


def _draw_questions(corpus: Corpus, run: RetrievalRun, rows: Sequence[RetrievalRow]) -> None:
    by_key = {(one.question_id, one.method): one for one in rows}
    there = [one for one in run.questions if any((one.id, name) in by_key for name in run.methods)]

    def worst(question: Question) -> tuple[float, str]:
        found = [by_key.get((question.id, name)) for name in run.methods]
        return sum(one.ndcg for one in found if one is not None), question.id

    ordered = sorted(there, key=worst)
    with st.container(border=True, key="panel_each", gap="small"):
        look.heading("Question by question", "worst first; pick a row to see what was found")

        def pick() -> None:
            picked = session.selection("table_each", "rows")
            session.set_params(question=ordered[picked[0]].id if picked else None)

        st.dataframe(
            pd.DataFrame(
                [
                    {
                        "Question": one.text,
                        **{
                            f"{name} {what}": getattr(by_key[one.id, name], field)
                            for name in run.methods
                            if (one.id, name) in by_key
                            for what, field in (("recall", "recall"), ("nDCG", "ndcg"))
                        },
                        "Gold": len(one.gold),
                    }
                    for one in ordered
                ]
            ),
            hide_index=True,
            row_height=ROW_PX,
            height=min(SHOWN, len(ordered)) * ROW_PX + 38,
            key="table_each",
            on_select=pick,
            selection_mode="single-row",
            placeholder="–",
            alt="Measures of each question, worst first",
            column_config={
                "Question": st.column_config.TextColumn(width="large"),
                **{
                    f"{name} {what}": st.column_config.NumberColumn(format="%.2f")
                    for name in run.methods
                    for what in ("recall", "nDCG")
                },
            },
        )
        picked = session.param("question")
        question = next((one for one in ordered if one.id == picked), None)
    if question is not None:
        found = [by_key[question.id, one] for one in run.methods if (question.id, one) in by_key]
        _draw_question(corpus, question, found)


def _draw_question(corpus: Corpus, question: Question, rows: Sequence[RetrievalRow]) -> None:
    with st.container(border=True, key="panel_question", gap="small"):
        look.draw(f'<p class="sm-q long">{look.exact(question.text)}</p>')
        if question.answer:
            look.text(f"Known answer: {question.answer}", "s")
        gold = ", ".join(name for name, _ in question.gold)
        look.text(f"Known documents: {shorten(gold, 400)}", "s")
        for row, column in zip(rows, st.columns(len(rows), gap="medium"), strict=True):
            with column:
                look.heading(NAMES[row.method], f"nDCG {row.ndcg:.2f}")
                look.text(f"recall {row.recall:.2f}, {duration(row.seconds)}", "s")
                look.draw(_ranking(corpus, question, row))


def _ranking(corpus: Corpus, question: Question, row: RetrievalRow) -> str:
    """Return the ranked documents, hits with a sign, and the best passage of each."""
    best: dict[str, str] = {}
    with look.guard("passages_failure"):
        for hit in corpus.evaluations.searches.find(row.method, question.text, PASSAGES):
            document = corpus.document(hit.chunk.document_id)
            text = " ".join(document.text[hit.chunk.start : hit.chunk.end].split())
            best.setdefault(document.name, shorten(text, QUOTE))
    gold = set(row.gold)
    parts = []
    for place, name in enumerate(row.ranking, start=1):
        sign = look.tag("known", "good") if name in gold else ""
        passage = (
            f'<details><summary class="sm-s">passage</summary>'
            f'<p class="sm-src small">{look.exact(best[name])}</p></details>'
            if name in best
            else ""
        )
        parts.append(f'<p class="sm-p">{place}. {esc(name)} {sign}</p>{passage}')
    missed = [name for name in row.gold if name not in row.ranking]
    if missed:
        told = esc(", ".join(missed[:SHOWN]))
        parts.append(f'<p class="sm-s">{look.tag("not found", "bad")} {told}</p>')
    return "".join(parts)


def _draw_running(corpus: Corpus, run_id: str) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        with look.guard("run_failure"):
            job = corpus.evaluations.searches.job(run_id)
            if job is None or not job.is_running:
                st.rerun()
                return
            evaluating.draw_stages(job.stages, progress.elapsed(job))

    with st.container(key="poll_run"):
        follow()
