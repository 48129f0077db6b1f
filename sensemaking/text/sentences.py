"""Sentences as offsets into a text.

In: a normalised text and a range of it. Out: [start, end) offsets of its sentences in order, white
space at both ends left out. A sentence ends at a terminator that is not part of an abbreviation,
an initial, a number or a list marker; at a blank line; and at a line break that is not a wrapped
line.

Notes
-----
Our own rules, language-neutral where a script has its own full stop, tuned for English where it
has not. What decides after a full stop is the word before it and the word after it; the lists are
closed classes (titles, months, common openers), not a corpus. Thai, Lao and Khmer write no full
stop: there, white space ends a sentence once it is long enough. No sentence exceeds 1,000
characters, so one line of a megabyte costs linear time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from sensemaking.text import abbreviations
from sensemaking.text.graphemes import boundary_before

MAX_CHARACTERS = 1000

_NARROWEST, _WIDEST = 45, 130
"""Lines of prose that was wrapped by hand or by a mail program, in characters."""
_BLOCK_REACH = 4000

_CLOSERS = "\"'”’»›)\\]】」』）》〉*_"
_CANDIDATE = re.compile(
    r"[\n.!?…‽。｡！？．।॥؟۔։።။។;]"
    rf"[.!?…‽。｡！？।॥؟]*[{_CLOSERS}]*"
)
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_WIDE_STOPS = frozenset("。｡！？．।॥؟۔።។။")
_PREVIOUS_WORD = re.compile(r"[^\s(\[{\"“”‘«—–/]+$")
_FOOTNOTE = re.compile(r"(?:\[\d{1,3}\]|\d{1,2})(?=\s+[\"“(]?[A-Z])")
_NEXT_WORD = re.compile(r"[\s\"'“”‘«‹(\[*_¿¡「『（【—–-]*([^\s.,;:!?\"”’)\]]*)")
_LIST_MARKER = re.compile(r"[^\S\n]*(?:[-*•‣◦▪·–—]|\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)])\s")
_ONLY_MARKER = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*|[A-Za-z]|[ivxlIVXL]{1,5})\.")
_MARKUP_LINE = re.compile(r"[^\S\n]*(?:#{1,6}\s|>|\||={3,}|-{3,}|~{3,}|\[[A-Z]|\*\*)")
_HEADING_MARK = re.compile(r"#{1,6}\s|={3,}|-{3,}|~{3,}")
_LABEL_LINE = re.compile(r"[^\S\n]*[^\W\d_][^\n:]{0,40}:\s")
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]|[Pp]h\.D|[Bb]\.[AaSs]c?|M\.[AaSs]c?")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff]")
_CLAUSE_ENDS = ("; ", " — ", " – ", " -- ", ": ", ", ", "；", "，", "、", "،", "؛")

_NEVER_LAST = frozenset(abbreviations.NEVER_LAST.split())
_SELDOM_LAST = frozenset(abbreviations.SELDOM_LAST.split())
_OPENERS = frozenset(abbreviations.OPENERS.split())
_UNFINISHED = frozenset(abbreviations.UNFINISHED.split())


def split_sentences(text: str, start: int = 0, end: int | None = None) -> list[tuple[int, int]]:
    """Return the sentences of `text[start:end]` as [start, end) offsets into `text`.

    Examples
    --------
    >>> text = "Dr. Smith paid $4.50. Why? Nobody knew."
    >>> [text[a:b] for a, b in split_sentences(text)]
    ['Dr. Smith paid $4.50.', 'Why?', 'Nobody knew.']
    """
    stop = len(text) if end is None else min(end, len(text))
    sentences: list[tuple[int, int]] = []
    begin = start
    for cut in _cuts(text, start, stop):
        _append(sentences, text, begin, cut)
        begin = cut
    _append(sentences, text, begin, stop)
    return sentences


def _append(sentences: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    """Append one stretch without its outer white space, in pieces when it is too long."""
    piece = text[start:end]
    body = piece.strip()
    if not body:
        return
    start += len(piece) - len(piece.lstrip())
    end = start + len(body)
    if _UNSPACED.search(body):
        sentences.extend(_pieces(text, start, end, limit=200))
    elif end - start > MAX_CHARACTERS:
        sentences.extend(_pieces(text, start, end, limit=MAX_CHARACTERS))
    else:
        sentences.append((start, end))


def _pieces(text: str, start: int, end: int, *, limit: int) -> Iterator[tuple[int, int]]:
    """Yield pieces of at most `limit` characters, cut at a clause, white space or a character."""
    while end - start > limit:
        cut = _piece_end(text, start, limit)
        last = cut
        while last > start and text[last - 1].isspace():
            last -= 1
        if last > start:
            yield start, last
        start = cut
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _piece_end(text: str, start: int, limit: int) -> int:
    low, high = start + limit // 2, start + limit
    best = max(
        (at + len(mark) for mark in _CLAUSE_ENDS if (at := text.rfind(mark, low, high)) >= 0),
        default=-1,
    )
    if best < 0:
        window = text[low:high]
        best = next((low + at + 1 for at in _spaces_backwards(window)), -1)
    return best if best > 0 else boundary_before(text, high, start)


def _spaces_backwards(window: str) -> Iterator[int]:
    return (at for at in range(len(window) - 1, -1, -1) if window[at].isspace())


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets at which a sentence ends, in order."""
    begin = start
    block = _Block(start, 0, wraps=False)
    for match in _CANDIDATE.finditer(text, start, end):
        at, after = match.span()
        if at < begin:
            continue
        mark = text[at]
        if mark == "\n":
            if at >= block.end:
                block = _block(text, at, start, end)
            after = at + 1
            if not _is_line_end(text, begin, at, block):
                continue
        elif mark in _WIDE_STOPS:
            if mark == "．" and text[after : after + 1].isdigit():
                continue
        else:
            last = _stop_end(text, begin, at, after, end)
            if last is None:
                continue
            after = last
        yield after
        begin = after


