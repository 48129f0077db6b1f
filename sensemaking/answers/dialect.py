"""The small Markdown dialect of answers: headings, notes, sentences that end with numbers.

Text comes in as `ports.Reducer` defines it, written by a program or, less carefully, by a model.
Out go blocks, and the sentences of a paragraph with the numbers they cite.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from sensemaking.text.sentences import split_sentences

_MARKER = re.compile(
    r"\s*[\[【]\s*(?:points?|p\.?|sources?|analysts?)?\s*(?P<numbers>[\^#]?\d{1,4}"
    r"(?:\s*(?:[,;–-]|and|&)\s*[\^#]?\d{1,4})*)(?:\s*,?\s*\+\s*more)?\s*[\]】]",
    re.IGNORECASE,
)
_JUNK = re.compile(
    r"\s*[\[(]\s*(?:Data|Reports?|Sources?)\s*:[^\])(]*(?:\([^)]*\)[^\])(]*)*[\])]", re.I
)
_HEADING = re.compile(r"#{1,6}\s+(?P<title>.*?)\s*#*|\*\*(?P<bold>[^*]+)\*\*:?")
_BULLET = re.compile(r"(?:[-*•‣]|\d{1,2}[.)])\s+")
_EMPHASIS = re.compile(r"\*\*|__|(?<!\w)\*(?=\S)|(?<=\S)\*(?!\w)")
_ENDS = ".!?…。！？؟।:”\"'’)»"


@dataclass(frozen=True, slots=True)
class Block:
    """A heading, a note or a paragraph, as one line."""

    kind: Literal["heading", "note", "paragraph"]
    text: str


def parse_blocks(text: str) -> list[Block]:
    """Return the headings, notes and paragraphs of a text; each bullet is a paragraph."""
    blocks: list[Block] = []
    lines: list[str] = []

    def close() -> None:
        if lines:
            blocks.append(Block("paragraph", " ".join(lines)))
            lines.clear()

    for raw in text.splitlines():
        line = raw.strip()
        heading = _HEADING.fullmatch(line)
        if not line or set(line) <= set("-*_=") or line.startswith("```"):
            close()
        elif line.startswith(">"):
            close()
            note = line.lstrip("> ").strip()
            if note:
                blocks.append(Block("note", note))
        elif heading is not None:
            close()
            blocks.append(Block("heading", heading["title"] or heading["bold"] or ""))
        elif _BULLET.match(line):
            close()
            lines.append(_BULLET.sub("", line, count=1))
        else:
            lines.append(line)
    close()
    return blocks


def parse_sentences(text: str) -> list[tuple[str, tuple[int, ...]]]:
    """Return the sentences of one paragraph, markers removed, with the numbers they cite.

    Notes
    -----
    A number belongs to the sentence it stands in or directly after. What stands between
    typographic quotation marks is one unit: it is neither split nor searched for numbers.

    >>> parse_sentences("The docks close [2]. “Work stops. It rains.” [1][3]")
    [('The docks close.', (2,)), ('“Work stops. It rains.”', (1, 3))]
    """
    plain, marks = _take_marks(_tidy(text))
    starts = [0]
    for end in sorted(_boundaries(plain) | {at for at, _ in marks if _is_end(plain, at)}):
        if end < len(plain) and not _is_quoted(plain, end):
            starts.append(end)
    found = []
    for start, end in zip(starts, [*starts[1:], len(plain)], strict=True):
        sentence = plain[start:end].strip()
        cited = [
            number
            for at, numbers in marks
            if start < at <= end or (start == 0 and at == 0)
            for number in numbers
        ]
        if any(one.isalnum() for one in sentence):
            found.append((sentence, tuple(dict.fromkeys(cited))))
    return found


def _tidy(text: str) -> str:
    parts = re.split(r"(“[^“”]*”)", text)
    return "".join(
        part if part.startswith("“") else _EMPHASIS.sub("", _JUNK.sub("", part)) for part in parts
    )


def _take_marks(text: str) -> tuple[str, list[tuple[int, tuple[int, ...]]]]:
    plain, marks, here = "", [], 0
    for found in _MARKER.finditer(text):
        if _is_quoted(text, found.start()):
            continue
        plain += text[here : found.start()]
        marks.append((len(plain), _numbers(found["numbers"])))
        here = found.end()
    return plain + text[here:], marks


def _numbers(text: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in re.split(r"[,;&]|and", text):
        ends = [int(one) for one in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 < ends[1] - ends[0] < 50:
            numbers.extend(range(ends[0], ends[1] + 1))
        else:
            numbers.extend(ends)
    return tuple(numbers)


def _boundaries(text: str) -> set[int]:
    return {end for _, end in split_sentences(text)}


def _is_end(text: str, at: int) -> bool:
    return at > 0 and text[:at].rstrip()[-1:] in _ENDS


def _is_quoted(text: str, at: int) -> bool:
    opened = text.rfind("“", 0, at)
    return opened >= 0 and opened > text.rfind("”", 0, at) and "”" in text[at:]
