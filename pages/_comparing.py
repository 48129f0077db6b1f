"""Answers side by side: while they are made, and when they are there."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._words import count, duration, money, number, share
from sensemaking.methods import METHODS
from sensemaking.types import Answer, AnswerSnapshot
from sensemaking.workspace import Corpus

POLL_SECONDS = 0.5
LETTERS = "ABCD"
COLORS = (0, 6, 2, 3)
"""Of the colours of communities: indigo, terracotta, sea, plum."""
SEED = "86"
LONG = 1200
"""Characters of an answer that scrolls: claims and verdicts stay in reach."""
TEXT_PX = 430


def color(n: int) -> str:
    """Return the colour of run number `n` (from 0)."""
    return look.palette().communities[COLORS[n]]


def dot(n: int) -> str:
    """Return the dot of run number `n` (from 0)."""
    return f'<span class="sm-dot" style="background:{color(n)}"></span>'


def label(snapshot: AnswerSnapshot) -> str:
    """Return what an answer was made with, in few words."""
    told = dict(snapshot.settings)
    name = told.get("method", snapshot.answer.method if snapshot.answer else "")
    method = METHODS.get(name)
    parts = [method.label if method is not None else name]
    if method is not None and method.reads == "reports":
        level = told.get("level", "leaf")
        parts.append(choices.hierarchy_label(told.get("hierarchy", "")))
        parts.append(choices.level_label(int(level) if level.isdecimal() else None))
    if method is not None and method.by_topic and told.get("topic"):
        parts.append(f"topic {told['topic']}")
    if told.get("backend"):
        parts.append("by the model" if told["backend"] == "llm" else "extractive")
    if told.get("seed", SEED) != SEED:
        parts.append(f"seed {told['seed']}")
    return ", ".join(parts)


def draw_heading(n: int, letter: str, note: str) -> None:
    """Draw the letter of an answer with its colour, and what it was made with."""
    look.draw(
        f'<div class="sm-row sm-sp"><h2 class="sm-h sm-nobr">{dot(n)}{esc(letter)}</h2>'
        f'<span class="sm-s">{esc(note)}</span></div>'
    )


def draw_column(snapshot: AnswerSnapshot, n: int) -> None:
    """Draw one answer with its name: its text, and what it took."""
    draw_heading(n, LETTERS[n], label(snapshot))
    if snapshot.answer is None:
        _draw_unfinished(snapshot)
        return
    draw_text(snapshot.answer)
    _draw_facts(snapshot.answer)


def _draw_unfinished(snapshot: AnswerSnapshot) -> None:
    if snapshot.error:
        look.draw(
            f'<div role="alert">{look.sign("No answer", "bad")}'
            f'<p class="sm-p sm-wrap">{esc(snapshot.error)}</p></div>'
        )
        return
    if not snapshot.is_running:
        look.draw(look.sign("Stopped", "warn"))
        return
    total = len(snapshot.sub_answers)
    done = sum(one.status != "waiting" for one in snapshot.sub_answers)
    look.draw(look.sign("Writing" if snapshot.text else "Reading", "run"))
    look.draw(look.bar(done / total if total else 0.0, "var(--accent)"))
    look.text(f"{number(done)} of {count(total, 'window')} read", "s")
    if snapshot.text:
        look.draw(f'<p class="sm-p sm-wrap">{look.exact(snapshot.text)}</p>')


def draw_text(answer: Answer) -> None:
    """Draw what an answer says, without sources; a long one scrolls in its place."""
    is_long = sum(len(one.text) for one in answer.sentences) > LONG
    with st.container(height=TEXT_PX if is_long else "content", border=False, gap="small"):
        for paragraph in answer.paragraphs:
            if paragraph.heading:
                look.draw(f'<p class="sm-h">{look.exact(paragraph.heading)}</p>')
            text = " ".join(one.text for one in paragraph.sentences)
            look.draw(f'<p class="sm-p">{look.exact(text)}</p>')
        for note in answer.notes if not answer.paragraphs else ():
            look.text(note)


def _draw_facts(answer: Answer) -> None:
    n_words = sum(len(one.text.split()) for one in answer.sentences)
    coverage = answer.coverage
    look.facts(
        [
            ("Length", number(n_words), "words"),
            ("Read", number(answer.n_tokens), "tokens"),
            ("Calls", number(answer.usage.calls)),
            ("Cost", money(answer.usage.cost)),
            ("Time", duration(answer.seconds)),
            ("Chunks", share(coverage.n_chunks_covered, coverage.n_chunks)),
            ("Entities", share(coverage.n_entities_covered, coverage.n_entities)),
        ]
    )


def draw_running(corpus: Corpus, ids: Sequence[str], *, is_blind: bool = False) -> None:
    """Draw the answers while they are made, all at the same time.

    A reader who is to judge blind sees only how many are done.
    """

    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        with look.guard("compare_failure"):
            now = [corpus.answer(one) for one in ids]
            if not any(one.is_running for one in now):
                st.rerun()
            if is_blind:
                _draw_hidden(now)
                return
            for n, column in enumerate(st.columns(len(now), gap="medium")):
                with column, st.container(border=True, key=f"panel_run_{n}", gap="small"):
                    draw_column(now[n], n)
                    if now[n].is_running:
                        st.button(
                            "Stop",
                            icon=":material/stop_circle:",
                            key=f"stop_{n}",
                            help="The others go on",
                            on_click=corpus.stop_answer,
                            args=(now[n].id,),
                        )

    with st.container(key="poll_compare"):
        follow()


def _draw_hidden(snapshots: Sequence[AnswerSnapshot]) -> None:
    done = sum(not one.is_running for one in snapshots)
    look.draw(look.sign("Answering", "run"))
    look.draw(look.bar(done / len(snapshots), "var(--accent)"))
    look.text(f"{number(done)} of {count(len(snapshots), 'answer')} done, shown without names", "s")


def draw_done(snapshots: Sequence[AnswerSnapshot]) -> None:
    """Draw all answers that have ended, with their names."""
    for n, column in enumerate(st.columns(len(snapshots), gap="medium")):
        with column, st.container(border=True, key=f"panel_answer_{n}", gap="small"):
            draw_column(snapshots[n], n)


def chosen_pair(snapshots: Sequence[AnswerSnapshot]) -> tuple[int, int] | None:
    """Return which two answers are looked at closely, from the address; None where there are not.

    Their letters stand in the address, as in `pair=AC`.
    """
    there = [n for n, one in enumerate(snapshots) if one.answer is not None]
    if len(there) < 2:
        return None
    asked = [LETTERS.find(one) for one in (session.param("pair") or "")]
    if len(asked) == 2 and all(one in there for one in asked) and asked[0] != asked[1]:
        return asked[0], asked[1]
    return there[0], there[1]


def choose_pair(snapshots: Sequence[AnswerSnapshot], pair: tuple[int, int]) -> None:
    """Draw the choice of two answers, where there are more."""
    there = [n for n, one in enumerate(snapshots) if one.answer is not None]
    if len(there) < 3:
        return
    pairs = [(one, other) for one in there for other in there if one < other]

    def name(one: tuple[int, int]) -> str:
        return f"{LETTERS[one[0]]} and {LETTERS[one[1]]}"

    def change() -> None:
        first, second = session.kept("pair", pair)
        session.set_params(pair=f"{LETTERS[first]}{LETTERS[second]}")

    session.keep("pair", pair if pair in pairs else pair[::-1])
    st.segmented_control(
        "Pair", pairs, format_func=name, key="pair", on_change=change, required=True
    )
