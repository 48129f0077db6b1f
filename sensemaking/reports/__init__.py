"""Reports on communities, bottom-up: the order of work, what each is written from, the record."""

from sensemaking.reports.packing import pack_context
from sensemaking.reports.planning import Elements, ReportPlan, plan_reports
from sensemaking.reports.writing import make_report, render_report, report_id

__all__ = [
    "Elements",
    "ReportPlan",
    "make_report",
    "pack_context",
    "plan_reports",
    "render_report",
    "report_id",
]
