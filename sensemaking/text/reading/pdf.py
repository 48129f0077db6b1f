"""PDF: pages of text, lines joined to paragraphs."""

from __future__ import annotations

import contextlib
import io
import logging
import re
import struct
import warnings
import zlib
from collections.abc import Iterator
from typing import Any

from sensemaking.text.reading.content import Content, NoText, Omitted, Unreadable

_LOCKED = "The PDF is locked with a password: save a copy without one."
_DAMAGED = "The PDF is damaged and cannot be opened: print it to a new PDF."
_HYPHEN = re.compile(
    r"(?<![^\W\d_])(?P<before>[^\W\d_]+)(?:(?:\ufffe|\u0002|\u00ad)\s{0,3}|-[^\S\n]*\r?\n[^\S\n]*)"
    r"(?P<after>[^\W\d_]+)"
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TITLE = re.compile(
    r"(?!Microsoft|untitled|Untitled|Slide|PowerPoint)(?=.*[^\W\d_]{3}.* )[^\\/_]{6,150}"
)
"""What programs write into the title field on their own is no title."""
_SENTENCE_END = re.compile(r"[.!?:;]['\"”’)\]]*$")
_NEW_BLOCK = re.compile(r"\s*(?:[•·▪◦*–-]\s|\(?\d{1,3}[.)]\s|[A-Z][A-Z .]{2,30}:)")
MAX_PAGES = 50_000
MOST_NAMED = 8
"""So many damaged pages are named."""
LEAST_PER_PAGE = 8
"""Letters a page that has text has at least, on the average."""


def read_pdf(data: bytes) -> Iterator[Content | Omitted]:
    """Yield a PDF as one document with its pages, and the pages that are damaged.

    Raises
    ------
    NoText
        When the pages are images.
    Unreadable
        When the file is locked or damaged.
    """
    found, title = _read_with_pdfium(data)
    damaged = [str(number) for number, page in enumerate(found, start=1) if page is None]
    pages = [page or "" for page in found]
    if damaged:
        named = ", ".join(damaged[:MOST_NAMED]) + (" …" if len(damaged) > MOST_NAMED else "")
        yield Omitted(f"page {named} is damaged: print the PDF to a new one.")
    letters = sum(one.isalnum() for page in pages for one in page)
    if letters < LEAST_PER_PAGE * max(1, len(pages)):
        n = f"{len(pages)} pages" if len(pages) != 1 else "page"
        raise NoText(f"There is no text on its {n}: it looks scanned. Run OCR, then add it again.")
    known = frozenset(word.lower() for page in pages for word in _WORD.findall(page))
    paragraphs = tuple(_unwrap(_join_hyphens(page, known)) for page in pages)
    yield Content("", title=title if _TITLE.fullmatch(title) else "", pages=paragraphs)


def _read_with_pdfium(data: bytes) -> tuple[list[str | None], str]:
    """Return the text of each page, None for a damaged one, and the title that the file has."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(data) as document:
            _check_length(len(document))
            pages = [_page_text(document, number) for number in range(len(document))]
            title = document.get_metadata_value("Title").strip()
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable(_LOCKED) from error
        return _read_with_pypdf(data), ""
    if None in pages:
        # Another reader may know what to do with a page that this one gives up.
        with contextlib.suppress(Unreadable):
            others = _read_with_pypdf(data)
            if len(others) == len(pages):
                pairs = zip(pages, others, strict=True)
                pages = [other if page is None else page for page, other in pairs]
    if all(page is None for page in pages):
        raise Unreadable(_DAMAGED)
    return pages, title


def _page_text(document: Any, number: int) -> str | None:  # noqa: ANN401 - pypdfium2 has no types
    import pypdfium2

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return None
    try:
        text = page.get_textpage()
        found: str = text.get_text_range()
        text.close()
    except pypdfium2.PdfiumError:
        return None
    finally:
        page.close()
    return found


def _read_with_pypdf(data: bytes) -> list[str | None]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    # It tells on standard error of every oddity that it could mend.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings(action="ignore"):
            reader = PdfReader(io.BytesIO(data))
            _check_lock(is_locked=reader.is_encrypted)
            _check_length(len(reader.pages))
            return [page.extract_text() for page in reader.pages]
    except Unreadable:
        raise
    # NotImplementedError: pypdf knows some filters and kinds of encryption by name alone.
    except (
        PyPdfError, DependencyError, ArithmeticError, AttributeError, LookupError, OSError,
        RecursionError, TypeError, ValueError, AssertionError, NotImplementedError, zlib.error,
        struct.error,
    ) as error:  # fmt: skip
        raise Unreadable(_DAMAGED) from error


def _check_lock(*, is_locked: bool) -> None:
    if is_locked:
        raise Unreadable(_LOCKED)


def _check_length(n_pages: int) -> None:
    if n_pages > MAX_PAGES:
        raise Unreadable(f"It has {n_pages:,} pages, the limit is {MAX_PAGES:,}: divide it.")
    if not n_pages:
        raise Unreadable(_DAMAGED)


def _join_hyphens(page: str, known: frozenset[str]) -> str:
    """Return a page with words that were cut at line ends made whole.

    The hyphen stays where the document has the word with a hyphen elsewhere and not without, and
    before a capital ("Anglo-Saxon").
    """

    def join(match: re.Match[str]) -> str:
        before, after = match["before"], match["after"]
        whole, apart = (before + after).lower(), f"{before}-{after}".lower()
        keeps = after[0].isupper() or (apart in known and whole not in known)
        return f"{before}-{after}" if keeps else before + after

    return _HYPHEN.sub(join, page)


def _unwrap(page: str) -> str:
    """Return the text of a page with the lines of a paragraph joined.

    A line that is much shorter than the others and ends a sentence ends a paragraph.
    """
    lines = page.replace("\r", "").split("\n")
    full = [len(line) for line in lines if len(line) > 40]
    usual = sorted(full)[len(full) // 2] if full else 0
    parts: list[str] = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        line = line.strip()
        if not line:
            parts.append("\n\n")
            continue
        short = len(line) < 0.75 * usual
        breaks = not following.strip() or _NEW_BLOCK.match(following)
        if short and (_SENTENCE_END.search(line) or following[:1].isupper()):
            breaks = True
        parts.append(line + ("\n" if breaks else " "))
        if short and _SENTENCE_END.search(line):
            parts.append("\n")
    return "".join(parts)
