"""Events of builds and answers, in the SQLite file of a corpus."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from sensemaking.adapters.database import Database
from sensemaking.errors import NotFound
from sensemaking.ports import RunEntry
from sensemaking.types import LoggedEvent

_ENTRY = "SELECT id, owner, folded FROM runs"


class SqliteEventLog:
    """Events of jobs and answers, durable when `append` returns (`ports.EventLog`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start_run(self, entry: RunEntry, kind: str, after: RunEntry | None) -> bool:
        """Begin a run, or begin it anew: its earlier events are dropped, it becomes the latest.

        Nothing happens, and False is returned, when the run is not what `after` says any more.
        """
        with self._database.writing() as connection:
            if _find(connection, entry.id) != after:
                return False
            connection.execute("DELETE FROM events WHERE run_id = ?", (entry.id,))
            connection.execute("DELETE FROM runs WHERE id = ?", (entry.id,))
            connection.execute(
                "INSERT INTO runs (id, kind, owner, folded) VALUES (?, ?, ?, ?)",
                (entry.id, kind, entry.owner, entry.folded),
            )
        return True

    def append(self, run_id: str, events: Sequence[LoggedEvent], folded: str | None = None) -> None:
        """Append events to a run, and note what it came to, in one transaction.

        Raises
        ------
        NotFound
            When the run was never started.
        """
        if not events and folded is None:
            return
        with self._database.writing() as connection:
            if _find(connection, run_id) is None:
                raise NotFound(f"There is no run {run_id}: start it before it tells anything.")
            (first,) = connection.execute(
                "SELECT coalesce(max(number) + 1, 0) FROM events WHERE run_id = ?", (run_id,)
            ).fetchone()
            connection.executemany(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?)",
                [
                    (run_id, number, one.seconds, one.kind, one.body)
                    for number, one in enumerate(events, first)
                ],
            )
            if folded is not None:
                connection.execute("UPDATE runs SET folded = ? WHERE id = ?", (folded, run_id))

    def events(self, run_id: str, first: int = 0) -> list[LoggedEvent]:
        """Return the events of a run in order, from number `first`; empty for an unknown run."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT seconds, kind, body FROM events WHERE run_id = ? AND number >= ? "
                "ORDER BY number",
                (run_id, first),
            ).fetchall()
        return [LoggedEvent(*row) for row in rows]

    def run(self, run_id: str) -> RunEntry | None:
        """Return one run, or None."""
        with self._database.reading() as connection:
            return _find(connection, run_id)

    def latest(self, kind: str, limit: int | None = None) -> list[RunEntry]:
        """Return the runs of a kind, latest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"{_ENTRY} WHERE kind = ? ORDER BY ordinal DESC LIMIT ?",
                (kind, -1 if limit is None else limit),
            ).fetchall()
        return [RunEntry(*row) for row in rows]


def _find(connection: sqlite3.Connection, run_id: str) -> RunEntry | None:
    row = connection.execute(f"{_ENTRY} WHERE id = ?", (run_id,)).fetchone()
    return None if row is None else RunEntry(*row)
