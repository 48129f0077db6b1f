"""Who speaks: labels before a colon at the start of lines, and the turns they open.

A label is taken for a speaker's when it is written in capitals, or looks like a name or a role, and
enough lines of the document are labelled that way to make it a transcript. The label is furniture;
what follows, up to the next label or barrier, is the turn of that speaker.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.types import Section

_LABEL = re.compile(
    r"^(?P<label>[^\w\n]{0,4}(?P<name>[A-ZÀ-ÞА-Я][\w.'’&-]*(?:[^\S\n]+[\w.'’&-]+){0,5}?)"
    r"(?P<note>[^\S\n]*[(\[][^()\[\]\n]{1,40}[)\]])?(?:\*\*|__)?[^\S\n]*:(?:\*\*|__)?)"
    r"(?=[^\S\n]+\S|[^\S\n]*\n)",
    re.MULTILINE,
)
_HEADER_WORDS = frozenset(
    # fmt: off
    (
        "abstract",
        "agenda",
        "applicant",
        "attachment",
        "author",
        "bcc",
        "cc",
        "chair",
        "clause",
        "contact",
        "copy",
        "created",
        "date",
        "decision",
        "document",
        "draft",
        "example",
        "figure",
        "from",
        "funder",
        "guide",
        "http",
        "https",
        "item",
        "location",
        "minutes",
        "motion",
        "note",
        "notes",
        "number",
        "officers",
        "order",
        "page",
        "part",
        "phone",
        "place",
        "postscript",
        "present",
        "price",
        "public",
        "re",
        "reference",
        "resolved",
        "sent",
        "source",
        "status",
        "subject",
        "summary",
        "table",
        "tel",
        "time",
        "title",
        "to",
        "topic",
        "type",
        "update",
        "version",
        "vote",
        "warning",
    )
    # fmt: on
)
_ROLES = frozenset(
    ("q", "a", "interviewer", "interviewee", "moderator", "host", "guest", "operator", "speaker")
)
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "professor", "judge", "sir", "lady", "lord"))
_OFFICES = frozenset(("councillor", "cllr", "the", "chair"))
LEAST_LABELS = 4
"""A document with fewer labelled lines is not a transcript."""
LEAST_SHARE = 0.12
"""Nor is one in which fewer of the lines are labelled."""


@dataclass(frozen=True, slots=True)
class _Label:
    name: str
    start: int
    end: int
    is_capital: bool


def find_turns(text: str, barriers: Sequence[tuple[int, int]] = ()) -> list[Section]:
    """Return the turns of a transcript and their labels (furniture); [] when it is none.

    A barrier is a stretch that no turn crosses: a heading, a mail header.
    """
    labels = _labels(text)
    if not labels:
        return []
    stops = sorted(start for start, _ in barriers)
    sections = []
    position = 0
    for label, following in zip(labels, [*labels[1:], None], strict=True):
        end = following.start if following is not None else len(text)
        while position < len(stops) and stops[position] < label.end:
            position += 1
        if position < len(stops) and stops[position] < end:
            end = stops[position]
        sections.append(Section("furniture", "speaker label", label.start, label.end))
        if text[label.end : end].strip():
            sections.append(Section("turn", label.name, label.end, end))
    return sections


def clean_name(label: str) -> str:
    """Return a speaker's name as one would write it: "DR. ADA LOVELACE" is "Dr. Ada Lovelace"."""
    name = " ".join(label.split()).strip(" .*_-")
    if name.isupper() and len(name) > 1:
        return " ".join(_capitalised(word) for word in name.split(" "))
    return name


def _capitalised(word: str) -> str:
    if re.fullmatch(r"(?:[A-Z]\.)+[A-Z]?\.?", word):
        return word
    parts = re.split(r"([-'’])", word)
    return "".join(part.capitalize() for part in parts)


def _labels(text: str) -> list[_Label]:
    found = [label for match in _LABEL.finditer(text) if (label := _label(match)) is not None]
    counts = Counter(label.name.casefold() for label in found)
    capitals = sum(label.is_capital for label in found)
    lines = sum(1 for _ in re.finditer(r"^[^\n]*\S", text, re.MULTILINE))
    kept = [
        label
        for label in found
        if (label.is_capital and capitals >= LEAST_LABELS)
        or counts[label.name.casefold()] >= 2
        or label.name.casefold() in _ROLES
    ]
    if len(kept) < LEAST_LABELS or len(kept) < LEAST_SHARE * lines:
        return []
    known = {label.name.casefold() for label in kept}
    return [label for label in found if label in kept or _is_known(label.name, known)]


def _is_known(name: str, known: set[str]) -> bool:
    """Return whether a rare label names a known speaker by one of the words of the name."""
    words = set(name.casefold().split()) - _TITLES - _OFFICES
    return any(words & (set(one.split()) - _TITLES - _OFFICES) for one in known)


def _label(match: re.Match[str]) -> _Label | None:
    raw = match["name"]
    words = raw.split()
    lowered = raw.casefold()
    if lowered in _HEADER_WORDS or words[0].casefold() in _HEADER_WORDS - _OFFICES:
        return None
    is_capital = raw.upper() == raw and sum(map(str.isalpha, raw)) > 1
    looks_like_name = len(words) <= 4 and all(
        word[0].isupper() or word.casefold() in ("de", "von", "van", "of", "the", "la", "del")
        for word in words
    )
    if not (is_capital or looks_like_name or lowered in _ROLES):
        return None
    return _Label(clean_name(raw), match.start("label"), match.end("label"), is_capital)
