"""The tables of a corpus file, and how an older file becomes a current one.

`PRAGMA user_version` holds the number of migrations a file has had. A migration is a tuple of
statements and is never changed once released: the next one is appended.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from sensemaking.errors import NewerStore, StoreError

Migrations = tuple[tuple[str, ...], ...]

APPLICATION_ID = 0x534D414B  # "SMAK": tells our files from other people's databases

_RECORD_TABLES_1 = (
    "files",
    "documents",
    "chunks",
    "extractions",
    "entities",
    "relationships",
    "claims",
    "hierarchies",
    "communities",
    "reports",
    "report_links",
    "answers",
    "manifests",
    "settings",
)

MIGRATIONS: Migrations = (
    (
        "CREATE TABLE scopes (scope TEXT PRIMARY KEY, finished INTEGER NOT NULL DEFAULT 0)"
        " WITHOUT ROWID",
        *(
            f"CREATE TABLE {table} ("
            "scope TEXT NOT NULL REFERENCES scopes (scope), id TEXT NOT NULL, "
            "ordinal INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (scope, id))"
            for table in _RECORD_TABLES_1
        ),
        "CREATE TABLE heads (name TEXT PRIMARY KEY, scope TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE vectors (embedder_key TEXT NOT NULL, digest TEXT NOT NULL, "
        "float16 BLOB NOT NULL, PRIMARY KEY (embedder_key, digest))",
        "CREATE TABLE runs (ordinal INTEGER PRIMARY KEY AUTOINCREMENT, "
        "id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL)",
        "CREATE TABLE events (run_id TEXT NOT NULL REFERENCES runs (id), "
        "number INTEGER NOT NULL, seconds REAL NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL, "
        "PRIMARY KEY (run_id, number)) WITHOUT ROWID",
    ),
    (
        "ALTER TABLE runs ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE runs ADD COLUMN folded TEXT NOT NULL DEFAULT ''",
        "CREATE INDEX runs_by_kind ON runs (kind, ordinal)",
    ),
    ("CREATE TABLE replies (key TEXT NOT NULL PRIMARY KEY, body BLOB NOT NULL)",),
    tuple(
        f"CREATE TABLE {table} ("
        "scope TEXT NOT NULL REFERENCES scopes (scope), id TEXT NOT NULL, "
        "ordinal INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (scope, id))"
        for table in ("topics", "topic_edits")
    ),
    tuple(
        f"CREATE TABLE {table} ("
        "scope TEXT NOT NULL REFERENCES scopes (scope), id TEXT NOT NULL, "
        "ordinal INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (scope, id))"
        for table in ("question_sets", "batches", "evaluated_answers", "judgements")
    ),
)


def stored_version(connection: sqlite3.Connection) -> int:
    """Return how many migrations the file has had; 0 for a new file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def check_version(connection: sqlite3.Connection, path: Path, newest: int) -> int:
    """Return the version of a file, after refusing what this program cannot use.

    Raises
    ------
    NewerStore
        When a newer version of the program made the file.
    StoreError
        When the file is another program's database.
    """
    # In one statement, so of one moment: another process may be making the file.
    version, application, tables = connection.execute(
        "SELECT user_version, application_id, (SELECT count(*) FROM sqlite_master) "
        "FROM pragma_user_version, pragma_application_id"
    ).fetchone()
    if tables and application != APPLICATION_ID:
        raise StoreError(
            f"{path} is a database of another program: choose another folder for the corpus."
        )
    if version > newest:
        raise NewerStore(
            f"{path} has format {version}, made by a newer version of this program; this version "
            f"knows formats up to {newest}. Update the program; the folder was not changed."
        )
    return int(version)


def migrate(connection: sqlite3.Connection, path: Path, migrations: Migrations) -> None:
    """Bring a file to the newest format, in one transaction, after keeping a copy beside it.

    The copy of a file in format n is `<name>.format-n.db`. A new file has nothing to copy.

    Raises
    ------
    NewerStore, StoreError
        As `check_version`.
    """
    version = check_version(connection, path, len(migrations))
    if version == len(migrations):
        return
    if version:
        _keep_copy(connection, path, version)
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have been faster between the check and the lock.
        version = check_version(connection, path, len(migrations))
        for statements in migrations[version:]:
            for statement in statements:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    finally:
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _keep_copy(connection: sqlite3.Connection, path: Path, version: int) -> None:
    copy = path.with_name(f"{path.stem}.format-{version}.db")
    unfinished = copy.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    with closing(sqlite3.connect(unfinished)) as target:
        connection.backup(target)
        if stored_version(target) != version:
            return
    os.replace(unfinished, copy)
