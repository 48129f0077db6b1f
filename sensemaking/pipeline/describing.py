"""Descriptions of what several chunks describe, merged by a backend that can.

A chunk describes an entity or a relationship as far as it knows it. Where a model stated more than
one description, they become one: joined where that takes no call, merged by the model otherwise.
Without such a backend the best one stays. A merge that fails keeps the best one and is told.
Replies are in the models' cache, so no merge is paid twice.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from sensemaking.errors import ModelError
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import fan_out
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
    # The longest first: their calls are under way while the short ones are joined.
    units = sorted(_units(graph, stated), key=lambda one: (-sum(map(len, one[2])), one[0]))
    work = _Work(describer, units)
    merged = work.merged
    is_told = False
    yield Progress(STAGE, 0, 0)
    executor = engine.calls if describer.waits else engine.threads
    for done, (unit, result) in enumerate(
        fan_out(engine, executor, partial(_merge, describer), work), start=1
    ):
        if isinstance(result, ModelError):
            yield Skipped(STAGE, unit[1], str(result), retriable=True)
        else:
            merged[unit[0]] = result
        if not is_told:
            is_told = True
            work.look_at_rest()
            see([_described(one, merged) for one in graph.entities if one.id not in work.asked])
        yield Progress(STAGE, done, len(work.asked), unit[1])
    if not is_told:
        see([_described(one, merged) for one in graph.entities])
    return replace(
        graph,
        entities=tuple(_described(one, merged) for one in graph.entities),
        relationships=tuple(_described(one, merged) for one in graph.relationships),
    )


class _Work:
    """Iterates over the units that a model has to merge, and joins the others on the way.

    How many there are is known once the rest was looked at, which takes no place in a line: others
    wait for the same executor.
    """

    def __init__(self, describer: Describer, units: Sequence[Unit]) -> None:
        self.asked: set[str] = set()
        self.merged: dict[str, str] = {}
        self._describer = describer
        self._unseen = iter(units)
        self._waiting: deque[Unit] = deque()

    def __iter__(self) -> _Work:
        return self

    def __next__(self) -> Unit:
        return self._waiting.popleft() if self._waiting else next(self._for_the_model())

    def look_at_rest(self) -> None:
        """Join what can be joined, and count the rest."""
        self._waiting.extend(self._for_the_model())

    def _for_the_model(self) -> Iterator[Unit]:
        for unit in self._unseen:
            joined = self._describer.join(unit[2])
            if joined is None:
                self.asked.add(unit[0])
                yield unit
            else:
                self.merged[unit[0]] = joined


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
