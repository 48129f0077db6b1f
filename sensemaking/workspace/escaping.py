"""Text of documents as it is written into Markdown: to be read, never to be obeyed.

Documents are untrusted. In an exported answer no sentence of theirs may load an image, make a link,
start a heading or hold HTML; every character shows as itself.
"""

from __future__ import annotations

import re

from sensemaking.text.reading import safe_name

_MARKUP = re.compile(r"[\\`*_\[\]#|~^$={}]")
_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_ENTITY = re.compile(r"[&<>]")
_LINK = re.compile(r"(?<=\w)(?::(?=//|\S)|@)|(?<=www)\.", re.IGNORECASE)
"""What lets a reader of Markdown make a link of bare text: "http:", "mailto:", "a@b", "www."."""
_BLOCK = re.compile(r"^(?:[-+!:](?=\s|[-+!:])|\d{1,9}(?=[.)]))")
"""What starts a list, a rule or a definition at the beginning of a line."""


def markdown_text(text: str) -> str:
    r"""Return a text on one line that Markdown shows as it is.

    Examples
    --------
    >>> markdown_text("![x](http://a.b) <script>")
    '!\\[x\\](http\\://a.b) &lt;script&gt;'
    """
    line = " ".join(safe_name(" ".join(text.split())).split())
    escaped = _MARKUP.sub(lambda match: f"\\{match[0]}", line)
    escaped = _ENTITY.sub(lambda match: _ENTITIES[match[0]], escaped)
    escaped = _LINK.sub(lambda match: f"\\{match[0]}", escaped)
    start = _BLOCK.match(escaped)
    if start is None:
        return escaped
    head, rest = start[0], escaped[start.end() :]
    return f"\\{head}{rest}" if not head[0].isdigit() else f"{head}\\{rest}"
