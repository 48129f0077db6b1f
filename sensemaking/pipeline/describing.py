"""Descriptions of what several chunks describe, merged by a backend that can.

A chunk describes an entity or a relationship as far as it knows it. Where a model stated more than
one description, they become one: joined where that takes no call, merged by the model otherwise.
Without such a backend the best one stays. A merge that fails keeps the best one and is told.
Replies are in the models' cache, so no merge is paid twice.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TypeVar

from sensemaking.errors import ModelError
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import Lane, run_lanes
from sensemaking.ports import Describer
from sensemaking.types import BuildEvent, Entity, KnowledgeGraph, Progress, Relationship, Skipped

STAGE = "describe"
R = TypeVar("R", Entity, Relationship)

Unit = tuple[str, str, tuple[str, ...]]
"""Record id, name, its descriptions."""


def merge_descriptions(
    engine: Engine,
    graph: KnowledgeGraph,
    stated: Mapping[str, tuple[str, ...]],
    see: Callable[[list[Entity]], None],
) -> Generator[BuildEvent, None, KnowledgeGraph]:
    """Return the graph with merged descriptions; `stated` holds the descriptions per record id.

    `see` is shown the entities that need no model, while it is asked about the others.
    """
    describer = engine.backend.describer
    if describer is None:
        return graph
    units = sorted(_units(graph, stated), key=lambda one: (-sum(map(len, one[2])), one[0]))
    merged: dict[str, str] = {}
    asked: set[str] = set()

    def for_the_model() -> Iterator[Unit]:
        # The longest first: their calls are under way while the short ones are joined.
        for unit in units:
            joined = describer.join(unit[2])
            if joined is None:
                asked.add(unit[0])
                yield unit
            else:
                merged[unit[0]] = joined
        see([_described(one, merged) for one in graph.entities if one.id not in asked])

    yield Progress(STAGE, 0, 0)
    executor = engine.calls if describer.waits else engine.threads
    # All are put in line at once: how many calls there are is known when the first one is told of.
    lane = Lane(executor, partial(_merge, describer), for_the_model(), ahead=len(units))
    merging = (one for _, some in run_lanes(engine, [lane]) for one in some)
    for done, (unit, result) in enumerate(merging, start=1):
        if isinstance(result, ModelError):
            yield Skipped(STAGE, unit[1], str(result), retriable=True)
        else:
            merged[unit[0]] = result
        yield Progress(STAGE, done, len(asked), unit[1])
    return replace(
        graph,
        entities=tuple(_described(one, merged) for one in graph.entities),
        relationships=tuple(_described(one, merged) for one in graph.relationships),
    )


def _described(one: R, merged: Mapping[str, str]) -> R:
    """Return a record with its merged description, where there is one."""
    return replace(one, description=merged[one.id]) if one.id in merged else one


def _units(graph: KnowledgeGraph, stated: Mapping[str, tuple[str, ...]]) -> list[Unit]:
    names = {one.id: one.name for one in graph.entities}
    found = [
        (one.id, one.name, stated[one.id])
        for one in graph.entities
        if len(stated.get(one.id, ())) > 1
    ]
    found += [
        (one.id, f"{names[one.source_id]} – {names[one.target_id]}", stated[one.id])
        for one in graph.relationships
        if len(stated.get(one.id, ())) > 1
    ]
    return found


def _merge(describer: Describer, unit: Unit) -> str | ModelError:
    _, name, descriptions = unit
    try:
        return describer.describe(name, descriptions)
    except ModelError as error:
        return error
