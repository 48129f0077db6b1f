"""What evaluations leave in the store of a corpus, and how it is found again.

Batches and question sets lie under their names, whole answers under their ids, rows under their
batch, verdicts under their judge: whatever batch asks for a verdict finds it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sensemaking.errors import NotFound
from sensemaking.evaluation.results import collect_results
from sensemaking.ports import Store
from sensemaking.types import (
    Answer,
    Batch,
    EvaluatedAnswer,
    EvaluationResult,
    Judgement,
    PairScore,
    QuestionSet,
    digest,
)

BATCHES = "batches"
QUESTION_SETS = "question sets"
ANSWERS = "evaluated answers"
"""Scope of the whole answers, by their id."""


@dataclass(frozen=True, slots=True)
class Findings:
    """A batch as it stands: its rows by (question id, condition), scores and tables."""

    batch: Batch
    answers: Mapping[tuple[str, str], EvaluatedAnswer]
    scores: tuple[PairScore, ...]
    result: EvaluationResult

    @property
    def is_whole(self) -> bool:
        """Whether another run would find nothing to do: all is answered, judged and split."""
        done = [one for one in self.answers.values() if one.status == "done"]
        return (
            len(done) == len(self.batch.questions) * len(self.batch.conditions)
            and all(one.claims is not None for one in done)
            and not any(one.n_missing for one in self.result.judges)
        )


def read_findings(store: Store, batch_id: str) -> Findings:
    """Return a batch as it stands, complete or not.

    Raises
    ------
    NotFound
        When there is no batch of that id.
    """
    batch = store.get(Batch, BATCHES, batch_id)
    if batch is None:
        raise NotFound(f"There is no evaluation “{batch_id}” in this corpus.")
    rows = store.all(EvaluatedAnswer, rows_scope(batch))
    answers = {(row.question_id, row.condition): row for row in rows}
    judgements = read_judgements(store, batch)
    result, scores = collect_results(batch, answers, judgements)
    return Findings(batch, answers, tuple(scores), result)


def batches_of(store: Store) -> list[Batch]:
    """Return all batches, by name."""
    return sorted(store.all(Batch, BATCHES), key=lambda one: (one.name, one.id))


def answer_of(store: Store, answer_id: str) -> Answer:
    """Return a whole answer that a batch has made; raises `NotFound`."""
    found = store.get(Answer, ANSWERS, answer_id)
    if found is None:
        raise NotFound(f"There is no answer “{answer_id}” among the evaluated ones.")
    return found


def keep_batch(store: Store, batch: Batch) -> None:
    """Keep a batch, so that it is found before it has any row."""
    store.add(BATCHES, [batch])


def keep_questions(store: Store, questions: QuestionSet) -> None:
    """Keep a question set under its name; one of that name is replaced."""
    store.add(QUESTION_SETS, [questions])


def drop_questions(store: Store, name: str) -> None:
    """Forget the question set of a name; nothing happens when there is none."""
    left = [one for one in question_sets_of(store) if one.id != name]
    store.replace(QUESTION_SETS, {QuestionSet: left})


def question_sets_of(store: Store) -> list[QuestionSet]:
    """Return all question sets, by name."""
    return sorted(store.all(QuestionSet, QUESTION_SETS), key=lambda one: one.id)


def rows_scope(batch: Batch) -> str:
    """Return where the rows of a batch lie."""
    return f"batch:{batch.id}"


def judgements_scope(judge: str) -> str:
    """Return where the verdicts of a judge lie, whatever batch they were made for."""
    return f"judgements:{digest(judge)}"


def read_judgements(store: Store, batch: Batch) -> dict[str, Judgement]:
    """Return all verdicts of the judges of a batch, by id."""
    return {
        one.id: one
        for judge in batch.judges
        for one in store.all(Judgement, judgements_scope(judge))
    }
