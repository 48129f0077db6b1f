"""Stand-ins for the outside world, for tests of what uses it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Any

from sensemaking.errors import ModelError
from sensemaking.ports import Executor, Passage, RunEntry
from sensemaking.types import Extraction, LoggedEvent


class MemoryLog:
    """An event log (`ports.EventLog`) in memory; `n_read` counts the events it gave out."""

    def __init__(self) -> None:
        self._events: dict[str, list[LoggedEvent]] = {}
        self._entries: dict[str, tuple[str, RunEntry]] = {}
        self.n_read = 0

    def start_run(self, entry: RunEntry, kind: str, after: RunEntry | None) -> bool:
        if self.run(entry.id) != after:
            return False
        self._entries.pop(entry.id, None)
        self._entries[entry.id] = (kind, entry)
        self._events[entry.id] = []
        return True

    def append(self, run_id: str, events: Sequence[LoggedEvent], folded: str | None = None) -> None:
        self._events[run_id].extend(events)
        if folded is not None:
            kind, entry = self._entries[run_id]
            self._entries[run_id] = (kind, replace(entry, folded=folded))

    def events(self, run_id: str, first: int = 0) -> list[LoggedEvent]:
        found = self._events.get(run_id, [])[first:]
        self.n_read += len(found)
        return found

    def run(self, run_id: str) -> RunEntry | None:
        return self._entries[run_id][1] if run_id in self._entries else None

    def latest(self, kind: str, limit: int | None = None) -> list[RunEntry]:
        found = [entry for one, entry in reversed(self._entries.values()) if one == kind]
        return found[:limit]


class MemoryPresence:
    """Programs (`ports.Presence`) that are there as long as they are in a set."""

    def __init__(self, name: str = "this", present: set[str] | None = None) -> None:
        self._name = name
        self.present = present if present is not None else set()

    def claim(self) -> str:
        self.present.add(self._name)
        return self._name

    def is_present(self, name: str) -> bool:
        return name in self.present


@dataclass
class Counting:
    """An executor that counts the units it is given."""

    inner: Executor
    n_units: int = 0
    n_workers: int = 2

    def submit(self, function: Callable[..., Any], /, *args: Any) -> Future[Any]:
        self.n_units += 1
        return self.inner.submit(function, *args)


@dataclass
class Idle:
    """An embedder that is not to be asked for anything."""

    key: str
    dimension: int
    batch_size: int = 16
    waits: bool = False

    def windows(self, text: str) -> list[tuple[int, int]]:
        raise AssertionError(text)

    def embed(self, texts: Sequence[str]) -> Any:
        raise AssertionError(texts)


@dataclass
class Moody:
    """An extractor that waits for a server, which fails for some texts."""

    inner: Any
    fails: Callable[[Passage], bool]
    waits: bool = True
    n_read: int = 0
    lock: Any = field(default_factory=threading.Lock)

    @property
    def key(self) -> str:
        return str(self.inner.key)

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        assert len(passages) == 1
        with self.lock:
            self.n_read += 1
        if self.fails(passages[0]):
            raise ModelError("The reply is not JSON.")
        return list(self.inner.extract(passages))