@dataclass(frozen=True, slots=True)
class _Block:
    """Lines around a break: `width` is their 95th percentile, `wraps` if sentences cross them."""

    end: int
    width: int
    wraps: bool


def _block(text: str, at: int, start: int, end: int) -> _Block:
    """Return what is known about the paragraph around a line break, 4,000 characters each way."""
    blank = _BLANK_LINE.search(text, at, end)
    last = min(blank.start() if blank else end, at + _BLOCK_REACH)
    before = text.rfind("\n\n", start, at)
    first = max(start if before < 0 else before + 2, at - _BLOCK_REACH)
    lines = [line.strip() for line in text[first:last].split("\n")]
    wraps = any(
        len(line) >= _NARROWEST and following[:1].islower() and not _LABEL_LINE.match(following)
        for line, following in pairwise(lines)
    )
    lengths = sorted((len(line) for line in lines), reverse=True)
    return _Block(max(last, at + 1), lengths[len(lengths) // 20], wraps)


def _is_line_end(text: str, begin: int, at: int, block: _Block) -> bool:
    """Return whether a line break ends a sentence, that is, is not one of a wrapped paragraph.

    A break is taken as wrapping when the next line goes on in lower case, when this line ends in
    the middle of a phrase, or when it is about as long as the wrapped lines around it.
    """
    line = text[at + 1 : at + 80].split("\n", 1)[0]
    current = text[max(text.rfind("\n", begin, at) + 1, begin) : at].strip()
    if not line.strip() or not current:
        return not line.strip()
    if line.lstrip().startswith(">") and current.startswith(">"):
        line = line.lstrip()[1:]
    elif _MARKUP_LINE.match(line) or _HEADING_MARK.match(current):
        return True
    if _LIST_MARKER.match(line) or not line.strip():
        return True
    is_label = bool(_LABEL_LINE.match(line))
    if line.lstrip()[0].islower() and not is_label:
        return False
    if current[-1] == "," or current.rsplit(None, 1)[-1] in _UNFINISHED:
        return is_label
    narrowest = 18 if ord(current[-1]) > 0x2E80 else _NARROWEST
    if is_label or not narrowest <= block.width <= _WIDEST or len(current) < narrowest:
        return True
    if block.wraps:
        return len(current) < 0.6 * block.width
    return len(current) + 1 + len(line.split(None, 1)[0]) <= block.width or len(current) < 60


def _stop_end(text: str, begin: int, at: int, after: int, end: int) -> int | None:
    """Return where the sentence that stops at `at` ends, or None when it does not end there."""
    mark = text[at]
    if mark == ";":
        # The Greek question mark is a semicolon after NFC.
        return after if at > begin and "\u0370" <= text[at - 1] <= "\u1fff" else None
    if after < end and not text[after].isspace():
        note = _FOOTNOTE.match(text, after, end) if text[at - 1 : at].isalpha() else None
        if note is None:
            return None
        after = note.end()
    word = _NEXT_WORD.match(text, after, min(end, after + 60))
    following = word[1] if word else ""
    if not following:
        return after
    if following[0].islower() and not any(letter.isupper() for letter in following):
        return None
    if mark != "." or after - at > 1 and text[at + 1] == ".":
        return after
    return after if _ends_after_word(text, begin, at, following) else None


def _ends_after_word(text: str, begin: int, at: int, following: str) -> bool:
    """Return whether a full stop ends its sentence, from the words on both sides."""
    found = _PREVIOUS_WORD.search(text[max(begin, at - 40) : at])
    if found is None:
        return True
    word = found[0]
    if _ONLY_MARKER.fullmatch(word + ".") and _begins(text, begin, at - len(word)):
        return False
    key = word.lower()
    opens = following.lower() in _OPENERS
    if key in _NEVER_LAST:
        # "No." is an abbreviation before a figure and a sentence elsewhere.
        return (
            key in ("no", "nos", "art", "sec", "ed", "al") and not following[0].isdigit() and opens
        )
    if key in _SELDOM_LAST:
        return opens or (key == "etc" and following[0].isupper())
    if len(word) == 1 and word.isupper():
        return opens and following != "A" and word != "I" or (word == "I" and opens)
    if _DOTTED.fullmatch(word):
        return opens
    return True


def _begins(text: str, begin: int, at: int) -> bool:
    """Return whether nothing of the sentence, or a colon or semicolon, comes before an offset."""
    before = text[max(begin, at - 40) : at].rstrip()
    return not before or before[-1] in ":;\n"
