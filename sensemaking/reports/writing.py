"""From what a backend wrote to the record that is kept, and its text form."""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.config import ReportSettings
from sensemaking.context import RowTable
from sensemaking.ports import ReportContext, ReportDraft, Tokenizer
from sensemaking.types import Citation, Claim, Entity, Finding, Relationship, Report, digest


def report_id(
    context: ReportContext, table: RowTable, settings: ReportSettings, made_by: str
) -> str:
    """Return the id of the report that a reporter would write from a context.

    Everything that a reporter sees is in it, the community's own id is not: communities with the
    same members and the same packing share a report. `made_by` names the reporter, and the
    tokenizer that counts.
    """
    records: tuple[Entity | Claim | Relationship, ...] = (
        *context.entities,
        *context.claims,
        *context.relationships,
    )
    counts = (context.n_entities, context.n_relationships, context.n_documents, context.n_chunks)
    return digest(
        "report",
        context.text,
        context.packing,
        [str(one) for one in (*counts, context.left_out, *context.degrees)],
        [part for one in records for part in (one.id, table.evidence[one.id])],
        [one.id for one in context.reports],
        settings.model_dump_json(),
        made_by,
    )


def make_report(
    draft: ReportDraft, context: ReportContext, tokenizer: Tokenizer, *, report_id: str
) -> Report:
    """Return the report for a draft; citations of anything outside the context are dropped.

    What the findings of a report in the context cite may be cited too: a finding that is taken over
    keeps its sources. `substituted_ids` are the ids of the reports that stood for sub-communities.
    """
    citable: set[tuple[str, str]] = {("entity", one.id) for one in context.entities}
    citable |= {("claim", one.id) for one in context.claims}
    citable |= {("relationship", one.id) for one in context.relationships}
    citable |= {("report", one.id) for one in context.reports}
    passed_on = [finding for report in context.reports for finding in report.findings]
    citable |= {("finding", one.id) for one in passed_on}
    citable |= {(cited.kind, cited.id) for one in passed_on for cited in one.citations}

    def known(citations: Sequence[Citation]) -> tuple[Citation, ...]:
        return tuple(one for one in citations if (one.kind, one.id) in citable)

    findings = tuple(
        Finding(digest(report_id, ordinal), one.heading, one.text, known(one.citations))
        for ordinal, one in enumerate(draft.findings)
    )
    return Report(
        id=report_id,
        community_id=context.community_id,
        title=draft.title,
        summary=draft.summary,
        summary_citations=known(draft.summary_citations),
        findings=findings,
        rating=min(10.0, max(0.0, draft.rating)),
        rating_reason=draft.rating_reason,
        n_tokens=tokenizer.count(_render(draft.title, draft.summary, findings)),
        weight=context.n_chunks,
        packing=context.packing,
        context_tokens=context.n_tokens,
        substituted_ids=tuple(one.id for one in context.reports),
        left_out=context.left_out,
    )


def render_report(report: Report) -> str:
    """Return the text form of a report: its title, its summary, its findings under headings."""
    return _render(report.title, report.summary, report.findings)


def _render(title: str, summary: str, findings: Sequence[Finding]) -> str:
    parts = [f"# {title}\n", f"{summary}\n"]
    parts += [f"## {one.heading}\n\n{one.text}\n" for one in findings]
    return "\n".join(parts)
