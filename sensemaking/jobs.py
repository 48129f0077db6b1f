"""Long work in the background: start, follow, stop, and find again after a restart.

A run is a generator of events in a thread of its own. Its events are numbered by their place in the
log, stored, and folded into frozen snapshots; followers read snapshots only, so any number of tabs
may follow and none is needed. A run that has no `RunEnded` in the log and is not alive was
interrupted: its snapshot says "stopped", and it never restarts by itself.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

import msgspec

from sensemaking.errors import NotFound, SensemakingError, StoreError
from sensemaking.ports import EventLog
from sensemaking.types import (
    AnswerReady,
    AnswerSnapshot,
    AnswerToken,
    BuildReady,
    JobSnapshot,
    JobStatus,
    LoggedEvent,
    Progress,
    RunEnded,
    RunStarted,
    Skipped,
    StageSnapshot,
    SubAnswer,
    SubAnswerReady,
    WindowsPlanned,
)

logger = logging.getLogger(__name__)

BUILD = "build"
ANSWER = "answer"
FLUSH_SECONDS = 0.2
KEPT_RUNS = 32

_EVENT_TYPES: dict[str, type[Any]] = {
    one.__name__: one
    for one in (
        RunStarted,
        RunEnded,
        Progress,
        Skipped,
        BuildReady,
        WindowsPlanned,
        SubAnswerReady,
        AnswerToken,
        AnswerReady,
    )
}
_FREQUENT = (Progress, AnswerToken)

S = TypeVar("S", JobSnapshot, AnswerSnapshot)
MakeEvents = Callable[[], Generator[Any, None, None]]


def fold_build(snapshot: JobSnapshot, seconds: float, event: object) -> JobSnapshot:
    """Return the snapshot after one more event of a build."""
    snapshot = replace(snapshot, seconds=seconds, n_events=snapshot.n_events + 1)
    match event:
        case RunStarted(_, started_at):
            return replace(snapshot, started_at=started_at)
        case Progress():
            return replace(snapshot, stages=_advance(snapshot.stages, seconds, event))
        case Skipped():
            return replace(snapshot, skipped=(*snapshot.skipped, event))
        case BuildReady():
            return replace(snapshot, result=event)
        case RunEnded(status, error):
            return replace(snapshot, status=status, error=error)
    return snapshot


def fold_answer(snapshot: AnswerSnapshot, seconds: float, event: object) -> AnswerSnapshot:
    """Return the snapshot after one more event of an answer."""
    snapshot = replace(snapshot, seconds=seconds, n_events=snapshot.n_events + 1)
    match event:
        case WindowsPlanned(titles):
            waiting = tuple(
                SubAnswer(index, "waiting", 0, (), (), names, 0)
                for index, names in enumerate(titles)
            )
            return replace(snapshot, planned=event, sub_answers=waiting)
        case SubAnswerReady(sub_answer):
            slots = list(snapshot.sub_answers)
            slots[sub_answer.window] = sub_answer
            return replace(snapshot, sub_answers=tuple(slots))
        case AnswerToken(text):
            return replace(snapshot, status="reducing", text=snapshot.text + text)
        case Skipped():
            return replace(snapshot, skipped=(*snapshot.skipped, event))
        case AnswerReady(answer):
            return replace(snapshot, answer=answer, sub_answers=answer.sub_answers)
        case RunEnded(status, error):
            ended = "stopped" if status == "running" else status
            return replace(snapshot, status=ended, error=error)
    return snapshot


class Run(Generic[S]):
    """One run in this process: a thread, its log and its snapshot."""

    def __init__(
        self,
        run_id: str,
        log: EventLog,
        snapshot: S,
        fold: Callable[[S, float, object], S],
    ) -> None:
        self._id = run_id
        self._log = log
        self._fold: Callable[[S, float, object], S] = fold
        self._snapshot: S = snapshot
        self._changed = threading.Condition()
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

    def start(self, subject: str, events: MakeEvents) -> None:
        """Begin to work through the events that `events()` yields."""
        self._record(RunStarted(subject, time.time()))
        self._thread = threading.Thread(
            target=self._work, args=(events,), name=f"run-{self._id}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Ask the run to stop; it does so after the unit at hand."""
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
            with contextlib.closing(events()) as running:
                for event in running:
                    self._record(event)
                    if self._stopping.is_set():
                        break
            status = "stopped" if self._stopping.is_set() and not self._is_complete else "done"
            error = ""
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
            logger.warning("The end of run %s could not be stored: %s", self._id, failure)

    def _record(self, event: object) -> None:
        seconds = time.monotonic() - self._began
        with self._changed:
            self._snapshot = self._fold(self._snapshot, seconds, event)
            self._changed.notify_all()
        body = msgspec.json.encode(event).decode()
        self._unwritten.append(LoggedEvent(seconds, type(event).__name__, body))
        if isinstance(event, _FREQUENT) and time.monotonic() - self._flushed < FLUSH_SECONDS:
            return
        self._log.append(self._id, self._unwritten)
        self._unwritten = []
        self._flushed = time.monotonic()


