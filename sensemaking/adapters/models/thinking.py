"""What a reasoning model thinks aloud before its reply: kept apart.

Some servers put it into the reply, between `<think>` and `</think>` at its very beginning.
"""

from __future__ import annotations

_OPEN, _CLOSE = "<think>", "</think>"


class ThoughtFilter:
    """Passes the pieces of a reply on without the thoughts at its beginning."""

    def __init__(self) -> None:
        self.thoughts = ""
        self._held = ""
        self._state = "unsure"

    def feed(self, piece: str) -> str:
        """Take a piece; returns what may be shown now, perhaps nothing."""
        if self._state == "reply":
            return piece
        self._held += piece
        if self._state == "unsure":
            begun = self._held.lstrip()
            if begun.startswith(_OPEN):
                self._state = "thinking"
            elif not _OPEN.startswith(begun):
                return self._release(self._held)
        if self._state == "thinking" and _CLOSE in self._held:
            thoughts, _, rest = self._held.partition(_CLOSE)
            self.thoughts = thoughts.lstrip()[len(_OPEN) :].strip()
            # Line ends between thoughts and reply belong to neither, and may come in a later piece.
            self._held, self._state = rest, "gap"
        if self._state == "gap" and self._held.strip():
            return self._release(self._held.lstrip())
        return ""

    def end(self) -> str:
        """Return what was held back: thoughts without an end are no reply."""
        if self._state == "thinking":
            self.thoughts = self._held.lstrip()[len(_OPEN) :].strip()
            return ""
        return self._release("" if self._state == "gap" else self._held)

    def _release(self, text: str) -> str:
        self._held, self._state = "", "reply"
        return text
