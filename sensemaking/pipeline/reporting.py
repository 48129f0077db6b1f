"""The reports of a hierarchy: bottom-up and in parallel, each kept when it is written."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from functools import partial

from sensemaking.config import ReportSettings
from sensemaking.context import make_rows
from sensemaking.errors import ModelError, ModelUnavailable
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.fan_out import Graduated, fan_out_together
from sensemaking.pipeline.library import CODE_VERSIONS, read_reports
from sensemaking.ports import Executor, ReportContext, ReportDraft, Reporter
from sensemaking.reports import make_report, pack_context, plan_reports, report_id
from sensemaking.reports.planning import ReportPlan
from sensemaking.types import (
    BuildEvent,
    Community,
    Hierarchy,
    KnowledgeGraph,
    Progress,
    Report,
    ReportLink,
    Skipped,
    digest,
)

CONTEXTS_PER_BATCH = 8
FEW_BATCHES = 5
"""Below so many batches, starting worker processes costs more than it saves."""

Drafted = tuple[str, ReportContext]
"""A report's id and what it is written from."""


def write_reports(
    engine: Engine,
    settings: ReportSettings,
    hierarchy_scope: str,
    graph: KnowledgeGraph,
    hierarchy: Hierarchy,
    see: Callable[[Iterable[Report]], None] = lambda _: None,
) -> Generator[BuildEvent, None, tuple[str, dict[str, Report]]]:
    """Write what is missing; returns the scope of the links, and the reports by community id.

    `see` is shown reports as soon as they are kept. They lie under the reporter's own scope by the
    digest of their context, so communities that look the same share one, also across builds. One
    that fails is skipped and tried again by the next build.

    Raises
    ------
    ModelUnavailable
        When no report at all could be written.
    """
    reporter = engine.backend.reporter
    made_by = f"{reporter.key} {engine.tokenizer.key}"
    texts = digest("reports", CODE_VERSIONS["reports"], made_by)
    links = f"{texts}:{digest(hierarchy_scope, settings.model_dump_json())}"
    stage = f"reports {hierarchy.algorithm}"
    total = len(hierarchy.communities)
    if engine.store.is_finished(links):
        yield Progress(stage, total, total)
        return links, read_reports(engine.store, links)
    yield Progress(stage, 0, total)
    plan = plan_reports(hierarchy, make_rows(graph, engine.tokenizer), settings.round_robin)
    written = {report.id: report for report in engine.store.all(Report, texts)}
    work = _Work(plan, settings, made_by, written)
    work.size = 1 if reporter.waits else CONTEXTS_PER_BATCH
    executor: Executor = engine.calls
    if not reporter.waits:
        executor = Graduated(engine.threads, engine.processes, FEW_BATCHES)
    for together in fan_out_together(engine, executor, partial(_write_batch, reporter), work):
        drafted = [one for batch, drafts in together for one in zip(batch, drafts, strict=True)]
        reports = {
            key: replace(
                make_report(draft, context, engine.tokenizer, report_id=key), community_id=""
            )
            for (key, context), draft in drafted
            if not isinstance(draft, str)
        }
        engine.store.add(texts, list(reports.values()))
        see(reports.values())
        for (key, context), draft in drafted:
            work.settle(key, reports.get(key))
            if isinstance(draft, str):
                yield Skipped("reports", context.community_id, draft, retriable=True)
        yield Progress(stage, work.n_settled, total)
    yield Progress(stage, work.n_settled, total)
    if work.n_failed and not work.found:
        raise ModelUnavailable("No report could be written; the list of skipped reports says why.")
    found = dict(sorted(work.found.items()))
    engine.store.add(links, [ReportLink(key, report.id) for key, report in found.items()])
    if work.n_failed:
        # An earlier build may have written what failed in this one.
        return links, read_reports(engine.store, links)
    engine.store.finish(links)
    return links, found


class _Work:
    """The reports of one hierarchy as they come to be: iterates over batches that can be written.

    A community is ready when its own children are settled, written or failed, whatever else its
    level waits for. Of those that are ready the deepest goes first: it has the longest way to the
    root before it (Hu, 1961: no order of a tree of equal tasks is done sooner). When nothing is
    ready the iteration pauses; it goes on after `settle`.
    """

    def __init__(
        self, plan: ReportPlan, settings: ReportSettings, made_by: str, written: dict[str, Report]
    ) -> None:
        self.size = CONTEXTS_PER_BATCH
        self.found: dict[str, Report] = {}
        self.n_failed = 0
        self._plan = plan
        self._settings = settings
        self._made_by = made_by
        self._written = written
        self._under_way: dict[str, list[Community]] = {}
        communities = [one for batch in plan.batches for one in batch]
        self._by_id = {one.id: one for one in communities}
        self._n_open = {one.id: len(plan.hierarchy.children[one.id]) for one in communities}
        self._place = {one.id: (-one.level, n) for n, one in enumerate(communities)}
        self._ready: list[tuple[tuple[int, int], str]] = []
        for one in communities:
            self._note_if_ready(one.id)

    @property
    def n_settled(self) -> int:
        """Return of how many communities it is known what became of them."""
        return len(self.found) + self.n_failed

    def __iter__(self) -> _Work:
        return self

    def __next__(self) -> tuple[Drafted, ...]:
        batch: list[Drafted] = []
        while self._ready and len(batch) < self.size:
            community = self._by_id[heapq.heappop(self._ready)[1]]
            context = pack_context(self._plan, community, self.found, self._settings)
            key = report_id(context, self._plan.table, self._settings, self._made_by)
            if key in self._written:
                self._close(community, self._written[key])
            elif key in self._under_way:
                self._under_way[key].append(community)
            else:
                self._under_way[key] = [community]
                batch.append((key, context))
        if not batch:
            raise StopIteration
        return tuple(batch)

    def settle(self, key: str, report: Report | None) -> None:
        """Note what became of a report; None means that it failed."""
        if report is not None:
            self._written[key] = report
        for community in self._under_way.pop(key):
            self._close(community, report)

    def _close(self, community: Community, report: Report | None) -> None:
        if report is None:
            self.n_failed += 1
        else:
            self.found[community.id] = replace(report, community_id=community.id)
        if community.parent_id is not None:
            self._n_open[community.parent_id] -= 1
            self._note_if_ready(community.parent_id)

    def _note_if_ready(self, community_id: str) -> None:
        if not self._n_open[community_id]:
            heapq.heappush(self._ready, (self._place[community_id], community_id))


def _write_batch(reporter: Reporter, batch: tuple[Drafted, ...]) -> list[ReportDraft | str]:
    """Return a draft per context, or the reason why there is none."""
    drafts: list[ReportDraft | str] = []
    for _, context in batch:
        try:
            drafts.append(reporter.write(context))
        except ModelError as error:
            drafts.append(str(error))
    return drafts
