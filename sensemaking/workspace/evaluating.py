"""Evaluations of one corpus as the screens and the terminal see them.

Batches planned and run, findings out; question sets, searches and answers side by side lie in their
own parts. Who judges is chosen by name: "extractive" measures and needs no model, "llm" is the
model of the role judge.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from functools import partial

from sensemaking.config import AskSettings
from sensemaking.errors import InputError, NotFound
from sensemaking.evaluation.conditions import make_batch, parse_conditions
from sensemaking.evaluation.experiments import (
    EXPERIMENTS,
    Available,
    Experiment,
    pairs_of,
    split_available,
)
from sensemaking.evaluation.export import (
    answers_csv,
    comparisons_csv,
    conditions_csv,
    evaluation_json,
    scores_csv,
)
from sensemaking.evaluation.judging import CRITERIA, DEFAULT_CRITERIA
from sensemaking.evaluation.questions import write_answers
from sensemaking.jobs import Jobs
from sensemaking.methods import METHODS
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.evaluated import (
    Findings,
    answer_of,
    batches_of,
    keep_batch,
    read_findings,
)
from sensemaking.pipeline.evaluating import (
    EvaluationEvent,
    Evaluators,
    condition_settings,
    estimate_batch,
    evaluate,
    verdicts_a_question,
)
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.topic_library import TopicLibrary
from sensemaking.pipeline.variants import can_be_made, make_variants, missing_hierarchies
from sensemaking.ports import Criterion
from sensemaking.types import (
    Answer,
    Batch,
    BatchEstimate,
    BuildEvent,
    Condition,
    EvaluationReady,
    JobSnapshot,
    QuestionSet,
    Scoring,
)
from sensemaking.workspace.comparing import Comparing, Hands, JudgeName, never
from sensemaking.workspace.question_sets import QuestionSets
from sensemaking.workspace.searches import Searches

__all__ = ["Evaluations", "Findings"]

NO_TOPICS = "the topics of the corpus were not looked for yet: open Topics"
NO_GRAPHS = "no topic has a graph of its own yet: make them under Topics"


class Evaluations:
    """What can be evaluated on one corpus."""

    def __init__(
        self, title: Callable[[], str], library: Library, hands: Hands, jobs: Jobs
    ) -> None:
        self.comparing = Comparing(library, hands, jobs)
        self.questions = QuestionSets(title, library, hands)
        self.searches = Searches(library, hands, jobs)
        self._jobs = jobs
        self._library = library
        self._hands = hands

    # Conditions

    def conditions(self) -> tuple[Condition, ...]:
        """Return the conditions that can run here: methods, hierarchies and their levels."""
        words = [name for name, method in METHODS.items() if method.reads != "reports"]
        for name, method in METHODS.items():
            if method.reads != "reports":
                continue
            for key in self._library.hierarchy_keys():
                short = key.removeprefix("general.")
                levels = range(self._library.hierarchy(key).n_levels)
                words += [f"{name}:{short}:{level}" for level in ("leaf", *levels)]
        return parse_conditions(words)

    def is_ready(self, condition: Condition) -> bool:
        """Return whether what a condition reads is there."""
        return not self.missing_hierarchies([condition])

    def settings_of(self, condition: Condition) -> AskSettings:
        """Return how a question is asked under a condition; raises `InputError`, `NotBuilt`."""
        return condition_settings(self._library, condition)

    # Batches

    def criteria(self) -> tuple[Criterion, ...]:
        """Return what answers can be judged by."""
        return tuple(CRITERIA.values())

    def experiments(self) -> tuple[Experiment, ...]:
        """Return the papers' experiments."""
        return tuple(EXPERIMENTS.values())

    def split_available(
        self, experiment: Experiment
    ) -> tuple[tuple[Condition, ...], tuple[tuple[str, str], ...]]:
        """Return which conditions of an experiment can run here, and why others cannot.

        A hierarchy that is missing and can be made from the graph is no reason.
        """
        there = {key: self._library.hierarchy(key).n_levels for key in self._keys()}
        wanted = [dict(parse_conditions([one])[0].settings) for one in experiment.conditions]
        keys = [one["hierarchy"] for one in wanted if "hierarchy" in one]
        to_make = missing_hierarchies(self._library, keys)
        by_topic = [name for name, method in METHODS.items() if method.by_topic]
        topics = TopicLibrary(self._library)
        why = ""
        if not topics.is_found:
            why = NO_TOPICS
        elif all(topics.way(one) is None for one in topics.topics()):
            why = NO_GRAPHS
        blocked = dict.fromkeys(by_topic, why) if why else {}
        return split_available(experiment, Available(METHODS, there, to_make, blocked))

    def _keys(self) -> list[str]:
        return [one for one in self._library.hierarchy_keys() if can_be_made(one)]

    def missing_hierarchies(self, conditions: Sequence[Condition]) -> tuple[str, ...]:
        """Return the hierarchies of conditions that a run makes first."""
        default = AskSettings().hierarchy
        keys = [dict(one.settings).get("hierarchy", default) for one in conditions]
        return missing_hierarchies(self._library, keys)

    def plan(
        self,
        questions: QuestionSet,
        conditions: Sequence[Condition],
        judges: Sequence[JudgeName],
        *,
        criteria: Sequence[str] = DEFAULT_CRITERIA,
        baseline: str | None = None,
        experiment: Experiment | None = None,
        replicates: int = 1,
        scoring: Scoring = "mean",
        is_differential: bool = False,
    ) -> Batch:
        """Return a batch of all questions under all conditions; an experiment says which meet.

        Raises
        ------
        InputError
            When there is nothing to do, or a judge, a criterion or the baseline is not known.
        """
        unknown = [one for one in criteria if one not in CRITERIA]
        if unknown or not criteria:
            raise InputError(
                f"There is no criterion “{', '.join(unknown)}”: choose from {', '.join(CRITERIA)}."
            )
        if not judges or not 1 <= replicates <= 25:
            raise InputError("At least one judge is needed, and 1 to 25 replicates.")
        with self._hands.engine_of_run(never) as engine:
            keys = [self._hands.helpers_of(name, engine).judge.key for name in judges]
        labels = [one.label for one in conditions]
        return make_batch(
            questions.id,
            questions.questions,
            conditions,
            criteria=criteria,
            judges=keys,
            baseline=baseline,
            pairs=None if experiment is None else pairs_of(experiment, labels),
            replicates=replicates,
            scoring=scoring,
            is_differential=is_differential,
        )

    def estimate(self, batch: Batch, judges: Sequence[JudgeName]) -> BatchEstimate:
        """Return what a batch still has to do; see `pipeline.evaluating.estimate_batch`."""
        missing = self.missing_hierarchies(batch.conditions)
        default = AskSettings().hierarchy
        ready = tuple(
            one
            for one in batch.conditions
            if dict(one.settings).get("hierarchy", default) not in missing
        )
        labels = [one.label for one in ready]
        pairs = tuple(pair for pair in batch.pairs if all(label in labels for label in pair))
        known = replace(batch, conditions=ready, pairs=pairs)
        with self._hands.engine_of_run(never) as engine:
            tools = self._evaluators(engine, judges)
            found = estimate_batch(engine, self._library, known, tools)
        return replace(
            found,
            n_answers=len(batch.questions) * len(batch.conditions),
            n_judgements=len(batch.questions) * verdicts_a_question(batch),
            n_hierarchies=len(missing),
        )

    def run(
        self, batch: Batch, judges: Sequence[JudgeName], is_stopping: Callable[[], bool] = never
    ) -> Iterator[EvaluationEvent | BuildEvent]:
        """Run a batch, or go on with it; yields events, see `pipeline.evaluating.evaluate`.

        Hierarchies that are missing and can be made are made first.

        Raises
        ------
        InputError
            When one is to be made while the corpus is built.
        """
        missing = self.missing_hierarchies(batch.conditions)
        if missing and self._jobs.running_build():
            raise InputError("The corpus is being built: wait for it, then go on.")
        with self._hands.engine_of_run(is_stopping) as engine:
            tools = self._evaluators(engine, judges)
            yield from make_variants(engine, self._library, self._hands.settings(), missing)
            yield from evaluate(engine, self._library, batch, tools)

    def start(self, batch: Batch, judges: Sequence[JudgeName]) -> str:
        """Run a batch in the background, or go on with it; returns the batch's id."""
        names = tuple(judges)
        # Whoever looks at the batch before its thread has begun finds it.
        keep_batch(self._library.store, batch)

        def events(
            is_stopping: Callable[[], bool],
        ) -> Generator[EvaluationEvent | BuildEvent, None, None]:
            for event in self.run(batch, names, is_stopping):
                # What a batch came to is read from its rows: the log need not hold it.
                if not isinstance(event, EvaluationReady):
                    yield event

        self._jobs.start_batch(batch.id, events)
        return batch.id

    def stop(self, batch_id: str) -> None:
        """Ask a running batch to stop; what it has done is kept."""
        self._jobs.stop_batch(batch_id)

    def job(self, batch_id: str) -> JobSnapshot | None:
        """Return the run of a batch, whoever makes it, or None when it never ran as a job."""
        return self._jobs.batch(batch_id)

    def wait(self, batch_id: str, seconds: float | None = None) -> JobSnapshot | None:
        """Wait until a batch of this program has ended, or for so many seconds."""
        return self._jobs.join_batch(batch_id, seconds)

    def _evaluators(self, engine: Engine, judges: Sequence[JudgeName]) -> Evaluators:
        helpers = [self._hands.helpers_of(name, engine) for name in judges]
        return Evaluators(
            tuple(one.judge for one in helpers), helpers[0].splitter, self._hands.with_backend
        )

    def batches(self) -> tuple[Batch, ...]:
        """Return all batches that were ever begun, by name."""
        return tuple(batches_of(self._library.store))

    def findings(self, batch_id: str) -> Findings:
        """Return a batch as it stands; raises `NotFound`."""
        return read_findings(self._library.store, batch_id)

    def files(self, batch_id: str) -> dict[str, str]:
        """Return everything of a batch as files by name: CSV, JSON, and a page of HTML."""
        return {name: make() for name, make in self._makers(self.findings(batch_id)).items()}

    def file_names(self, batch_id: str) -> tuple[str, ...]:
        """Return the names of the files of a batch, without making them."""
        return tuple(self._makers(self.findings(batch_id)))

    def file(self, batch_id: str, name: str) -> str:
        """Return one file of a batch by its name; raises `NotFound`."""
        makers = self._makers(self.findings(batch_id))
        if name not in makers:
            raise NotFound(f"There is no file “{name}” of this evaluation.")
        return makers[name]()

    def _makers(self, found: Findings) -> dict[str, Callable[[], str]]:
        from sensemaking.figures.evaluation_page import render_page

        batch, result = found.batch, found.result
        return {
            "evaluation.html": lambda: render_page(result),
            "evaluation.json": lambda: evaluation_json(batch, result, found.scores, found.answers),
            "comparisons.csv": lambda: comparisons_csv(result),
            "methods.csv": lambda: conditions_csv(result),
            "scores.csv": lambda: scores_csv(batch, found.scores),
            "answers.csv": lambda: answers_csv(batch, found.answers),
            **self._answer_files(found),
        }

    def _answer_files(self, found: Findings) -> dict[str, Callable[[], str]]:
        """Return the answers of each condition as lists that BenchmarkQED reads."""
        files: dict[str, Callable[[], str]] = {}
        for number, condition in enumerate(found.batch.conditions, start=1):
            texts = {
                question: row.text
                for (question, label), row in found.answers.items()
                if label == condition.label and row.status == "done"
            }
            name = "".join(one if one.isalnum() else "-" for one in condition.label)[:40]
            files[f"answers-{number}-{name}.json"] = partial(
                write_answers, found.batch.questions, texts
            )
        return files

    def answer(self, answer_id: str) -> Answer:
        """Return a whole answer of a batch; raises `NotFound`."""
        return answer_of(self._library.store, answer_id)
