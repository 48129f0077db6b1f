"""The report on one community, by a language model, with the records that each finding rests on.

A packed context comes in, its records labelled [E1], [R2], [C3], [S1]; out goes a draft whose
citations are records of that context.

Notes
-----
Nothing is made up: a finding that cites no label of the context is kept only when one record holds
most of its words, which then becomes its source; otherwise it is dropped and counted. A record that
holds figures or words which the cited ones lack is added to them (`Sources`). A report none of
whose findings has a source is no report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.citing import Sources, take_labels
from sensemaking.backends.llm.examples import stands_in_example
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import DropBad, Labels, Line, Rating, Shape, Text
from sensemaking.backends.llm.tongues import language_of, wrong_language
from sensemaking.ports import FindingDraft, Message, ReportContext, ReportDraft
from sensemaking.prompts import render, template
from sensemaking.types import Citation, CitationKind

PROMPTS = ("report", "report_records")
MAX_FINDINGS = 10
MAX_CITED = 8
"""Records that one finding may rest on; more would say nothing."""
MIDDLE_RATING = 5.0
NO_RATING = "The model gave no rating that could be read; 5 is the middle of the scale."


class _Finding(Shape):
    heading: Line = ""
    text: Text
    records: Labels = []


class _Report(Shape):
    title: Text
    summary: Text
    rating: Rating = None
    rating_reason: Line = ""
    findings: Annotated[list[_Finding], DropBad.before(_Finding)]


@dataclass(frozen=True, slots=True)
class _Records:
    """What the labels of a context stand for, in the order of `sources`."""

    citations: dict[str, Citation]
    sources: Sources

    def cited(self, finding: _Finding) -> tuple[str, tuple[Citation, ...], int]:
        """Return a finding's text without labels, what it rests on, and its labels of nothing."""
        text, inline = take_labels(finding.text, round_too=True)
        labels = list(dict.fromkeys((*finding.records, *inline)))
        order = list(self.citations)
        known = [order.index(one) for one in labels if one in self.citations]
        n_unknown = len(labels) - len(known)
        if not known:
            held = self.sources.find(text)
            known = [] if held is None else [held]
        if known:
            known = [*known[:MAX_CITED], *self.sources.complete(text, known)]
        return text, tuple(self.citations[order[one]] for one in known), n_unknown


@dataclass(frozen=True, slots=True)
class LlmReporter:
    """Writes reports with a model."""

    asker: Asker
    waits: bool = True

    @property
    def key(self) -> str:
        """Return the model and the prompts."""
        return self.asker.key("reporter", PROMPTS)

    @property
    def context_tokens(self) -> int:
        """Return the size of the largest context it can read."""
        return self.asker.room(*(template(name) for name in (*PROMPTS, "data_rule")))

    def write(self, context: ReportContext) -> ReportDraft:
        """Return a report that cites only records of the context.

        Raises
        ------
        ModelError
            When there is no report, or none of its findings has a source.
        """
        records = _records(context)
        subject = f"report on community {context.community_id}"

        def check(report: _Report) -> str:
            findings = [one for one in report.findings if not stands_in_example(one.text, "report")]
            if any(records.cited(one)[1] for one in findings):
                return ""
            return (
                'no finding names in "records" a label of the records, '
                f"such as {', '.join(list(records.citations)[:4])}"
            )

        language = language_of(context.text)

        def wish(report: _Report) -> str:
            told = (report.summary, *(one.text for one in report.findings))
            return wrong_language(told, language)

        asked = self.asker.ask(self.messages(context), Form(_Report, check, wish), subject)
        return self._draft(asked.value, records, subject)

    def messages(self, context: ReportContext) -> list[Message]:
        """Return what is asked about a context."""
        return [
            Message("system", render("report", data_rule=template("data_rule"))),
            Message("user", render("report_records", records=mark("RECORDS", context.text))),
        ]

    def _draft(self, report: _Report, records: _Records, subject: str) -> ReportDraft:
        findings: list[FindingDraft] = []
        seen: set[str] = set()
        for one in report.findings:
            text, citations, n_unknown = records.cited(one)
            self.asker.tally.add("unknown labels dropped", n_unknown, subject=subject)
            if not citations or stands_in_example(text, "report"):
                self.asker.tally.add("findings without a source dropped", subject=subject)
            elif text.casefold() not in seen:
                seen.add(text.casefold())
                findings.append(FindingDraft(take_labels(one.heading)[0], text, citations))
        findings = findings[:MAX_FINDINGS]
        summary, labels = take_labels(report.summary, round_too=True)
        own = [records.citations[one] for one in labels if one in records.citations]
        # A summary sums up the findings: where it names nothing, it rests on what they rest on.
        rest = [one.citations[0] for one in findings]
        rating = report.rating
        return ReportDraft(
            title=take_labels(report.title)[0].strip("# *"),
            summary=summary,
            summary_citations=tuple(dict.fromkeys(own or rest)),
            findings=tuple(findings),
            rating=MIDDLE_RATING if rating is None else rating,
            rating_reason=NO_RATING if rating is None else take_labels(report.rating_reason)[0],
        )


def _records(context: ReportContext) -> _Records:
    """Return what each label of a context stands for, and its words."""
    names = {one.id: one.name for one in context.entities}
    found: dict[str, Citation] = {}
    texts: list[str] = []

    def add(letter: str, kind: CitationKind, rows: Iterable[tuple[str, str]]) -> None:
        for number, (identity, words) in enumerate(rows, start=1):
            found[f"{letter}{number}"] = Citation(kind, identity)
            texts.append(words)

    add("E", "entity", ((one.id, f"{one.name}: {one.description}") for one in context.entities))
    add(
        "R",
        "relationship",
        (
            (
                one.id,
                f"{names.get(one.source_id, '')} {names.get(one.target_id, '')} {one.description}",
            )
            for one in context.relationships
        ),
    )
    add(
        "C",
        "claim",
        ((one.id, f"{names.get(one.subject_id, '')} {one.description}") for one in context.claims),
    )
    add("S", "report", ((one.id, f"{one.title} {one.summary}") for one in context.reports))
    return _Records(found, Sources(texts))
