"""Chunks to passages, the units that an extractor reads.

A document and its chunks come in; out go passages that carry by value all that an extractor may
know: the text of the chunk, what the document is called, its language and metadata, and the
sections that touch the chunk. A passage says nothing about any other chunk, so adding a document
never changes what another one yields.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sensemaking.ports import Passage
from sensemaking.types import Chunk, Document, Section


def make_passages(document: Document, chunks: Sequence[Chunk]) -> list[Passage]:
    """Return one passage per chunk of the document, in the order given."""
    return [
        Passage(
            chunk=chunk,
            text=document.text[chunk.start : chunk.end],
            title=document.title,
            language=document.language,
            metadata=document.metadata,
            sections=sections,
        )
        for chunk, sections in zip(chunks, _sections_by_chunk(document, chunks), strict=True)
    ]


def _sections_by_chunk(
    document: Document, chunks: Sequence[Chunk]
) -> Iterator[tuple[Section, ...]]:
    """Yield the sections that touch each chunk, in one pass where chunks are in order.

    Sections are sorted by start; those that ended before a chunk begins are dropped for good as
    long as the chunks move forward.
    """
    open_sections: list[Section] = []
    upcoming = 0
    previous = -1
    for chunk in chunks:
        if chunk.start < previous:
            open_sections, upcoming = [], 0
        previous = chunk.start
        sections = document.sections
        while upcoming < len(sections) and sections[upcoming].start < chunk.end:
            open_sections.append(sections[upcoming])
            upcoming += 1
        open_sections = [one for one in open_sections if one.end > chunk.start]
        yield tuple(one for one in open_sections if one.start < chunk.end)
