"""Questions to one corpus: checked, started as jobs, written again from other windows."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from functools import partial

from sensemaking.config import AskSettings
from sensemaking.errors import InputError, NotBuilt, NotFound
from sensemaking.jobs import Jobs
from sensemaking.pipeline import ask
from sensemaking.pipeline.ask import answer_id, planned, told
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.rereading import failed_windows, reread, reread_id
from sensemaking.pipeline.rewriting import rewrite, rewrite_id
from sensemaking.pipeline.routing import plan
from sensemaking.text.reading import whole_characters
from sensemaking.types import Answer, AskEvent, RunStarted, SourceFile, WindowsPlanned
from sensemaking.workspace.runs import Runs

_Run = Callable[[Engine, Library], Generator[AskEvent, None, None]]


class Asking:
    """Starts the answers of one corpus; its jobs hold them."""

    def __init__(self, library: Library, runs: Runs, jobs: Jobs) -> None:
        self._library = library
        self._runs = runs
        self._jobs = jobs

    def plan(self, settings: AskSettings) -> WindowsPlanned:
        """Return what a question with these settings would read; raises as `start`."""
        check_level(self._library, settings)
        return planned(plan(self._runs.engine, self._library, settings))

    def start(
        self, question: str, settings: AskSettings, files: Sequence[SourceFile], backend: str = ""
    ) -> str:
        """Start to answer from `files`; returns the answer's id.

        `backend` is who answers, where it is not the backend of the corpus.

        Raises
        ------
        InputError
            When the question or the level cannot be used.
        NotBuilt
            When there is nothing to answer from.
        """
        question = whole_characters(question)
        check_level(self._library, settings)
        if not any(one.status in ("read", "waiting", "duplicate") for one in files):
            raise NotBuilt(
                "There is no document to answer from: all were removed, or none could be read. "
                "Add documents or bring some back, and build again."
            )
        key = answer_id(self._asker(self._runs.engine, backend), self._library, question, settings)
        run = partial(ask, question=question, settings=settings)
        named = (("method", settings.method), *_told_backend(backend))
        return self._start(key, question, (*told(settings), *named), backend, run)

    def write_again(self, key: str, dropped: Sequence[int], pinned: Sequence[int]) -> str:
        """Write an answer again without some windows (from 0), others first; returns its id.

        Raises
        ------
        InputError
            When the choice cannot be used; says why.
        NotFound
            When the answer is not ready.
        """
        answer = self._jobs.answer(key).answer
        if answer is None:
            raise NotFound("The answer is not ready: wait for it, then drop or pin its windows.")
        backend = self._backend_of(key)
        new = rewrite_id(self._asker(self._runs.engine, backend), answer, dropped, pinned)
        run = partial(rewrite, answer=answer, dropped=dropped, pinned=pinned)
        return self._start_from(answer, new, backend, run)

    def try_again(self, key: str, windows: Sequence[int] = ()) -> str:
        """Read windows of an answer (from 0) that failed again, all by default; returns its new id.

        Raises
        ------
        InputError
            When no window failed, or one that is named did not.
        NotFound
            When the answer is not ready.
        """
        answer = self._jobs.answer(key).answer
        if answer is None:
            raise NotFound("The answer is not ready: wait for it, then try its windows again.")
        chosen = tuple(windows) or failed_windows(answer)
        backend = self._backend_of(key)
        new = reread_id(self._asker(self._runs.engine, backend), answer, chosen)
        return self._start_from(
            answer, new, backend, partial(reread, answer=answer, windows=chosen)
        )

    def _start_from(self, answer: Answer, new: str, backend: str, run: _Run) -> str:
        """Start what makes another answer of one that is there."""
        pairs = (*answer.settings, ("method", answer.method), *_told_backend(backend))
        return self._start(new, answer.question, pairs, backend, run)

    def _start(
        self, key: str, question: str, pairs: Iterable[tuple[str, str]], backend: str, run: _Run
    ) -> str:
        def events(is_stopping: Callable[[], bool]) -> Generator[AskEvent, None, None]:
            with (
                self._runs.engine_of_run(is_stopping) as engine,
                closing(run(self._asker(engine, backend), self._library)) as inner,
            ):
                yield from inner

        started = RunStarted(question, time.time(), tuple(sorted(pairs)))
        return self._jobs.start_answer(key, started, events)

    def _asker(self, engine: Engine, backend: str) -> Engine:
        """Return an engine whose language work the named backend does, "" for the corpus's own."""
        return self._runs.with_backend(engine, backend) if backend else engine

    def _backend_of(self, key: str) -> str:
        """Return who answered, "" where it was the backend of the corpus."""
        return dict(self._jobs.answer(key).settings).get("backend", "")


def _told_backend(backend: str) -> tuple[tuple[str, str], ...]:
    return (("backend", backend),) if backend else ()


def check_level(library: Library, settings: AskSettings) -> None:
    """Raise `InputError`, which names the levels there are, for one that is not there."""
    if settings.level is None:
        return
    n_levels = library.hierarchy(settings.hierarchy).n_levels
    if 0 < n_levels <= settings.level:
        there = f"0 (coarsest) to {n_levels - 1}" if n_levels > 1 else "0 alone"
        raise InputError(
            f"There is no level {str(settings.level)[:20]} in {settings.hierarchy}: its levels "
            f"are {there}; leaf is the finest view."
        )
