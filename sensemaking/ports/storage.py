"""Where records, vectors and the events of runs are kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from sensemaking.ports.machine import Vectors
from sensemaking.types import (
    LoggedEvent,
)

T = TypeVar("T")


class Store(Protocol):
    """Records by type and scope. A scope is the digest of everything its records depend on.

    Each call is one transaction. `add` of a record that is already there replaces it with the same
    bytes. Records come back in the order of `ordinal` (the order in which `replace` got them), then
    by id.
    """

    def add(self, scope: str, records: Sequence[Any]) -> None:
        """Store records of one type under their `id`."""

    def replace(self, scope: str, records_by_type: dict[type[Any], Sequence[Any]]) -> None:
        """Store the whole content of a scope, in order, and mark the scope finished."""

    def all(self, record_type: type[T], scope: str) -> list[T]:
        """Return all records of one type in a scope."""

    def get(self, record_type: type[T], scope: str, record_id: str) -> T | None:
        """Return one record, or None."""

    def ids(self, record_type: type[Any], scope: str) -> list[str]:
        """Return the ids of one type in a scope: what is done."""

    def exchange(self, scope: str, changes: Sequence[tuple[Any, Any]]) -> list[bool]:
        """Put new records in the places of old ones that still stand; return which did.

        A change is (old, new), both of one type and one id.
        """

    def is_finished(self, scope: str) -> bool:
        """Return whether `replace` or `finish` was called for this scope."""

    def finish(self, scope: str) -> None:
        """Mark a scope that was filled with `add` as complete."""

    def point(self, heads: dict[str, str]) -> None:
        """Set what is current, all at once: names to scopes."""

    def head(self, name: str) -> str | None:
        """Return the scope that a name points to."""

    def heads(self) -> dict[str, str]:
        """Return all names and what they point to."""

    def keep_only(self, record_type: type[Any], scopes: Iterable[str]) -> None:
        """Delete the records of one type in all other scopes."""


class VectorCache(Protocol):
    """Vectors by (embedder, text digest), float16 on disk."""

    def vectors(self, embedder_key: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """Return the known ones, each (dimension,)."""

    def add_vectors(self, embedder_key: str, vectors: dict[str, Vectors]) -> None:
        """Store vectors in one transaction."""


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One run in the log: who makes it, and what it came to in short (JSON), "" when not known."""

    id: str
    owner: str
    folded: str = ""


class EventLog(Protocol):
    """Events of builds and answers, numbered from 0, durable when `append` returns."""

    def start_run(self, entry: RunEntry, kind: str, after: RunEntry | None) -> bool:
        """Begin a run, or begin it anew: its earlier events are dropped, it becomes the latest.

        `after` is what `run` said; when that is not so any more, somebody else was faster: nothing
        happens and False is returned.
        """

    def append(self, run_id: str, events: Sequence[LoggedEvent], folded: str | None = None) -> None:
        """Append events to a run and, where it is given, what the run came to in short."""

    def events(self, run_id: str, first: int = 0) -> list[LoggedEvent]:
        """Return the events of a run in order, from number `first`; empty for an unknown run."""

    def run(self, run_id: str) -> RunEntry | None:
        """Return one run, or None."""

    def latest(self, kind: str, limit: int | None = None) -> list[RunEntry]:
        """Return the runs of a kind, latest first."""


class Presence(Protocol):
    """Tells whether a program that makes a run is still there."""

    def claim(self) -> str:
        """Return the name of this program, which is present from now until it ends."""

    def is_present(self, name: str) -> bool:
        """Return whether the program of that name is there."""
