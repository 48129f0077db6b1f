"""An answer while it is made, when it is there, and when it did not come to be."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages import _after as after
from pages import _answer as answering
from pages import _changed as changed
from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages import _windows as windows
from pages._copying import copy_button
from pages._look import esc
from pages._words import duration, number, plain_label, shorten
from sensemaking.types import Answer, AnswerSnapshot
from sensemaking.workspace import Corpus

WINDOWS_SECONDS = 0.5
ANSWER_SECONDS = 0.25


def draw_facts(snapshot: AnswerSnapshot) -> None:
    """Draw one line on what an answer reads, or took."""
    answer, plan = snapshot.answer, snapshot.planned
    if answer is not None:
        settings = dict(answer.settings)
        level = settings.get("level", "")
        look.draw(
            answering.facts_line(
                answer,
                choices.hierarchy_label(settings.get("hierarchy", "")),
                choices.level_label(int(level) if level.isdecimal() else None),
            )
        )
    elif plan is not None:
        method = dict(snapshot.settings).get("method", "")
        look.draw(answering.plan_line(method, plan))


def draw_buttons(corpus: Corpus, snapshot: AnswerSnapshot) -> None:
    """Draw what can be done with an answer."""
    if snapshot.is_running:
        st.button(
            "Stop",
            icon=":material/stop_circle:",
            key="stop",
            on_click=corpus.stop_answer,
            args=(snapshot.id,),
        )
        return
    if snapshot.answer is not None:
        after.draw_follow_up(corpus, snapshot.answer)
        after.draw_other_ways(corpus, snapshot.answer, choices.hierarchies(corpus))
    st.button(
        "Ask again",
        icon=":material/edit:",
        key="again",
        on_click=_ask_again,
        args=(snapshot,),
    )
    if snapshot.answer is not None and snapshot.answer.sentences:
        copy_button(readable(snapshot.answer), "Copy", key="copy")
        st.download_button(
            "Export",
            lambda: corpus.export_answer(snapshot.id),
            file_name="answer.md",
            mime="text/markdown",
            on_click="ignore",
            icon=":material/ios_share:",
            key="export",
        )


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


def draw_done(corpus: Corpus, answer: Answer) -> None:
    """Draw the answer, what it was made from, and the evidence beside it."""
    picked = answering.picked_sentence(answer)
    before = changed.compared(corpus, answer)
    why = corpus.why_not_kept(answer.id)
    if why:
        look.draw(
            f'<div role="status">{look.sign("Not kept after a restart", "warn")}'
            f'<p class="sm-s">{esc(why)} Copy or export the answer to keep it.</p></div>'
        )
    left, right = st.columns([1.22, 1], gap="large")
    with left:
        only = changed.draw_band(before, answer) if before is not None else None
        answering.draw_answer(answer, picked=picked, only=only)
        with st.container(border=True, key="panel_windows", gap="small"):
            answering.draw_made_from(corpus, answer)
            draw_choice(corpus, answer)
    if not answer.sentences:
        return
    with (
        right,
        st.container(key="pane_drawer", height="stretch"),
        st.container(border=True, key="panel_drawer", gap="small"),
    ):
        if picked is None:
            look.heading("Evidence")
            look.text("Click a sentence to see the passages it rests on.", "s")
        else:
            answering.draw_drawer(corpus, answer, picked)


def draw_choice(corpus: Corpus, answer: Answer) -> None:
    """Draw the choice of windows to drop or pin, and the button that writes again from the rest."""
    helping = [one for one in answer.sub_answers if one.helpfulness > 0]
    if len(helping) < 2:
        return
    names = {
        one.window: f"Window {one.window + 1}, {one.helpfulness}: "
        f"{shorten(max(one.points, key=lambda p: p.helpfulness).heading, 40)}"
        for one in sorted(helping, key=lambda one: -one.helpfulness)
    }

    def write_again() -> None:
        chosen = [session.kept(f"{what}_{answer.id}", list[int]()) for what in ("drop", "pin")]
        key = session.act(corpus.write_again, answer.id, chosen[0], chosen[1])
        if key is not None:
            session.set_params(answer=key, sentence=None)

    with st.expander("Drop or pin, then write again", icon=":material/edit_note:"):
        for what, label in (("pin", "Write from these first"), ("drop", "Leave these out")):
            st.multiselect(
                label,
                list(names),
                format_func=lambda window: plain_label(names[window]),
                key=f"{what}_{answer.id}",
                placeholder="No window",
            )
        st.button(
            "Write again",
            key="write_again",
            help="Nothing is read again; the new answer is kept beside this one",
            on_click=write_again,
        )


def draw_ended(snapshot: AnswerSnapshot) -> None:
    """Draw an answer that failed or was stopped, with what was read for it."""
    if snapshot.status == "failed":
        look.failure(snapshot.error, "answer_failed", "No answer")
    else:
        look.draw(look.sign("Stopped", "warn"))
        look.text("What was read is shown; nothing was written from it.", "s")
    if snapshot.sub_answers:
        with st.container(border=True, key="panel_strip", gap="small"):
            windows.legend(snapshot.sub_answers)
            windows.strip(snapshot.sub_answers)
            windows.failures(snapshot.sub_answers)
        windows.slots(snapshot.sub_answers, key="slot")


def readable(answer: Answer) -> str:
    """Return an answer as plain text for the clipboard, with the numbers of its sources."""
    numbers = answering.source_numbers(answer)
    lines = [answer.question, ""]
    for paragraph in answer.paragraphs:
        lines += [paragraph.heading] if paragraph.heading else []
        told = [
            f"{one.text} [{', '.join(str(numbers[span]) for span in one.spans)}]"
            if one.spans
            else one.text
            for one in paragraph.sentences
        ]
        lines += [" ".join(told), ""]
    return "\n".join(lines)


def _ask_again(snapshot: AnswerSnapshot) -> None:
    """Open the question again with the communities and the level that it was asked of."""
    settings = dict(snapshot.settings)
    level = settings.get("level", "")
    session.keep("question", snapshot.question)
    session.set_params(
        answer=None,
        sentence=None,
        before=None,
        method=settings.get("method"),
        within=settings.get("within") or None,
        topic=settings.get("topic") or None,
        hierarchy=settings.get("hierarchy"),
        level=level if level.isdecimal() else None,
    )
