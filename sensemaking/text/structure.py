"""What in a text is structure and not content: headings, turns, labels, headers, directions.

A normalised text comes in; out go sections in its offsets. Rules are about form, not about one
collection: a label is what stands before a colon at the start of many lines, a stage direction is a
few words in brackets, a mail header is a run of "Key: value" lines. Where the form is not certain,
text counts as content: a label read as a name costs less than a sentence that is lost.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence

from sensemaking.text.speakers import find_turns
from sensemaking.types import Section

_MAIL_KEY = (
    r"(?:From|To|Cc|CC|Bcc|Date|Sent|Subject|Reply-To|Attachments?|Message-ID|Von|An|Betreff)"
)
MAIL_HEADER = re.compile(rf"(?:^{_MAIL_KEY}:[^\S\n]?[^\n]*(?:\n|\Z)){{2,}}", re.MULTILINE)
_RFC_HEADER = re.compile(
    r"\A(?:[A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*:[^\n]*\n(?:[ \t]+[^\n]*\n)*){3,}(?=\n)"
)
_REPLY = re.compile(
    r"^(?:On [^\n]{6,90} wrote:|-{2,}\s*(?:Original|Forwarded) [^\n]*|>[^\n]*)$", re.M
)
_SIGNATURE = re.compile(r"^-- ?\n[^\n]*(?:\n[^\n]+){0,7}", re.MULTILINE)
_DIRECTION_WORDS = (
    r"music|laughs?|laughter|laughing|applause|cheers|crosstalk|cross-talk|inaudible|unintelligible|"
    r"voice-?over|pause|chuckles?|sighs?|silence|sound|audio|video|clip|break|end of|beginning of|"
    r"indiscernible|phonetic|overlapping|off-?mic|gavel|recess|foreign language"
)
_DIRECTION = re.compile(
    rf"\[(?:(?=[^\[\]\n]*[A-Z]{{4}})[A-Z][A-Z ,.&'’/:-]{{2,60}}|"
    rf"(?i:[^\[\]\n]{{0,30}}\b(?:{_DIRECTION_WORDS})\b[^\[\]\n]{{0,40}}))\]"
    rf"|\((?i:(?:\w+ )?(?:{_DIRECTION_WORDS})\b[^()\n]{{0,20}})\)"
    r"|\[(?:[A-Z]{2,6} )?\d{1,2}:\d{2}(?::\d{2})?\]|^\(?\d{1,2}:\d{2}:\d{2}\)?$"
    # What stands in brackets on a line of its own is said about the text, not in it.
    r"|^[^\S\n]*\([A-Z][^()\n]{2,40}\)[^\S\n]*$"
    r"|^[./]{2,4}(?=\[|\n)|^(?:END|Ends?|###|\* ?\* ?\*)(?: \d[^\n]{0,30})?$",
    re.MULTILINE,
)
_PAGE_LINE = re.compile(
    r"^[^\S\n]*(?:(?:Page|PAGE|p\.|Seite|Side)\s+\d{1,4}(?:\s*(?:of|/|von)\s*\d{1,4})?"
    r"|[-–—]\s*\d{1,4}\s*[-–—])[^\S\n]*$",
    re.MULTILINE,
)
_BYLINE = re.compile(r"^(?:By|BY|Von|Af|Par|Por)\s+[A-ZÀ-Þ][^\n.!?]{2,70}$", re.MULTILINE)
_MARKDOWN = re.compile(r"^(#{1,6})[^\S\n]+([^\n]+)$", re.MULTILINE)
_UNDERLINED = re.compile(
    r"^(?=[^\n]{0,99}\w)([^\n]{1,100})\n(={3,}|-{3,}|~{3,})[^\S\n]*$", re.MULTILINE
)
_NUMBERED = re.compile(
    r"^(?:(?:\d{1,2}\.){1,4}|\d{1,2}(?:\.\d{1,2}){1,3}|[IVX]{1,5}\.|§\s?\d+)[^\S\n]+"
    r"([A-ZÀ-Þ][^\n]{2,80}[^\s.;,:?!])$",
    re.MULTILINE,
)
_CAPITALS = re.compile(
    r"^(?=[^\n]*[A-ZÀ-Þ]{3})[A-ZÀ-Þ0-9][A-ZÀ-Þ0-9 ,.&'’:;/()–—-]{2,90}$", re.MULTILINE
)
_CLOCK = re.compile(r"\d:\d\d")
_HEADERS = ("mail header", "header")
_HEAD_LINES = 12
_REPEATED = 3


def find_sections(text: str, pages: Sequence[tuple[int, int]] = ()) -> tuple[Section, ...]:
    """Return the sections of a text, sorted by (start, end, kind).

    Parameters
    ----------
    text
        Normalised.
    pages
        [start, end) of each page, in order, where the document has pages.
    """
    found = [
        Section("page", str(number), start, end)
        for number, (start, end) in enumerate(pages, start=1)
        if start < end
    ]
    headings = list(_headings(text))
    furniture = list(_furniture(text, pages))
    mail = [(one.start(), one.end()) for one in MAIL_HEADER.finditer(text)]
    marked = [(one.start, one.end) for one in _marked_headings(text)]
    turns = find_turns(text, barriers=[*mail, *marked])
    found += turns
    found += furniture
    labels = [one for one in turns if one.kind == "furniture"]
    apart = [*labels, *(one for one in furniture if one.title in _HEADERS)]
    found += _outside(headings, [(one.start, one.end) for one in apart])
    unique = {(one.start, one.end, one.kind): one for one in found}
    return tuple(unique[key] for key in sorted(unique))


def _outside(sections: Sequence[Section], apart: Sequence[tuple[int, int]]) -> list[Section]:
    """Return the sections that do not begin inside a stretch; the stretches do not overlap."""
    stretches = sorted(apart)
    starts = [start for start, _ in stretches]
    kept = []
    for one in sections:
        index = bisect_right(starts, one.start) - 1
        if index < 0 or one.start >= stretches[index][1]:
            kept.append(one)
    return kept


def _furniture(text: str, pages: Sequence[tuple[int, int]]) -> Iterator[Section]:
    for pattern, title in (
        (MAIL_HEADER, "mail header"),
        (_RFC_HEADER, "header"),
        (_REPLY, "reply mark"),
        (_SIGNATURE, "signature"),
        (_DIRECTION, "direction"),
        (_PAGE_LINE, "page number"),
    ):
        for match in pattern.finditer(text):
            # Quoted lines of a mail are content; only the mark before them is not.
            end = match.start() + 1 if match[0].startswith(">") else match.end()
            yield Section("furniture", title, match.start(), end)
    head = _nth_line(text, _HEAD_LINES)
    for match in _BYLINE.finditer(text, 0, head):
        yield Section("furniture", "byline", match.start(), match.end())
    yield from _running_heads(text, pages)


def _running_heads(text: str, pages: Sequence[tuple[int, int]]) -> Iterator[Section]:
    """Yield the first and last lines of pages that stand on several of them, digits apart."""
    edges: list[tuple[int, int, str]] = []
    for start, end in pages:
        lines = list(re.finditer(r"[^\n]*\S[^\n]*", text[start:end]))
        for match in dict.fromkeys([*lines[:2], *lines[-2:]]):
            shape = re.sub(r"\d+", "0", match[0].strip())
            edges.append((start + match.start(), start + match.end(), shape))
    counts = Counter(shape for _, _, shape in edges)
    for start, end, shape in edges:
        is_number = shape.strip("-– ") == "0"
        if is_number or (counts[shape] >= _REPEATED and len(shape) <= 120):
            yield Section("furniture", "running head", start, end)


def _marked_headings(text: str) -> Iterator[Section]:
    """Yield the headings that are written as such: Markdown's, and underlined lines."""
    for match in _MARKDOWN.finditer(text):
        yield Section("heading", match[2].strip("# *"), match.start(), match.end())
    for match in _UNDERLINED.finditer(text):
        yield Section("heading", match[1].strip(), match.start(), match.end())


