"""Which of two answers is better: a person's word, blind, and a judge's in both orders."""

from __future__ import annotations

import streamlit as st

from pages import _comparing as sides
from pages import _look as look
from pages import _progress as progress
from pages import _session as session
from pages._look import esc
from pages._words import plain_label
from sensemaking.errors import ConfigError
from sensemaking.types import Answer, JobSnapshot
from sensemaking.workspace import Corpus
from sensemaking.workspace.comparing import JUDGES, JudgeName, Meeting, PairVerdict, Winner

POLL_SECONDS = 0.7
JUDGE_NAMES: dict[JudgeName, str] = {"extractive": "Measured", "llm": "By the model"}
NO_MODEL = "No model is set up as a judge: open Settings."


def draw_blind(corpus: Corpus, first: Answer, second: Answer) -> None:
    """Draw two answers without names in an order nobody chose, and the choice of a winner."""
    comparing = corpus.evaluations.comparing
    is_swapped = comparing.is_swapped(first, second)
    shown = (second, first) if is_swapped else (first, second)
    for side, answer, column in zip(
        ("Left", "Right"), shown, st.columns(2, gap="medium"), strict=True
    ):
        with column, st.container(border=True, key=f"panel_{side.lower()}", gap="small"):
            look.heading(side)
            sides.draw_text(answer)
    options: dict[str, Winner] = {"Left": 1, "Equal": 0, "Right": 2}
    if is_swapped:
        options = {"Left": 2, "Equal": 0, "Right": 1}
    with st.container(border=True, key="panel_blind", gap="small"):
        look.heading("Your verdict", "names are shown afterwards")
        for criterion in corpus.evaluations.criteria():
            name, definition = plain_label(criterion.name.capitalize()), criterion.definition
            st.radio(
                f"**{name}** {plain_label(definition)}",
                list(options),
                index=None,
                horizontal=True,
                key=f"own_{criterion.name}",
            )

        def reveal() -> None:
            given = {
                one.name: options[word]
                for one in corpus.evaluations.criteria()
                if (word := session.kept(f"own_{one.name}", "") or "") in options
            }
            if given:
                session.act(comparing.keep_own, first, second, given)
            session.set_params(blind=None)

        with st.container(horizontal=True, gap="small", key="blind_buttons"):
            st.button("Keep and show names", type="primary", key="go_reveal", on_click=reveal)
            st.button(
                "Show names without a verdict",
                key="leave_blind",
                on_click=session.set_params,
                kwargs={"blind": None},
            )


def draw_verdicts(corpus: Corpus, answers: tuple[Answer, Answer], pair: tuple[int, int]) -> None:
    """Draw what a judge and a person say of two answers; `pair` are the numbers of the runs."""
    comparing = corpus.evaluations.comparing
    look.heading("Verdicts", "each pair is read in both orders")
    judge = st.segmented_control(
        "Judge",
        JUDGES,
        default="extractive",
        format_func=JUDGE_NAMES.__getitem__,
        key="judge",
        required=True,
        label_visibility="collapsed",
    )
    is_differential = st.toggle(
        "Only what they do not share",
        key="differential",
        help="Claims that both answers make are taken out first; the rest is judged",
    )
    meeting = Meeting(*answers, judge or "extractive", is_differential)
    try:
        if meeting.judge == "extractive":
            look.text("Counted, not felt: a measurement, not an opinion.", "s")
            found = comparing.judge(meeting)
        else:
            found = comparing.verdicts(meeting)
            _draw_asking(corpus, meeting, found)
    except ConfigError as error:
        look.text(f"{NO_MODEL} {error}", "s")
        found = ()
    letters = (sides.LETTERS[pair[0]], sides.LETTERS[pair[1]])
    own = comparing.own(*answers)
    if found:
        look.draw("".join(_verdict(one, letters, own) for one in found))
    elif own:
        words = {0: "equal", 1: letters[0], 2: letters[1]}
        told = (f"{name}: {words[winner]}" for name, winner in own.items())
        look.text(f"You: {', '.join(told)}.", "s")


def _draw_asking(corpus: Corpus, meeting: Meeting, found: tuple[PairVerdict, ...]) -> None:
    comparing = corpus.evaluations.comparing
    job = comparing.judging(meeting)
    if job is not None and job.is_running:
        _draw_waiting(corpus, meeting)
        return
    missing = [one for one in found if None in one.by_order]
    if not missing:
        return
    if job is not None:
        _draw_failure(job)
    look.text(f"{2 * len(missing)} verdicts are to be asked for: one call each.", "s")
    st.button(
        "Ask the judge",
        icon=":material/balance:",
        key="ask_judge",
        on_click=session.act,
        args=(comparing.start_judging, meeting),
    )


def _draw_failure(job: JobSnapshot) -> None:
    reasons = dict.fromkeys(one.reason for one in job.skipped)
    if job.error or reasons:
        look.failure(job.error or next(iter(reasons)), "judge_failure", "Not all was judged")


def _draw_waiting(corpus: Corpus, meeting: Meeting) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        with look.guard("judge_waiting"):
            job = corpus.evaluations.comparing.judging(meeting)
            if job is None or not job.is_running:
                st.rerun()
                return
            look.draw(look.sign("The judge reads", "run"))
            for stage in job.stages:
                part = stage.done / stage.total if stage.total else 0.0
                look.draw(look.bar(part, "var(--accent)"))
                look.text(f"{stage.done} of {stage.total}, {progress.elapsed(job)}", "s")

    with st.container(key="poll_judge"):
        follow()


def _verdict(one: PairVerdict, letters: tuple[str, str], own: dict[str, Winner]) -> str:
    names = {0: "equal", 1: letters[0], 2: letters[1], None: "no verdict"}
    told = names[one.winner]
    if one.score is not None and None not in one.by_order and one.by_order[0] != one.by_order[1]:
        told = f"undecided: {names[one.by_order[0]]} read first, {names[one.by_order[1]]} turned"
    name = one.criterion.name
    mine = f"; you: {names[own[name]]}" if name in own else ""
    reasons = "".join(f'<p class="sm-s">{esc(reason)}</p>' for reason in one.reasons[:2])
    return (
        f'<div class="sm-claim"><p class="sm-p"><b>{esc(name.capitalize())}</b>: '
        f"{esc(told)}{esc(mine)}</p>"
        f'<p class="sm-s">{esc(one.criterion.definition)}</p>{reasons}</div>'
    )
