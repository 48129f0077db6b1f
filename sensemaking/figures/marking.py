"""Where the entities of a graph stand in a document, and the text cut so that they can be marked.

A graph and a document come in; stretches of text that look the same go out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sensemaking.types import Document, KnowledgeGraph


@dataclass(frozen=True, slots=True)
class Mark:
    """An occurrence of an entity: characters [start, end) of its document's text."""

    start: int
    end: int
    entity_id: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Text that looks the same: `style` is that of its section, "" for none.

    `entity_id` is the entity that is named by it, "" for none; `is_evidence` says whether it lies
    in the passage that was asked for.
    """

    text: str
    style: str
    entity_id: str
    is_evidence: bool


def index_marks(graph: KnowledgeGraph) -> dict[str, tuple[Mark, ...]]:
    """Return the marks of each document, none inside another, in order of their place.

    Of two that overlap the one that begins first is kept, of those the longest.
    """
    found: dict[str, list[Mark]] = {}
    for entity in graph.entities:
        for span in entity.spans:
            mark = Mark(span.start, span.end, entity.id)
            found.setdefault(span.document_id, []).append(mark)
    return {document: tuple(_apart(marks)) for document, marks in found.items()}


def _apart(marks: Iterable[Mark]) -> Iterable[Mark]:
    end = 0
    for mark in sorted(marks, key=lambda one: (one.start, -one.end, one.entity_id)):
        if mark.start >= end:
            yield mark
            end = mark.end


def cut_pages(text: str, size: int) -> tuple[int, ...]:
    r"""Return where the pages of a text begin and the last ends: about `size` characters each.

    A page ends with a paragraph or a line where one ends in its last quarter.

    Examples
    --------
    >>> cut_pages("One.\n\nTwo.\n\nThree.", 12)
    (0, 12, 18)
    >>> cut_pages("", 8)
    (0, 0)
    """
    edges = [0]
    while len(text) - edges[-1] > size:
        begin, limit = edges[-1], edges[-1] + size
        least = limit - size // 4
        at = max(text.rfind("\n\n", least, limit) + 2, 0)
        if at <= least:
            at = text.rfind("\n", least, limit) + 1
        edges.append(at if at > max(begin, least - 1) else limit)
    return (*edges, len(text))


def cut_text(
    document: Document,
    page: tuple[int, int],
    marks: Sequence[Mark],
    evidence: tuple[int, int] | None = None,
) -> tuple[Stretch, ...]:
    """Return the characters [first, last) of a document cut into stretches that look the same."""
    first, last = page
    styled = [one for one in document.sections if one.kind in ("heading", "furniture")]
    near = [one for one in marks if one.start < last and one.end > first]
    bounds = {first, last}
    ends = [(one.start, one.end) for one in styled] + [(one.start, one.end) for one in near]
    for start, end in [*ends, evidence or (first, first)]:
        bounds.update(one for one in (start, end) if first < one < last)
    edges = sorted(bounds)
    styles = _spread(edges, [(one.start, one.end, one.kind) for one in styled])
    names = _spread(edges, [(one.start, one.end, one.entity_id) for one in near])
    stretches: list[Stretch] = []
    for start, end in zip(edges, edges[1:], strict=False):
        is_evidence = evidence is not None and evidence[0] <= start < evidence[1]
        new = Stretch(
            document.text[start:end], styles.get(start, ""), names.get(start, ""), is_evidence
        )
        stretches.append(new)
    return tuple(stretches)


def _spread(edges: Sequence[int], ranges: Sequence[tuple[int, int, str]]) -> dict[int, str]:
    """Return for each edge inside a range the word of the range; of several the first by word."""
    found: dict[int, str] = {}
    places = {edge: n for n, edge in enumerate(edges)}
    for start, end, word in sorted(ranges, key=lambda one: one[2], reverse=True):
        at = places.get(max(start, edges[0]))
        while at is not None and at < len(edges) and edges[at] < end:
            found[edges[at]] = word
            at += 1
    return found
