"""Windows and what they said: the strip, its legend, the sub-answers in their fixed slots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._words import count, plain_label, shorten
from sensemaking.figures.theme import community_color
from sensemaking.types import Report, SubAnswer

COLUMNS = 2
MAX_CARDS = 40
AT_ONCE = 6
"""Sub-answers on a page of the list of all."""
NAMED = 8
Origin = tuple[str, str]
"""Colour and title of the large community that most reports of a window belong to."""


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
    if len(failed) > 6:
        lines += f'<p class="sm-s">and {esc(count(len(failed) - 6, "more window"))}</p>'
    title = f"The answer leaves out {count(missing, 'report')}"
    look.draw(f'<div role="alert">{look.sign(title, "bad")}{lines}</div>')


def origins(
    sub_answers: Sequence[SubAnswer],
    places: Mapping[str, session.Place],
    reports: Mapping[str, Report],
) -> dict[int, Origin]:
    """Return where most reports of each window come from."""
    colors, found = look.palette(), {}
    for one in sub_answers:
        tops = Counter(
            (places[block].top, places[block].rank) for block in one.block_ids if block in places
        )
        if tops:
            (top, rank), _ = min(tops.items(), key=lambda pair: (-pair[1], pair[0]))
            title = reports[top].title if top in reports else ""
            found[one.window] = (community_color(colors, rank), title)
    return found


def slots(
    sub_answers: Sequence[SubAnswer], *, key: str, come_from: Mapping[int, Origin] | None = None
) -> None:
    """Draw a card per window: in fixed slots while any is read, then by helpfulness.

    Windows that do not help are then folded into one line.
    """
    is_over = all(one.status not in ("waiting", "reading") for one in sub_answers)
    shown = list(sub_answers)
    if is_over:
        shown = [one for one in sub_answers if one.status != "zero"]
        shown.sort(key=lambda one: (one.status != "failed", -one.helpfulness, one.window))
    note = "by helpfulness; those that do not help are folded" if is_over else "as they are read"
    look.heading("Sub-answers", note)
    for first in range(0, min(len(shown), MAX_CARDS), COLUMNS):
        row = st.columns(COLUMNS, gap="small")
        for column, one in zip(row, shown[first : first + COLUMNS], strict=False):
            with (
                column,
                st.container(
                    border=True, key=f"card_{key}_{one.window}", height="stretch", gap="xsmall"
                ),
            ):
                _card(one, (come_from or {}).get(one.window))
    if len(shown) > MAX_CARDS:
        look.text(f"{len(shown) - MAX_CARDS} more windows are in the strip above.", "s")
    if is_over:
        zeros(sub_answers)


def zeros(sub_answers: Sequence[SubAnswer]) -> None:
    """Draw the windows that do not help as one line."""
    numbers = [one.window + 1 for one in sub_answers if one.status == "zero"]
    if numbers:
        told = ", ".join(str(n) for n in numbers[:60])
        look.text(f"{count(len(numbers), 'window')} without help for this question: {told}.", "s")


def ranked(
    sub_answers: Sequence[SubAnswer],
    *,
    come_from: Mapping[int, Origin] | None = None,
    limit: int = 5,
) -> None:
    """Draw the windows that helped most, as bars."""
    rows = "".join(
        f"<span>{_dot((come_from or {}).get(one.window))}{esc(shorten(_heading(one), 70))}</span>"
        f"{look.score(one.helpfulness)}"
        for one in _helping(sub_answers)[:limit]
    )
    look.draw(f'<div class="sm-scores">{rows}</div>')


def all_of_them(
    sub_answers: Sequence[SubAnswer],
    *,
    key: str,
    corpus: str,
    places: Mapping[str, session.Place],
    hierarchy: str,
) -> None:
    """Draw every sub-answer with all its points and the reports it read, behind one click."""
    helping = _helping(sub_answers)
    told = count(len(sub_answers), "sub-answer")
    title = plain_label(f"All {told}" if len(sub_answers) > 1 else f"The {told}")
    with st.expander(title, key=f"all_{key}", on_change="rerun") as opened:
        if not opened.open:
            return
        n_pages = -(-len(helping) // AT_ONCE)
        page = 1
        if n_pages > 1:
            page = st.pagination(n_pages, key=f"page_{key}")
        for one in helping[(page - 1) * AT_ONCE : page * AT_ONCE]:
            look.draw(f'<div class="sm-hr"></div>{_markup(one, all_points=True)}')
            with st.container(key=f"link_read_{key}_{one.window}", gap=None):
                look.draw('<p class="sm-l">It read</p>')
                for block, name in list(zip(one.block_ids, one.block_titles, strict=False))[:NAMED]:
                    _report_link(name, places.get(block), corpus, hierarchy)
                if len(one.block_titles) > NAMED:
                    look.text(f"and {len(one.block_titles) - NAMED} more", "s")
        zeros(sub_answers)


def _report_link(name: str, place: session.Place | None, corpus: str, hierarchy: str) -> None:
    if place is None:
        look.text(shorten(name, 90), "s")
        return
    st.page_link(
        "communities.py",
        label=plain_label(shorten(name, 90)),
        query_params={"corpus": corpus, "hierarchy": hierarchy, "community": place.community},
    )


def _helping(sub_answers: Sequence[SubAnswer]) -> list[SubAnswer]:
    helping = [one for one in sub_answers if one.status in ("kept", "cut")]
    return sorted(helping, key=lambda one: (-one.helpfulness, one.window))


def _dot(origin: Origin | None) -> str:
    if origin is None:
        return ""
    return f'<i class="sm-dot" style="background:{origin[0]}" title="{esc(origin[1])}"></i>'


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


def _card(one: SubAnswer, origin: Origin | None = None) -> None:
    if one.status in ("waiting", "reading"):
        lines = "".join(f'<div class="sm-skel" style="width:{w}%"></div>' for w in (40, 92, 71))
        look.draw(f'<div class="sm-slot">{lines}<p class="sm-s">Window {one.window + 1}</p></div>')
        return
    look.draw(f'<div class="sm-slot">{_markup(one, origin=origin)}</div>')


def _markup(one: SubAnswer, *, all_points: bool = False, origin: Origin | None = None) -> str:
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
    if origin is not None and origin[1]:
        note = f"{shorten(origin[1], 34)}, {note}"
    if one.status == "cut":
        note += ", cut by the budget"
    return (
        f'{look.score(one.helpfulness)}<p class="sm-h">{esc(shorten(_heading(one), 90))}</p>'
        f'{text}<p class="sm-s">{_dot(origin)}{esc(note)}</p>'
    )


def _clip(text: str, whole: bool) -> str:
    return text if whole else shorten(text, 230)
