"""From the text of an answer to its sentences, and from each sentence down to its sources.

The dialect of `ports.Reducer` comes in; out go paragraphs whose sentences carry citations with
spans, and notes. A sentence cites points, a point cites findings, a finding cites records, a record
has spans.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from sensemaking.answers.dialect import parse_blocks, parse_sentences
from sensemaking.answers.support import overlap, support
from sensemaking.types import (
    AnswerSentence,
    ChainStep,
    Citation,
    Claim,
    Entity,
    Finding,
    KnowledgeGraph,
    Paragraph,
    Point,
    Relationship,
    Report,
    Span,
    SubAnswer,
)

MAX_SPANS = 3
"""A record cited without spans stands for at most this many."""

Record = Entity | Relationship | Claim
Chain = tuple[ChainStep, ...]


def credit_nobody(_: Span) -> tuple[str, ...]:
    """Return no names: it is not known who speaks a span."""
    return ()


@dataclass(frozen=True)
class Resolver:
    """Leads citations down to characters of documents.

    `text_of` returns `Document.text` by document id. `credits_of` returns the names that a sentence
    may credit for a span although the span does not hold them: its speaker, its author.
    """

    graph: KnowledgeGraph
    reports: tuple[Report, ...]
    text_of: Callable[[str], str]
    credits_of: Callable[[Span], tuple[str, ...]] = credit_nobody

    @cached_property
    def _records(self) -> dict[tuple[str, str], Record]:
        found: dict[tuple[str, str], Record] = {}
        found.update({("entity", one.id): one for one in self.graph.entities})
        found.update({("relationship", one.id): one for one in self.graph.relationships})
        found.update({("claim", one.id): one for one in self.graph.claims})
        return found

    @cached_property
    def _reports(self) -> dict[str, Report]:
        return {report.id: report for report in self.reports}

    @cached_property
    def _findings(self) -> dict[str, tuple[Report, int, Finding]]:
        return {
            finding.id: (report, number, finding)
            for report in self.reports
            for number, finding in enumerate(report.findings, start=1)
        }

    def text(self, span: Span) -> str:
        """Return the characters of a span."""
        return self.text_of(span.document_id)[span.start : span.end]

    def texts(self, spans: Sequence[Span]) -> tuple[str, ...]:
        """Return the characters of each span."""
        return tuple(self.text(span) for span in spans)

    def credits(self, spans: Sequence[Span]) -> tuple[str, ...]:
        """Return all names that may be credited for the spans, each once."""
        return tuple(dict.fromkeys(name for span in spans for name in self.credits_of(span)))

    def records(self, citation: Citation, sentence: str = "") -> tuple[Citation, ...]:
        """Return the records that a citation rests on, each with its spans; none without spans.

        Parameters
        ----------
        citation
            A finding stands for its own citations, a report for the three of its findings'
            citations that are closest to the sentence.
        sentence
            What is to be shown. An entity stands for its (at most three) spans of largest overlap
            with it, also where the citation names more.
        """
        if citation.kind == "finding":
            if citation.id not in self._findings:
                return _with_spans(citation)
            _, _, finding = self._findings[citation.id]
            return tuple(
                one for inner in finding.citations for one in self.records(inner, sentence)
            )
        if citation.kind == "report" and citation.id in self._reports:
            inner = tuple(
                one
                for finding in self._reports[citation.id].findings
                for cited in finding.citations
                for one in self.records(cited, sentence)
            )
            spans = self._closest([span for one in inner for span in one.spans], sentence)
            kept = (
                Citation(one.kind, one.id, tuple(span for span in one.spans if span in spans))
                for one in dict.fromkeys(inner)
            )
            return tuple(one for one in kept if one.spans)
        return self._record(citation, sentence)

    def _record(self, citation: Citation, sentence: str) -> tuple[Citation, ...]:
        spans = citation.spans
        record = self._records.get((citation.kind, citation.id))
        if not spans and record is not None:
            spans = record.spans if citation.kind == "entity" else record.spans[:MAX_SPANS]
        if citation.kind == "entity":
            spans = self._closest(spans, sentence)
        return _with_spans(Citation(citation.kind, citation.id, spans))

    def _closest(self, spans: Sequence[Span], sentence: str) -> tuple[Span, ...]:
        unique = list(dict.fromkeys(spans))
        if len(unique) <= MAX_SPANS:
            return tuple(unique)
        # Python's sort is stable: equal overlap keeps the order of evidence.
        return tuple(
            sorted(unique, key=lambda span: -overlap(sentence, self.text(span)))[:MAX_SPANS]
        )

    def spans(self, citation: Citation, sentence: str = "") -> tuple[Span, ...]:
        """Return the spans that a citation rests on, each once; see `records`."""
        found = self.records(citation, sentence)
        return tuple(dict.fromkeys(span for one in found for span in one.spans))

    def chains(
        self, sentence: AnswerSentence, sub_answers: Sequence[SubAnswer]
    ) -> tuple[tuple[Span, Chain], ...]:
        """Return how each source of a sentence was reached: point, finding, record, span.

        One chain per span of `sentence.spans`, in that order; the first way that leads to a span is
        told. A span that no point leads to any more (its report was rebuilt) has the last step.
        """
        points = {point.id: (sub, point) for sub in sub_answers for point in sub.points}
        found: dict[Span, Chain] = {}
        for point_id in sentence.point_ids:
            if point_id not in points:
                continue
            sub, point = points[point_id]
            label = f"Point in window {sub.window + 1}, helpfulness {point.helpfulness}"
            first = ChainStep(label, point.text)
            for citation in point.citations:
                for span, rest in self.below(citation, sentence.text):
                    found.setdefault(span, (first, *rest))
        return tuple((span, found.get(span, (self._span_step(span),))) for span in sentence.spans)

    def below(self, citation: Citation, sentence: str) -> list[tuple[Span, Chain]]:
        """Return each span of a citation with the steps that lead to it, from the citation down."""
        steps: Chain = ()
        if citation.kind == "finding" and citation.id in self._findings:
            report, number, finding = self._findings[citation.id]
            label = f"Finding {number} of the report “{report.title}”, rating {report.rating:.1f}"
            steps = (ChainStep(label, finding.heading or finding.text),)
        elif citation.kind == "report" and citation.id in self._reports:
            report = self._reports[citation.id]
            steps = (ChainStep(f"Report, rating {report.rating:.1f}", report.title),)
        return [
            (span, (*steps, self._record_step(one), self._span_step(span)))
            for one in self.records(citation, sentence)
            for span in one.spans
        ]

    def _record_step(self, citation: Citation) -> ChainStep:
        record = self._records.get((citation.kind, citation.id))
        if isinstance(record, Entity):
            return ChainStep(f"Entity, {record.kind}", record.name)
        if isinstance(record, Relationship):
            names = self.graph.entity_by_id
            ends = [names[one].name for one in (record.source_id, record.target_id)]
            return ChainStep(f"Relationship, weight {record.weight:.1f}", " – ".join(ends))
        if isinstance(record, Claim):
            dates = " to ".join(
                dict.fromkeys(one for one in (record.start_date, record.end_date) if one)
            )
            label = ", ".join(part for part in ("Claim", record.status, dates) if part)
            return ChainStep(label, record.description)
        return ChainStep(citation.kind.capitalize(), "")

    def _span_step(self, span: Span) -> ChainStep:
        return ChainStep(f"Characters {span.start:,} to {span.end:,}", self.text(span))


def _with_spans(citation: Citation) -> tuple[Citation, ...]:
    return (citation,) if citation.spans else ()


def compose(
    text: str, points: Sequence[Point], resolver: Resolver
) -> tuple[tuple[Paragraph, ...], tuple[str, ...]]:
    """Return the paragraphs and the notes of an answer.

    Parameters
    ----------
    text
        The dialect of `ports.Reducer`. Numbers of no point are dropped, so are references of other
        dialects ("[Data: Reports (3)]"). A sentence without a known number has support 0.
    points
        Point n is cited as [n], from 1.
    resolver
        Where citations lead to.
    """
    paragraphs: list[Paragraph] = []
    notes: list[str] = []
    heading = ""
    for block in parse_blocks(text):
        if block.kind == "note":
            notes.append(block.text)
        elif block.kind == "heading":
            heading = block.text
        else:
            sentences = tuple(
                _source(sentence, numbers, points, resolver)
                for sentence, numbers in parse_sentences(block.text)
            )
            if sentences:
                paragraphs.append(Paragraph(heading, sentences))
                heading = ""
    return tuple(paragraphs), tuple(notes)


def _source(
    sentence: str, numbers: tuple[int, ...], points: Sequence[Point], resolver: Resolver
) -> AnswerSentence:
    cited = [points[number - 1] for number in numbers if 1 <= number <= len(points)]
    citations: list[Citation] = []
    for point in cited:
        for citation in point.citations:
            citations.extend(resolver.records(citation, sentence))
    unique = tuple(dict.fromkeys(citations))
    spans = tuple(dict.fromkeys(span for one in unique for span in one.spans))
    return AnswerSentence(
        text=sentence,
        support=support(sentence, resolver.texts(spans), resolver.credits(spans)),
        citations=unique,
        point_ids=tuple(point.id for point in cited),
    )
