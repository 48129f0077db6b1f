"""Reports in parallel: a parent waits for its own children alone, and one that fails is told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from sensemaking.communities import find_communities
from sensemaking.config import HierarchySettings, ReportSettings
from sensemaking.errors import BudgetReached, ModelError, ModelUnavailable
from sensemaking.methods import COMMUNITIES
from sensemaking.pipeline import Engine
from sensemaking.pipeline.library import read_reports
from sensemaking.pipeline.reporting import write_reports
from sensemaking.ports import FindingDraft, ReportContext, ReportDraft
from sensemaking.types import Community, Report, Skipped
from sensemaking.workspace import Workspace
from tests import records

GRAPH = records.make_graph(120, 320, seed=4, claims=60)
HIERARCHY = find_communities(
    GRAPH,
    algorithm=COMMUNITIES["leiden"],
    settings=HierarchySettings(max_community_size=5),
)
SETTINGS = ReportSettings(context_tokens=400)


@dataclass
class Writer:
    """A reporter that waits for a server; `before` is called with each context."""

    before: Callable[[ReportContext], None]
    waits: bool = True
    key: str = "writer"
    context_tokens: int = 10**9
    written: list[str] = field(default_factory=list)

    def write(self, context: ReportContext) -> ReportDraft:
        self.before(context)
        self.written.append(context.community_id)
        heading = f"{context.n_entities} entities"
        return ReportDraft(heading, "Summary.", (), (FindingDraft("One", "Text.", ()),), 5.0, "x")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    workspace = Workspace.open(tmp_path)
    yield workspace.create("Any").engine
    workspace.close()


def write(engine: Engine, writer: Writer) -> tuple[list[Any], str]:
    engine = replace(engine, backend=replace(engine.backend, reporter=writer))
    running, events = write_reports(engine, SETTINGS, "scope", GRAPH, HIERARCHY), []
    while True:
        try:
            events.append(next(running))
        except StopIteration as ended:
            links, reports = ended.value
            assert reports == read_reports(engine.store, links)
            return events, links


def split() -> tuple[Community, list[Community]]:
    """Return a leaf, and the parents that it does not lie below."""
    parents = [one for one in HIERARCHY.communities if HIERARCHY.children[one.id]]
    assert len(parents) >= 2
    leaf = next(one for one in HIERARCHY.children[parents[0].id])
    above = {leaf.parent_id}
    return leaf, [one for one in parents if one.id not in above]


def test_a_parent_does_not_wait_for_the_children_of_others(engine: Engine) -> None:
    slow, others = split()
    waiting = {one.id for one in others if one.level < slow.level}
    begun = threading.Event()
    in_time: list[bool] = []

    def before(context: ReportContext) -> None:
        if context.community_id in waiting:
            begun.set()
        if context.community_id == slow.id:
            in_time.append(begun.wait(20))

    events, links = write(engine, Writer(before))
    assert in_time == [True]
    found = read_reports(engine.store, links)
    assert set(found) == {one.id for one in HIERARCHY.communities}
    assert (events[-1].done, events[-1].total) == (len(found), len(found))


def test_the_order_in_which_reports_come_changes_nothing(engine: Engine, tmp_path: Path) -> None:
    def reports(one: Engine, n_slow: int) -> dict[str, Report]:
        slow = {community.id for community in HIERARCHY.leaves[:n_slow]}
        pause = threading.Event()
        writer = Writer(lambda context: context.community_id in slow and pause.wait(0.05))
        return read_reports(one.store, write(one, writer)[1])

    other = Workspace.open(tmp_path / "other")
    try:
        assert reports(engine, 0) == reports(other.create("Any").engine, 7)
    finally:
        other.close()


def test_a_report_that_fails_is_told_and_only_it_and_what_read_it_are_written_again(
    engine: Engine,
) -> None:
    failing = HIERARCHY.leaves[0]

    def before(context: ReportContext) -> None:
        if context.community_id == failing.id:
            raise ModelError("The reply is not JSON.")

    events, links = write(engine, Writer(before))
    assert [one.subject for one in events if isinstance(one, Skipped)] == [failing.id]
    assert not engine.store.is_finished(links)
    again = Writer(lambda context: None)
    _, links = write(engine, again)
    assert failing.id in again.written
    assert set(again.written) <= {failing.id, *(one.id for one in HIERARCHY.path(failing.id))}
    assert engine.store.is_finished(links)
    nothing = Writer(lambda context: None)
    write(engine, nothing)
    assert nothing.written == []


def test_what_an_earlier_build_wrote_stays_where_a_later_one_fails(engine: Engine) -> None:
    failing = HIERARCHY.leaves[0]
    above = [one.id for one in HIERARCHY.path(failing.id) if one.id != failing.id]
    assert above

    def failing_for(*ids: str) -> Writer:
        def before(context: ReportContext) -> None:
            if context.community_id in ids:
                raise ModelError("The reply is not JSON.")

        return Writer(before)

    write(engine, failing_for(failing.id))
    # The parent reads the new report, and so is to be written anew, which fails.
    _, links = write(engine, failing_for(*above))
    assert {failing.id, *above} <= set(read_reports(engine.store, links))


def test_when_every_report_fails_there_is_no_build(engine: Engine) -> None:
    def before(context: ReportContext) -> None:
        raise ModelError("No.")

    with pytest.raises(ModelUnavailable):
        write(engine, Writer(before))


def test_a_budget_that_is_reached_ends_the_run_and_skips_nothing(engine: Engine) -> None:
    n_left = [5]

    def before(context: ReportContext) -> None:
        n_left[0] -= 1
        if n_left[0] < 0:
            raise BudgetReached("The budget of $2 is spent.")

    with pytest.raises(BudgetReached):
        write(engine, Writer(before))
    again = Writer(lambda context: None)
    write(engine, again)
    assert len(again.written) < len(HIERARCHY.communities)
