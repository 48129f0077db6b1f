"""Numbers, times, dates and names as the screen says them; text in, text out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

UNKNOWN = "–"
NO_BREAK = "\u00a0"
_WORD_JOINER = "\u2060"

_MEDIA = {
    "application/pdf": "PDF",
    "text/plain": "Text",
    "text/markdown": "Markdown",
    "text/html": "HTML",
    "text/csv": "CSV",
    "application/json": "JSON",
    "application/jsonl": "JSON lines",
    "application/x-ndjson": "JSON lines",
    "application/zip": "Zip",
}


def number(value: float | None) -> str:
    """Return 1,204 up to 99,999, then 190 k and 3.1 M; a dash for what is not known."""
    if value is None:
        return UNKNOWN
    if value < 100_000:
        return f"{round(value):,}"
    scaled, unit = (value / 1000, "k") if value < 1_000_000 else (value / 1_000_000, "M")
    return f"{scaled:.{0 if scaled >= 100 or unit == 'k' else 1}f}{NO_BREAK}{unit}"


def size(n_bytes: float) -> str:
    """Return 940 B, 12 kB, 3.4 MB or 1.2 GB."""
    value, unit = float(n_bytes), "B"
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            break
        value /= 1000
    digits = 1 if value < 10 and unit != "B" else 0
    return f"{value:.{digits}f}{NO_BREAK}{unit}"


def money(dollars: float) -> str:
    """Return $1.84, $0.004 for little, "no cost" for nothing."""
    if dollars <= 0:
        return "no cost"
    return f"${dollars:.2f}" if dollars >= 0.1 else f"${dollars:.2g}"


def share(part: float, whole: float) -> str:
    """Return a percentage: whole, with one decimal from 90 up; a dash when there is no whole."""
    if whole <= 0:
        return UNKNOWN
    percent = 100 * part / whole
    exact = percent >= 90 and percent < 100
    return f"{percent:.{1 if exact else 0}f}{NO_BREAK}%"


def count(n: int, singular: str, plural: str = "") -> str:
    """Return "1 file", "3 files"."""
    return f"{number(n)}{NO_BREAK}{singular if n == 1 else plural or singular + 's'}"


def duration(seconds: float) -> str:
    """Return 0.9 s, 42 s, 1 min 16 s or 2 h 05."""
    if seconds < 9.95:
        return f"{seconds:.1f}{NO_BREAK}s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole}{NO_BREAK}s"
    if whole < 3600:
        return f"{whole // 60}{NO_BREAK}min {whole % 60}{NO_BREAK}s"
    return f"{whole // 3600}{NO_BREAK}h {whole % 3600 // 60:02d}"


def moment(iso: str | None, now: datetime | None = None) -> str:
    """Return "today 09:12", "Fri 27 Nov" within a week of `now`, else "27 Nov 2025"."""
    if not iso:
        return UNKNOWN
    when = datetime.fromisoformat(iso)
    when = when.astimezone() if when.tzinfo else when
    today = now or datetime.now(when.tzinfo)
    days = (today.date() - when.date()).days
    if days == 0:
        return f"today {when:%H:%M}"
    day = f"{when.day} {when:%b}"
    return f"{when:%a} {day}" if 0 < days < 7 else f"{day} {when.year}"


def media(media_type: str) -> str:
    """Return a short word for a media type."""
    if media_type in _MEDIA:
        return _MEDIA[media_type]
    if "wordprocessingml" in media_type:
        return "Word"
    return media_type.rpartition("/")[2].upper()[:8] or UNKNOWN


def shorten(text: str, limit: int) -> str:
    """Return at most `limit` characters on one line, cut at a word, with an ellipsis."""
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    head = line[: limit - 1]
    return (head.rsplit(" ", 1)[0] if " " in head[limit // 2 :] else head) + "…"


def bind_units(text: str) -> str:
    """Keep numbers and their units on one line."""
    return re.sub(r"(?<=\d) (?=(?:%|(?:m|M|k|s|h|min)\b))", NO_BREAK, text)


def plain_label(text: str) -> str:
    """Return text that a Markdown label shows as it is: no markup, directives, icons or links."""
    line = re.sub(r":(?=\S)", ":" + _WORD_JOINER, " ".join(text.split()))
    line = re.sub(r"(?i)(\bwww|@)", r"\1" + _WORD_JOINER, line)
    return re.sub(r"([\\`*_{}\[\]()<>#+!|~$&^=-])", r"\\\1", line)


def distinct(names: Mapping[str, str]) -> dict[str, str]:
    """Return the labels of choices, numbered where several would read the same.

    A choice goes back to Streamlit as what it reads (1.67): of two that read the same, the first
    would always be taken.

    >>> distinct({"a": "Docks", "b": "Docks", "c": "Quay"})
    {'a': 'Docks', 'b': 'Docks (2)', 'c': 'Quay'}
    """
    found: dict[str, str] = {}
    taken = set(names.values())
    seen: set[str] = set()
    for key, name in names.items():
        label, n = name, 1
        while label in seen or (n > 1 and label in taken):
            n += 1
            label = f"{name} ({n})"
        seen.add(label)
        found[key] = label
    return found
