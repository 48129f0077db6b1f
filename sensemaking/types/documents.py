"""What is read: files, documents and their chunks."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

SectionKind = Literal["heading", "page", "turn", "furniture"]
FileStatus = Literal["waiting", "read", "empty", "failed", "duplicate", "removed"]

_LARGE = 100_000
"""Bytes of a part that is digested by itself, without a copy. Smaller ones are joined first: a
thousand ids are a thousand parts, and each update costs more than its bytes."""


def digest(*parts: str | int | float | bytes | Iterable[str]) -> str:
    """Return a 20-character hexadecimal digest of the parts, in order.

    Each part is length-prefixed, so that ("ab", "c") and ("a", "bc") differ. An iterable of strings
    counts as one part whose items are digested in the order given: sort it first.
    """
    hasher = hashlib.blake2b(digest_size=10)
    pieces: list[bytes] = []
    for part in parts:
        if isinstance(part, str):
            data = part.encode("utf-8", "surrogatepass")
        elif isinstance(part, bytes):
            data = part
        elif isinstance(part, int | float):
            data = str(part).encode()
        else:
            data = digest(*part).encode()
        pieces.append(len(data).to_bytes(8, "big"))
        if len(data) <= _LARGE:
            pieces.append(data)
            continue
        hasher.update(b"".join(pieces))
        hasher.update(data)
        pieces.clear()
    hasher.update(b"".join(pieces))
    return hasher.hexdigest()


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of `Document.text`; `page` counts from 1 where there are pages."""

    document_id: str
    start: int
    end: int
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document with a meaning.

    heading: the characters of a heading line. page: one page, `title` is its number. turn: what
    one speaker says, `title` is the speaker as labelled (the label itself is furniture). furniture:
    text that structures but does not tell: speaker labels, stage directions, mail headers, bylines,
    running heads. Sections may overlap; they are sorted by (start, end, kind).
    """

    kind: SectionKind
    title: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Document:
    """One document, its text normalised once and never again.

    `name` is the path relative to what the user gave; `metadata` holds sorted (key, value) pairs
    such as date, author, from, to, subject.
    """

    id: str
    name: str
    title: str
    text: str
    media_type: str
    language: str
    n_words: int
    metadata: tuple[tuple[str, str], ...] = ()
    sections: tuple[Section, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One row per file the user put in, read or not. `id` = digest(name).

    `reader` is the version of the reader that made the row what it is, 0 before any did.
    """

    id: str
    name: str
    media_type: str
    n_bytes: int
    content_digest: str
    status: FileStatus
    reason: str = ""
    document_ids: tuple[str, ...] = ()
    n_words: int = 0
    reader: int = 0


@dataclass(frozen=True, slots=True)
class Chunk:
    """An exact slice `Document.text[start:end]`.

    `own_start` is where the text begins that the previous chunk does not hold (`start` for the
    first), so that work on the overlap is not done twice. `id` = digest(document id, chunking key,
    start, end).
    """

    id: str
    document_id: str
    ordinal: int
    start: int
    end: int
    own_start: int
    n_tokens: int
