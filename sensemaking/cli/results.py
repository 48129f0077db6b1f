"""What a command leaves behind on standard output: text for people, one JSON object for scripts.

The keys of the JSON are a contract (README, Commands): others build on them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sensemaking.errors import NotFound

if TYPE_CHECKING:
    from sensemaking.types import (
        Answer,
        AnswerSentence,
        BuildReady,
        Community,
        CorpusSummary,
        Estimate,
        Report,
        Usage,
    )
    from sensemaking.workspace import Check, Corpus

WEAK_BELOW = 60


def show_build(corpus: str, built: BuildReady, *, as_json: bool) -> None:
    """Say what a build made."""
    if as_json:
        _print_json(
            {
                "corpus": corpus,
                "documents": built.documents,
                "skipped": [{"path": one.subject, "reason": one.reason} for one in built.skipped],
                "chunks": built.chunks,
                "entities": built.entities,
                "relationships": built.relationships,
                "claims": built.claims,
                "hierarchies": [
                    {
                        "key": one.key,
                        "algorithm": one.algorithm,
                        "levels": one.levels,
                        "communities": one.communities,
                    }
                    for one in built.hierarchies
                ],
                "reports": built.reports,
                "usage": _usage(built.usage),
                "seconds": built.seconds,
                "digest": built.digest,
            }
        )
        return
    _print(
        f"{corpus}: {built.documents:,} documents, {built.chunks:,} chunks, "
        f"{built.entities:,} entities, {built.relationships:,} relationships, "
        f"{built.claims:,} claims, {built.reports:,} reports in {built.seconds:.1f} s"
    )
    for one in built.hierarchies:
        _print(f"  {one.key}: {one.communities:,} communities on {one.levels} levels")
    for skip in built.skipped:
        _print(f"  not done ({skip.stage}): {skip.subject}: {skip.reason}")


def show_estimate(estimate: Estimate, *, as_json: bool) -> None:
    """Say what something would take; where JSON has one number, it is the most."""
    low, high = estimate.calls
    cost = estimate.cost
    if as_json:
        _print_json(
            {
                "calls": int(high),
                "calls_range": [int(low), int(high)],
                "prompt_tokens": [round(one) for one in estimate.prompt_tokens],
                "completion_tokens": [round(one) for one in estimate.completion_tokens],
                "cost": None if cost is None else round(cost[1], 4),
                "cost_range": None if cost is None else [round(one, 4) for one in cost],
                "seconds": round(estimate.seconds[1], 1),
                "seconds_range": [round(one, 1) for one in estimate.seconds],
                "stages": [
                    {"name": one.name, "calls": [int(one.calls[0]), int(one.calls[1])]}
                    for one in estimate.stages
                ],
                "notes": list(estimate.notes),
            }
        )
        return
    _print(f"{_range(low, high)} calls of a model")
    if high:
        _print(f"{_range(*estimate.prompt_tokens)} tokens of prompts")
        _print(f"{_range(*estimate.completion_tokens)} tokens of replies")
        _print("no known price" if cost is None else f"${cost[0]:.2f} to ${cost[1]:.2f}")
    _print(f"about {_range(*estimate.seconds)} seconds")
    for note in estimate.notes:
        _print(note)


def _range(low: float, high: float) -> str:
    return f"{low:,.0f}" if round(low) == round(high) else f"{low:,.0f} to {high:,.0f}"


def show_answer(corpus: Corpus, answer: Answer, *, as_json: bool) -> None:
    """Print an answer with its sources."""
    if as_json:
        _print_json(_answer_object(corpus, answer))
        return
    names: dict[str, int] = {}
    for paragraph in answer.paragraphs:
        if paragraph.heading:
            _print(f"\n{paragraph.heading}")
        _print("")
        for sentence in paragraph.sentences:
            _print(_sentence_line(corpus, sentence, names))
    if answer.notes:
        _print("")
    for note in answer.notes:
        _print(f"Note: {note}")
    if names:
        _print("\nSources (document: first character)")
    for name, number in names.items():
        _print(f"  [{number}] {name}")
    for skip in answer.skipped:
        _print(f"Left out ({skip.stage}): {skip.subject}: {skip.reason}")
    _print("".join(f"\n{what.capitalize()}: {how}" for what, how in answer.trace))
    _print(
        f"\n{len(answer.sub_answers)} windows, {answer.n_tokens:,} tokens read, "
        f"{answer.seconds:.1f} s, first sub-answer after {answer.seconds_to_first:.1f} s"
    )


def _sentence_line(corpus: Corpus, sentence: AnswerSentence, names: dict[str, int]) -> str:
    places = []
    for span in sentence.spans:
        name = corpus.document(span.document_id).name
        places.append(f"[{names.setdefault(name, len(names) + 1)}:{span.start}]")
    weak = "" if sentence.support >= WEAK_BELOW else f" (support {sentence.support})"
    return f"{sentence.text} {' '.join(places)}{weak}"


def show_corpora(summaries: Sequence[CorpusSummary], *, as_json: bool) -> None:
    """List corpora."""
    if as_json:
        _print_json({"corpora": [_summary_object(one) for one in summaries]})
        return
    if not summaries:
        _print("No corpus yet. Make one: sensemaking build FOLDER --corpus NAME")
    for one in summaries:
        _print(
            f"{one.name:<30} {one.state:<9} {one.n_documents:>6,} documents "
            f"{one.n_entities:>7,} entities {one.n_reports:>6,} reports  {one.error}"
        )


def show_corpus(corpus: Corpus, *, as_json: bool) -> None:
    """Show a corpus: its state, its files, its coarsest communities."""
    summary = corpus.summary()
    files = corpus.files()
    keys = [one.key for one in corpus.hierarchies()]
    tops = _top_communities(corpus, keys[0]) if keys else []
    if as_json:
        _print_json(
            {
                **_summary_object(summary),
                "files": [
                    {"path": one.name, "status": one.status, "reason": one.reason} for one in files
                ],
                "hierarchies": keys,
                "communities": [
                    {"id": one.id, "entities": len(one.entity_ids), "title": title}
                    for one, title in tops
                ],
            }
        )
        return
    show_corpora([summary], as_json=False)
    for file in files:
        _print(f"  {file.status:<9} {file.name}  {file.reason}")
    for community, title in tops:
        _print(f"  {community.id}  {len(community.entity_ids):>5,} entities  {title}")


def show_community(corpus: Corpus, key: str, prefix: str, *, as_json: bool) -> None:
    """Show one community: where it stands, its report, its children.

    Raises
    ------
    NotFound
        When no community, or more than one, begins with `prefix`.
    """
    hierarchy, reports, graph = corpus.hierarchy(key), corpus.reports(key), corpus.graph()
    found = [one for one in hierarchy.communities if one.id.startswith(prefix)]
    if len(found) != 1:
        raise NotFound(
            f"{len(found) or 'No'} communities of {key} begin with “{prefix}”: give more of the id."
        )
    community = found[0]
    report = reports.get(community.id)
    names = [graph.entity_by_id[one].name for one in community.entity_ids]
    children = [(one, _title(reports, one)) for one in hierarchy.children[community.id]]
    if as_json:
        _print_json(
            {
                "id": community.id,
                "hierarchy": key,
                "level": community.level,
                "path": [one.id for one in hierarchy.path(community.id)],
                "kind": community.kind,
                "k": community.core_number,
                "members": names,
                "children": [{"id": one.id, "title": title} for one, title in children],
                "report": None if report is None else _report_object(report),
            }
        )
        return
    _print(" / ".join(_title(reports, one) for one in hierarchy.path(community.id)))
    _print(f"Level {community.level}, {len(names):,} entities: {', '.join(names[:12])}")
    if report is not None:
        _print(f"\n{report.title}\n{report.rating_reason}\n\n{report.summary}")
        for finding in report.findings:
            _print(f"\n{finding.heading}\n  {finding.text}")
    for one, title in children:
        _print(f"\n  {one.id}  {len(one.entity_ids):,} entities  {title}")


def show_checks(checks: Sequence[Check], *, as_json: bool) -> None:
    """Print the doctor's findings."""
    if as_json:
        _print_json(
            {"checks": [{"name": c.name, "good": c.is_good, "detail": c.detail} for c in checks]}
        )
        return
    for check in checks:
        _print(f"{'ok ' if check.is_good else 'BAD'}  {check.name:<22} {check.detail}")


