"""Whether a model answers in the language that it was asked for."""

from __future__ import annotations

from collections.abc import Iterable

from sensemaking.text.languages import detect_language

LEAST_CHARACTERS = 80
"""The language of a shorter text cannot be told."""


def wrong_language(texts: Iterable[str], wanted: str) -> str:
    """Return what is wrong with the language of texts, "" for nothing or where it is not known.

    `wanted` is an ISO 639-1 code, "" or "und" when it is not known.
    """
    text = " ".join(texts)
    if wanted in ("", "und") or len(text) < LEAST_CHARACTERS:
        return ""
    found = detect_language(text)
    if found in ("und", wanted[:2]):
        return ""
    return f"it is written in another language ({found}) than it must be ({wanted[:2]})"
