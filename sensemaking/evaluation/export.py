"""The tables of an evaluation as files: CSV for spreadsheets, JSON for programs.

A result, its scores and its rows come in; text comes out. A cell that a spreadsheet would take for
a formula begins with an apostrophe.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from sensemaking.evaluation.claims import measures
from sensemaking.types import (
    Batch,
    EvaluatedAnswer,
    EvaluationResult,
    PairScore,
    RetrievalRow,
)

Cell = str | int | float | None
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def write_csv(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return a table as CSV; what is not known is an empty cell."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(one) for one in row] for row in rows)
    return text.getvalue()


def _cell(value: Cell) -> Cell:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value


def comparisons_csv(result: EvaluationResult) -> str:
    """Return one row a pair and criterion, with its test."""
    head = (
        *("criterion", "first", "second", "questions", "missing", "unparsed"),
        *("wins", "ties", "losses", "win_rate", "low", "high"),
        *("w_plus", "w_minus", "z", "p", "p_holm", "effect"),
    )
    rows = (
        (
            *(one.criterion, one.first, one.second, one.n, one.n_missing, one.n_unparsed),
            *(one.wins, one.ties, one.losses, one.win_rate, *(one.interval or (None, None))),
            *(one.test.w_plus, one.test.w_minus, one.test.z, one.test.p, one.p_holm),
            one.test.effect,
        )
        for one in result.comparisons
    )
    return write_csv(head, rows)


def conditions_csv(result: EvaluationResult) -> str:
    """Return one row a condition: means per answer, and what its answers can show."""
    thresholds = [f"clusters_{one:g}" for one, _ in _first_clusters(result)]
    head = (
        *("condition", "answers", "failed", "empty", "words", "claims", *thresholds),
        *("documents", "tokens", "seconds", "cost", "quality"),
        *("supported", "citations_resolved", "facts_found"),
    )
    rows = (
        (
            *(one.label, one.n_answers, one.n_failed, one.n_empty, one.words, one.claims),
            *_cluster_cells(one.clusters, len(thresholds)),
            *(one.documents, one.tokens, one.seconds, one.cost, one.quality),
            *(one.faithfulness.supported, one.faithfulness.resolved, one.faithfulness.facts_found),
        )
        for one in result.conditions
    )
    return write_csv(head, rows)


def _cluster_cells(clusters: Sequence[tuple[float, float]], n: int) -> Sequence[Cell]:
    return [mean for _, mean in clusters] if clusters else [None] * n


def _first_clusters(result: EvaluationResult) -> Sequence[tuple[float, float]]:
    return next((one.clusters for one in result.conditions if one.clusters), ())


def scores_csv(batch: Batch, scores: Iterable[PairScore]) -> str:
    """Return one row a question, pair and criterion."""
    texts = {one.id: one.text for one in batch.questions}
    head = (
        *("question_id", "question", "criterion", "first", "second", "score", "winner"),
        *("verdicts", "used", "unparsed", "reasons"),
    )
    rows = (
        (
            *(one.question_id, texts.get(one.question_id, ""), one.criterion),
            *(one.first, one.second, one.score, one.winner),
            *(one.n_verdicts, one.n_used, one.n_unparsed, " | ".join(one.reasons)),
        )
        for one in scores
    )
    return write_csv(head, rows)


def answers_csv(batch: Batch, answers: Mapping[tuple[str, str], EvaluatedAnswer]) -> str:
    """Return one row a question and condition, with the answer itself."""
    head = (
        *("question_id", "question", "condition", "status", "reason", "words", "claims"),
        *("documents", "tokens", "seconds", "supported", "unsupported", "answer"),
    )
    rows = []
    for question in batch.questions:
        for condition in batch.conditions:
            one = answers.get((question.id, condition.label))
            if one is None:
                continue
            counted = measures(one)
            rows.append(
                (
                    *(question.id, question.text, one.condition, one.status, one.reason),
                    *(one.n_words, counted.get("claims"), one.n_documents, one.n_tokens),
                    *(one.seconds, one.faithfulness.supported),
                    *(" | ".join(one.faithfulness.unsupported), one.text),
                )
            )
    return write_csv(head, rows)


def retrieval_csv(rows: Iterable[RetrievalRow]) -> str:
    """Return one row a question and retriever."""
    head = ("question_id", "method", "recall", "ndcg", "seconds", "gold", "ranking")
    return write_csv(
        head,
        (
            (one.question_id, one.method, one.recall, one.ndcg, one.seconds)
            + ("; ".join(one.gold), "; ".join(one.ranking))
            for one in rows
        ),
    )


def result_object(result: EvaluationResult) -> dict[str, Any]:
    """Return a result as plain values for JSON, shares of the records included."""
    found: dict[str, Any] = msgspec.to_builtins(result)
    for plain, one in zip(found["conditions"], result.conditions, strict=True):
        plain["faithfulness"]["supported"] = one.faithfulness.supported
        plain["faithfulness"]["citations_resolved"] = one.faithfulness.resolved
        plain["faithfulness"]["facts_found"] = one.faithfulness.facts_found
    for plain, agreement in zip(found["agreements"], result.agreements, strict=True):
        plain["share"] = agreement.share
    return found


def evaluation_json(
    batch: Batch,
    result: EvaluationResult,
    scores: Sequence[PairScore],
    answers: Mapping[tuple[str, str], EvaluatedAnswer],
) -> str:
    """Return everything of an evaluation as one JSON object."""
    listed = [
        answers[question.id, condition.label]
        for question in batch.questions
        for condition in batch.conditions
        if (question.id, condition.label) in answers
    ]
    whole = {
        "batch": msgspec.to_builtins(batch),
        "result": result_object(result),
        "scores": msgspec.to_builtins(scores),
        "answers": msgspec.to_builtins(listed),
    }
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"
