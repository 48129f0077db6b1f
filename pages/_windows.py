"""Windows and what they said: the strip, its legend, the sub-answers in their fixed slots."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages import _look as look
from pages._look import esc
from pages._words import count, plain_label, shorten
from sensemaking.types import SubAnswer

COLUMNS = 2
MAX_CARDS = 40


def strip(sub_answers: Sequence[SubAnswer], *, height: int = 44) -> None:
    """Draw one cell per window: height and depth are its helpfulness."""
    cells = "".join(_cell(one) for one in sub_answers)
    label = f"{len(sub_answers)} windows; the sentence above says how they stand"
    look.draw(
        f'<div class="sm-strip" role="img" aria-label="{esc(label)}" '
        f'style="--n:{max(1, len(sub_answers))};height:{height}px">{cells}</div>'
    )


def legend(sub_answers: Sequence[SubAnswer], note: str = "") -> None:
    """Draw the sentence that explains the strip, with the counts."""
    helping = [one for one in sub_answers if one.status in ("kept", "cut")]
    zero = sum(one.status == "zero" for one in sub_answers)
    failed = sum(one.status == "failed" for one in sub_answers)
    reading = sum(one.status == "reading" for one in sub_answers)
    waiting = sum(one.status == "waiting" for one in sub_answers)
    read = len(helping) + zero + failed
    depth = f'<i class="sm-dot" style="background:{look.helpfulness_color(80)}"></i>'
    parts = [f"<span><b>{read} of {len(sub_answers)}</b> windows read</span>"]
    parts.append(f"<span>{depth}<b>{len(helping)}</b> help, by height</span>")
    for amount, style, words in (
        (zero, "zero", "do not" if zero != 1 else "does not"),
        (failed, "fail", "failed"),
        (reading, "run", "reading"),
        (waiting, "wait", "waiting"),
    ):
        if amount:
            parts.append(f'<span><i class="sm-dot {style}"></i><b>{amount}</b> {words}</span>')
    look.draw(
        f'<div class="sm-row sm-sp"><p class="sm-legend">{"".join(parts)}</p>'
        f'<p class="sm-s">{esc(note)}</p></div>'
    )


def failures(sub_answers: Sequence[SubAnswer]) -> None:
    """Draw which windows failed, why, and how many reports the answer misses for it."""
    failed = [one for one in sub_answers if one.status == "failed"]
    if not failed:
        return
    missing = sum(len(one.block_ids or one.block_titles) for one in failed)
    lines = "".join(
        f'<p class="sm-s"><b>Window {one.window + 1}</b> {esc(shorten(one.reason, 240))}</p>'
        for one in failed[:6]
    )
    title = f"The answer leaves out {count(missing, 'report')}"
    look.draw(f'<div role="alert">{look.sign(title, "bad")}{lines}</div>')


def slots(sub_answers: Sequence[SubAnswer], *, key: str) -> None:
    """Draw a card per window in window order; nothing moves while they arrive."""
    for first in range(0, min(len(sub_answers), MAX_CARDS), COLUMNS):
        row = st.columns(COLUMNS, gap="small")
        for column, one in zip(row, sub_answers[first : first + COLUMNS], strict=False):
            with (
                column,
                st.container(
                    border=True, key=f"card_{key}_{one.window}", height="stretch", gap="xsmall"
                ),
            ):
                _card(one)
    if len(sub_answers) > MAX_CARDS:
        look.text(f"{len(sub_answers) - MAX_CARDS} more windows are in the strip above.", "s")


def ranked(sub_answers: Sequence[SubAnswer], *, key: str, limit: int = 5) -> None:
    """Draw the windows that helped most; all of them and the zeros behind one click."""
    helping = sorted(
        (one for one in sub_answers if one.status in ("kept", "cut")),
        key=lambda one: (-one.helpfulness, one.window),
    )
    rows = "".join(
        f"<span>{esc(shorten(_heading(one), 70))}</span>{look.score(one.helpfulness)}"
        for one in helping[:limit]
    )
    look.draw(f'<div class="sm-scores">{rows}</div>')
    zero = [one.window + 1 for one in sub_answers if one.status == "zero"]
    with st.expander(plain_label(f"All {count(len(sub_answers), 'sub-answer')}"), key=f"all_{key}"):
        for one in helping:
            look.draw(f'<div class="sm-hr"></div>{_markup(one, all_points=True)}')
        if zero:
            numbers = ", ".join(str(n) for n in zero[:60])
            look.text(f"No help for this question: window {numbers}.", "s")


def _cell(one: SubAnswer) -> str:
    title = f"Window {one.window + 1}"
    if one.status in ("kept", "cut"):
        color = look.helpfulness_color(one.helpfulness)
        return (
            f'<i title="{title}: helpfulness {one.helpfulness}">'
            f'<b style="height:{max(12, one.helpfulness)}%;--c:{color}"></b></i>'
        )
    style, word = {
        "failed": ("fail", "failed"),
        "zero": ("zero", "does not help"),
        "reading": ("run", "reading"),
        "waiting": ("wait", "waiting"),
    }[one.status]
    return f'<i class="{style}" title="{title}: {word}"></i>'


def _heading(one: SubAnswer) -> str:
    if one.points and one.points[0].heading:
        return one.points[0].heading
    return one.block_titles[0] if one.block_titles else f"Window {one.window + 1}"


def _card(one: SubAnswer) -> None:
    if one.status in ("waiting", "reading"):
        lines = "".join(f'<div class="sm-skel" style="width:{w}%"></div>' for w in (40, 92, 71))
        look.draw(f'<div class="sm-slot">{lines}<p class="sm-s">Window {one.window + 1}</p></div>')
        return
    look.draw(f'<div class="sm-slot">{_markup(one)}</div>')


def _markup(one: SubAnswer, *, all_points: bool = False) -> str:
    number = one.window + 1
    reports = count(len(one.block_ids or one.block_titles), "report")
    if one.status == "failed":
        sign = look.sign(f"Window {number} failed", "bad")
        return f'{sign}<p class="sm-s">{esc(shorten(one.reason, 200))} {esc(reports)} missing.</p>'
    if one.status == "zero":
        sign = look.sign("Does not help", "wait")
        return f'{sign}<p class="sm-s">{esc(reports)}, window {number}</p>'
    points = one.points if all_points else one.points[:1]
    text = "".join(f'<p class="sm-p sm-quiet">{esc(_clip(p.text, all_points))}</p>' for p in points)
    more = len(one.points) - len(points)
    note = f"{reports}, window {number}" + (f", {count(more, 'more point')}" if more else "")
    if one.status == "cut":
        note += ", cut by the budget"
    return (
        f'{look.score(one.helpfulness)}<p class="sm-h">{esc(shorten(_heading(one), 90))}</p>'
        f'{text}<p class="sm-s">{esc(note)}</p>'
    )


def _clip(text: str, whole: bool) -> str:
    return text if whole else shorten(text, 230)
