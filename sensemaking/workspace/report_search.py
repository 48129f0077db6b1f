"""The reports of a hierarchy by the words they hold."""

from __future__ import annotations

from collections.abc import Mapping

from sensemaking.answers.retrieving import index_reports
from sensemaking.retrieval.lexical import K1, B, LexicalIndex, tokens
from sensemaking.types import FoundReport, Hierarchy, Report

SUMMARY = -1


def index_words(reports: Mapping[str, Report]) -> LexicalIndex:
    """Return the index of reports by the id of their community."""
    return index_reports(list(reports.values()), K1, B)


def search_reports(
    index: LexicalIndex, hierarchy: Hierarchy, reports: Mapping[str, Report], words: str
) -> tuple[FoundReport, ...]:
    """Return all reports that share a word with the query, best first, each text once.

    Communities may share a report: it is shown with the coarsest of those.
    """
    query = set(tokens(words))
    coarsest: dict[str, str] = {}
    for one in hierarchy.communities:
        if one.id in reports:
            coarsest.setdefault(reports[one.id].id, one.id)
    found: dict[str, FoundReport] = {}
    for key, score in index.search(words, len(index.ids)):
        if score <= 0:
            break
        report = reports[key]
        if report.id in found or report.id not in coarsest:
            continue
        number, heading, text = _best_passage(report, query)
        community = hierarchy.by_id[coarsest[report.id]]
        found[report.id] = FoundReport(
            community.id, report.title, community.level, number, heading, text, score
        )
    return tuple(found.values())


def _best_passage(report: Report, query: set[str]) -> tuple[int, str, str]:
    """Return the finding with most words of the query, or the summary: number, heading, text."""
    passages = [(SUMMARY, "", report.summary)] if report.summary else []
    passages += [(n, one.heading, one.text) for n, one in enumerate(report.findings)]
    if not passages:
        return SUMMARY, "", ""

    def rank(passage: tuple[int, str, str]) -> tuple[int, int]:
        number, heading, text = passage
        return -len(query.intersection(tokens(f"{heading} {text}"))), number

    return min(passages, key=rank)
