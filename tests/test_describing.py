"""Descriptions that a model merges: what is told of them, and what needs no model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from sensemaking.errors import ModelError
from sensemaking.pipeline import Engine
from sensemaking.pipeline.describing import merge_descriptions
from sensemaking.ports import Executor
from sensemaking.types import Entity, KnowledgeGraph, Progress, Skipped
from sensemaking.workspace import Workspace
from tests import records

GRAPH = records.make_graph(300, 400, seed=4, claims=10)
STATED = {
    one.id: ("long " * (2 + n % 9), "short") if n % 3 else ("joined", "these")
    for n, one in enumerate((*GRAPH.entities, *GRAPH.relationships))
}
JOINED = {key for key, found in STATED.items() if found[0] == "joined"}


@dataclass
class Joining:
    """A describer that waits for a model, which is not asked about what it joins."""

    failing: str = ""
    seconds: float = 0.0
    waits: bool = True
    key: str = "joining"

    def join(self, descriptions: Sequence[str]) -> str | None:
        return " ".join(descriptions) if "joined" in descriptions else None

    def describe(self, name: str, descriptions: Sequence[str]) -> str:
        time.sleep(self.seconds)
        if name == self.failing:
            raise ModelError("The reply is not JSON.")
        return f"{name}: merged"


class Line:
    """An executor that knows how many units stood in line at most, those at work with them."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._under_way: set[Future[Any]] = set()
        self.n_workers = executor.n_workers
        self.longest = 0

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        future = self._executor.submit(function, *args)
        self._under_way = {one for one in (*self._under_way, future) if not one.done()}
        self.longest = max(self.longest, len(self._under_way))
        return future


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    workspace = Workspace.open(tmp_path)
    yield workspace.create("Any").engine
    workspace.close()


def merge(engine: Engine, describer: Joining) -> tuple[list[Any], KnowledgeGraph, list[Entity]]:
    """Return the events, the graph, and the entities that were shown meanwhile."""
    engine = replace(engine, backend=replace(engine.backend, describer=describer))
    events, seen = [], []
    running = merge_descriptions(engine, GRAPH, STATED, seen.extend)
    while True:
        try:
            events.append(next(running))
        except StopIteration as ended:
            return events, ended.value, seen


def test_how_many_calls_there_are_is_told_from_the_first_one_on(engine: Engine) -> None:
    events, _, _ = merge(engine, Joining())
    told = [(one.done, one.total) for one in events if isinstance(one, Progress)]
    n_asked = len(STATED) - len(JOINED)
    assert told == [(0, 0), *((n + 1, n_asked) for n in range(n_asked))]


def test_others_need_not_wait_for_all_of_a_build_s_merges(engine: Engine) -> None:
    # An answer asked meanwhile stood behind the 857 merges of another corpus, for 17 s (#3).
    line = Line(engine.calls)
    merge(replace(engine, calls=line), Joining(seconds=0.01))
    assert line.longest <= 2 * line.n_workers < len(STATED) - len(JOINED)


def test_entities_that_need_no_model_are_shown_once_as_they_will_be(engine: Engine) -> None:
    _, graph, seen = merge(engine, Joining())
    expected = [one for one in graph.entities if one.id in JOINED]
    assert seen == expected
    assert {one.description for one in seen} == {"joined these"}
    asked = [one for one in graph.entities if one.id not in JOINED]
    assert {one.description for one in asked} == {f"{one.name}: merged" for one in asked}


def test_a_merge_that_fails_keeps_the_best_description_and_is_told(engine: Engine) -> None:
    failing = next(one for one in GRAPH.entities if one.id not in JOINED)
    events, graph, _ = merge(engine, Joining(failing=failing.name))
    assert {one.subject for one in events if isinstance(one, Skipped)} == {failing.name}
    assert graph.entity_by_id[failing.id].description == failing.description
