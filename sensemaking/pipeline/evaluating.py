"""A batch: questions × conditions answered, pairs of answers judged, as a generator of events.

Every answer and every verdict is kept when it is there, under a digest of what it depends on; so a
batch that was stopped or killed asks nothing and nobody twice, and another batch that shares
answers or pairs with it finds them. What fails is a row, or a verdict that is missing, and is tried
again by the next run.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sensemaking.answers.provenance import Resolver
from sensemaking.config import AskSettings
from sensemaking.errors import InputError, NotFound, Paused, RunStopped, SensemakingError
from sensemaking.evaluation.claims import cluster_claims, readable_text
from sensemaking.evaluation.conditions import backend_of, settings_of
from sensemaking.evaluation.faithfulness import measure_faithfulness
from sensemaking.evaluation.judging import Duel, is_same, record_verdict
from sensemaking.evaluation.results import collect_results, make_meetings
from sensemaking.methods import METHODS
from sensemaking.pipeline.ask import answer_id, ask
from sensemaking.pipeline.engine import Engine, metered
from sensemaking.pipeline.evaluated import (
    ANSWERS,
    judgements_scope,
    keep_batch,
    read_judgements,
    rows_scope,
)
from sensemaking.pipeline.fan_out import fan_out
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.resolving import make_resolver
from sensemaking.pipeline.routing import plan
from sensemaking.ports import ClaimSplitter, Judge
from sensemaking.text.words import words
from sensemaking.types import (
    Answer,
    AnswerReady,
    Batch,
    BatchEstimate,
    Condition,
    EvaluatedAnswer,
    EvaluationReady,
    Judgement,
    Progress,
    Question,
    Skipped,
    Span,
    Spent,
    Usage,
    digest,
)

VERSION = 1
"""Raised when an answer is measured otherwise: rows are made anew from the answers."""
PROBE = "What are the documents about?"

EvaluationEvent = Progress | Skipped | Spent | EvaluationReady
Events = Generator[EvaluationEvent, None, None]
Unit = tuple[int, Duel]
"""The place of a judge in the batch, and what it is asked."""


def _same(engine: Engine, backend: str) -> Engine:
    raise InputError(f"Here nobody answers as “{backend}”: leave the backend out.")


@dataclass(frozen=True, slots=True)
class Evaluators:
    """Who judges, who cuts answers into claims, and how an engine gets another backend."""

    judges: tuple[Judge, ...]
    splitter: ClaimSplitter
    with_backend: Callable[[Engine, str], Engine] = _same


def evaluate(engine: Engine, library: Library, batch: Batch, evaluators: Evaluators) -> Events:
    """Answer and judge what is missing; yields events and ends with `EvaluationReady`.

    Question by question, so that a batch that is stopped early has whole questions to show.

    Raises
    ------
    InputError, NotBuilt
        When a condition cannot be used at all, or the judges are not those of the batch.
    Paused
        When the run ends before its time; what is done is kept.
    """
    yield from metered(engine, _evaluate(engine, library, batch, evaluators))


def _evaluate(engine: Engine, library: Library, batch: Batch, evaluators: Evaluators) -> Events:
    run = _Run(engine, library, batch, evaluators)
    keep_batch(engine.store, batch)
    total = len(batch.questions) * len(batch.conditions)
    yield Progress("answers", 0, total)
    for place, question in enumerate(batch.questions):
        for condition in batch.conditions:
            if engine.is_stopping():
                raise RunStopped("Stopped; what is done is kept.")
            row = run.answer(question, condition)
            if row.status == "failed":
                yield Skipped("answers", f"{condition.label}: {question.id}", row.reason, True)
            yield Progress("answers", len(run.answers), total, condition.label)
        yield from run.judge(question, place)
    result, _ = collect_results(batch, run.answers, run.judgements)
    yield EvaluationReady(result)


def estimate_batch(
    engine: Engine, library: Library, batch: Batch, evaluators: Evaluators
) -> BatchEstimate:
    """Return what a batch still has to do.

    Raises
    ------
    InputError, NotBuilt
        As `evaluate`.
    """
    run = _Run(engine, library, batch, evaluators)
    n_windows = n_tokens = n_done = 0
    for condition in batch.conditions:
        missing = 0
        for question in batch.questions:
            row = run.kept(question, condition)
            if row is None:
                missing += 1
            else:
                run.answers[question.id, condition.label] = row
        n_done += len(batch.questions) - missing
        if missing:
            asker = run.engines[condition.label]
            windows = plan(asker, library, run.settings[condition.label]).windows
            n_windows += missing * len(windows)
            n_tokens += missing * sum(window.n_tokens for window in windows)
    n_open = 0
    for question in batch.questions:
        # Pairs of which an answer is missing are all to be judged.
        n_met = 0
        for meeting in make_meetings(batch, run.answers, question):
            # Nobody is asked about equal texts.
            asked = batch.replicates * len(batch.judges)
            equal = is_same(meeting.texts)
            n_met += 2 * (asked if equal else sum(len(couples) for couples in meeting.judged))
        n_open += len(run.units(question)) + verdicts_a_question(batch) - n_met
    n_judgements = len(batch.questions) * verdicts_a_question(batch)
    return BatchEstimate(
        n_answers=len(batch.questions) * len(batch.conditions),
        n_answers_done=n_done,
        n_judgements=n_judgements,
        n_judgements_done=n_judgements - n_open,
        n_windows=n_windows,
        n_tokens=n_tokens,
    )


def verdicts_a_question(batch: Batch) -> int:
    """Return how many verdicts a question needs, when no two answers are equal."""
    return 2 * len(batch.pairs) * len(batch.criteria) * len(batch.judges) * batch.replicates


def condition_settings(library: Library, condition: Condition) -> AskSettings:
    """Return how a question is asked under a condition; raises `InputError`, `NotBuilt`."""
    method = METHODS.get(dict(condition.settings).get("method", ""))
    budgets = method.budgets if method is not None else None
    return settings_of(condition, lambda key: library.hierarchy(key).n_levels, budgets)


class _Run:
    """One run of a batch: what is there already, and how the rest is made."""

    def __init__(
        self, engine: Engine, library: Library, batch: Batch, evaluators: Evaluators
    ) -> None:
        keys = tuple(judge.key for judge in evaluators.judges)
        if keys != batch.judges:
            raise InputError(
                f"The batch is judged by {', '.join(batch.judges)}, not by {', '.join(keys)}."
            )
        self._engine = engine
        self._library = library
        self._batch = batch
        self._judges = evaluators.judges
        self._splitter = evaluators.splitter
        self._resolvers: dict[str, Resolver] = {}
        self.settings = {one.label: condition_settings(library, one) for one in batch.conditions}
        self.engines: dict[str, Engine] = {}
        for one in batch.conditions:
            backend = backend_of(one)
            asker = evaluators.with_backend(engine, backend) if backend else engine
            self.engines[one.label] = asker
            # Says what is missing, before any work.
            answer_id(asker, library, PROBE, self.settings[one.label])
        self.answers: dict[tuple[str, str], EvaluatedAnswer] = {}
        self.judgements = read_judgements(engine.store, batch)

    # Answers

    def kept(self, question: Question, condition: Condition) -> EvaluatedAnswer | None:
        """Return the row of a question as it was kept, None when it must be made (again)."""
        settings = self.settings[condition.label]
        try:
            engine = self.engines[condition.label]
            key = answer_id(engine, self._library, question.text, settings)
        except SensemakingError:
            return None
        row = self._engine.store.get(
            EvaluatedAnswer, rows_scope(self._batch), _row_id(question, condition)
        )
        if row is not None and row.status == "done" and row.answer_id == key:
            return row
        return None

    def answer(self, question: Question, condition: Condition) -> EvaluatedAnswer:
        """Return the row of a question under a condition, made when it is not there."""
        row = self.kept(question, condition)
        if row is None:
            try:
                row = self._make_row(question, condition)
            except Paused:
                raise
            except SensemakingError as error:
                row = EvaluatedAnswer(
                    id=_row_id(question, condition),
                    question_id=question.id,
                    condition=condition.label,
                    answer_id="",
                    status="failed",
                    reason=str(error) or type(error).__name__,
                )
            self._engine.store.add(rows_scope(self._batch), [row])
        self.answers[question.id, condition.label] = row
        return row

    def _make_row(self, question: Question, condition: Condition) -> EvaluatedAnswer:
        store, settings = self._engine.store, self.settings[condition.label]
        engine = self.engines[condition.label]
        key = answer_id(engine, self._library, question.text, settings)
        measured_scope = f"measured:{digest(VERSION, self._splitter.key)}"
        row = store.get(EvaluatedAnswer, measured_scope, key)
        if row is None:
            answer = store.get(Answer, ANSWERS, key)
            if answer is None:
                answer = self._ask(question.text, condition)
                store.add(ANSWERS, [answer])
            row = self._measure(answer, settings.hierarchy)
            store.add(measured_scope, [row])
        return replace(
            row,
            id=_row_id(question, condition),
            question_id=question.id,
            condition=condition.label,
        )

    def _ask(self, question: str, condition: Condition) -> Answer:
        settings = self.settings[condition.label]
        before = self._engine.meter.usage
        for event in ask(self.engines[condition.label], self._library, question, settings):
            if isinstance(event, AnswerReady):
                # The meter counts the whole run: of it, this answer is what came since.
                return replace(event.answer, usage=_since(before, self._engine.meter.usage))
        raise SensemakingError("The answer ended without a result.")

    def _measure(self, answer: Answer, hierarchy: str) -> EvaluatedAnswer:
        text = readable_text(answer)
        reason = ""
        claims: tuple[str, ...] | None
        try:
            claims = self._splitter.split(text) if text else ()
        except Paused:
            raise
        except SensemakingError as error:
            claims, reason = None, f"The claims could not be told apart: {error}"
        resolver = self._resolver(hierarchy)
        spans = {span for sentence in answer.sentences for span in sentence.spans}
        return EvaluatedAnswer(
            id=answer.id,
            question_id="",
            condition="",
            answer_id=answer.id,
            status="done",
            reason=reason,
            text=text,
            claims=claims,
            clusters=cluster_claims(claims) if claims is not None else (),
            n_words=len(words(text)),
            n_documents=len({span.document_id for span in spans}),
            n_tokens=answer.n_tokens,
            seconds=answer.seconds,
            usage=answer.usage,
            faithfulness=measure_faithfulness(
                answer, partial(_text_of, resolver), partial(_credits_of, resolver)
            ),
        )

    def _resolver(self, hierarchy: str) -> Resolver:
        if hierarchy not in self._resolvers:
            self._resolvers[hierarchy] = make_resolver(self._library, hierarchy)
        return self._resolvers[hierarchy]

    # Verdicts

    def units(self, question: Question) -> list[Unit]:
        """Return what is still to be judged of a question, each once."""
        wanted: dict[str, Unit] = {}
        for meeting in make_meetings(self._batch, self.answers, question):
            for place, couples in enumerate(meeting.judged):
                for couple in couples:
                    for duel in (couple.forward, couple.backward):
                        if duel.id not in self.judgements:
                            wanted[duel.id] = (place, duel)
        return list(wanted.values())

    def judge(self, question: Question, place: int) -> Events:
        """Ask the judges what is missing of question number `place` (from 0).

        Each verdict is kept when it is there.
        """
        a_question = verdicts_a_question(self._batch)
        total = a_question * len(self._batch.questions)
        units = self.units(question)
        done = (place + 1) * a_question
        n_judged = done - len(units)
        work = partial(_judge, self._judges)
        for (number, duel), verdict in fan_out(self._engine, self._engine.calls, work, units):
            n_judged += 1
            if isinstance(verdict, str):
                subject = f"{duel.criterion.name}: {question.id}"
                yield Skipped("judge", subject, verdict, retriable=True)
                continue
            scope = judgements_scope(self._judges[number].key)
            self._engine.store.add(scope, [verdict])
            self.judgements[verdict.id] = verdict
            yield Progress("judge", n_judged, total, duel.criterion.name)
        yield Progress("judge", done, total)


def _since(before: Usage, now: Usage) -> Usage:
    return Usage(
        now.calls - before.calls,
        now.cached_calls - before.cached_calls,
        now.prompt_tokens - before.prompt_tokens,
        now.completion_tokens - before.completion_tokens,
        now.reasoning_tokens - before.reasoning_tokens,
        now.cost - before.cost,
    )


def _row_id(question: Question, condition: Condition) -> str:
    return digest(question.id, condition.label)


def _judge(judges: Sequence[Judge], unit: Unit) -> Judgement | str:
    """Return the verdict on a unit, or the reason why there is none."""
    number, duel = unit
    try:
        verdict = judges[number].judge(duel.question, duel.texts, duel.criterion, duel.replicate)
    except Paused:
        raise
    except SensemakingError as error:
        return str(error) or type(error).__name__
    return record_verdict(duel, verdict)


def _text_of(resolver: Resolver, span: Span) -> str:
    try:
        return resolver.text(span)
    except NotFound:
        return ""


def _credits_of(resolver: Resolver, spans: Sequence[Span]) -> tuple[str, ...]:
    found: list[str] = []
    for span in spans:
        try:
            found.extend(resolver.credits_of(span))
        except NotFound:
            continue
    return tuple(dict.fromkeys(found))
