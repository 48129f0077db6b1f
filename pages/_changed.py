"""What another level or method changed: two answers to one question, sentence by sentence."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._words import count, plain_label, shorten
from sensemaking.errors import SensemakingError
from sensemaking.methods import METHODS
from sensemaking.types import Answer, AnswerRow
from sensemaking.workspace import Change, Corpus, compare_sentences

VIEWS = {"whole": "Whole answer", "changed": "Only what changed"}
OTHERS = 8


def how_asked(settings: dict[str, str]) -> str:
    """Return method, hierarchy and level of an answer in words."""
    method = METHODS.get(settings.get("method", ""))
    level = settings.get("level", "")
    parts = [method.label if method else settings.get("method", "")]
    parts.append(
        f"{choices.hierarchy_label(settings.get('hierarchy', ''))} "
        f"{choices.level_label(int(level) if level.isdecimal() else None)}"
    )
    if settings.get("within"):
        parts.append("inside a community")
    return ", ".join(one for one in parts if one)


def others(corpus: Corpus, answer: Answer) -> list[AnswerRow]:
    """Return the other answers to the same question, latest first."""
    return [
        row
        for row in corpus.answers()
        if row.question == answer.question and row.id != answer.id and row.n_sentences
    ][:OTHERS]


def compared(corpus: Corpus, answer: Answer) -> Answer | None:
    """Return the answer that the address compares with, None for none."""
    key = session.param("before")
    if not key or key == answer.id:
        return None
    try:
        return corpus.answer(key).answer
    except SensemakingError:
        return None  # a link may outlive the answer it names


def draw_band(before: Answer, after: Answer) -> tuple[int, ...] | None:
    """Draw what changed in one line; returns the sentences to show, None for all of them."""
    changes = compare_sentences(before, after)
    told = Counter(one.kind for one in changes)
    parts = [f"<b>{told['same']}</b> the same"]
    parts += [f"<b>{told['differs']}</b> with other figures"] if told["differs"] else []
    parts += [f"<b>{told['new']}</b> new", f"<b>{told['gone']}</b> gone"]
    with st.container(border=True, key="panel_changed", gap="xsmall"):
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            key="changed_head",
        ):
            look.draw(
                '<p class="sm-s">Sentences against '
                f"<b>{esc(how_asked({**dict(before.settings), 'method': before.method}))}</b>: "
                f"{', '.join(parts)}</p>"
            )
            st.button(
                "",
                icon=":material/close:",
                type="tertiary",
                key="close_changed",
                help="Close",
                on_click=session.set_params,
                kwargs={"before": None},
            )
        shown = st.segmented_control(
            "Show",
            list(VIEWS),
            format_func=VIEWS.__getitem__,
            default="whole",
            key="changed_view",
            label_visibility="collapsed",
        )
        if shown == "changed":
            _draw_gone(before, changes)
    if shown != "changed":
        return None
    return tuple(one.after for one in changes if one.kind in ("new", "differs"))


def _draw_gone(before: Answer, changes: tuple[Change, ...]) -> None:
    gone = [one for one in changes if one.kind == "gone"]
    differs = [one for one in changes if one.kind == "differs"]
    for title, ones in (("Was said with other figures", differs), ("No longer said", gone)):
        if ones:
            lines = "".join(
                f'<p class="sm-p sm-quiet">{esc(before.sentences[one.before].text)}'
                + (f' <span class="sm-tag warn">{esc(one.reason)}</span>' if one.reason else "")
                + "</p>"
                for one in ones
            )
            look.draw(f'<p class="sm-l">{title}</p><div class="sm-flow">{lines}</div>')


def draw_choice(corpus: Corpus, answer: Answer) -> None:
    """Draw which other answer to the same question this one is compared with."""
    rows = others(corpus, answer)
    if not rows:
        return
    look.text("Asked before in another way", "l")
    for row in rows:
        asked = dict(corpus.answer(row.id).settings)
        label = how_asked({**asked, "method": row.method})
        st.button(
            plain_label(shorten(f"Compare with {label}, {count(row.n_sentences, 'sentence')}", 90)),
            key=f"compare_{row.id}",
            type="tertiary",
            on_click=session.set_params,
            kwargs={"before": row.id, "sentence": None},
        )
