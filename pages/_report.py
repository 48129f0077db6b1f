"""A report on a community, and the evidence of the finding that was picked."""

from __future__ import annotations

import streamlit as st

from pages import _evidence as evidence
from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._prose import Block, Sentence, draw_prose
from pages._words import count, plain_label
from sensemaking.types import Community, Hierarchy, Report
from sensemaking.workspace import Corpus

SUMMARY = -1
"""The summary counts as a finding of this number: it has sources too."""


def community_name(community: Community, reports: dict[str, Report]) -> str:
    """Return the title of a community's report, or how many entities it has."""
    report = reports.get(community.id)
    return report.title if report else count(len(community.entity_ids), "entity", "entities")


def draw_head(community: Community, report: Report | None) -> None:
    """Draw what a report is about, its title, and its rating with the reason."""
    facts = [f"Level {community.level}"]
    if community.core_number is not None:
        facts.append(f"k = {community.core_number}")
    facts.append(count(len(community.entity_ids), "entity", "entities"))
    if report is None:
        look.text(", ".join(facts), "l")
        look.text("No report on this community yet", "h2")
        look.text("Build again to have it written.", "s")
        return
    facts.append(count(report.weight, "chunk"))
    look.draw(
        f'<p class="sm-l">{esc(", ".join(facts))}</p>'
        f'<h2 class="sm-h2">{esc(report.title)}</h2>'
        '<div class="sm-row sm-wraps"><div class="sm-score sm-rating">'
        f'<span class="sm-l">Rating</span>'
        f"{look.bar(report.rating / 10, look.helpfulness_color(round(report.rating * 10)))}"
        f"<span>{report.rating:.1f}</span></div>{_packing(report)}</div>"
        f'<p class="sm-s">{esc(report.rating_reason)}</p>'
    )


def draw_findings(community: Community, report: Report, *, picked: int | None) -> None:
    """Draw summary and findings; each opens its sources."""
    blocks = [Block("", (Sentence(len(report.findings), report.summary),))] * bool(report.summary)
    blocks += [
        Block(finding.heading, (Sentence(n, finding.text),))
        for n, finding in enumerate(report.findings)
    ]
    look.draw('<div class="sm-hr"></div>')
    draw_prose(
        blocks, version=report.id, selected=picked, key=f"report_{community.id}", param="finding"
    )


def draw_report(community: Community, report: Report | None, *, picked: int | None) -> None:
    """Draw a report whose findings open their sources."""
    draw_head(community, report)
    if report is not None:
        draw_findings(community, report, picked=picked)


def draw_sources(
    corpus: Corpus, hierarchy: Hierarchy, community: Community, report: Report, picked: int
) -> None:
    """Draw the evidence panel of the picked finding, or of the summary."""
    is_summary = picked >= len(report.findings)
    found = corpus.report_evidence(hierarchy.key, community.id, SUMMARY if is_summary else picked)
    name = "the summary" if is_summary else f"finding {picked + 1}"
    left, right = st.columns([3, 1], vertical_alignment="center")
    with left:
        look.draw(
            f'<h2 class="sm-h">Evidence for {esc(name)}</h2>'
            f'<p class="sm-s">{esc(count(len(found), "source"))}</p>'
        )
    with right:
        evidence.walk(picked, len(report.findings) + 1, key="finding", param="finding")
    evidence.sources(found, corpus.name, key=f"finding_{community.id}_{picked}")


def draw_breadcrumb(
    hierarchy: Hierarchy, focus: Community | None, reports: dict[str, Report]
) -> None:
    """Draw the way from the whole corpus down to the focus; each step is a button."""

    def roll_up(community_id: str | None) -> None:
        session.set_params(community=community_id, finding=None, level=None, page=None)

    path = hierarchy.path(focus.id) if focus else ()
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="breadcrumb"):
        if not path:
            look.draw('<p class="sm-s"><b>All entities</b></p>')
            return
        st.button("All entities", type="tertiary", key="crumb_all", on_click=roll_up, args=(None,))
        for one in path[:-1]:
            st.button(
                plain_label(f"/ {community_name(one, reports)}"),
                type="tertiary",
                key=f"crumb_{one.id}",
                on_click=roll_up,
                args=(one.id,),
            )
        look.draw(f'<p class="sm-s">/ <b>{esc(community_name(path[-1], reports))}</b></p>')


def _packing(report: Report) -> str:
    if report.packing == "truncated" or report.left_out:
        return look.tag(f"{count(report.left_out, 'record')} did not fit", "warn")
    if report.packing == "elements":
        return look.tag("Written from all of its records")
    inside = count(len(report.substituted_ids), "report")
    return look.tag(f"Written from its records and {inside} of parts")
