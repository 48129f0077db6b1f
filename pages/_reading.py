"""One document to read, around the passage that an answer rests on."""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._prose import draw_document
from pages._words import count
from sensemaking.types import Document, Span


def draw_reading(document: Document) -> None:
    """Draw one document, the passage of the address marked and scrolled to."""
    span = asked_span(document)
    st.button(
        "All documents",
        icon=":material/chevron_left:",
        type="tertiary",
        key="back",
        on_click=session.clear_params,
    )
    dates = [value for key, value in document.metadata if key == "date"]
    parts = [document.name, count(document.n_words, "word"), *dates]
    look.head(document.title or document.name, ", ".join(dict.fromkeys(parts)))
    with st.container(border=True, key="panel_document"):
        first, last = draw_document(document, span, key="reader")
        whole = len(document.text)
        marked = f"Marked: characters {span.start:,} to {span.end:,}. " if span else ""
        part = "" if last - first == whole else f"Shown: {first:,} to {last:,} of {whole:,}."
        look.text(marked + part, "s")


def asked_span(document: Document) -> Span | None:
    """Return the passage of the address, where it lies within the document."""
    begin, end = session.number_param("start"), session.number_param("end")
    if begin is None or end is None or not begin < end <= len(document.text):
        return None
    return Span(document.id, begin, end)
