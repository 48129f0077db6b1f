"""The runs of one corpus: builds and answers, made here or by another program.

A run is a generator of events in a thread of its own. Its events are numbered by their place in the
log, stored, and folded into frozen snapshots; followers read snapshots only, so any number of tabs
may follow and none is needed. A run that has no `RunEnded` in the log and whose program is gone was
interrupted: its snapshot says "stopped", and it never restarts by itself.

Notes
-----
Looking costs the same however long the history is: a build that has ended, and the line of every
answer, lie folded in the log; a run that another program makes is folded on from where the last
look left it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Generic

from sensemaking.errors import NotFound, SensemakingError
from sensemaking.jobs.folding import (
    decode_event,
    fold_answer,
    fold_build,
    new_answer,
    new_job,
    pack_answer,
    pack_job,
    row_of,
    unpack_answer,
    unpack_job,
)
from sensemaking.jobs.running import Kind, MakeEvents, Run, S
from sensemaking.ports import EventLog, Presence, RunEntry
from sensemaking.types import AnswerRow, AnswerSnapshot, JobSnapshot, RunStarted

BUILD = "build"
ANSWER = "answer"
BATCH = "batch"
KEPT_RUNS = 32

_BUILD = Kind(new_job, fold_build, pack_job)
_ANSWER = Kind(new_answer, fold_answer, pack_answer)


class Jobs:
    """The runs of one corpus: at most one build at a time, any number of answers.

    `work` names what is built, and sets its runs apart from those of other work in one log.
    """

    def __init__(self, corpus: str, log: EventLog, presence: Presence, work: str = BUILD) -> None:
        self._work = work
        self._corpus = corpus
        self._log = log
        self._presence = presence
        self._lock = threading.RLock()
        self._name = ""
        self._n_started = 0
        self._build: Run[JobSnapshot] | None = None
        self._answers: dict[str, Run[AnswerSnapshot]] = {}
        self._batches: dict[str, Run[JobSnapshot]] = {}
        self._past_builds = _Past(_BUILD, corpus, log)
        self._past_answers = _Past(_ANSWER, corpus, log)

    # Builds

    def start_build(self, events: MakeEvents, on_end: Callable[[], None] = lambda: None) -> str:
        """Start a build and return its id; the id of the running one when there is one.

        `on_end` is called when the end of a build that was started here has been stored.
        """
        with self._lock:
            running = self.running_build()
            if running is not None:
                return running
            latest = self._log.latest(self._work, 1)
            number = int(latest[0].id.rpartition("-")[2]) + 1 if latest else 1
            run_id = f"{self._work}-{number}"
            if not self._log.start_run(RunEntry(run_id, self._own_name()), self._work, None):
                raise SensemakingError("Another program has just started to build: look again.")
            run = Run(_BUILD, new_job(run_id, self._corpus), self._log, on_end)
            run.start(RunStarted(self._work, time.time()), events)
            self._build = run
            return run_id

    def stop_build(self) -> None:
        """Ask the running build to stop; nothing happens when none runs here."""
        with self._lock:
            if self._build is not None:
                self._build.stop()

    def running_build(self) -> str | None:
        """Return the id of the build that runs in this program, or None."""
        with self._lock:
            if self._build is not None and self._build.snapshot.is_running:
                return self._build.snapshot.id
            return None

    def build(self) -> JobSnapshot | None:
        """Return the latest build, running or ended, or None when there never was one."""
        with self._lock:
            latest = self._log.latest(self._work, 1)
            if not latest:
                return None
            entry = latest[0]
            if self._build is not None and self._build.snapshot.id == entry.id:
                return self._build.snapshot
            if entry.folded:
                return unpack_job(entry.folded)
            snapshot = self._past_builds.read(entry)
            if snapshot.is_running and not self._is_made(entry):
                return replace(snapshot, status="stopped")
            return snapshot

    def join_build(self, seconds: float | None = None) -> JobSnapshot | None:
        """Wait for the build of this program to end."""
        running = self._build
        return running.join(seconds) if running is not None else self.build()

    # Answers

    def start_answer(self, answer_id: str, started: RunStarted, events: MakeEvents) -> str:
        """Start an answer, or return at once when that very answer is there or being made."""
        with self._lock:
            entry = self._log.run(answer_id)
            if entry is not None:
                known = self.answer(answer_id)
                if known.is_running or known.answer is not None:
                    return answer_id
            snapshot = fold_answer(new_answer(answer_id, self._corpus), 0.0, started)
            fresh = RunEntry(answer_id, self._own_name(), pack_answer(snapshot))
            if not self._log.start_run(fresh, ANSWER, entry):
                return answer_id  # another program was faster: follow it
            run = Run(_ANSWER, new_answer(answer_id, self._corpus), self._log, lambda: None)
            run.start(started, events)
            self._answers[answer_id] = run
            self._forget_old()
            return answer_id

    def stop_answer(self, answer_id: str) -> None:
        """Ask a running answer to stop; nothing happens when it is not made here."""
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
            running = self._answers.get(answer_id)
            if running is not None and running.snapshot.is_running:
                return running.snapshot
            entry = self._log.run(answer_id)
            if entry is None:
                raise NotFound(
                    f"There is no answer “{answer_id}” in this corpus: ask the question."
                )
            if running is not None and self._is_own(entry):
                return running.snapshot
            snapshot = self._past_answers.read(entry)
            if snapshot.is_running and not self._is_made(entry):
                return replace(snapshot, status="stopped")
            return snapshot

    def join_answer(self, answer_id: str, seconds: float | None = None) -> AnswerSnapshot:
        """Wait for an answer of this program to end."""
        running = self._answers.get(answer_id)
        return running.join(seconds) if running is not None else self.answer(answer_id)

    def answers(self, limit: int | None = None) -> tuple[AnswerRow, ...]:
        """Return the history of questions, latest first."""
        return tuple(self._row(entry) for entry in self._log.latest(ANSWER, limit))

    # Batches of an evaluation

    def start_batch(self, batch_id: str, events: MakeEvents) -> None:
        """Start a batch, or go on with it; nothing happens while it is being made."""
        with self._lock:
            known = self.batch(batch_id)
            if known is not None and known.is_running:
                return
            run_id = f"{BATCH}-{batch_id}"
            entry = self._log.run(run_id)
            if not self._log.start_run(RunEntry(run_id, self._own_name()), BATCH, entry):
                return  # another program was faster: follow it
            run = Run(_BUILD, new_job(run_id, self._corpus), self._log, lambda: None)
            run.start(RunStarted(BATCH, time.time()), events)
            self._batches[run_id] = run

    def stop_batch(self, batch_id: str) -> None:
        """Ask a running batch to stop; nothing happens when it is not made here."""
        with self._lock:
            running = self._batches.get(f"{BATCH}-{batch_id}")
        if running is not None:
            running.stop()

    def batch(self, batch_id: str) -> JobSnapshot | None:
        """Return a batch, running or ended, or None when it never ran."""
        with self._lock:
            run_id = f"{BATCH}-{batch_id}"
            entry = self._log.run(run_id)
            if entry is None:
                return None
            running = self._batches.get(run_id)
            if running is not None and self._is_own(entry):
                return running.snapshot
            if entry.folded:
                return unpack_job(entry.folded)
            snapshot = self._past_builds.read(entry)
            if snapshot.is_running and not self._is_made(entry):
                return replace(snapshot, status="stopped")
            return snapshot

    def join_batch(self, batch_id: str, seconds: float | None = None) -> JobSnapshot | None:
        """Wait for a batch of this program to end."""
        running = self._batches.get(f"{BATCH}-{batch_id}")
        return running.join(seconds) if running is not None else self.batch(batch_id)

    def stop_all(self, seconds: float = 5.0) -> None:
        """Ask everything to stop and wait a little: what is done is kept."""
        with self._lock:
            runs: list[Run[Any]] = [*self._answers.values(), *self._batches.values()]
            if self._build is not None:
                runs.append(self._build)
        for run in runs:
            run.stop()
        until = time.monotonic() + seconds
        for run in runs:
            run.join(max(0.0, until - time.monotonic()))

    def _own_name(self) -> str:
        """Return a name for the next run: that of this program, and a number."""
        self._name = self._presence.claim()
        self._n_started += 1
        return f"{self._name}/{self._n_started}"

    def _is_own(self, entry: RunEntry) -> bool:
        return bool(self._name) and entry.owner.partition("/")[0] == self._name

    def _is_made(self, entry: RunEntry) -> bool:
        """Whether a run without an end in the log is still being made."""
        if not self._is_own(entry):
            return self._presence.is_present(entry.owner.partition("/")[0])
        own = self._answers.get(entry.id)
        return own is not None and own.snapshot.is_running

    def _row(self, entry: RunEntry) -> AnswerRow:
        if not entry.folded:  # written before the log kept lines
            return row_of(self.answer(entry.id))
        row = unpack_answer(entry.folded)
        if row.status not in ("mapping", "reducing"):
            return row
        with self._lock:
            if self._is_own(entry) and entry.id in self._answers:
                return replace(row, status=self._answers[entry.id].snapshot.status)
            return row if self._is_made(entry) else replace(row, status="stopped")

    def _forget_old(self) -> None:
        ended = [key for key, run in self._answers.items() if not run.snapshot.is_running]
        for key in ended[: max(0, len(self._answers) - KEPT_RUNS)]:
            del self._answers[key]


class _Past(Generic[S]):
    """Runs as the log tells them, each event decoded once."""

    def __init__(self, kind: Kind[S], corpus: str, log: EventLog) -> None:
        self._kind: Kind[S] = kind
        self._corpus = corpus
        self._log = log
        self._kept: dict[str, tuple[str, S]] = {}

    def read(self, entry: RunEntry) -> S:
        owner, snapshot = self._kept.pop(entry.id, ("", None))
        if snapshot is None or owner != entry.owner:
            snapshot = self._kind.new(entry.id, self._corpus)
        for logged in self._log.events(entry.id, snapshot.n_events):
            snapshot = self._kind.fold(snapshot, logged.seconds, decode_event(logged))
        self._kept[entry.id] = (entry.owner, snapshot)
        while len(self._kept) > KEPT_RUNS:
            del self._kept[next(iter(self._kept))]
        return snapshot
