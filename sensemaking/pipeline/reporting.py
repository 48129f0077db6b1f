"""The reports of a hierarchy: bottom-up, in parallel inside a level, each kept when written."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import partial

from sensemaking.config import ReportSettings
from sensemaking.context import make_rows
from sensemaking.errors import ModelUnavailable, SensemakingError
from sensemaking.pipeline.engine import Engine, batches, fan_out
from sensemaking.pipeline.library import CODE_VERSIONS
from sensemaking.ports import ReportContext, ReportDraft, Reporter
from sensemaking.reports import make_report, pack_context, plan_reports, report_id
from sensemaking.types import (
    BuildEvent,
    Hierarchy,
    KnowledgeGraph,
    Progress,
    Report,
    ReportLink,
    Skipped,
    digest,
)

CONTEXTS_PER_BATCH = 8
FEW = 40
"""Below so many reports, starting worker processes costs more than it saves."""

Drafted = tuple[str, ReportContext]
"""A report's id and what it is written from."""


def write_reports(
    engine: Engine,
    settings: ReportSettings,
    hierarchy_scope: str,
    graph: KnowledgeGraph,
    hierarchy: Hierarchy,
) -> Generator[BuildEvent, None, str]:
    """Write what is missing; returns the scope of the links from communities to reports.

    Reports lie under the reporter's own scope by the digest of their context, so communities that
    look the same share one, also across builds. One that fails is skipped and tried again by the
    next build.

    Raises
    ------
    ModelUnavailable
        When no report at all could be written.
    """
    version, reporter = CODE_VERSIONS["reports"], engine.backend.reporter
    texts = digest("reports", version, reporter.key)
    links = f"{texts}:{digest(hierarchy_scope, settings.model_dump_json())}"
    stage = f"reports {hierarchy.algorithm}"
    total = len(hierarchy.communities)
    if engine.store.is_finished(links):
        yield Progress(stage, total, total)
        return links
    yield Progress(stage, 0, total)
    written = {report.id: report for report in engine.store.all(Report, texts)}
    plan = plan_reports(hierarchy, make_rows(graph, engine.tokenizer))
    found: dict[str, Report] = {}
    failed = 0
    for batch in plan.batches:
        contexts = [pack_context(plan, one, found, settings) for one in batch]
        wanted = [(report_id(one, plan.table, settings, reporter.key), one) for one in contexts]
        missing = {key: one for key, one in wanted if key not in written}
        for event in _write_missing(engine, texts, missing, written):
            failed += 1
            yield event
        for key, context in wanted:
            if key in written:
                found[context.community_id] = replace(
                    written[key], community_id=context.community_id
                )
        yield Progress(stage, len(found) + failed, total, f"level {batch[0].level}")
    if failed and not found:
        raise ModelUnavailable("No report could be written; the list of skipped reports says why.")
    engine.store.add(links, [ReportLink(key, report.id) for key, report in sorted(found.items())])
    if not failed:
        engine.store.finish(links)
    return links


def _write_missing(
    engine: Engine, texts: str, missing: dict[str, ReportContext], written: dict[str, Report]
) -> Generator[Skipped, None, None]:
    executor = engine.processes if len(missing) > FEW else engine.threads
    write = partial(_write_batch, engine.backend.reporter)
    for some, drafts in fan_out(executor, write, batches(missing.items(), CONTEXTS_PER_BATCH)):
        reports = []
        for (key, context), draft in zip(some, drafts, strict=True):
            if isinstance(draft, str):
                yield Skipped("reports", context.community_id, draft, retriable=True)
                continue
            report = make_report(draft, context, engine.tokenizer, report_id=key)
            reports.append(replace(report, community_id=""))
        engine.store.add(texts, reports)
        written.update({report.id: report for report in reports})


def _write_batch(reporter: Reporter, some: tuple[Drafted, ...]) -> list[ReportDraft | str]:
    """Return a draft per context, or the reason why there is none."""
    drafts: list[ReportDraft | str] = []
    for _, context in some:
        try:
            drafts.append(reporter.write(context))
        except SensemakingError as error:
            drafts.append(str(error))
    return drafts
