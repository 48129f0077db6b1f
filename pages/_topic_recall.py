"""How many of the reports that help with a question retrieval finds first."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._words import count
from sensemaking.methods import METHODS
from sensemaking.workspace import Corpus

ROW_PX = 32


def draw_recall(corpus: Corpus) -> None:
    """Draw what was measured, and the form that measures another question."""
    settings = METHODS["global+retrieval"].settings(hierarchy=corpus.topics.default_hierarchy())
    n_readings = corpus.topics.n_readings(settings)
    calls = "no model is called" if corpus.settings.backend == "extractive" else "a call for each"
    look.text(
        "ReTAG reads the reports that fit the words of a question best. How many of those that "
        f"help are among them? {count(n_readings, 'report')} are read one by one; {calls}.",
        "s",
    )
    with st.form("measure_recall", border=False):
        left, right = st.columns([5, 1], vertical_alignment="bottom")
        with left:
            st.text_input("Question", key="recall_question", max_chars=2000)
        with right:
            st.form_submit_button(
                "Measure",
                key="say_recall",
                disabled=corpus.is_read_only,
                on_click=_measure,
                args=(corpus,),
                width="stretch",
            )
    found = corpus.topics.recalls(settings)
    if not found:
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Question": one.question,
                    "Help": f"{one.n_relevant:,} of {one.n_reports:,}",
                    **{
                        f"First {size:,}": None if share is None else 100 * share
                        for size, share in one.recalls
                    },
                }
                for one in reversed(found)
            ]
        ),
        hide_index=True,
        row_height=ROW_PX,
        placeholder="–",
        alt="Share of the helpful reports among the first that are found, by question",
        column_config={
            "Question": st.column_config.TextColumn(width=330),
            **{
                f"First {size:,}": st.column_config.NumberColumn(format="%d %%", width=80)
                for size, _ in found[-1].recalls
            },
        },
    )


def _measure(corpus: Corpus) -> None:
    question = session.kept("recall_question", "").strip()
    if question:
        settings = METHODS["global+retrieval"].settings(hierarchy=corpus.topics.default_hierarchy())
        session.act(corpus.topics.start_recall, question, settings)
