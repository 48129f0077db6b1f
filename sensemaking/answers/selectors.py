"""Which evidence a question is answered from: the reports of one level, as blocks.

In: a hierarchy, its reports, a level. Out: one `ContextBlock` a report, whose items are the
report's findings, and what share of the corpus they can draw on. Nothing here knows a model.

Notes
-----
The view of a level holds, for every entity, its deepest community down to that level (the roll-up
of the papers; the published code of GraphRAG 2 and 3 uses all communities of all levels above).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sensemaking.types import (
    Citation,
    Community,
    ContextBlock,
    ContextItem,
    Coverage,
    Hierarchy,
    KnowledgeGraph,
    Report,
    Skipped,
)

HEAD_TOKENS = 12
ITEM_TOKENS = 4
"""What the head of a block and the number of an item add to the tokens of a report, at most."""


@dataclass(frozen=True, slots=True)
class Selection:
    """What will be read: blocks in order of id, their coverage, and what is missing from them."""

    blocks: tuple[ContextBlock, ...]
    coverage: Coverage
    skipped: tuple[Skipped, ...]


def select_reports(
    hierarchy: Hierarchy,
    reports: Mapping[str, Report],
    level: int | None,
    graph: KnowledgeGraph,
    n_chunks: int | None = None,
) -> Selection:
    """Return the reports of a level's view; `level` None, or beyond the deepest, is the leaves.

    `reports` go by community id. A community without a report is skipped and named. `n_chunks` is
    the size of the corpus; without it, the chunks that hold an entity are counted.
    """
    view = hierarchy.leaves if level is None else hierarchy.view(level)
    found = [one for one in view if one.id in reports]
    blocks = sorted((make_block(reports[one.id]) for one in found), key=lambda block: block.id)
    return Selection(
        blocks=tuple(blocks),
        coverage=cover(found, graph, n_chunks),
        skipped=tuple(
            Skipped(
                "reports",
                one.id,
                f"The community has {len(one.entity_ids)} entities and no report: build again.",
                retriable=True,
            )
            for one in view
            if one.id not in reports
        ),
    )


def make_block(report: Report) -> ContextBlock:
    """Return a report as a block: title, rating and summary, then its findings as items.

    `n_tokens` is reckoned from the report's, so that nothing is counted again; it is an upper
    bound.
    """
    items = tuple(
        ContextItem(number, finding.heading, finding.text, Citation("finding", finding.id))
        for number, finding in enumerate(report.findings, start=1)
    )
    summary = " ".join(report.summary.split())
    title = " ".join(report.title.split())
    return ContextBlock(
        id=report.id,
        title=report.title,
        text=f"# {title}\nRating {report.rating:.1f}. {summary}\n",
        n_tokens=report.n_tokens + HEAD_TOKENS + ITEM_TOKENS * len(items),
        rating=report.rating,
        weight=report.weight,
        items=items,
    )


def cover(
    communities: Iterable[Community], graph: KnowledgeGraph, n_chunks: int | None = None
) -> Coverage:
    """Return what share of the corpus the entities of some communities touch."""
    communities = list(communities)
    covered = {one for community in communities for one in community.entity_ids}
    chunks = {chunk for one in graph.entities if one.id in covered for chunk in one.chunk_ids}
    if n_chunks is None:
        n_chunks = len({chunk for one in graph.entities for chunk in one.chunk_ids})
    return Coverage(
        n_chunks=n_chunks,
        n_chunks_covered=len(chunks),
        n_entities=len(graph.entities),
        n_entities_covered=len(covered),
        n_reports=len(communities),
    )
