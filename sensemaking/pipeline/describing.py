"""Descriptions of what several chunks describe, merged by a backend that can.

A chunk describes an entity or a relationship as far as it knows it. Where a model stated more than
one description, they become one: joined where that takes no call, merged by the model otherwise.
Without such a backend the best one stays. A merge that fails keeps the best one and is told.
Replies are in the models' cache, so no merge is paid twice.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import replace
from functools import partial

from sensemaking.errors import ModelError
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import fan_out
from sensemaking.ports import Describer
from sensemaking.types import BuildEvent, KnowledgeGraph, Progress, Skipped

STAGE = "describe"

Unit = tuple[str, str, tuple[str, ...]]
"""Record id, name, its descriptions."""


def merge_descriptions(
    engine: Engine, graph: KnowledgeGraph, stated: Mapping[str, tuple[str, ...]]
) -> Generator[BuildEvent, None, KnowledgeGraph]:
    """Return the graph with merged descriptions; `stated` holds the descriptions per record id."""
    describer = engine.backend.describer
    if describer is None:
        return graph
    merged: dict[str, str] = {}
    units: list[Unit] = []
    for unit in _units(graph, stated):
        joined = describer.join(unit[2])
        if joined is None:
            units.append(unit)
        else:
            merged[unit[0]] = joined
    yield Progress(STAGE, 0, len(units))
    executor = engine.calls if describer.waits else engine.threads
    merging = fan_out(engine, executor, partial(_merge, describer), units)
    for done, (unit, result) in enumerate(merging, start=1):
        if isinstance(result, ModelError):
            yield Skipped(STAGE, unit[1], str(result), retriable=True)
        else:
            merged[unit[0]] = result
        yield Progress(STAGE, done, len(units), unit[1])
    return replace(
        graph,
        entities=tuple(
            replace(one, description=merged.get(one.id, one.description)) for one in graph.entities
        ),
        relationships=tuple(
            replace(one, description=merged.get(one.id, one.description))
            for one in graph.relationships
        ),
    )


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
