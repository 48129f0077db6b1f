"""Web pages: what was written, without navigation and scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from sensemaking.text.reading.content import Content, NoText

_TITLE_TAIL = re.compile(r"\s+[|·–—-]\s+[^|·–—-]{2,40}$")
_SILENT = frozenset(("script", "style", "noscript", "template", "svg", "head"))
_BLOCKS = frozenset(
    (
        "p", "div", "br", "li", "ul", "ol", "tr", "table", "section", "article", "header",
        "footer", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "hr",
    )
)  # fmt: skip
_INLINE = re.compile(r"data:[\w/+.;=-]{0,100};base64,[A-Za-z0-9+/=\s]*")
"""Images that are written into the page."""
_UNCLOSED = re.compile(r"<(?![^>]{0,20000}>)")
LEAST_SHARE = 0.25
"""An extraction with less of the page's words than this has lost the page: all is taken instead."""


def read_html(page: str) -> Iterator[Content]:
    """Yield the page's main text.

    Raises
    ------
    NoText
        When the page shows no text.
    """
    page = _closed(_INLINE.sub("data:,", page))
    plain = _PlainText()
    plain.feed(page)
    plain.close()
    everything = plain.text()
    if not everything.strip():
        raise NoText("The page has no text of its own: it may be made by scripts. Save it as PDF.")
    main = _main_text(page)
    is_whole = len(main.split()) >= LEAST_SHARE * len(everything.split())
    yield Content(
        main if is_whole else everything, title=_TITLE_TAIL.sub("", " ".join(plain.title.split()))
    )


def _closed(page: str) -> str:
    """Return a page whose marks that are never closed are text.

    The parser reads to the end of the page for each of them: it would take hours for some.
    """
    for opening, closing in (("<!--", "-->"), ("<![", "]>")):
        last = page.rfind(closing) + 1
        page = page[:last] + page[last:].replace(opening, "&lt;")
    return _UNCLOSED.sub("&lt;", page)


def _main_text(page: str) -> str:
    import trafilatura
    from lxml.etree import LxmlError

    try:
        found = trafilatura.extract(
            page,
            output_format="markdown",
            include_comments=False,
            include_tables=True,
            include_images=False,
            include_links=False,
            include_formatting=False,
            favor_recall=True,
            deduplicate=False,
        )
    except (ValueError, LxmlError, RecursionError):
        return ""
    return found or ""


class _PlainText(HTMLParser):
    """Everything that a page shows, blocks on lines of their own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self._parts: list[str] = []
        self._silent = 0
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title":
            self._in_title = True
        elif tag in _SILENT:
            self._silent += 1
        elif tag in _BLOCKS:
            self._parts.append("\n\n")
        elif tag in ("td", "th"):
            self._parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        elif tag in _SILENT:
            self._silent = max(0, self._silent - 1)
        elif tag in _BLOCKS:
            self._parts.append("\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif not self._silent:
            self._parts.append(data)

    def text(self) -> str:
        """Return the lines that have words, paragraphs apart."""
        lines = (" ".join(line.split()) for line in "".join(self._parts).splitlines())
        return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
