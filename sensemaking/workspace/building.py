"""The builds of one corpus: one at a time, started as a job, held still for what must be alone."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial

from sensemaking.adapters.locks import WriteLock
from sensemaking.config import Settings
from sensemaking.errors import SensemakingError, StoreError
from sensemaking.jobs import Jobs
from sensemaking.pipeline import build
from sensemaking.pipeline.library import Library
from sensemaking.types import BuildEvent, BuildReady
from sensemaking.workspace.files import Originals
from sensemaking.workspace.overview import BUILT_AT
from sensemaking.workspace.runs import Runs

logger = logging.getLogger(__name__)

STOP_SECONDS = 5.0
"""How long the units at hand get to end."""


class Building:
    """Starts builds under the write lock of the corpus; its jobs hold them."""

    def __init__(
        self, library: Library, originals: Originals, runs: Runs, jobs: Jobs, lock: WriteLock
    ) -> None:
        self._library = library
        self._originals = originals
        self._runs = runs
        self._jobs = jobs
        self._lock = lock
        self._starting = threading.Lock()
        self._is_free = threading.Event()
        self._is_free.set()

    def start(
        self, settings: Settings, budget: float | None, after: Callable[[], None] | None = None
    ) -> str:
        """Build, or go on where a build stopped; returns the id of the running job.

        `after` is called when a build that was started here is done, the lock given back.

        Raises
        ------
        CorpusBusy
            When another program builds this corpus.
        """
        with self._starting:
            running = self._jobs.running_build()
            if running is not None:
                return running
            # A build is seen to have ended a moment before it gives the lock back.
            self._is_free.wait(STOP_SECONDS)
            self._lock.acquire("build")
            self._is_free.clear()
            try:
                events = partial(self._events, settings, budget)
                return self._jobs.start_build(events, partial(self._end, after))
            except SensemakingError:
                self._give_back()
                raise

    def _end(self, after: Callable[[], None] | None) -> None:
        self._give_back()
        job = self._jobs.build()
        if after is not None and job is not None and job.status == "done":
            after()

    def _give_back(self) -> None:
        self._lock.release()
        self._is_free.set()

    @contextmanager
    def kept_still(self, what: str, others: Sequence[Jobs]) -> Iterator[None]:
        """Stop the build and `others`, and let nobody build for the length of a block.

        Raises
        ------
        CorpusBusy
            When another program builds, or the build of this one does not stop in time.
        """
        with self._starting:
            for jobs in (self._jobs, *others):
                jobs.stop_build()
                jobs.join_build(STOP_SECONDS)
            try:
                self._lock.acquire(what)
            except StoreError:
                # Where nothing can be written nobody builds.
                logger.warning("the corpus cannot be locked for %s", what)
            try:
                yield
            finally:
                self._lock.release()

    def _events(
        self, settings: Settings, budget: float | None, is_stopping: Callable[[], bool]
    ) -> Generator[BuildEvent, None, None]:
        with (
            self._runs.engine_of_run(is_stopping, budget) as engine,
            closing(build(engine, settings, self._originals.read)) as events,
        ):
            for event in events:
                if isinstance(event, BuildReady):
                    now = datetime.now(UTC).isoformat(timespec="seconds")
                    self._library.store.point({BUILT_AT: now})
                yield event
