"""Where in a chunk stands what a model found there: names and quotations become spans.

A passage comes in; out go spans in offsets of the document. What is not found there is evidenced by
the chunk as a whole: a span that is exactly the chunk says that the place is not known.
"""

from __future__ import annotations

import re

from sensemaking.ports import Passage
from sensemaking.text.locating import locate
from sensemaking.text.sentences import split_sentences
from sensemaking.types import Span

MAX_OCCURRENCES = 60
LEAST_WORDS = 4
"""Words that show something by themselves."""
_UNSPACED = "\u0e00"
"""From here on scripts write words without space between them."""


def find_name(name: str, passage: Passage) -> tuple[Span, ...]:
    """Return all places of a name in a passage; none when it is not there.

    To the letter first, then in other letter case, then as a quotation of it would be found.
    """
    body = r"\s+".join(re.escape(word) for word in name.split())
    if max(name) < _UNSPACED:
        body = rf"(?<!\w){body}(?!\w)"
    for flags in (re.NOFLAG, re.IGNORECASE):
        found = list(re.finditer(body, passage.text, flags))
        if found:
            return tuple(_span(passage, *one.span()) for one in found[:MAX_OCCURRENCES])
    place = locate(name, passage.text)
    return () if place is None else (_span(passage, *place),)


def find_quote(quote: str, passage: Passage) -> Span | None:
    """Return where a quotation stands, copied to the letter or nearly so; None when nowhere.

    A quotation of very few words ("as owner") stands for the sentence that holds it.
    """
    place = locate(quote, passage.text)
    if place is None:
        return None
    start, end = place
    if len(passage.text[start:end].split()) < LEAST_WORDS:
        for first, last in split_sentences(passage.text):
            if first <= start < last:
                start, end = min(first, start), max(last, end)
    return _span(passage, start, end)


def whole(passage: Passage) -> Span:
    """Return the chunk as a span: what stands somewhere in it."""
    return _span(passage, 0, len(passage.text))


def _span(passage: Passage, start: int, end: int) -> Span:
    start, end = start + passage.chunk.start, end + passage.chunk.start
    page = None
    for one in passage.sections:
        if one.kind == "page" and one.start <= start < one.end and one.title.isdecimal():
            page = int(one.title)
    return Span(passage.chunk.document_id, start, end, page)
