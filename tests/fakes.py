"""Stand-ins for the outside world, for tests of what uses it."""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.types import LoggedEvent


class MemoryLog:
    """An event log (`ports.EventLog`) in memory."""

    def __init__(self) -> None:
        self._events: dict[str, list[LoggedEvent]] = {}
        self._kinds: dict[str, str] = {}

    def start_run(self, run_id: str, kind: str) -> None:
        self._kinds.pop(run_id, None)
        self._kinds[run_id] = kind
        self._events[run_id] = []

    def append(self, run_id: str, events: Sequence[LoggedEvent]) -> None:
        self._events[run_id].extend(events)

    def events(self, run_id: str) -> list[LoggedEvent]:
        return list(self._events.get(run_id, ()))

    def runs(self, kind: str) -> list[str]:
        return [run_id for run_id, one in self._kinds.items() if one == kind]
