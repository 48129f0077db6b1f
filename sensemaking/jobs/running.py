"""One run in this program: a thread that works through events, and its log."""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sensemaking.errors import Paused, SensemakingError, StoreError
from sensemaking.jobs.folding import encode_event
from sensemaking.ports import EventLog
from sensemaking.types import (
    AnswerSnapshot,
    AnswerToken,
    JobSnapshot,
    JobStatus,
    LoggedEvent,
    Progress,
    RunEnded,
    RunStarted,
)

logger = logging.getLogger(__name__)

FLUSH_SECONDS = 0.2
_FREQUENT = (Progress, AnswerToken)

S = TypeVar("S", JobSnapshot, AnswerSnapshot)
MakeEvents = Callable[[Callable[[], bool]], Generator[Any, None, None]]
"""Makes the events of a run; is handed a function that says whether the run was asked to stop."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[S]):
    """How the events of a kind of run are folded, and how the log keeps what they came to."""

    new: Callable[[str, str], S]
    fold: Callable[[S, float, object], S]
    pack: Callable[[S], str]


class Run(Generic[S]):
    """One run in this program. `on_end` is called when its end has been stored."""

    def __init__(
        self, kind: Kind[S], snapshot: S, log: EventLog, on_end: Callable[[], None]
    ) -> None:
        self._kind: Kind[S] = kind
        self._log = log
        self._on_end = on_end
        self._snapshot: S = snapshot
        self._changed = threading.Lock()
        self._stopping = threading.Event()
        self._began = time.monotonic()
        self._flushed = self._began
        self._unwritten: list[LoggedEvent] = []
        self._thread: threading.Thread | None = None

    @property
    def snapshot(self) -> S:
        """Return the run as it stands."""
        with self._changed:
            return self._snapshot

    def start(self, started: RunStarted, events: MakeEvents) -> None:
        """Begin to work through the events that `events` yields."""
        self._record(started)
        self._thread = threading.Thread(
            target=self._work, args=(events,), name=f"run-{self._snapshot.id}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Ask the run to stop; it does so after the units at hand."""
        self._stopping.set()

    def join(self, seconds: float | None = None) -> S:
        """Wait until the run has ended, or for so many seconds; return the snapshot."""
        if self._thread is not None:
            self._thread.join(seconds)
        return self.snapshot

    def _work(self, events: MakeEvents) -> None:
        # Whatever is not overwritten below is what an unforeseen exception leaves behind; that
        # exception itself goes on to the thread's hook, and so into the log of the program.
        status: JobStatus = "failed"
        error = "Something unforeseen went wrong; the program's log has the details."
        try:
            with contextlib.closing(events(self._stopping.is_set)) as running:
                for event in running:
                    self._record(event)
                    if self._stopping.is_set():
                        break
            status = "stopped" if self._stopping.is_set() and not self._is_complete else "done"
            error = ""
        except Paused as pause:
            status, error = "stopped", "" if self._stopping.is_set() else str(pause)
        except SensemakingError as failure:
            error = str(failure)
        finally:
            self._end(RunEnded(status, error))

    @property
    def _is_complete(self) -> bool:
        snapshot = self._snapshot
        done = snapshot.result if isinstance(snapshot, JobSnapshot) else snapshot.answer
        return done is not None

    def _end(self, ended: RunEnded) -> None:
        try:
            self._record(ended)
        except StoreError as failure:
            logger.warning("The end of run %s could not be stored: %s", self._snapshot.id, failure)
        finally:
            self._on_end()

    def _record(self, event: object) -> None:
        seconds = time.monotonic() - self._began
        with self._changed:
            self._snapshot = self._kind.fold(self._snapshot, seconds, event)
        self._unwritten.append(encode_event(seconds, event))
        if isinstance(event, _FREQUENT) and time.monotonic() - self._flushed < FLUSH_SECONDS:
            return
        folded = None
        if isinstance(event, RunStarted | RunEnded):
            folded = self._kind.pack(self._snapshot)
        self._log.append(self._snapshot.id, self._unwritten, folded)
        self._unwritten = []
        self._flushed = time.monotonic()
