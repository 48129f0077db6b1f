"""Replies of language models, kept in the SQLite file of a corpus: none is paid for twice.

Notes
-----
Replies of calls that were made together come together, and a transaction takes as long as the disk
needs to be sure (8 ms on a slow one), whatever it holds. So whoever finds nobody writing writes for
all who wait, in one transaction: each reply is durable when `add_reply` returns.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from sensemaking.adapters.database import Database
from sensemaking.errors import StoreError


@dataclass(eq=False)
class _Waiting:
    key: str
    body: bytes
    done: threading.Event = field(default_factory=threading.Event)
    error: StoreError | None = None


class SqliteReplyCache:
    """Replies by the digest of all they depend on (`ports.ReplyCache`); any thread may use it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._line = threading.Lock()
        self._waiting: list[_Waiting] = []
        self._is_writing = False

    def reply(self, key: str) -> bytes | None:
        """Return a stored reply, or None."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT body FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def add_reply(self, key: str, body: bytes) -> None:
        """Store a reply; one that is already there stays as it is."""
        mine = _Waiting(key, body)
        with self._line:
            self._waiting.append(mine)
            writes, self._is_writing = not self._is_writing, True
        if writes:
            self._write_waiting()
        mine.done.wait()
        if mine.error is not None:
            raise mine.error

    def remove_reply(self, key: str) -> None:
        """Drop a stored reply; nothing happens when there is none."""
        with self._database.writing() as connection:
            connection.execute("DELETE FROM replies WHERE key = ?", (key,))

    def _write_waiting(self) -> None:
        while True:
            with self._line:
                some, self._waiting = self._waiting, []
                if not some:
                    self._is_writing = False
                    return
            error: StoreError | None = StoreError("The reply of a model could not be stored.")
            try:
                with self._database.writing() as connection:
                    connection.executemany(
                        "INSERT OR IGNORE INTO replies VALUES (?, ?)",
                        [(one.key, one.body) for one in some],
                    )
                error = None
            except StoreError as found:
                error = found
            finally:
                for one in some:
                    one.error = error
                    one.done.set()
