"""Hierarchies that a built corpus does not have yet, made for an evaluation from its graph.

Keys come in, such as `general.mrc`, or `general.m2hc-rrtc80` for M2hC whose leaves show 80 % of the
relationships inside them in their reports. The graph is not touched; what is made is current until
the next build, and a hierarchy that only its reports tell apart has the same communities.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import replace

from sensemaking.config import RoundRobinSettings, Settings
from sensemaking.errors import InputError
from sensemaking.methods import COMMUNITIES
from sensemaking.pipeline.build import fit_reports, fold
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.library import Library, graph_head, hierarchy_head, reports_head
from sensemaking.pipeline.reporting import write_reports
from sensemaking.types import (
    BuildEvent,
    Community,
    Hierarchy,
    HierarchyHead,
    digest,
)

GRAPH = "general"
_KEY = re.compile(rf"{GRAPH}\.([a-z0-9]+?)(?:-rrtc(\d{{1,3}}))?")


def can_be_made(key: str) -> bool:
    """Return whether a key names a hierarchy that `make_variants` can make.

    >>> can_be_made("general.m2hc-rrtc80"), can_be_made("general.guess")
    (True, False)
    """
    return _parse(key) is not None


def missing_hierarchies(library: Library, keys: Sequence[str]) -> tuple[str, ...]:
    """Return which of the keys the corpus does not have and can have, each once, in order."""
    there = set(library.hierarchy_keys())
    return tuple(one for one in dict.fromkeys(keys) if one not in there and can_be_made(one))


def make_variants(
    engine: Engine, library: Library, settings: Settings, keys: Sequence[str]
) -> Generator[BuildEvent, None, None]:
    """Make hierarchies with their reports; each is current when it is whole.

    Raises
    ------
    InputError
        When a key names none that can be made.
    NotBuilt
        When the corpus has no graph.
    """
    graph = library.graph(GRAPH)
    graph_scope = engine.store.head(graph_head(GRAPH)) or ""
    for key in keys:
        parsed = _parse(key)
        if parsed is None:
            raise InputError(f"There is no hierarchy “{key}”, and none can be made of that name.")
        algorithm, percent = parsed
        scope, hierarchy = yield from fold(engine, settings, graph_scope, graph, algorithm)
        how, _ = fit_reports(settings.reports, engine.backend.reporter)
        if percent is not None:
            scope, hierarchy = _rename(engine, scope, hierarchy, key)
            dealt = RoundRobinSettings(percent=percent, base="eligible")
            how = how.model_copy(update={"round_robin": dealt})
        links, _ = yield from write_reports(engine, how, scope, graph, hierarchy)
        engine.store.point({hierarchy_head(key): scope, reports_head(key): links})


def _parse(key: str) -> tuple[str, int | None] | None:
    found = _KEY.fullmatch(key)
    if found is None or found[1] not in COMMUNITIES:
        return None
    percent = None if found[2] is None else int(found[2])
    return (found[1], percent) if percent is None or percent <= 100 else None


def _rename(engine: Engine, scope: str, hierarchy: Hierarchy, key: str) -> tuple[str, Hierarchy]:
    """Return the scope and the hierarchy of the same communities under another key, kept."""
    renamed = replace(hierarchy, key=key)
    variant = digest("variant", scope, key)
    if not engine.store.is_finished(variant):
        head = HierarchyHead(
            key,
            renamed.graph_key,
            renamed.algorithm,
            renamed.params,
            renamed.seed,
            renamed.unplaced,
        )
        engine.store.replace(variant, {HierarchyHead: [head], Community: renamed.communities})
    return variant, renamed
