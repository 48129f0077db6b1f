"""What is compared: a question, and two to four ways to answer it."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages import _choices as choices
from pages import _comparing as sides
from pages import _look as look
from pages import _session as session
from sensemaking.methods import METHODS
from sensemaking.types import Condition
from sensemaking.workspace import Corpus

FEWEST = 2
MAX_QUESTION = 5000
FIRST = ("global", "text", "vector", "global")
OWN = "as the corpus"
BACKENDS = {OWN: "Corpus's backend", "extractive": "Extractive", "llm": "Model"}
ANY_TOPIC, NO_TOPIC = "", "none"
SEED = 86
LETTER_PX = 40
SAME = "Two of the runs are the same: change the method, the level or the seed."


def draw_menu(corpus: Corpus) -> None:
    """Draw the question and a row for each run."""
    look.head("Compare", "one question, two to four ways to answer it")
    n_runs = session.kept("compare_runs", FEWEST)
    with st.container(border=True, key="panel_menu", gap="small"):
        st.text_area(
            "Question",
            key="compare_question",
            height=96,
            max_chars=MAX_QUESTION,
            placeholder="What are the main disagreements, and who holds them?",
            label_visibility="collapsed",
        )
        for n in range(n_runs):
            _draw_run(corpus, n)
        with st.container(
            horizontal=True, gap="small", key="menu_buttons", vertical_alignment="center"
        ):
            st.button(
                "Compare", type="primary", key="go_compare", on_click=_start, args=(corpus, n_runs)
            )
            if n_runs < len(sides.LETTERS):
                st.button(
                    "Add a run",
                    icon=":material/add:",
                    key="add_run",
                    on_click=session.keep,
                    args=("compare_runs", n_runs + 1),
                )
            if n_runs > FEWEST:
                st.button(
                    f"Take {sides.LETTERS[n_runs - 1]} away",
                    icon=":material/close:",
                    key="drop_run",
                    on_click=session.keep,
                    args=("compare_runs", n_runs - 1),
                )
            st.toggle(
                "Judge blind",
                key="compare_blind",
                help="A and B come without names, in an order nobody chose; names are shown after "
                "your verdict",
            )
    look.text("All run at the same time. Every answer is kept and has a link.", "s")


def _draw_run(corpus: Corpus, n: int) -> None:
    heads = {one.key: one for one in choices.hierarchies(corpus)}
    with st.container(horizontal=True, gap="small", key=f"run_{n}", vertical_alignment="bottom"):
        # Its own width: the choices stand right behind the letter.
        st.html(f'<p class="sm-h">{sides.dot(n)}{sides.LETTERS[n]}</p>', width=LETTER_PX)
        method = st.selectbox(
            "Method",
            list(METHODS),
            index=list(METHODS).index(FIRST[n]),
            format_func=lambda name: METHODS[name].label,
            key=f"run_method_{n}",
            width=220,
        )
        chosen = METHODS[method]
        if chosen.reads == "reports":
            key = st.selectbox(
                "Communities",
                list(heads),
                format_func=choices.hierarchy_label,
                key=f"run_hierarchy_{n}",
                width=180,
            )
            levels = [choices.LEAVES, *map(str, range(heads[key].levels))]
            st.selectbox(
                "Level",
                levels,
                format_func=lambda one: "Leaves" if one == choices.LEAVES else f"Level {one}",
                key=f"run_level_{n}",
                width=110,
            )
        if chosen.by_topic:
            found = corpus.topics.is_found
            topics = [one.topic.name for one in session.topics(corpus).rows] if found else []
            st.selectbox(
                "Topic",
                [ANY_TOPIC, NO_TOPIC, *topics],
                format_func=lambda one: {ANY_TOPIC: "By the question", NO_TOPIC: "None"}.get(
                    one, one
                ),
                key=f"run_topic_{n}",
                width=190,
            )
        st.selectbox(
            "Answered by",
            list(BACKENDS),
            format_func=BACKENDS.__getitem__,
            key=f"run_backend_{n}",
            width=160,
        )
        st.number_input(
            "Seed", 0, 2**31, SEED, key=f"run_seed_{n}", width=110, help="Order of the windows"
        )


def _condition(n: int) -> Condition:
    """Return what is chosen in a row."""
    method = METHODS[session.kept(f"run_method_{n}", FIRST[n])]
    found: dict[str, str] = {
        "method": method.name,
        "seed": str(int(session.kept(f"run_seed_{n}", SEED))),
    }
    if method.reads == "reports":
        found["hierarchy"] = session.kept(f"run_hierarchy_{n}", "general.leiden")
        found["level"] = session.kept(f"run_level_{n}", choices.LEAVES)
    topic = session.kept(f"run_topic_{n}", ANY_TOPIC)
    if method.by_topic and topic:
        found["topic"] = topic
    backend = session.kept(f"run_backend_{n}", OWN)
    if backend != OWN:
        found["backend"] = backend
    return Condition(sides.LETTERS[n], tuple(sorted(found.items())))


def _start(corpus: Corpus, n_runs: int) -> None:
    question = session.kept("compare_question", "").strip()
    ids: list[str] = []
    for n in range(n_runs):
        condition = _condition(n)
        settings = session.act(corpus.evaluations.settings_of, condition)
        backend = dict(condition.settings).get("backend", "")
        key = (
            session.act(corpus.start_answer, question, settings, backend)
            if settings is not None
            else None
        )
        if key is None:
            return
        ids.append(key)
    if len(set(ids)) < len(ids):
        session.keep("refusal", SAME)
        return
    session.clear_params()
    blind = "1" if session.kept("compare_blind", default=False) else None
    session.set_params(answers=",".join(ids), blind=blind)


def ask_again(question: str, told: Mapping[str, str]) -> None:
    """Open the menu again with the question; `told` are the settings of the first run."""
    session.keep("compare_question", question)
    method = told.get("method", "")
    if method in METHODS:
        session.keep("run_method_0", method)
    session.clear_params()
