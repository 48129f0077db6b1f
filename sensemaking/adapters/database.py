"""One SQLite file, opened for several threads: many readers beside one writer.

In write-ahead mode a reader sees the last committed state and waits for nobody. Writers of this
process take turns at a lock, writers of other processes at SQLite's own. `synchronous = FULL` makes
a unit durable when its transaction returns, even when the power fails; it costs 0.3 s for 1,700
units.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sensemaking.adapters.schema import MIGRATIONS, Migrations, check_version, migrate
from sensemaking.errors import StoreError

BUSY_SECONDS = 30.0
"""How long a writer waits for the writer of another process."""

_ALMOST_NOTHING = 1_000_000  # bytes
_DISK_FULL = (
    "The disk is full: free some space and press Resume (or run the command again); everything "
    "done so far is kept."
)
_MESSAGES = {
    "SQLITE_FULL": _DISK_FULL,
    "SQLITE_READONLY": "{path} cannot be written: make the folder and its files writable.",
    "SQLITE_PERM": "{path} cannot be written: make the folder and its files writable.",
    "SQLITE_CANTOPEN": "{path} cannot be opened ({error}): check that the folder exists, and that "
    "you may read and write in it.",
    "SQLITE_BUSY": "Another program is writing to {path}: wait until it has finished, then press "
    "Resume; everything done so far is kept.",
    "SQLITE_LOCKED": "Another program is writing to {path}: wait until it has finished, then press "
    "Resume; everything done so far is kept.",
    "SQLITE_CORRUPT": "{path} is damaged ({error}): put back a copy of the folder, or make the "
    "corpus anew from its files.",
    "SQLITE_NOTADB": "{path} is not a corpus ({error}): put back a copy of the folder, or make the "
    "corpus anew from its files.",
    "SQLITE_IOERR": "The disk failed while {path} was in use ({error}): check the disk, then press "
    "Resume; everything done so far is kept.",
}


class Database:
    """A corpus file. Opening migrates it; a missing one is made, with its folder.

    Raises
    ------
    NewerStore
        When a newer version of the program made the file.
    StoreError
        When the file cannot be opened; with `read_only`, also when it is missing or older.
    """

    def __init__(
        self, path: Path, *, read_only: bool = False, migrations: Migrations = MIGRATIONS
    ) -> None:
        self.path = path
        self._read_only = read_only
        self._turn = threading.RLock()
        self._pool_lock = threading.Lock()
        self._idle: list[sqlite3.Connection] = []
        self._closed = False
        self._is_frozen = False
        self._writer: sqlite3.Connection | None = None
        with self._translated():
            if read_only:
                self._open_read_only(len(migrations))
            else:
                self._writer = self._open_for_writing(migrations)

    @property
    def is_read_only(self) -> bool:
        """Whether nothing is changed on disk."""
        return self._read_only

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection that sees one state of the file; it waits for no writer."""
        with self._translated():
            connection = self._take()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._give_back(connection)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Lend the connection for writing inside one transaction: all of it is kept, or nothing."""
        if self._read_only:
            raise StoreError(
                f"Nothing can be kept: the folder {self.path.parent} could not be written when it "
                "was opened. Make it writable, or free some room, and start the program again."
            )
        with self._turn, self._translated():
            if self._writer is None:
                raise StoreError(f"{self.path} has been closed: open the corpus again.")
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            finally:
                # After some errors SQLite has rolled back by itself.
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")

    def close(self) -> None:
        """Close all connections; those in use are closed when they come back."""
        with self._turn, self._pool_lock:
            self._closed = True
            idle, self._idle = self._idle, []
            for connection in idle:
                connection.close()
            if self._writer is not None:
                self._writer.close()
                self._writer = None

    def _take(self) -> sqlite3.Connection:
        with self._pool_lock:
            if self._closed:
                raise StoreError(f"{self.path} has been closed: open the corpus again.")
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._pool_lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _connect(self) -> sqlite3.Connection:
        address = f"{self.path.absolute().as_uri()}?mode={'ro' if self._read_only else 'rw'}"
        if self._read_only and (self._is_frozen or self._is_still()):
            address += "&immutable=1"
        return _connect(address)

    def _is_still(self) -> bool:
        """Whether nobody can write here: a write-ahead file needs a folder that can be written."""
        as_who = os.access in os.supports_effective_ids
        may_write = os.access(self.path.parent, os.W_OK, effective_ids=as_who)
        return not may_write and not self._is_left_over()

    def _is_left_over(self) -> bool:
        """Whether there are changes beside the file that are not in it yet."""
        journal = self.path.with_name(self.path.name + "-wal")
        return journal.exists() and journal.stat().st_size > 0

    def _open_read_only(self, newest: int) -> None:
        if not self.path.exists():
            raise StoreError(f"{self.path} does not exist: build the corpus first.")
        connection = self._connect()
        try:
            version = check_version(connection, self.path, newest)
        except sqlite3.OperationalError:
            connection.close()
            if self._is_frozen or self._is_left_over():
                raise
            # On a full disk there is no room for the file that readers and writers share. Nobody
            # writes then, and the file can be read as it lies there.
            self._is_frozen = True
            self._open_read_only(newest)
            return
        except BaseException:
            connection.close()
            raise
        self._give_back(connection)
        if version < newest:
            self.close()
            raise StoreError(
                f"{self.path} has format {version} and must become format {newest}: open the "
                "corpus once from a folder that can be written."
            )

    def _open_for_writing(self, migrations: Migrations) -> sqlite3.Connection:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(f"{self.path.absolute().as_uri()}?mode=rwc")
        try:
            # Foreign and newer files are refused before anything in them changes.
            check_version(connection, self.path, len(migrations))
            _switch_to_write_ahead(connection)
            connection.execute("PRAGMA synchronous = FULL")
            migrate(connection, self.path, migrations)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise StoreError(explain(error, self.path)) from error
        except OSError as error:
            raise StoreError(
                f"{self.path} cannot be used ({error.strerror}): check that the folder exists, "
                "and that you may read and write in it."
            ) from error


def explain(error: sqlite3.Error, path: Path) -> str:
    """Return what went wrong with a file and what to do about it."""
    name = str(getattr(error, "sqlite_errorname", ""))
    family = "_".join(name.split("_")[:2])
    if family in ("SQLITE_IOERR", "SQLITE_CANTOPEN") and _is_disk_full(path):
        family = "SQLITE_FULL"
    message = _MESSAGES.get(family, "{path} cannot be used ({error}).")
    return message.format(path=path, error=error)


def _connect(address: str) -> sqlite3.Connection:
    connection = sqlite3.connect(
        address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _switch_to_write_ahead(connection: sqlite3.Connection) -> None:
    # The switch needs the file for itself and does not always wait for its turn.
    give_up = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
        else:
            return


def _is_disk_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _ALMOST_NOTHING
    except OSError:
        return False
