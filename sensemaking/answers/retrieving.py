"""The reports that fit a question best, their summaries alone: what ReTAG reads.

In: a hierarchy, its reports, a level, a query. Out: one `ContextBlock` for each piece of a summary.
Reports are ranked by BM25 over their whole text; of the best, the summaries are cut into pieces.

Notes
-----
ReTAG retrieves 200 reports before it cuts, pieces have 600 tokens; k1, b and the words of its BM25
are not published. What a summary takes from a finding word for word cites that finding, any other
sentence the report.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sensemaking.answers.selectors import HEAD_TOKENS, ITEM_TOKENS, Selection, cover
from sensemaking.context import fold
from sensemaking.ports import Tokenizer
from sensemaking.reports import render_report
from sensemaking.retrieval.lexical import LexicalIndex
from sensemaking.text.sentences import split_sentences
from sensemaking.types import (
    Citation,
    Community,
    ContextBlock,
    ContextItem,
    Finding,
    Hierarchy,
    KnowledgeGraph,
    Report,
)

PIECE_TOKENS = 600


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How reports are retrieved: the query, how many at most, the parameters of BM25."""

    query: str
    size: int
    k1: float
    b: float


def index_reports(reports: Sequence[Report], k1: float, b: float) -> LexicalIndex:
    """Return the index of the whole texts of reports, by the id of their community."""
    texts = {one.community_id: render_report(one) for one in reports}
    return LexicalIndex(texts, k1=k1, b=b)


def find_reports(
    index: LexicalIndex, reports: Mapping[str, Report], retrieval: Retrieval
) -> list[Report]:
    """Return the best reports, best first, each text once; communities may share one."""
    ranked = index.search(retrieval.query, len(index.ids))
    found: dict[str, Report] = {}
    for community_id, _ in ranked:
        report = reports[community_id]
        found.setdefault(report.id, report)
        if len(found) == retrieval.size:
            break
    return list(found.values())


def select_summaries(
    hierarchy: Hierarchy,
    found: Sequence[Report],
    graph: KnowledgeGraph,
    n_chunks: int | None,
    tokenizer: Tokenizer,
) -> Selection:
    """Return the summaries of the reports in pieces, in order of id, and what they cover."""
    blocks = [block for report in found for block in cut_summary(report, tokenizer)]
    communities: list[Community] = [hierarchy.by_id[report.community_id] for report in found]
    return Selection(
        blocks=tuple(sorted(blocks, key=lambda block: block.id)),
        coverage=cover(communities, graph, n_chunks),
        skipped=(),
    )


def cut_summary(
    report: Report, tokenizer: Tokenizer, size: int = PIECE_TOKENS
) -> list[ContextBlock]:
    """Return the sentences of a summary in pieces of at most `size` tokens; none without any.

    A sentence that alone is longer than a piece is a piece of its own, uncut: it is a quotation.
    """
    pieces: list[list[tuple[ContextItem, int]]] = []
    used = 0
    for item in _items(report):
        n_tokens = tokenizer.count(f"{item.heading}: {item.text}") + ITEM_TOKENS
        if not pieces or used + n_tokens > size:
            pieces.append([])
            used = 0
        pieces[-1].append((replace(item, number=len(pieces[-1]) + 1), n_tokens))
        used += n_tokens
    head = f"# {fold(report.title)}\n"
    head_tokens = tokenizer.count(head) + HEAD_TOKENS
    return [
        ContextBlock(
            id=f"{report.id}:{number:04d}",
            title=report.title,
            text=head,
            n_tokens=head_tokens + sum(n_tokens for _, n_tokens in piece),
            rating=report.rating,
            weight=report.weight,
            items=tuple(item for item, _ in piece),
        )
        for number, piece in enumerate(pieces)
    ]


def _items(report: Report) -> Iterator[ContextItem]:
    """Yield the sentences of a summary; what it quotes from a finding stays whole and cites it."""
    rest = fold(report.summary)
    quoted = sorted(
        ((at, finding) for finding in report.findings if (at := _place(finding, rest)) >= 0),
        key=lambda pair: pair[0],
    )
    done = 0
    for at, finding in quoted:
        if at < done:
            continue
        yield from _sentences(report, rest[done:at])
        text = fold(finding.text)
        yield ContextItem(1, finding.heading, text, Citation("finding", finding.id))
        done = at + len(text)
    yield from _sentences(report, rest[done:])


def _place(finding: Finding, summary: str) -> int:
    text = fold(finding.text)
    return summary.find(text) if text else -1


def _sentences(report: Report, text: str) -> Iterator[ContextItem]:
    for start, end in split_sentences(text):
        if any(letter.isalnum() for letter in text[start:end]):
            citation = Citation("report", report.id)
            yield ContextItem(1, fold(report.title), text[start:end].strip(), citation)


def recall_of(found: Sequence[str], relevant: Sequence[str], size: int) -> float | None:
    """Return the share of the relevant reports among the first `size` found; None without any.

    Notes
    -----
    ReTAG, Figure 5: relevant are the reports that a model gives a helpfulness above 0.
    """
    wanted = set(relevant)
    return len(wanted.intersection(found[:size])) / len(wanted) if wanted else None
