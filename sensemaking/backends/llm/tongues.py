"""Whether a model answers in the language that it was asked for."""

from __future__ import annotations

from collections.abc import Iterable

from sensemaking.text.languages import detect_language

LEAST_CHARACTERS = 80
"""The language of a shorter text cannot be told."""
ENOUGH_CHARACTERS = 2000
"""More do not change what language a text is in, and cost as much as the rest of a call."""


def language_of(text: str) -> str:
    """Return the ISO 639-1 code of what a model is given, or "und"."""
    return detect_language(text[:ENOUGH_CHARACTERS])


def wrong_language(texts: Iterable[str], wanted: str) -> str:
    """Return what is wrong with the language of texts, "" for nothing or where it is not known.

    `wanted` is an ISO 639-1 code, "" or "und" when it is not known.
    """
    text = " ".join(texts)[:ENOUGH_CHARACTERS]
    if wanted in ("", "und") or len(text) < LEAST_CHARACTERS:
        return ""
    found = detect_language(text)
    if found in ("und", wanted[:2]):
        return ""
    return f"it is written in another language ({found}) than it must be ({wanted[:2]})"