def _answer_object(corpus: Corpus, answer: Answer) -> dict[str, Any]:
    return {
        "question": answer.question,
        "method": answer.method,
        "settings": dict(answer.settings),
        "text": answer.text,
        "sentences": [
            {
                "text": sentence.text,
                "support": sentence.support,
                "citations": [
                    {
                        "document": (document := corpus.document(span.document_id)).name,
                        "start": span.start,
                        "end": span.end,
                        "quote": document.text[span.start : span.end],
                    }
                    for span in sentence.spans
                ],
            }
            for sentence in answer.sentences
        ],
        "notes": list(answer.notes),
        "sub_answers": [
            {
                "window": sub.window,
                "status": sub.status,
                "helpfulness": None if sub.status == "failed" else sub.helpfulness,
                "text": "\n".join(point.text for point in sub.points),
                "reports": list(sub.block_titles),
            }
            for sub in answer.sub_answers
        ],
        "skipped": [
            {"stage": one.stage, "subject": one.subject, "reason": one.reason}
            for one in answer.skipped
        ],
        "usage": _usage(answer.usage),
        "seconds": answer.seconds,
        "seconds_to_first": answer.seconds_to_first,
        "trace": [list(pair) for pair in answer.trace],
    }


def _summary_object(summary: CorpusSummary) -> dict[str, Any]:
    return {
        "corpus": summary.name,
        "title": summary.title,
        "state": summary.state,
        "documents": summary.n_documents,
        "words": summary.n_words,
        "not_read": summary.n_not_read,
        "entities": summary.n_entities,
        "reports": summary.n_reports,
        "built_at": summary.built_at,
        "error": summary.error,
    }


def _report_object(report: Report) -> dict[str, Any]:
    return {
        "title": report.title,
        "summary": report.summary,
        "rating": report.rating,
        "rating_reason": report.rating_reason,
        "packing": report.packing,
        "findings": [{"heading": one.heading, "text": one.text} for one in report.findings],
    }


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "calls": usage.calls,
        "cached_calls": usage.cached_calls,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "reasoning_tokens": usage.reasoning_tokens,
        "cost": usage.cost,
    }


def _top_communities(corpus: Corpus, key: str) -> list[tuple[Community, str]]:
    reports = corpus.reports(key)
    tops = sorted(corpus.hierarchy(key).view(0), key=lambda one: (-len(one.entity_ids), one.id))
    return [(one, _title(reports, one)) for one in tops]


def _title(reports: dict[str, Report], community: Community) -> str:
    report = reports.get(community.id)
    return report.title if report is not None else f"(no report) {community.id}"


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _print_json(data: dict[str, Any]) -> None:
    # Where the terminal has another encoding, JSON has its own way to write other characters.
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    json.dump(data, sys.stdout, ensure_ascii=not is_unicode)
    sys.stdout.write("\n")
