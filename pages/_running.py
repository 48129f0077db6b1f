"""An answer while it is made: its windows as they are read, its text as it is written."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages import _answer as answering
from pages import _look as look
from pages import _windows as windows
from pages._look import esc
from pages._words import duration, number, shorten
from sensemaking.types import AnswerSnapshot
from sensemaking.workspace import Corpus

WINDOWS_SECONDS = 0.5
ANSWER_SECONDS = 0.25


def draw_running(corpus: Corpus, snapshot: AnswerSnapshot) -> None:
    """Draw the windows as they are read, and the answer as it is written."""
    answer_id = snapshot.id
    _, places, reports = answering.places_of(corpus, dict(snapshot.settings))

    @st.fragment(run_every=WINDOWS_SECONDS)
    def follow_windows() -> None:
        with look.guard("windows_failure"):
            now = corpus.answer(answer_id)
            with st.container(border=True, key="panel_strip", gap="small"):
                windows.legend(now.sub_answers, f"{duration(now.seconds)} so far{_left(now)}")
                windows.strip(now.sub_answers)
                windows.failures(now.sub_answers)
            come_from = windows.origins(now.sub_answers, places, reports)
            windows.slots(now.sub_answers, key="slot", come_from=come_from)

    @st.fragment(run_every=ANSWER_SECONDS)
    def follow_answer() -> None:
        with look.guard("answer_failure"):
            now = corpus.answer(answer_id)
            if not now.is_running:
                st.rerun()
            with st.container(border=True, key="panel_answer", gap="small"):
                answering.draw_running(now)
                _draw_collected(now, windows.origins(now.sub_answers, places, reports))

    left, right = st.columns([2.05, 1], gap="medium")
    # Polled fragments alone in their containers: what follows them vanishes otherwise.
    with left, st.container(key="poll_windows"):
        follow_windows()
    with right, st.container(key="poll_answer"):
        follow_answer()


def _left(now: AnswerSnapshot) -> str:
    """Return about how long the windows that are not read yet will take."""
    read = sum(one.status not in ("waiting", "reading") for one in now.sub_answers)
    rest = len(now.sub_answers) - read
    if not read or not rest or now.seconds < 1:
        return ""
    return f", about {duration(now.seconds / read * rest)} left"


def _draw_collected(now: AnswerSnapshot, come_from: dict[int, windows.Origin]) -> None:
    """Draw how many points there are so far, and where they come from."""
    points = Counter[windows.Origin]()
    for one in now.sub_answers:
        if one.status in ("kept", "cut") and one.window in come_from:
            points[come_from[one.window]] += len(one.points)
    total = sum(len(one.points) for one in now.sub_answers if one.status in ("kept", "cut"))
    if not total:
        return
    look.draw('<div class="sm-hr"></div>')
    look.facts([("Points so far", number(total)), *answering.spent(now.usage)])
    if not points:
        return
    ranked = sorted(points.items(), key=lambda pair: (-pair[1], pair[0][1]))
    whole = sum(points.values())
    bars = "".join(
        f'<i style="width:{100 * n / whole:.1f}%;background:{color}"></i>'
        for (color, _), n in ranked
    )
    names = "".join(
        f'<span><i class="sm-dot" style="background:{color}"></i>{esc(shorten(title, 40))}</span>'
        for (color, title), _ in ranked[:6]
    )
    look.draw(
        f'<p class="sm-l">Where the points come from</p><div class="sm-stack">{bars}</div>'
        f'<p class="sm-legend sm-places">{names}</p>'
    )
