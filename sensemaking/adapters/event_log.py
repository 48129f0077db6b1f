"""Events of builds and answers, in the SQLite file of a corpus."""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.adapters.database import Database
from sensemaking.errors import NotFound
from sensemaking.types import LoggedEvent


class SqliteEventLog:
    """Events of jobs and answers, durable when `append` returns (`ports.EventLog`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start_run(self, run_id: str, kind: str) -> None:
        """Begin a run, or begin it anew: its earlier events are dropped, it becomes the latest."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM events WHERE run_id = ?", (run_id,))
            connection.execute("DELETE FROM runs WHERE id = ?", (run_id,))
            connection.execute("INSERT INTO runs (id, kind) VALUES (?, ?)", (run_id, kind))

    def append(self, run_id: str, events: Sequence[LoggedEvent]) -> None:
        """Append events to a run, in one transaction.

        Raises
        ------
        NotFound
            When the run was never started.
        """
        if not events:
            return
        with self._database.writing() as connection:
            if connection.execute("SELECT 1 FROM runs WHERE id = ?", (run_id,)).fetchone() is None:
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

    def events(self, run_id: str) -> list[LoggedEvent]:
        """Return the events of a run in order; empty for an unknown run."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT seconds, kind, body FROM events WHERE run_id = ? ORDER BY number", (run_id,)
            ).fetchall()
        return [LoggedEvent(*row) for row in rows]

    def runs(self, kind: str) -> list[str]:
        """Return the ids of all runs of a kind, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT id FROM runs WHERE kind = ? ORDER BY ordinal", (kind,)
            ).fetchall()
        return [row[0] for row in rows]
