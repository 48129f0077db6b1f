"""What a reader hands over, and what it raises."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Content:
    """The text of one document as found in a file, not normalised yet.

    `part` tells several documents of one file apart; `pages` are the texts of pages, where there
    are pages (then `text` is empty).
    """

    text: str
    title: str = ""
    part: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Omitted:
    """A part of a file that could not be read while the rest could; the reason names the part."""

    reason: str


class Unreadable(ValueError):
    """A file cannot be read; the message is the reason, and says what to do."""


class NoText(Unreadable):
    """A file is sound but holds no text."""
