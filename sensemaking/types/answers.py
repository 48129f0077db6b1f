"""What is written about them: reports, windows, sub-answers and answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sensemaking.types.documents import Span

CitationKind = Literal["entity", "relationship", "claim", "finding", "report", "chunk"]
Packing = Literal["elements", "substituted", "reports", "truncated"]
WindowStatus = Literal["waiting", "reading", "kept", "cut", "zero", "failed"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference to a record, and the spans it stands for where they are already known."""

    kind: CitationKind
    id: str
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding of a report; `id` = digest(report id, ordinal). `text` may be sentences."""

    id: str
    heading: str
    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A report on one community. `id` = digest(packed context, settings, backend).

    `n_tokens` counts the text form (`render_report`). `weight` is the number of distinct chunks of
    the community's entities. `packing` says how its context was made to fit.
    """

    id: str
    community_id: str
    title: str
    summary: str
    summary_citations: tuple[Citation, ...]
    findings: tuple[Finding, ...]
    rating: float
    rating_reason: str
    n_tokens: int
    weight: int
    packing: Packing
    context_tokens: int
    substituted_ids: tuple[str, ...] = ()
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class ReportLink:
    """Which report a community has; `id` is the community's. Communities may share a report."""

    id: str
    report_id: str


@dataclass(frozen=True, slots=True)
class ContextItem:
    """One citable line of a window: `number` is what points cite ([3]), unique in its window."""

    number: int
    heading: str
    text: str
    citation: Citation


@dataclass(frozen=True, slots=True)
class ContextBlock:
    """Text handed to a mapper, with what it rests on. For reports: one block a report."""

    id: str
    title: str
    text: str
    n_tokens: int
    rating: float
    weight: int
    items: tuple[ContextItem, ...]


@dataclass(frozen=True, slots=True)
class Window:
    """Blocks packed into one model call. `index` counts from 0."""

    index: int
    text: str
    n_tokens: int
    blocks: tuple[ContextBlock, ...]


@dataclass(frozen=True, slots=True)
class Point:
    """One thing a window contributes. `id` = digest(question, window index, ordinal).

    `heading` names its theme in a few words (the finding's heading, for the extractive backend).
    """

    id: str
    heading: str
    text: str
    helpfulness: int
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class SubAnswer:
    """What one window says to the question."""

    window: int
    status: WindowStatus
    helpfulness: int
    points: tuple[Point, ...]
    block_ids: tuple[str, ...]
    block_titles: tuple[str, ...]
    n_tokens: int
    reason: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class AnswerSentence:
    """A sentence of an answer. `point_ids` are the points it cites, `citations` carry spans."""

    text: str
    support: int
    citations: tuple[Citation, ...]
    point_ids: tuple[str, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """All spans of the citations, in citation order, each once."""
        return tuple(dict.fromkeys(span for one in self.citations for span in one.spans))


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Sentences that belong together, under a heading or none."""

    heading: str
    sentences: tuple[AnswerSentence, ...]


@dataclass(frozen=True, slots=True)
class Usage:
    """What was spent; adds up."""

    calls: int = 0
    cached_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.calls + other.calls,
            self.cached_calls + other.cached_calls,
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            self.cost + other.cost,
        )


@dataclass(frozen=True, slots=True)
class Coverage:
    """What share of the corpus one set of blocks can draw on."""

    n_chunks: int
    n_chunks_covered: int
    n_entities: int
    n_entities_covered: int
    n_reports: int


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a corpus-wide question, with everything it was made from.

    `notes` are statements of the software about the evidence ("the documents do not mention …");
    they are not sentences of the answer and cite nothing. `trace` tells in (what, how) pairs how
    the evidence was chosen: topic, level, keywords, retrieval.
    """

    id: str
    question: str
    method: str
    settings: tuple[tuple[str, str], ...]
    text: str
    paragraphs: tuple[Paragraph, ...]
    notes: tuple[str, ...]
    sub_answers: tuple[SubAnswer, ...]
    coverage: Coverage
    skipped: tuple[Skipped, ...]
    usage: Usage
    seconds: float
    seconds_to_first: float
    n_tokens: int
    trace: tuple[tuple[str, str], ...] = ()

    @property
    def sentences(self) -> tuple[AnswerSentence, ...]:
        """All sentences, in reading order."""
        return tuple(one for paragraph in self.paragraphs for one in paragraph.sentences)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A unit that was not done, and why. Never the same as a result of zero."""

    stage: str
    subject: str
    reason: str
    retriable: bool = False
