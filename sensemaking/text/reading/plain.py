"""Text and Markdown, kept as they are; front matter becomes metadata."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sensemaking.text.reading.content import Content

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_PAIR = re.compile(r"^([A-Za-z][\w-]*):[ \t]*(.+)$", re.MULTILINE)


def read_text(text: str) -> Iterator[Content]:
    """Yield the text as one document."""
    yield Content(text)


def read_markdown(text: str) -> Iterator[Content]:
    """Yield the text as one document, its front matter apart."""
    text = text.replace("\r\n", "\n")
    match = _FRONT_MATTER.match(text)
    if match is None:
        yield Content(text)
        return
    pairs = {key.lower(): value.strip().strip("\"'") for key, value in _PAIR.findall(match[1])}
    title = pairs.pop("title", "")
    yield Content(text[match.end() :], title=title, metadata=pairs)
