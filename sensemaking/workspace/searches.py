"""Searches of one corpus, and how well they find what is known to be relevant."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence

from sensemaking.errors import InputError
from sensemaking.evaluation.export import retrieval_csv
from sensemaking.jobs import Jobs
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.searching import (
    RETRIEVALS,
    RETRIEVERS,
    Hit,
    Searcher,
    make_run,
    measure_retrieval,
    missing_gold,
    read_retrieval,
    retrievals_of,
    sum_up_retrieval,
)
from sensemaking.types import (
    JobSnapshot,
    Progress,
    Question,
    RetrievalResult,
    RetrievalRow,
    RetrievalRun,
)
from sensemaking.workspace.comparing import Hands, never


class Searches:
    """What can be searched and measured in one corpus; its jobs hold what is being measured."""

    def __init__(self, library: Library, hands: Hands, jobs: Jobs) -> None:
        self._library = library
        self._hands = hands
        self._jobs = jobs
        self._searcher = Searcher(library)

    @staticmethod
    def retrievers() -> tuple[str, ...]:
        """Return the names of the retrievers."""
        return RETRIEVERS

    def find(self, method: str, question: str, k: int) -> tuple[Hit, ...]:
        """Return the best chunks for a question; see `pipeline.searching.Searcher.search`."""
        if k < 1:
            raise InputError(f"{k} results are nothing: ask for at least 1.")
        with self._hands.engine_of_run(never) as engine:
            return tuple(self._searcher.search(engine, method, question, k))

    def plan(
        self, name: str, questions: Sequence[Question], methods: Sequence[str], k: int = 10
    ) -> RetrievalRun:
        """Return a measurement; see `pipeline.searching.make_run` for what it raises."""
        return make_run(self._searcher, name, questions, methods, k)

    def told(self, run: RetrievalRun) -> str:
        """Return what is to be known before the figures are believed, "" for nothing."""
        missing = missing_gold(self._searcher, run)
        if not missing:
            return ""
        n = len(missing)
        what = "1 gold document is" if n == 1 else f"{n:,} gold documents are"
        return f"{what} not in this corpus (“{missing[0]}”) and cannot be found: recall is lower."

    def run(
        self, run: RetrievalRun, is_stopping: Callable[[], bool] = never
    ) -> Iterator[Progress | RetrievalRow]:
        """Yield rows and progress; see `pipeline.searching.measure_retrieval`."""
        with self._hands.engine_of_run(is_stopping) as engine:
            yield from measure_retrieval(engine, self._searcher, run)

    def start(self, run: RetrievalRun) -> str:
        """Measure in the background, or go on with it; returns the run's id."""
        self._library.store.add(RETRIEVALS, [run])

        def events(is_stopping: Callable[[], bool]) -> Generator[Progress, None, None]:
            for event in self.run(run, is_stopping):
                if isinstance(event, Progress):
                    yield event

        self._jobs.start_batch(run.id, events)
        return run.id

    def stop(self, run_id: str) -> None:
        """Ask a measurement to stop; what is measured is kept."""
        self._jobs.stop_batch(run_id)

    def job(self, run_id: str) -> JobSnapshot | None:
        """Return how far a measurement is, or None when it never ran in the background."""
        return self._jobs.batch(run_id)

    def wait(self, run_id: str, seconds: float | None = None) -> JobSnapshot | None:
        """Wait until a measurement of this program has ended, or for so many seconds."""
        return self._jobs.join_batch(run_id, seconds)

    def runs(self) -> tuple[RetrievalRun, ...]:
        """Return all measurements, by name."""
        return tuple(retrievals_of(self._library.store))

    def result(self, run_id: str) -> tuple[RetrievalRun, tuple[RetrievalRow, ...]]:
        """Return a measurement and its rows so far; raises `NotFound`."""
        return read_retrieval(self._library.store, run_id)

    @staticmethod
    def sum_up(rows: Sequence[RetrievalRow], k: int) -> tuple[RetrievalResult, ...]:
        """Return the means of each retriever."""
        return tuple(sum_up_retrieval(rows, k))

    @staticmethod
    def to_csv(rows: Sequence[RetrievalRow]) -> str:
        """Return the rows as CSV."""
        return retrieval_csv(rows)
