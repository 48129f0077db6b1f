"""What round-robin selection of relationships (RRTC) would leave of a hierarchy's reports."""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.config import RoundRobinSettings
from sensemaking.context import RowTable, make_rows
from sensemaking.pipeline.library import Library, graph_head
from sensemaking.ports import Tokenizer
from sensemaking.reports import plan_reports
from sensemaking.types import DealtTies


def measure_dealing(
    library: Library,
    tokenizer: Tokenizer,
    hierarchy_key: str,
    ways: Sequence[RoundRobinSettings],
) -> tuple[DealtTies, ...]:
    """Return the effect of each way on what leaves read; raises `NotBuilt`."""
    hierarchy = library.hierarchy(hierarchy_key)
    table: RowTable = library.remember(
        f"rows of {hierarchy.graph_key}",
        f"{library.store.head(graph_head(hierarchy.graph_key))} {tokenizer.key}",
        lambda: make_rows(library.graph(hierarchy.graph_key), tokenizer),
    )
    whole = plan_reports(hierarchy, table).leaf_tokens
    found = []
    for way in ways:
        plan = plan_reports(hierarchy, table, way)
        selection = plan.selection
        found.append(
            DealtTies(
                order=way.order,
                percent=way.percent,
                base=way.base,
                tokens=way.tokens,
                n_eligible=selection.n_eligible if selection else 0,
                n_chosen=selection.n_chosen if selection else 0,
                leaf_tokens=plan.leaf_tokens,
                whole_tokens=whole,
            )
        )
    return tuple(found)
