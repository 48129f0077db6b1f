"""Passages of the documents themselves as evidence: chunks as blocks, their sentences as items.

In: a chunk, its document, its sentences. Out: a `ContextBlock` that is read in windows like a
report, whose items cite the characters they are.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence

from sensemaking.answers.selectors import HEAD_TOKENS, ITEM_TOKENS
from sensemaking.text.sentences import split_sentences
from sensemaking.types import (
    Chunk,
    Citation,
    ContextBlock,
    ContextItem,
    Coverage,
    Document,
    KnowledgeGraph,
    Section,
    Span,
)

LABEL_TOKENS = 8
"""What the name of a speaker and quotation marks add to a sentence, at most, usually."""


def make_passages(document: Document, chunks: Sequence[Chunk]) -> Iterator[ContextBlock]:
    """Yield the chunks of a document as blocks; one without a sentence is left out.

    A sentence belongs to the chunk in whose own part it begins, so that overlaps are read once.
    What structures a text (speaker labels, running heads) is no sentence; who speaks a sentence is
    said in it.
    """
    turns = [one for one in document.sections if one.kind == "turn"]
    sentences = split_sentences(_without_structure(document))
    starts = [start for start, _ in sentences]
    for chunk in chunks:
        first, last = bisect_right(starts, chunk.own_start - 1), bisect_right(starts, chunk.end - 1)
        found = sentences[first:last]
        if found:
            yield _make_block(document, chunk, found, turns)


def _make_block(
    document: Document,
    chunk: Chunk,
    sentences: Sequence[tuple[int, int]],
    turns: Sequence[Section],
) -> ContextBlock:
    items = []
    for number, (start, end) in enumerate(sentences, start=1):
        text = " ".join(document.text[start:end].split())
        speaker = _speaker(start, turns)
        cited = Citation("chunk", chunk.id, (Span(document.id, start, end),))
        items.append(ContextItem(number, "", f"{speaker}: “{text}”" if speaker else text, cited))
    title = " ".join(document.title.split())
    return ContextBlock(
        id=chunk.id,
        title=document.title,
        text=f"# {title}\n",
        n_tokens=chunk.n_tokens
        + HEAD_TOKENS
        + ITEM_TOKENS * len(items)
        + (LABEL_TOKENS * len(items) if turns else 0),
        rating=0.0,
        weight=0,
        items=tuple(items),
    )


def _speaker(start: int, turns: Sequence[Section]) -> str:
    at = bisect_right(turns, start, key=lambda turn: turn.start) - 1
    return " ".join(turns[at].title.split()) if at >= 0 and start < turns[at].end else ""


def _without_structure(document: Document) -> str:
    """Return the text of the same length with line breaks where it only structures."""
    parts, here = [], 0
    for one in document.sections:
        if one.kind in ("furniture", "heading") and one.end > here:
            start = max(one.start, here)
            parts += [document.text[here:start], "\n" * (one.end - start)]
            here = one.end
    return "".join(parts) + document.text[here:]


def cover_passages(chunk_ids: Collection[str], graph: KnowledgeGraph, n_chunks: int) -> Coverage:
    """Return what share of the corpus some chunks hold."""
    held = set(chunk_ids)
    return Coverage(
        n_chunks=n_chunks,
        n_chunks_covered=len(held),
        n_entities=len(graph.entities),
        n_entities_covered=sum(not held.isdisjoint(one.chunk_ids) for one in graph.entities),
        n_reports=0,
    )
