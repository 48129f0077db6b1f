"""Where a run tells what it does when the corpus cannot be written: answers live on in memory.

A question changes nothing in a corpus, so a full disk or a folder that is read-only is no reason
not to answer it; the answer is only not found again after a restart. Builds must be kept and fail.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sensemaking.errors import StoreError
from sensemaking.jobs import ANSWER
from sensemaking.ports import EventLog, RunEntry
from sensemaking.types import LoggedEvent


@dataclass(slots=True)
class _Spare:
    """A run that is kept in memory, and why."""

    entry: RunEntry
    reason: str
    events: list[LoggedEvent] = field(default_factory=list)


class SpareLog:
    """An event log (`ports.EventLog`) before another; safe to share between threads."""

    def __init__(self, log: EventLog) -> None:
        self._log = log
        self._lock = threading.RLock()
        self._answers: set[str] = set()
        self._spare: dict[str, _Spare] = {}

    def start_run(self, entry: RunEntry, kind: str, after: RunEntry | None) -> bool:
        """Begin a run, or begin it anew; False when the run is not what `after` says any more."""
        with self._lock:
            spare = self._spare.get(entry.id)
            if spare is not None:
                if spare.entry != after:
                    return False
                after = self._log.run(entry.id)
            try:
                is_begun = self._log.start_run(entry, kind, after)
            except StoreError as error:
                if kind != ANSWER:
                    raise
                self._spare.pop(entry.id, None)
                self._spare[entry.id] = _Spare(entry, str(error))
                return True
            if is_begun:
                self._spare.pop(entry.id, None)
                if kind == ANSWER:
                    self._answers.add(entry.id)
            return is_begun

    def append(self, run_id: str, events: Sequence[LoggedEvent], folded: str | None = None) -> None:
        """Append events to a run and, where it is given, what the run came to in short."""
        with self._lock:
            spare = self._spare.get(run_id)
            if spare is None:
                try:
                    self._log.append(run_id, events, folded)
                except StoreError as error:
                    entry = self._log.run(run_id)
                    if run_id not in self._answers or entry is None:
                        raise
                    spare = _Spare(entry, str(error), self._log.events(run_id))
                    self._spare[run_id] = spare
                else:
                    return
            spare.events.extend(events)
            if folded is not None:
                spare.entry = replace(spare.entry, folded=folded)

    def events(self, run_id: str, first: int = 0) -> list[LoggedEvent]:
        """Return the events of a run in order, from number `first`; empty for an unknown run."""
        with self._lock:
            spare = self._spare.get(run_id)
            return self._log.events(run_id, first) if spare is None else spare.events[first:]

    def run(self, run_id: str) -> RunEntry | None:
        """Return one run, or None."""
        with self._lock:
            spare = self._spare.get(run_id)
            return self._log.run(run_id) if spare is None else spare.entry

    def latest(self, kind: str, limit: int | None = None) -> list[RunEntry]:
        """Return the runs of a kind, latest first."""
        with self._lock:
            kept = [one.entry for one in self._spare.values()] if kind == ANSWER else []
            stored = self._log.latest(kind, limit)
            others = [one for one in stored if one.id not in self._spare]
            return [*reversed(kept), *others][:limit]

    def why_not_kept(self, run_id: str) -> str:
        """Return why a run is not in the store, "" when it is."""
        spare = self._spare.get(run_id)
        return "" if spare is None else spare.reason
