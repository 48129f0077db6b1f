"""Questions to one corpus: checked, started as jobs, written again from other windows."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from sensemaking.config import AskSettings
from sensemaking.errors import InputError, NotBuilt, NotFound
from sensemaking.jobs import Jobs
from sensemaking.pipeline import ask
from sensemaking.pipeline.ask import answer_id, planned, told
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.rereading import failed_windows, reread, reread_id
from sensemaking.pipeline.rewriting import rewrite, rewrite_id
from sensemaking.pipeline.routing import plan
from sensemaking.text.reading import whole_characters
from sensemaking.types import AskEvent, RunStarted, SourceFile, WindowsPlanned
from sensemaking.workspace.runs import Runs


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
        engine = self._runs.engine
        if backend:
            engine = self._runs.with_backend(engine, backend)
        key = answer_id(engine, self._library, question, settings)

        def events(is_stopping: Callable[[], bool]) -> Generator[AskEvent, None, None]:
            with self._runs.engine_of_run(is_stopping) as engine:
                asker = self._runs.with_backend(engine, backend) if backend else engine
                with closing(ask(asker, self._library, question, settings)) as inner:
                    yield from inner

        named = [("method", settings.method), *([("backend", backend)] if backend else [])]
        pairs = tuple(sorted((*told(settings), *named)))
        return self._jobs.start_answer(key, RunStarted(question, time.time(), pairs), events)

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
        new = rewrite_id(self._runs.engine, answer, dropped, pinned)

        def events(is_stopping: Callable[[], bool]) -> Generator[AskEvent, None, None]:
            with (
                self._runs.engine_of_run(is_stopping) as engine,
                closing(rewrite(engine, self._library, answer, dropped, pinned)) as inner,
            ):
                yield from inner

        pairs = tuple(sorted((*answer.settings, ("method", answer.method))))
        started = RunStarted(answer.question, time.time(), pairs)
        return self._jobs.start_answer(new, started, events)

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
        backend = dict(self._jobs.answer(key).settings).get("backend", "")
        engine = self._runs.engine
        if backend:
            engine = self._runs.with_backend(engine, backend)
        new = reread_id(engine, answer, chosen)

        def events(is_stopping: Callable[[], bool]) -> Generator[AskEvent, None, None]:
            with self._runs.engine_of_run(is_stopping) as engine:
                asker = self._runs.with_backend(engine, backend) if backend else engine
                with closing(reread(asker, self._library, answer, chosen)) as inner:
                    yield from inner

        named = [("method", answer.method), *([("backend", backend)] if backend else [])]
        pairs = tuple(sorted((*answer.settings, *named)))
        started = RunStarted(answer.question, time.time(), pairs)
        return self._jobs.start_answer(new, started, events)


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
