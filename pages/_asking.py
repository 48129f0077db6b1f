"""An answer when it is there, and when it did not come to be; what can be done with it."""

from __future__ import annotations

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
from pages._words import shorten
from sensemaking.types import Answer, AnswerSnapshot
from sensemaking.workspace import Corpus

RETRIES = 3


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
            draw_retry(corpus, answer)
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


def draw_retry(corpus: Corpus, answer: Answer) -> None:
    """Draw the buttons that read failed windows again; the answer is then written anew."""
    failed = [one.window for one in answer.sub_answers if one.status == "failed"]
    if not failed:
        return

    def again(*windows: int) -> None:
        key = session.act(corpus.try_again, answer.id, windows)
        if key is not None:
            session.set_params(answer=key, sentence=None, before=None)

    with st.container(horizontal=True, gap="small", key="retry"):
        for window in failed[:RETRIES]:
            st.button(
                f"Try window {window + 1} again",
                icon=":material/replay:",
                key=f"retry_{window}",
                help="The others are not read again; the new answer is kept beside this one",
                on_click=again,
                args=(window,),
            )
        if len(failed) > 1:
            st.button(
                f"Try all {len(failed)} again", type="tertiary", key="retry_all", on_click=again
            )


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
                format_func=names.__getitem__,
                key=f"{what}_{answer.id}",
                placeholder="No window",
            )
        st.button(
            "Write again",
            key="write_again",
            help="Nothing is read again; the new answer is kept beside this one",
            on_click=write_again,
        )


def draw_ended(corpus: Corpus, snapshot: AnswerSnapshot) -> None:
    """Draw an answer that failed or was stopped, with what was read for it."""
    if snapshot.status == "failed":
        look.failure(snapshot.error, "answer_failed", "No answer")
    else:
        look.draw(look.sign("Stopped", "warn"))
        if snapshot.error:
            look.draw(f'<p class="sm-p sm-wrap" role="alert">{esc(snapshot.error)}</p>')
        look.text("What was read is shown; nothing was written from it.", "s")
    _draw_ways_on(corpus, snapshot)
    if snapshot.sub_answers:
        with st.container(border=True, key="panel_strip", gap="small"):
            windows.legend(snapshot.sub_answers)
            windows.strip(snapshot.sub_answers)
            windows.failures(snapshot.sub_answers)
        windows.slots(snapshot.sub_answers, key="slot")


def _draw_ways_on(corpus: Corpus, snapshot: AnswerSnapshot) -> None:
    """Draw what can be done about an answer that did not come to be."""
    method = dict(snapshot.settings).get("method", "")
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ways_on"):
        st.button(
            "Try again",
            icon=":material/replay:",
            key="try_again",
            help="Replies that came are kept and not asked for again",
            on_click=after.ask,
            args=(corpus, snapshot.question, after.settings_of(snapshot.settings, method)),
        )
        if corpus.settings.backend == "llm":
            st.page_link("settings.py", label="Check the connection", icon=":material/tune:")


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
