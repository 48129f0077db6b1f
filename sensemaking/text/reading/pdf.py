"""PDF: pages of text, lines joined to paragraphs."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

from sensemaking.text.reading.content import Content, NoText, Unreadable

_LOCKED = "The PDF is locked with a password: save a copy without one."
_DAMAGED = "The PDF is damaged and cannot be opened: print it to a new PDF."
_HYPHEN = re.compile(
    r"(?P<before>[^\W\d_]+)(?:(?:\ufffe|\u0002|\u00ad)\s{0,3}|-[^\S\n]*\r?\n[^\S\n]*)"
    r"(?P<after>[^\W\d_]+)"
)
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TITLE = re.compile(
    r"(?!Microsoft|untitled|Untitled|Slide|PowerPoint)(?=.*[^\W\d_]{3}.* )[^\\/_]{6,150}"
)
"""What programs write into the title field on their own is no title."""
_SENTENCE_END = re.compile(r"[.!?:;]['\"”’)\]]*$")
_NEW_BLOCK = re.compile(r"\s*(?:[•·▪◦*–-]\s|\(?\d{1,3}[.)]\s|[A-Z][A-Z .]{2,30}:)")
LEAST_PER_PAGE = 8
"""Letters a page that has text has at least, on the average."""


def read_pdf(data: bytes) -> Iterator[Content]:
    """Yield a PDF as one document with its pages.

    Raises
    ------
    NoText
        When the pages are images.
    Unreadable
        When the file is locked or damaged.
    """
    pages, title = _read_with_pdfium(data)
    letters = sum(one.isalnum() for page in pages for one in page)
    if letters < LEAST_PER_PAGE * max(1, len(pages)):
        n = f"{len(pages)} pages" if len(pages) != 1 else "page"
        raise NoText(f"There is no text on its {n}: it looks scanned. Run OCR, then add it again.")
    known = frozenset(word.lower() for page in pages for word in _WORD.findall(page))
    paragraphs = tuple(_unwrap(_join_hyphens(page, known)) for page in pages)
    yield Content("", title=title if _TITLE.fullmatch(title) else "", pages=paragraphs)


def _read_with_pdfium(data: bytes) -> tuple[list[str], str]:
    """Return the text of each page and the title that the file gives itself."""
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(data) as document:
            pages = []
            for page in document:
                text = page.get_textpage()
                pages.append(text.get_text_range())
                text.close()
                page.close()
            return pages, document.get_metadata_value("Title").strip()
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable(_LOCKED) from error
        return _read_with_pypdf(data), ""


def _read_with_pypdf(data: bytes) -> list[str]:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data))
        if reader.is_encrypted:
            raise Unreadable(_LOCKED)
        return [page.extract_text() for page in reader.pages]
    except (PyPdfError, DependencyError, ValueError, KeyError, TypeError, RecursionError) as error:
        if isinstance(error, Unreadable):
            raise
        raise Unreadable(_DAMAGED) from error


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
