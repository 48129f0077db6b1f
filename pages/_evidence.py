"""Evidence beside what it supports: the chain to the source, the passage marked in its text."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._copying import copy_button
from pages._look import esc
from pages._words import plain_label, shorten
from sensemaking.types import ChainStep, Evidence

MAX_TABS = 12
STEP_LENGTH = 130
BEFORE = 180


def passage(evidence: Evidence, *, key: str, small: bool = False) -> None:
    """Draw a passage in its well: marked, among its muted neighbours."""
    span = evidence.span
    page = f", p. {span.page}" if span.page is not None else ""
    title = evidence.document_title or evidence.document_name
    before = evidence.before
    if len(before) > BEFORE:  # so that the passage is in sight at once
        before = before[-BEFORE:].partition(" ")[2]
    if len(before) < span.start:
        before = f"… {before.lstrip()}"
    after = f"{evidence.after.rstrip()} …" if evidence.after.strip() else ""
    with st.container(key=f"well_{key}"):
        look.draw(
            f'<div class="sm-row sm-sp"><p class="sm-l"><b>{esc(shorten(title, 90))}</b>{esc(page)}'
            f'</p><p class="sm-mono">{span.start:,}–{span.end:,}</p></div>'
            f'<p class="sm-src{" small" if small else ""}"><span class="dim">{esc(before)}</span>'
            # Bare escape: the passage is exact, no character of it is exchanged.
            f"<mark>{look.exact(evidence.quote)}</mark>"
            f'<span class="dim">{esc(after)}</span></p>'
        )


def chain(steps: Sequence[ChainStep], source: str) -> None:
    """Draw the way from a sentence down to the characters of its source; the last dot is yellow.

    The characters themselves are the passage that follows, so the last step names the source.
    """
    rows = "".join(
        f'<i class="{"end" if n == len(steps) else ""}"></i><div><span>{esc(step.label)}</span>'
        f"{esc(source if n == len(steps) else shorten(step.text, STEP_LENGTH))}</div>"
        for n, step in enumerate(steps, 1)
    )
    look.draw(f'<div class="sm-chain">{rows}</div>')


def document_link(evidence: Evidence, corpus: str, *, key: str) -> None:
    """Draw the link that opens the passage in its document."""
    span = evidence.span
    with st.container(key=f"link_{key}"):
        st.page_link(
            "documents.py",
            label="Open in document",
            icon=":material/open_in_new:",
            query_params={
                "corpus": corpus,
                "document": span.document_id,
                "start": str(span.start),
                "end": str(span.end),
            },
        )


def sources(
    evidence: Sequence[Evidence], corpus: str, *, key: str, numbers: Sequence[int] = ()
) -> None:
    """Draw one tab per source: chain, passage, link."""
    if not evidence:
        look.text("Nothing in the documents was cited for this.", "s")
        return
    shown = evidence[:MAX_TABS]
    numbered = list(numbers)[: len(shown)]
    if len(numbered) < len(shown):
        numbered = list(range(1, len(shown) + 1))
    labels = [
        plain_label(f"{number} {shorten(one.document_title or one.document_name, 26)}")
        for number, one in zip(numbered, shown, strict=True)
    ]
    for n, (tab, one) in enumerate(zip(st.tabs(labels, key=f"tabs_{key}"), shown, strict=True)):
        with tab:
            chain(one.chain, one.document_name)
            passage(one, key=f"{key}_{n}")
            with st.container(
                horizontal=True, vertical_alignment="center", gap="small", key=f"passage_{key}_{n}"
            ):
                document_link(one, corpus, key=f"{key}_{n}")
                copy_button(quoted(one), "Copy with source", key=f"copy_{key}_{n}")
    if len(evidence) > len(shown):
        look.text(f"{len(evidence) - len(shown)} more passages say the same.", "s")


def quoted(one: Evidence) -> str:
    """Return a passage as one quotes it: its words, its document, its place."""
    page = f", p. {one.span.page}" if one.span.page is not None else ""
    place = f"characters {one.span.start:,}–{one.span.end:,}"
    return f"“{one.quote}” ({one.document_name}{page}, {place})"


def walk(current: int, total: int, *, key: str, param: str) -> None:
    """Draw the buttons that go to the sentence before and after, and the one that closes."""

    def move(to: int | None) -> None:
        session.set_params(**{param: to})

    with st.container(horizontal=True, horizontal_alignment="right", gap=None, key=f"row_{key}"):
        st.button(
            "",
            icon=":material/chevron_left:",
            type="tertiary",
            key=f"previous_{key}",
            help="Previous",
            disabled=current <= 0,
            on_click=move,
            args=(current - 1,),
        )
        st.button(
            "",
            icon=":material/chevron_right:",
            type="tertiary",
            key=f"next_{key}",
            help="Next",
            disabled=current >= total - 1,
            on_click=move,
            args=(current + 1,),
        )
        st.button(
            "",
            icon=":material/close:",
            type="tertiary",
            key=f"close_{key}",
            help="Close",
            on_click=move,
            args=(None,),
        )
