"""Sentences and findings down to passages, for the evidence drawer and for export."""

from __future__ import annotations

from collections.abc import Iterable

from sensemaking.errors import NotFound
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.resolving import make_resolver
from sensemaking.types import (
    Answer,
    AnswerSnapshot,
    ChainStep,
    Citation,
    Evidence,
    Span,
)
from sensemaking.workspace.escaping import markdown_text

AROUND = 320
"""Characters of a document shown on either side of a passage."""


def answer_evidence(
    library: Library, snapshot: AnswerSnapshot, sentence: int
) -> tuple[Evidence, ...]:
    """Return the sources of one sentence of an answer, counted from 0.

    Raises
    ------
    NotFound
        When the answer is not ready or has no such sentence.
    """
    answer = _ready(snapshot)
    if not 0 <= sentence < len(answer.sentences):
        raise NotFound(f"The answer has {len(answer.sentences)} sentences, no sentence {sentence}.")
    resolver = make_resolver(library, dict(answer.settings)["hierarchy"])
    chains = resolver.chains(answer.sentences[sentence], answer.sub_answers)
    return tuple(_passage(library, span, chain) for span, chain in chains)


def finding_evidence(
    library: Library, hierarchy_key: str, community_id: str, finding: int
) -> tuple[Evidence, ...]:
    """Return the sources of one finding of a report, from 0; -1 is the report's summary.

    Raises
    ------
    NotFound
        When the report has no such finding.
    """
    report = library.reports(hierarchy_key).get(community_id)
    if report is None or not -1 <= finding < len(report.findings):
        raise NotFound(f"The report on community {community_id} has no finding {finding}.")
    resolver = make_resolver(library, hierarchy_key)
    text = report.summary if finding < 0 else report.findings[finding].text
    cited: Iterable[Citation] = (
        report.summary_citations if finding < 0 else report.findings[finding].citations
    )
    found: dict[Span, Evidence] = {}
    for citation in cited:
        for span, chain in resolver.below(citation, text):
            found.setdefault(span, _passage(library, span, chain))
    return tuple(found.values())


def passages(library: Library, spans: Iterable[Span]) -> tuple[Evidence, ...]:
    """Return stretches of documents with the text around them, in the order given."""
    return tuple(_passage(library, span, ()) for span in spans)


def export_markdown(library: Library, snapshot: AnswerSnapshot) -> str:
    """Return an answer as Markdown: each sentence with footnotes, each footnote a quotation.

    What documents say, the question and names show as they are and do nothing.
    """
    answer = _ready(snapshot)
    numbers: dict[Span, int] = {}
    lines = [f"# {markdown_text(answer.question)}", ""]
    for paragraph in answer.paragraphs:
        if paragraph.heading:
            lines += [f"## {markdown_text(paragraph.heading)}", ""]
        marked = []
        for sentence in paragraph.sentences:
            notes = [numbers.setdefault(span, len(numbers) + 1) for span in sentence.spans]
            marked.append(markdown_text(sentence.text) + "".join(f"[^{n}]" for n in notes))
        lines += [" ".join(marked), ""]
    lines += [f"> {markdown_text(note)}" for note in answer.notes]
    lines += [
        "",
        markdown_text(
            f"{answer.method}, {', '.join(f'{key} {value}' for key, value in answer.settings)}"
        ),
    ]
    lines.append("")
    for span, n in numbers.items():
        document = library.document(span.document_id)
        quote = markdown_text(document.text[span.start : span.end])
        page = f", p. {span.page}" if span.page is not None else ""
        place = f"{markdown_text(document.name)}{page}, characters {span.start}–{span.end}"
        lines.append(f"[^{n}]: “{quote}” ({place})")
    return "\n".join(lines) + "\n"


def _ready(snapshot: AnswerSnapshot) -> Answer:
    if snapshot.answer is None:
        raise NotFound(
            f"The answer to “{snapshot.question[:80]}” is not ready ({snapshot.status})."
        )
    return snapshot.answer


def _passage(library: Library, span: Span, chain: tuple[ChainStep, ...]) -> Evidence:
    document = library.document(span.document_id)
    text = document.text
    before = text[max(0, span.start - AROUND) : span.start]
    after = text[span.end : span.end + AROUND]
    if span.start > AROUND:
        before = before.partition(" ")[2]
    if span.end + AROUND < len(text):
        after = after.rpartition(" ")[0]
    return Evidence(
        span=span,
        document_name=document.name,
        document_title=document.title,
        before=before,
        quote=text[span.start : span.end],
        after=after,
        chain=chain,
    )