class Jobs:
    """The runs of one corpus: at most one build at a time, any number of answers."""

    def __init__(self, corpus: str, log: EventLog) -> None:
        self._corpus = corpus
        self._log = log
        self._lock = threading.RLock()
        self._build: Run[JobSnapshot] | None = None
        self._answers: dict[str, Run[AnswerSnapshot]] = {}

    def start_build(self, subject: str, events: MakeEvents) -> str:
        """Start a build and return its id; the id of the running one when there is one."""
        with self._lock:
            if self._build is not None and self._build.snapshot.is_running:
                return self._build.snapshot.id
            run_id = f"{BUILD}-{len(self._log.runs(BUILD)) + 1}"
            self._log.start_run(run_id, BUILD)
            run = Run(run_id, self._log, self._new_job(run_id), fold_build)
            run.start(subject, events)
            self._build = run
            return run_id

    def stop_build(self) -> None:
        """Ask the running build to stop; nothing happens when none runs."""
        with self._lock:
            if self._build is not None:
                self._build.stop()

    def running_build(self) -> str | None:
        """Return the id of the build that runs in this program, or None."""
        with self._lock:
            if self._build is not None and self._build.snapshot.is_running:
                return self._build.snapshot.id
            return None

    def build(self, *, is_alive_elsewhere: bool = False) -> JobSnapshot | None:
        """Return the latest build, running or ended, or None when there never was one.

        With `is_alive_elsewhere` (another program holds the corpus) a build without an end in the
        log counts as running, not as interrupted.
        """
        with self._lock:
            runs = self._log.runs(BUILD)
            if not runs:
                return None
            if self._build is not None and self._build.snapshot.id == runs[-1]:
                return self._build.snapshot
            return self._restore_build(runs[-1], is_alive_elsewhere)

    def join_build(self, seconds: float | None = None) -> JobSnapshot | None:
        """Wait for the build of this process to end."""
        running = self._build
        return running.join(seconds) if running is not None else self.build()

    def start_answer(self, answer_id: str, question: str, events: MakeEvents) -> str:
        """Start an answer, or return at once when that very answer is there or being made."""
        with self._lock:
            running = self._answers.get(answer_id)
            if running is not None and running.snapshot.is_running:
                return answer_id
            with contextlib.suppress(NotFound):
                if self.answer(answer_id).answer is not None:
                    return answer_id
            self._log.start_run(answer_id, ANSWER)
            snapshot = self._new_answer(answer_id, question)
            run = Run(answer_id, self._log, snapshot, fold_answer)
            run.start(question, events)
            self._answers[answer_id] = run
            self._forget_old()
            return answer_id

    def stop_answer(self, answer_id: str) -> None:
        """Ask a running answer to stop."""
        with self._lock:
            if answer_id in self._answers:
                self._answers[answer_id].stop()

    def answer(self, answer_id: str) -> AnswerSnapshot:
        """Return an answer, running or ended.

        Raises
        ------
        NotFound
            When there is no run of that id.
        """
        with self._lock:
            if answer_id in self._answers:
                return self._answers[answer_id].snapshot
        return self._restore_answer(answer_id)

    def join_answer(self, answer_id: str, seconds: float | None = None) -> AnswerSnapshot:
        """Wait for an answer of this process to end."""
        running = self._answers.get(answer_id)
        return running.join(seconds) if running is not None else self.answer(answer_id)

    def answers(self) -> tuple[tuple[float, AnswerSnapshot], ...]:
        """Return (started at, snapshot) of all answers, latest first."""
        found = []
        for run_id in reversed(self._log.runs(ANSWER)):
            logged = self._log.events(run_id)
            started = _decode(logged[0]) if logged else None
            at = started.started_at if isinstance(started, RunStarted) else 0.0
            found.append((at, self.answer(run_id)))
        return tuple(found)

    def stop_all(self, seconds: float = 5.0) -> None:
        """Ask everything to stop and wait a little: what is done is kept."""
        with self._lock:
            runs: list[Run[Any]] = [*self._answers.values()]
            if self._build is not None:
                runs.append(self._build)
        for run in runs:
            run.stop()
        until = time.monotonic() + seconds
        for run in runs:
            run.join(max(0.0, until - time.monotonic()))

    def _new_job(self, run_id: str) -> JobSnapshot:
        return JobSnapshot(run_id, self._corpus, "running", (), (), None, "", 0.0, 0.0, 0)

    def _new_answer(self, answer_id: str, question: str) -> AnswerSnapshot:
        return AnswerSnapshot(
            answer_id, self._corpus, question, "mapping", None, (), "", None, "", 0.0, 0
        )

    def _restore_build(self, run_id: str, is_alive: bool) -> JobSnapshot:
        snapshot = self._new_job(run_id)
        for logged in self._log.events(run_id):
            snapshot = fold_build(snapshot, logged.seconds, _decode(logged))
        if snapshot.is_running and not is_alive:
            return replace(snapshot, status="stopped")
        return snapshot

    def _restore_answer(self, answer_id: str) -> AnswerSnapshot:
        events = self._log.events(answer_id)
        if not events:
            raise NotFound(f"There is no answer “{answer_id}” in this corpus: ask the question.")
        started = _decode(events[0])
        question = started.subject if isinstance(started, RunStarted) else ""
        snapshot = self._new_answer(answer_id, question)
        for logged in events:
            snapshot = fold_answer(snapshot, logged.seconds, _decode(logged))
        return replace(snapshot, status="stopped") if snapshot.is_running else snapshot

    def _forget_old(self) -> None:
        ended = [key for key, run in self._answers.items() if not run.snapshot.is_running]
        for key in ended[: max(0, len(self._answers) - KEPT_RUNS)]:
            del self._answers[key]


def _advance(
    stages: Sequence[StageSnapshot], seconds: float, event: Progress
) -> tuple[StageSnapshot, ...]:
    known = {stage.name: stage for stage in stages}
    began = known[event.stage].began if event.stage in known else seconds
    known[event.stage] = StageSnapshot(
        event.stage, event.done, event.total, event.note, began, seconds - began
    )
    return tuple(known.values())


def _decode(logged: LoggedEvent) -> object:
    return msgspec.json.decode(logged.body, type=_EVENT_TYPES[logged.kind])
