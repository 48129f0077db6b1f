"""The resolver of a corpus: its current graph and reports, its documents, who speaks where."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from sensemaking.answers.provenance import Resolver
from sensemaking.errors import NotBuilt
from sensemaking.pipeline.library import Library
from sensemaking.types import Section, Span

CREDITED = ("author", "from", "speaker")
"""Metadata of a document whose values may be credited for any of its sentences."""


def make_resolver(library: Library, hierarchy_key: str) -> Resolver:
    """Return a resolver over what is current.

    An answer outlives the hierarchy it was made from: where that is gone, the resolver knows no
    reports, and the spans that the answer carries are all there is.
    """
    try:
        reports = tuple(library.reports(hierarchy_key).values())
        graph = library.graph(hierarchy_key.partition(".")[0])
    except NotBuilt:
        reports, graph = (), library.graph()
    return Resolver(graph, reports, library.text_of, _Credits(library).of)


class _Credits:
    def __init__(self, library: Library) -> None:
        self._library = library
        self._turns = lru_cache(maxsize=64)(self._turns_of)

    def of(self, span: Span) -> tuple[str, ...]:
        """Return who may be credited for a span: its speaker, its document's author and title."""
        document = self._library.document(span.document_id)
        turns = self._turns(span.document_id)
        at = bisect_right(turns, span.start, key=lambda turn: turn.start) - 1
        speaker = turns[at].title if at >= 0 and span.start < turns[at].end else ""
        named = tuple(value for key, value in document.metadata if key in CREDITED)
        return tuple(name for name in (speaker, *named, document.title) if name)

    def _turns_of(self, document_id: str) -> tuple[Section, ...]:
        sections = self._library.document(document_id).sections
        return tuple(section for section in sections if section.kind == "turn")
