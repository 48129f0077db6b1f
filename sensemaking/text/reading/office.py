"""Word documents."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from xml.parsers.expat import ExpatError

from sensemaking.text.reading.content import Content, NoText, Unreadable

_IMAGE = re.compile(r"!\[[^\]]{0,2000}\]\([^)]{0,2000}\)")
_LINK = re.compile(r"\[([^\]]{1,2000})\]\([^)]{0,2000}\)")
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!-])")


def read_docx(data: bytes) -> Iterator[Content]:
    """Yield a Word document as Markdown, without images and link targets.

    Raises
    ------
    Unreadable
        When the file is damaged or locked.
    NoText
        When it holds no text.
    """
    from markitdown import MarkItDown, MarkItDownException, StreamInfo

    try:
        converted = MarkItDown(enable_plugins=False).convert_stream(
            io.BytesIO(data), stream_info=StreamInfo(extension=".docx")
        )
    except (
        MarkItDownException, zipfile.BadZipFile, ArithmeticError, AttributeError, ExpatError,
        LookupError, OSError, RecursionError, TypeError, ValueError, zlib.error,
    ) as error:  # fmt: skip
        raise Unreadable(
            "The Word document is damaged or locked: open it in a word processor and save it anew."
        ) from error
    text = _ESCAPED.sub(r"\1", _LINK.sub(r"\1", _IMAGE.sub("", converted.markdown)))
    if not text.strip():
        raise NoText("The Word document has no text; if it shows pictures of text, run OCR first.")
    yield Content(text, title=converted.title or "")
