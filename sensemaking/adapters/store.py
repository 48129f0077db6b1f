"""The store of a corpus: records by scope, vectors of texts, replies of models, events of runs.

All lie in one SQLite file. `SqliteStore` opens it and is what the rest of the program sees; it
joins four small classes, one for each port.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from sensemaking.adapters.database import Database
from sensemaking.adapters.event_log import SqliteEventLog
from sensemaking.adapters.records import (
    CONTENT_TABLES,
    RECORD_TABLES,
    decode,
    decompress,
    encode,
    record_id,
    table_of,
)
from sensemaking.adapters.reply_cache import SqliteReplyCache
from sensemaking.adapters.vector_cache import SqliteVectorCache

T = TypeVar("T")


class SqliteRecords:
    """Records by type and scope (`ports.Store`).

    Notes
    -----
    A scope that loses records by `keep_only` is no longer finished: what its digest promises is not
    there any more, and the stage runs again.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, scope: str, records: Sequence[Any]) -> None:
        """Store records of one type under their `id`; those already there keep their place."""
        if not records:
            return
        table = table_of(type(records[0]))
        rows = [(scope, record_id(one), encode(one)) for one in records]
        with self._database.writing() as connection:
            _open_scope(connection, scope)
            connection.executemany(
                f"INSERT INTO {table} (scope, id, ordinal, body) VALUES (?, ?, 0, ?) "
                "ON CONFLICT (scope, id) DO UPDATE SET body = excluded.body",
                rows,
            )

    def replace(self, scope: str, records_by_type: dict[type[Any], Sequence[Any]]) -> None:
        """Make these the whole content of a scope, in order, and mark the scope finished."""
        rows_by_table = {
            table_of(record_type): [
                (scope, record_id(one), number, encode(one)) for number, one in enumerate(records)
            ]
            for record_type, records in records_by_type.items()
        }
        with self._database.writing() as connection:
            _open_scope(connection, scope)
            for table in RECORD_TABLES.values():
                connection.execute(f"DELETE FROM {table} WHERE scope = ?", (scope,))
            for table, rows in rows_by_table.items():
                connection.executemany(f"INSERT INTO {table} VALUES (?, ?, ?, ?)", rows)
            connection.execute("UPDATE scopes SET finished = 1 WHERE scope = ?", (scope,))

    def all(self, record_type: type[T], scope: str) -> list[T]:
        """Return all records of one type in a scope, by (ordinal, id)."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT ordinal, id, body FROM {table_of(record_type)} WHERE scope = ?", (scope,)
            ).fetchall()
        # Sorted here: SQLite would carry the bodies through its sorter.
        rows.sort(key=lambda row: row[:2])
        return [decode(record_type, body, path=self._database.path) for _, _, body in rows]

    def get(self, record_type: type[T], scope: str, record_id: str) -> T | None:
        """Return one record, or None."""
        with self._database.reading() as connection:
            row = connection.execute(
                f"SELECT body FROM {table_of(record_type)} WHERE scope = ? AND id = ?",
                (scope, record_id),
            ).fetchone()
        return None if row is None else decode(record_type, row[0], path=self._database.path)

    def ids(self, record_type: type[Any], scope: str) -> list[str]:
        """Return the ids of one type in a scope, by (ordinal, id)."""
        with self._database.reading() as connection:
            rows = connection.execute(
                f"SELECT id FROM {table_of(record_type)} WHERE scope = ? ORDER BY ordinal, id",
                (scope,),
            ).fetchall()
        return [row[0] for row in rows]

    def exchange(self, scope: str, changes: Sequence[tuple[Any, Any]]) -> list[bool]:
        """Put new records in the places of old ones that still stand; return which did.

        A change is (old, new), both of one type and one id. Whoever changed a record in between is
        not overwritten.
        """
        rows = [(table_of(type(old)), record_id(old), old, encode(new)) for old, new in changes]
        with self._database.writing() as connection:
            return [self._exchange(connection, (scope, *row)) for row in rows]

    def _exchange(
        self, connection: sqlite3.Connection, change: tuple[str, str, str, Any, bytes]
    ) -> bool:
        scope, table, identity, old, body = change
        key = (scope, identity)
        row = connection.execute(
            f"SELECT body FROM {table} WHERE scope = ? AND id = ?", key
        ).fetchone()
        if row is None or decode(type(old), row[0], path=self._database.path) != old:
            return False
        connection.execute(f"UPDATE {table} SET body = ? WHERE scope = ? AND id = ?", (body, *key))
        return True

    def is_finished(self, scope: str) -> bool:
        """Return whether the content of a scope is complete."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT finished FROM scopes WHERE scope = ?", (scope,)
            ).fetchone()
        return row is not None and bool(row[0])

    def finish(self, scope: str) -> None:
        """Mark a scope that was filled with `add` as complete."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT INTO scopes (scope, finished) VALUES (?, 1) "
                "ON CONFLICT (scope) DO UPDATE SET finished = 1",
                (scope,),
            )

    def point(self, heads: dict[str, str]) -> None:
        """Set what is current, all at once; names that are not given stay."""
        with self._database.writing() as connection:
            connection.executemany(
                "INSERT INTO heads (name, scope) VALUES (?, ?) "
                "ON CONFLICT (name) DO UPDATE SET scope = excluded.scope",
                sorted(heads.items()),
            )

    def head(self, name: str) -> str | None:
        """Return the scope that a name points to, or None."""
        with self._database.reading() as connection:
            row = connection.execute("SELECT scope FROM heads WHERE name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def heads(self) -> dict[str, str]:
        """Return all names, sorted, and what they point to."""
        with self._database.reading() as connection:
            return dict(connection.execute("SELECT name, scope FROM heads ORDER BY name"))

    def keep_only(self, record_type: type[Any], scopes: Iterable[str]) -> None:
        """Delete the records of one type in all other scopes."""
        table = table_of(record_type)
        others = "scope NOT IN (SELECT value FROM json_each(?))"
        kept = json.dumps(sorted(scopes))
        with self._database.writing() as connection:
            connection.execute(
                "UPDATE scopes SET finished = 0 "
                f"WHERE {others} AND scope IN (SELECT scope FROM {table})",
                (kept,),
            )
            connection.execute(f"DELETE FROM {table} WHERE {others}", (kept,))

    def digest_tables(self, scopes: Iterable[str] | None = None) -> dict[str, str]:
        """Return a digest of each content table, over all scopes or those given.

        Equal digests mean equal records in equal order; jobs, timings and caches play no part.
        """
        wanted = None if scopes is None else json.dumps(sorted(scopes))
        where = "" if wanted is None else "WHERE scope IN (SELECT value FROM json_each(?))"
        with self._database.reading() as connection:
            return {
                table: _digest_rows(
                    connection.execute(
                        f"SELECT scope, id, ordinal, body FROM {table} {where} ORDER BY scope, id",
                        () if wanted is None else (wanted,),
                    )
                )
                for table in CONTENT_TABLES
            }


class SqliteStore(SqliteRecords, SqliteVectorCache, SqliteReplyCache, SqliteEventLog):
    """The opened file of a corpus; `read_only` changes nothing on disk. Any thread may use it.

    Raises
    ------
    NewerStore
        When a newer version of the program made the file.
    StoreError
        When the file cannot be opened; with `read_only`, also when it is missing or older.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        database = Database(path, read_only=read_only)
        super().__init__(database)
        SqliteReplyCache.__init__(self, database)

    @property
    def is_read_only(self) -> bool:
        """Whether nothing is changed on disk."""
        return self._database.is_read_only

    def close(self) -> None:
        """Close the file; what is used afterwards says that it is closed."""
        self._database.close()


def _open_scope(connection: sqlite3.Connection, scope: str) -> None:
    connection.execute("INSERT OR IGNORE INTO scopes (scope) VALUES (?)", (scope,))


def _digest_rows(rows: Iterable[tuple[str, str, int, bytes]]) -> str:
    hasher = hashlib.blake2b(digest_size=10)
    for scope, identity, ordinal, body in rows:
        text = decompress(body)
        hasher.update(f"{scope}\0{identity}\0{ordinal}\0{len(text)}\0".encode())
        hasher.update(text)
    return hasher.hexdigest()
