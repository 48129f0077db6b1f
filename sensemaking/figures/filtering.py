"""Which entities pass the filters of the graph view.

In: a graph, the dates of documents, the filters. Out: ids of entities, and the relationships that
count. A filter that is not set passes everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from sensemaking.types import KnowledgeGraph


@dataclass(frozen=True, slots=True)
class Filters:
    """`kinds` () are all; dates are ISO 8601, as precise as one likes, both ends inclusive."""

    kinds: tuple[str, ...] = ()
    min_weight: float = 0.0
    min_degree: int = 0
    min_core: int = 0
    document_id: str = ""
    since: str = ""
    until: str = ""

    @property
    def is_set(self) -> bool:
        """Whether anything is filtered at all."""
        return self.n_set > 0

    @property
    def n_set(self) -> int:
        """How many filters are set."""
        return sum(bool(getattr(self, one.name)) for one in fields(self))


def filter_graph(
    graph: KnowledgeGraph,
    filters: Filters,
    *,
    dates: Mapping[str, str],
    core_numbers: Mapping[str, int],
) -> tuple[KnowledgeGraph, set[str]]:
    """Return the graph with the relationships that pass, and the ids of the entities that do.

    `dates` are those of documents, by id; a document without one is in no range of dates.
    """
    documents = _documents(filters, dates)
    passing = {
        one.id
        for one in graph.entities
        if (not filters.kinds or one.kind in filters.kinds)
        and graph.degrees[one.id] >= filters.min_degree
        and core_numbers.get(one.id, 0) >= filters.min_core
        and (documents is None or any(span.document_id in documents for span in one.spans))
    }
    relationships = tuple(
        one
        for one in graph.relationships
        if one.weight >= filters.min_weight
        and (documents is None or any(span.document_id in documents for span in one.spans))
    )
    return KnowledgeGraph(graph.key, graph.entities, relationships, graph.claims), passing


def _documents(filters: Filters, dates: Mapping[str, str]) -> set[str] | None:
    """Return the documents that pass, or None when all do."""
    if not (filters.document_id or filters.since or filters.until):
        return None
    found = {filters.document_id} if filters.document_id else set(dates)
    if filters.since or filters.until:
        found = {one for one in found if _is_within(dates.get(one, ""), filters)}
    return found


def _is_within(date: str, filters: Filters) -> bool:
    """Compare at the precision of the bound: all of 2024 is until "2024"."""
    if not date:
        return False
    after = not filters.since or date >= filters.since
    before = not filters.until or date[: len(filters.until)] <= filters.until
    return after and before
