"""Extractions as flat lists: who is mentioned where, sentence by sentence.

Documents, chunks and extractions come in, in any order; out goes one `Reading` in the canonical
order (document id, chunk ordinal, offset), the same for every order of the input. Everything is
addressed by position, so that the statistics run over lists of integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sensemaking.types import Chunk, Document, Extraction, Span

Place = tuple[int, int, int]
"""Start, end, form."""


@dataclass(slots=True)
class SentenceRow:
    """One sentence: document and chunk by position, offsets, places of what it mentions."""

    document: int
    chunk: int
    span: Span
    speaker: str
    places: list[Place]


@dataclass(slots=True)
class Form:
    """One way of writing something in one document."""

    document: int
    name: str
    kind: str
    is_explicit: bool
    descriptions: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    chunks: list[int] = field(default_factory=list)
    """Position of the chunk of each span."""


@dataclass(slots=True)
class Reading:
    """All that was extracted. `form_of[chunk][mention]` is the form of a mention of a chunk."""

    documents: list[Document]
    chunks: list[Chunk]
    extractions: list[Extraction]
    forms: list[Form]
    form_of: list[list[int]]
    sentences: list[SentenceRow]


def read(
    documents: Sequence[Document], chunks: Sequence[Chunk], extractions: Sequence[Extraction]
) -> Reading:
    """Return the extractions of known chunks in canonical order."""
    ordered = sorted(documents, key=lambda one: one.id)
    position = {one.id: index for index, one in enumerate(ordered)}
    by_chunk = {one.id: one for one in extractions}
    found = Reading(ordered, [], [], [], [], [])
    forms: dict[tuple[int, str, str], int] = {}
    for chunk in sorted(chunks, key=lambda one: (one.document_id, one.ordinal, one.id)):
        if chunk.id in by_chunk and chunk.document_id in position:
            found.chunks.append(chunk)
            found.extractions.append(by_chunk[chunk.id])
            _read_chunk(found, forms, position[chunk.document_id])
    return found


def _read_chunk(found: Reading, forms: dict[tuple[int, str, str], int], document: int) -> None:
    chunk, extraction = len(found.chunks) - 1, found.extractions[-1]
    is_explicit = not extraction.sentences
    indices = []
    places: list[Place] = []
    for mention in extraction.mentions:
        index = forms.setdefault((document, mention.name, mention.kind), len(found.forms))
        if index == len(found.forms):
            found.forms.append(Form(document, mention.name, mention.kind, is_explicit))
        form = found.forms[index]
        form.is_explicit |= is_explicit
        form.spans.extend(mention.spans)
        form.chunks.extend([chunk] * len(mention.spans))
        if mention.description:
            form.descriptions.append(mention.description)
        indices.append(index)
        places.extend((span.start, span.end, index) for span in mention.spans)
    found.form_of.append(indices)
    places.sort(key=lambda place: (place[0], -place[1], place[2]))
    at = 0
    for sentence in extraction.sentences:
        while at < len(places) and places[at][0] < sentence.span.start:
            at += 1
        first = at
        while at < len(places) and places[at][0] < sentence.span.end:
            at += 1
        found.sentences.append(
            SentenceRow(document, chunk, sentence.span, sentence.speaker, places[first:at])
        )