def _headings(text: str) -> Iterator[Section]:
    yield from _marked_headings(text)
    for match in _NUMBERED.finditer(text):
        # A numbered line that goes on below is an item of a list.
        is_whole = not text[match.end() + 1 : match.end() + 40].partition("\n")[0].strip()
        if is_whole and _stands_alone(text, match.start(), match.end()):
            yield Section("heading", match[0].strip(), match.start(), match.end())
    for match in _CAPITALS.finditer(text):
        is_title = not match[0].endswith(":") and not _CLOCK.search(match[0]) and match[0] != "END"
        if is_title and _stands_alone(text, match.start(), match.end()):
            yield Section("heading", match[0].strip(), match.start(), match.end())


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Return whether a line begins a block: a blank line, another heading or nothing before it."""
    before = text[:start].rstrip(" \t") if start < 200 else text[start - 200 : start].rstrip(" \t")
    return (not before or before.endswith("\n\n") or _follows_capitals(before)) and (
        end >= len(text) or text[end] == "\n"
    )


def _follows_capitals(before: str) -> bool:
    previous = before.rstrip("\n").rpartition("\n")[2]
    return bool(_CAPITALS.fullmatch(previous))


def _nth_line(text: str, n: int) -> int:
    at = 0
    for _ in range(n):
        at = text.find("\n", at) + 1
        if not at:
            return len(text)
    return at
