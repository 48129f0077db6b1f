"""Replies of language models, kept in the SQLite file of a corpus: none is paid for twice."""

from __future__ import annotations

from sensemaking.adapters.database import Database


class SqliteReplyCache:
    """Replies by the digest of all they depend on (`ports.ReplyCache`); any thread may use it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def reply(self, key: str) -> bytes | None:
        """Return a stored reply, or None."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT body FROM replies WHERE key = ?", (key,)).fetchone()
        return None if row is None else bytes(row[0])

    def add_reply(self, key: str, body: bytes) -> None:
        """Store a reply; one that is already there stays as it is."""
        with self._database.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO replies VALUES (?, ?)", (key, body))
