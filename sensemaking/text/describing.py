"""What a text says about itself: its title, and metadata such as date, author and subject."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from sensemaking.text.structure import MAIL_HEADER
from sensemaking.types import Section

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DATES = (
    re.compile(
        r"(?<!\d)(?P<year>(?:1[6-9]|20)\d\d)-(?P<number>0[1-9]|1[0-2])-(?P<day>[0-3]\d)(?!\d)"
    ),
    re.compile(
        rf"(?<!\d)(?P<day>[0-3]?\d)(?:st|nd|rd|th)?\.?[ -]{_MONTH}[ ,-]+(?P<year>(?:1[6-9]|20)\d\d)"
    ),
    re.compile(rf"\b{_MONTH} (?P<day>[0-3]?\d)(?:st|nd|rd|th)?,? (?P<year>(?:1[6-9]|20)\d\d)"),
)
_IN_NAME = re.compile(
    r"(?<!\d)((?:1[6-9]|20)\d\d)(?:[-_.]?(0[1-9]|1[0-2])(?:[-_.]?([0-3]\d))?)?(?!\d)"
)
_LINE = re.compile(r"^([A-Za-z-]+):[ ]?([^\n]*)$", re.MULTILINE)
_BYLINE = re.compile(r"^(?:By|BY)\s+([^\n,|·]{3,60})")
_WANTED = ("from", "to", "cc", "date", "subject", "author", "title", "created", "sent")
_NUMBERED_NAME = re.compile(r"(?:[a-z]+ ?\d+|\d+)\b")
HEAD = 1500
MAX_TITLE = 120


def read_metadata(text: str, name: str, sections: Sequence[Section]) -> dict[str, str]:
    """Return what the head of a text and the file's name say: values as they stand, date as ISO.

    A date in the name wins over one in the text: names are given on purpose.
    """
    found: dict[str, str] = {}
    header = MAIL_HEADER.search(text, 0, 4 * HEAD)
    blocks = [header[0]] if header is not None else []
    blocks += [text[one.start : one.end] for one in sections if one.title == "header"]
    for block in blocks:
        for key, value in _LINE.findall(block):
            if key.lower() in _WANTED and value.strip():
                found.setdefault(key.lower(), value.strip()[:300])
    for one in sections:
        if one.title == "byline":
            match = _BYLINE.match(text[one.start : one.end])
            if match is not None:
                found.setdefault("author", match[1].strip())
    date = (
        _date_in_name(name)
        or read_date(found.get("date", found.get("sent", found.get("created", ""))))
        or read_date(text[:HEAD])
    )
    found.pop("date", None)
    if date:
        found["date"] = date
    return found


def read_date(text: str) -> str | None:
    """Return the first whole date of a text as ISO 8601, or None.

    Examples
    --------
    >>> read_date("Hearing of Thursday 20 June 2024, Court 2")
    '2024-06-20'
    """
    found = [match for pattern in _DATES if (match := pattern.search(text)) is not None]
    if not found:
        return None
    first = min(found, key=lambda match: match.start())
    parts = first.groupdict()
    month = int(parts["number"]) if parts.get("number") else _month(parts["month"])
    day = int(parts["day"])
    return f"{parts['year']}-{month:02}-{day:02}" if 1 <= day <= 31 else None


def choose_title(
    text: str, name: str, sections: Sequence[Section], metadata: Mapping[str, str], given: str = ""
) -> str:
    """Return what a document is called: as given, by its header, first heading or file."""
    heading = next((one for one in sections if one.kind == "heading"), None)
    at_top = heading is not None and not text[: heading.start].strip("# \n")
    candidates = [
        given,
        metadata.get("title", ""),
        metadata.get("subject", ""),
        heading.title if heading is not None and at_top else "",
        _readable(name),
    ]
    title = next(one for one in (*candidates, name) if one.strip())
    title = " ".join(title.split()).strip("# *_")
    if title.isupper() and len(title) > 12:
        title = _readable(name)
    return title if len(title) <= MAX_TITLE else title[: MAX_TITLE - 1].rstrip() + "…"


def _readable(name: str) -> str:
    """Return a file's name as words, without its folder, suffix and leading date."""
    path = PurePosixPath(name)
    stem = path.stem if len(path.suffix) <= 6 else path.name
    words = " ".join(re.sub(r"[_\s-]+", " ", stem).split())
    undated = re.sub(r"^(?:1[6-9]|20)\d\d(?: ?\d\d(?: ?\d\d)?)? ", "", words)
    readable = undated or words
    if readable.islower() and _NUMBERED_NAME.match(readable):
        # A slug of an author, a guest or a series ("ep12-bill-coughran") is made of names.
        return " ".join(word[:1].upper() + word[1:] for word in readable.split(" "))
    return readable[:1].upper() + readable[1:]


def _month(abbreviated: str) -> int:
    return 1 + _MONTHS.index(abbreviated.lower())


def _date_in_name(name: str) -> str | None:
    match = _IN_NAME.search(PurePosixPath(name).stem)
    if match is None or match[2] is None:
        return None
    return "-".join(part for part in match.groups() if part)
