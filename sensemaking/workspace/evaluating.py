"""Evaluations of one corpus as the screens and the terminal see them.

Question sets in, batches and searches run, findings out. Who judges is chosen by name: "extractive"
measures and needs no model, "llm" is the model of the role judge.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

from sensemaking.config import AskSettings
from sensemaking.errors import InputError
from sensemaking.evaluation.conditions import make_batch, parse_conditions
from sensemaking.evaluation.experiments import EXPERIMENTS, Experiment, split_available
from sensemaking.evaluation.export import (
    answers_csv,
    comparisons_csv,
    conditions_csv,
    evaluation_json,
    scores_csv,
)
from sensemaking.evaluation.judging import CRITERIA, DEFAULT_CRITERIA
from sensemaking.evaluation.questions import (
    Format,
    describe_corpus,
    questions_of_personas,
    read_questions,
    write_answers,
    write_questions,
)
from sensemaking.jobs import Jobs
from sensemaking.methods import METHODS
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.evaluated import (
    Findings,
    answer_of,
    batches_of,
    keep_batch,
    keep_questions,
    question_sets_of,
    read_findings,
)
from sensemaking.pipeline.evaluating import (
    EvaluationEvent,
    Evaluators,
    condition_settings,
    estimate_batch,
    evaluate,
)
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.searching import (
    RETRIEVERS,
    Hit,
    Searcher,
    measure_retrieval,
    sum_up_retrieval,
)
from sensemaking.ports import Criterion
from sensemaking.types import (
    Answer,
    Batch,
    BatchEstimate,
    Condition,
    EvaluationReady,
    JobSnapshot,
    Progress,
    Question,
    QuestionSet,
    RetrievalResult,
    RetrievalRow,
    Scoring,
)
from sensemaking.workspace.comparing import (
    Comparing,
    EngineOfRun,
    HelpersOf,
    JudgeName,
    never,
)

__all__ = ["Evaluations", "Findings"]

MAX_TOPICS, MAX_NAMES = 24, 12


class Evaluations:
    """What can be evaluated on one corpus."""

    def __init__(
        self,
        title: str,
        library: Library,
        engine_of_run: EngineOfRun,
        helpers_of: HelpersOf,
        jobs: Jobs,
    ) -> None:
        self.comparing = Comparing(library, engine_of_run, helpers_of)
        self._jobs = jobs
        self._title = title
        self._library = library
        self._engine_of_run = engine_of_run
        self._helpers_of = helpers_of
        self._searcher = Searcher(library)

    # Questions

    def question_sets(self) -> tuple[QuestionSet, ...]:
        """Return the kept question sets, by name."""
        return tuple(question_sets_of(self._library.store))

    def read_questions(self, name: str, data: bytes) -> QuestionSet:
        """Return the questions of a file, kept; raises `InputError` saying what is wrong."""
        found = read_questions(name, data)
        self.keep_questions(found)
        return found

    def questions_file(self, questions: QuestionSet, form: Format = "jsonl") -> str:
        """Return a question set as a file."""
        return write_questions(questions.questions, form)

    def keep_questions(self, questions: QuestionSet) -> None:
        """Keep a question set under its name; one of that name is replaced."""
        keep_questions(self._library.store, questions)

    def write_questions(
        self, name: str, writer: JudgeName, counts: tuple[int, int, int]
    ) -> QuestionSet:
        """Return questions about the corpus: `counts` personas, tasks each, questions a task.

        Raises
        ------
        InputError
            When a count is not positive.
        NotBuilt
            When the corpus has no reports yet.
        """
        if min(counts) < 1:
            raise InputError("Personas, tasks and questions are each at least 1.")
        with self._engine_of_run(never) as engine:
            drafts = self._helpers_of(writer, engine).writer.write(self.description(), counts)
        return questions_of_personas(name, drafts)

    def description(self) -> str:
        """Return what question writers are told: titles of large communities, frequent names."""
        keys = self._library.hierarchy_keys()
        key = keys[0] if keys else AskSettings().hierarchy
        hierarchy, reports = self._library.hierarchy(key), self._library.reports(key)
        view = sorted(
            (one for one in hierarchy.leaves if one.id in reports),
            key=lambda one: (-reports[one.id].rating, -len(one.home_ids), one.id),
        )
        topics = [reports[one.id].title for one in view[:MAX_TOPICS]]
        graph = self._library.graph()
        degrees = graph.degrees
        ranked = sorted(graph.entities, key=lambda one: (-degrees[one.id], one.name))
        names = [one.name for one in ranked if one.kind != "concept"][:MAX_NAMES]
        return describe_corpus(self._title, topics, names)

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
        """Return which conditions of an experiment can run here, and why others cannot."""
        return split_available(experiment, METHODS, self._library.hierarchy_keys())

    def plan(
        self,
        questions: QuestionSet,
        conditions: Sequence[Condition],
        judges: Sequence[JudgeName],
        *,
        criteria: Sequence[str] = DEFAULT_CRITERIA,
        baseline: str | None = None,
        replicates: int = 1,
        scoring: Scoring = "mean",
        is_differential: bool = False,
    ) -> Batch:
        """Return a batch of all questions under all conditions.

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
        with self._engine_of_run(never) as engine:
            keys = [self._helpers_of(name, engine).judge.key for name in judges]
        return make_batch(
            questions.id,
            questions.questions,
            conditions,
            criteria=criteria,
            judges=keys,
            baseline=baseline,
            replicates=replicates,
            scoring=scoring,
            is_differential=is_differential,
        )

    def estimate(self, batch: Batch, judges: Sequence[JudgeName]) -> BatchEstimate:
        """Return what a batch still has to do; see `pipeline.evaluating.estimate_batch`."""
        with self._engine_of_run(never) as engine:
            tools = self._evaluators(engine, judges)
            return estimate_batch(engine, self._library, batch, tools)

    def run(
        self, batch: Batch, judges: Sequence[JudgeName], is_stopping: Callable[[], bool] = never
    ) -> Iterator[EvaluationEvent]:
        """Run a batch, or go on with it; yields events, see `pipeline.evaluating.evaluate`."""
        with self._engine_of_run(is_stopping) as engine:
            tools = self._evaluators(engine, judges)
            yield from evaluate(engine, self._library, batch, tools)

    def start(self, batch: Batch, judges: Sequence[JudgeName]) -> str:
        """Run a batch in the background, or go on with it; returns the batch's id."""
        names = tuple(judges)
        # Whoever looks at the batch before its thread has begun finds it.
        keep_batch(self._library.store, batch)

        def events(is_stopping: Callable[[], bool]) -> Generator[EvaluationEvent, None, None]:
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
        helpers = [self._helpers_of(name, engine) for name in judges]
        return Evaluators(tuple(one.judge for one in helpers), helpers[0].splitter)

    def batches(self) -> tuple[Batch, ...]:
        """Return all batches that were ever begun, by name."""
        return tuple(batches_of(self._library.store))

    def findings(self, batch_id: str) -> Findings:
        """Return a batch as it stands; raises `NotFound`."""
        return read_findings(self._library.store, batch_id)

    def files(self, batch_id: str) -> dict[str, str]:
        """Return everything of a batch as files by name: CSV, JSON, and a page of HTML."""
        from sensemaking.figures.evaluation_page import render_page

        found = self.findings(batch_id)
        batch, result = found.batch, found.result
        return {
            "comparisons.csv": comparisons_csv(result),
            "methods.csv": conditions_csv(result),
            "scores.csv": scores_csv(batch, found.scores),
            "answers.csv": answers_csv(batch, found.answers),
            "evaluation.json": evaluation_json(batch, result, found.scores, found.answers),
            "evaluation.html": render_page(result),
            **self._answer_files(found),
        }

    def _answer_files(self, found: Findings) -> dict[str, str]:
        """Return the answers of each condition as a list that BenchmarkQED reads."""
        files = {}
        for number, condition in enumerate(found.batch.conditions, start=1):
            texts = {
                question: row.text
                for (question, label), row in found.answers.items()
                if label == condition.label and row.status == "done"
            }
            name = "".join(one if one.isalnum() else "-" for one in condition.label)[:40]
            files[f"answers-{number}-{name}.json"] = write_answers(found.batch.questions, texts)
        return files

    def answer(self, answer_id: str) -> Answer:
        """Return a whole answer of a batch; raises `NotFound`."""
        return answer_of(self._library.store, answer_id)

    # Retrieval

    def retrieve(self, method: str, question: str, k: int) -> tuple[Hit, ...]:
        """Return the best chunks for a question; see `pipeline.searching.Searcher.search`."""
        if k < 1:
            raise InputError(f"{k} results are nothing: ask for at least 1.")
        with self._engine_of_run(never) as engine:
            return tuple(self._searcher.search(engine, method, question, k))

    def measure_retrieval(
        self, questions: Sequence[Question], methods: Sequence[str], k: int = 10
    ) -> Iterator[Progress | RetrievalRow]:
        """Yield rows and progress; see `pipeline.searching.measure_retrieval`."""
        with self._engine_of_run(never) as engine:
            yield from measure_retrieval(engine, self._searcher, questions, methods, k)

    def sum_up_retrieval(self, rows: Sequence[RetrievalRow], k: int) -> list[RetrievalResult]:
        """Return the means of each retriever."""
        return sum_up_retrieval(rows, k)

    @staticmethod
    def retrievers() -> tuple[str, ...]:
        """Return the names of the retrievers."""
        return RETRIEVERS
