"""What topic graphs keep of the general one: ReTAG's Tables 1 and 2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.types import TopicStatistics


@dataclass(frozen=True, slots=True)
class GraphCounts:
    """Sizes of one graph; `reports` are those of the view of each level, coarsest first."""

    entities: int
    relationships: int
    reports: tuple[int, ...]


def compare_graphs(general: GraphCounts, topics: Sequence[GraphCounts]) -> TopicStatistics:
    """Return the sizes of the general graph, their means over topic graphs, and the share kept.

    Empty topic graphs are left out. A level that a topic's hierarchy does not reach counts the
    reports of its deepest level, which is what a question at that level reads.
    """
    kept = [one for one in topics if one.entities]
    rows = [
        ("entities", general.entities, [one.entities for one in kept]),
        ("relationships", general.relationships, [one.relationships for one in kept]),
    ]
    for level, count in enumerate(general.reports):
        rows.append((f"reports, level {level}", count, [_at(one.reports, level) for one in kept]))
    return TopicStatistics(len(kept), tuple(_row(*row) for row in rows))


def _at(reports: tuple[int, ...], level: int) -> int:
    return reports[min(level, len(reports) - 1)] if reports else 0


def _row(what: str, whole: int, parts: list[int]) -> tuple[str, int, float, float]:
    mean = sum(parts) / len(parts) if parts else 0.0
    return what, whole, round(mean, 2), round(mean / whole, 4) if whole else 0.0
