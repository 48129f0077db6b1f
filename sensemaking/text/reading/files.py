"""One file to documents, or to a row that says why not. Pure, and never raises for bad content."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from sensemaking.text.describing import choose_title, read_metadata
from sensemaking.text.languages import detect_language
from sensemaking.text.normalising import normalise
from sensemaking.text.reading.containers import is_zip, packing_fault
from sensemaking.text.reading.content import Content, NoText, Omitted, Unreadable
from sensemaking.text.reading.decoding import decode
from sensemaking.text.reading.html import read_html
from sensemaking.text.reading.naming import safe_name
from sensemaking.text.reading.office import read_docx
from sensemaking.text.reading.pdf import read_pdf
from sensemaking.text.reading.plain import read_markdown, read_text
from sensemaking.text.reading.sniffing import OTHER_KINDS, sniff
from sensemaking.text.reading.tables import read_csv, read_json, read_json_lines
from sensemaking.text.structure import find_sections
from sensemaking.types import Document, FileStatus, SourceFile, digest

Reader = Callable[[bytes], Iterable[Content | Omitted]]

READERS: dict[str, Reader] = {
    "text/plain": lambda data: read_text(decode(data)),
    "text/markdown": lambda data: read_markdown(decode(data)),
    "text/html": lambda data: read_html(decode(data)),
    "application/pdf": read_pdf,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": read_docx,
    "text/csv": lambda data: read_csv(decode(data)),
    "application/json": lambda data: read_json(decode(data)),
    "application/jsonl": lambda data: read_json_lines(decode(data)),
}

SHOWN = 3
"""So many reasons are told of one file; the others are counted."""


def read_file(name: str, data: bytes) -> tuple[SourceFile, tuple[Document, ...]]:
    """Return the row of a file and its documents; () where the row says failed or empty.

    A document's id is the digest of its name and the file's content. A row that says read has a
    reason where parts of the file were left out.
    """
    name = safe_name(name)
    content_digest = digest(data)
    media_type = sniff(name, data)
    row = SourceFile(digest(name), name, media_type, len(data), content_digest, "failed")
    if not data:
        return replace(row, status="empty", reason="The file is empty (0 bytes)."), ()
    if media_type not in READERS:
        return replace(row, reason=OTHER_KINDS[media_type]), ()
    fault = packing_fault(data) if is_zip(data) else ""
    if fault:
        return replace(row, reason=fault), ()
    omitted: list[str] = []
    try:
        documents = tuple(
            document
            for content in _told_apart(_sound(READERS[media_type](data), omitted))
            if (document := _document(name, media_type, content_digest, content)) is not None
        )
    except NoText as empty:
        return replace(row, status="empty", reason=str(empty)), ()
    except Unreadable as failure:
        return replace(row, reason=str(failure)), ()
    reason = _what_is_missing(omitted)
    if not documents:
        status: FileStatus = "failed" if reason else "empty"
        return replace(row, status=status, reason=reason or "There is no text in it."), ()
    ids = tuple(document.id for document in documents)
    return replace(row, status="read", reason=reason, document_ids=ids), documents


def _sound(found: Iterable[Content | Omitted], omitted: list[str]) -> Iterator[Content]:
    """Yield what was read; the reasons of what was not are put into `omitted`."""
    for one in found:
        if isinstance(one, Omitted):
            omitted.append(one.reason)
        else:
            yield one


def _what_is_missing(reasons: Sequence[str]) -> str:
    if not reasons:
        return ""
    others = f" So it is with {len(reasons) - SHOWN} more." if len(reasons) > SHOWN else ""
    return f"Left out: {' '.join(reasons[:SHOWN])}{others}"


def _told_apart(contents: Iterable[Content]) -> Iterator[Content]:
    """Yield the contents, a number added to the part of each that repeats an earlier one's."""
    seen: dict[str, int] = {}
    for content in contents:
        n = seen[content.part] = seen.get(content.part, 0) + 1
        yield content if n == 1 else replace(content, part=f"{content.part or 'part'} ({n})")


def _document(name: str, media_type: str, content_digest: str, content: Content) -> Document | None:
    text, pages = _joined(content)
    if not text:
        return None
    part = safe_name(content.part)
    full_name = f"{name}#{part}" if part else name
    sections = find_sections(text, pages)
    metadata = {**read_metadata(text, name, sections), **content.metadata}
    return Document(
        id=digest(full_name, content_digest),
        name=full_name,
        title=choose_title(text, name, sections, metadata, normalise(content.title)),
        text=text,
        media_type=media_type,
        language=detect_language(text),
        n_words=len(text.split()),
        metadata=tuple(sorted((key, normalise(value)) for key, value in metadata.items())),
        sections=sections,
    )


def _joined(content: Content) -> tuple[str, list[tuple[int, int]]]:
    """Return the normalised text and where its pages lie."""
    if not content.pages:
        return normalise(content.text), []
    parts: list[str] = []
    spans: list[tuple[int, int]] = []
    offset = 0
    for page in content.pages:
        body = normalise(page)
        if parts and body:
            parts.append("\n\n")
            offset += 2
        spans.append((offset, offset + len(body)))
        parts.append(body)
        offset += len(body)
    return "".join(parts), spans
