"""The corpus file as a file: its formats, and what goes wrong outside."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from sensemaking.adapters.database import Database
from sensemaking.adapters.schema import MIGRATIONS
from sensemaking.adapters.store import SqliteStore
from sensemaking.errors import NewerStore, StoreError
from sensemaking.ports import RunEntry
from sensemaking.types import (
    Entity,
)
from tests.adapters.examples import entity

# Formats


def test_a_newer_file_is_refused_with_both_versions_and_left_alone(path: Path) -> None:
    newer = (*MIGRATIONS, ("CREATE TABLE later (x)",), ("CREATE TABLE even_later (x)",))
    Database(path, migrations=newer).close()
    before = path.read_bytes()
    for read_only in (False, True):
        with pytest.raises(NewerStore, match=rf"format {len(newer)}.* up to {len(MIGRATIONS)}"):
            SqliteStore(path, read_only=read_only)
    assert path.read_bytes() == before


def test_an_older_file_is_migrated_after_a_copy_is_kept(path: Path) -> None:
    store = SqliteStore(path)
    store.add("s", [entity("a")])
    store.close()
    newer = (*MIGRATIONS, ("ALTER TABLE entities ADD COLUMN note TEXT DEFAULT 'none'",))
    database = Database(path, migrations=newer)
    with database.reading() as connection:
        assert connection.execute("SELECT id, note FROM entities").fetchall() == [("a", "none")]
    database.close()
    copy = path.with_name(f"corpus.format-{len(MIGRATIONS)}.db")
    old = SqliteStore(copy)
    assert old.all(Entity, "s") == [entity("a")]
    old.close()
    with pytest.raises(NewerStore):
        SqliteStore(path)


def test_a_migration_that_fails_changes_nothing(path: Path) -> None:
    store = SqliteStore(path)
    store.add("s", [entity("a")])
    store.close()
    broken = (*MIGRATIONS, ("CREATE TABLE fine (x)", "INSERT INTO nowhere VALUES (1)"))
    with pytest.raises(StoreError, match="nowhere"):
        Database(path, migrations=broken)
    again = SqliteStore(path)
    assert again.all(Entity, "s") == [entity("a")]
    again.close()


def test_an_older_file_cannot_be_opened_for_reading_only(path: Path) -> None:
    SqliteStore(path).close()
    newer = (*MIGRATIONS, ("CREATE TABLE later (x)",))
    with pytest.raises(StoreError, match="open the corpus once"):
        Database(path, read_only=True, migrations=newer)


# What goes wrong outside


def test_a_full_disk_keeps_what_was_done_and_says_so(path: Path) -> None:
    database = Database(path)
    database.close()
    store = SqliteStore(path)
    store.add("s", [entity("a")])
    with store._database.writing() as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 3}")
    large = [replace(entity(f"b{n}"), description=os.urandom(9000).hex()) for n in range(9)]
    with pytest.raises(StoreError, match="disk is full: free some space and press Resume"):
        store.add("s", large)
    assert store.ids(Entity, "s") == ["a"]
    with store._database.writing() as connection:
        connection.execute("PRAGMA max_page_count = 100000")
    store.add("s", large)
    assert len(store.ids(Entity, "s")) == 10
    store.close()


def test_a_locked_file_names_the_cause(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sensemaking.adapters.database.BUSY_SECONDS", 0.1)
    store = SqliteStore(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="Another program is writing"):
            store.add("s", [entity("a")])
        other.execute("ROLLBACK")
    store.add("s", [entity("a")])
    store.close()


@pytest.mark.parametrize("content", [b"nothing of the kind" * 500, b"SQLite format 3\0" + b"x" * 9])
def test_a_file_that_is_no_database_is_named(content: bytes, path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"corpus\.db is (not a corpus|damaged)"):
        SqliteStore(path)


def test_a_damaged_file_says_what_to_do(path: Path) -> None:
    store = SqliteStore(path)
    store.replace("s", {Entity: [entity(f"e{n:03}") for n in range(300)]})
    store.close()
    data = bytearray(path.read_bytes())
    data[3 * 4096 :] = b"\x5a" * (len(data) - 3 * 4096)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="damaged.*put back a copy"):
        SqliteStore(path).all(Entity, "s")


def test_a_record_that_cannot_be_read_is_named(store: SqliteStore) -> None:
    store.add("s", [entity("a")])
    for body in (b"{}", b"nonsense", b"\x78broken"):
        with store._database.writing() as connection:
            connection.execute("UPDATE entities SET body = ?", (body,))
        with pytest.raises(StoreError, match="holds a Entity that cannot be read"):
            store.get(Entity, "s", "a")


def test_another_programs_database_is_refused(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="another program"):
        SqliteStore(path)
    assert path.read_bytes() == before


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match=r"corpus\.db cannot be used"):
        SqliteStore(tmp_path / "file" / "corpus.db")


def test_a_closed_store_says_so(path: Path) -> None:
    store = SqliteStore(path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="has been closed"):
        store.ids(Entity, "s")
    with pytest.raises(StoreError, match="has been closed"):
        store.add("s", [entity("a")])


def test_a_missing_file_is_not_made_by_reading(path: Path) -> None:
    with pytest.raises(StoreError, match="build the corpus first"):
        SqliteStore(path, read_only=True)
    assert not path.exists()


@pytest.fixture
def read_only_folder() -> Iterator[Path]:
    """A corpus in a folder that this process may not write: it gives up being root meanwhile."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    store = SqliteStore(folder / "corpus.db")
    store.add("s", [entity("a")])
    store.close()
    (folder / "corpus.db").chmod(0o444)
    folder.chmod(0o555)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(65534)
    yield folder
    if is_root:
        os.seteuid(0)
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_read_only_folder_can_be_read(read_only_folder: Path) -> None:
    store = SqliteStore(read_only_folder / "corpus.db", read_only=True)
    assert store.all(Entity, "s") == [entity("a")]
    with pytest.raises(StoreError, match="Nothing can be kept"):
        store.add("s", [entity("b")])
    store.close()


def test_a_read_only_folder_cannot_be_written_and_says_so(read_only_folder: Path) -> None:
    with pytest.raises(StoreError, match="writ"):
        SqliteStore(read_only_folder / "corpus.db")
    with pytest.raises(StoreError, match="read and write"):
        SqliteStore(read_only_folder / "new" / "corpus.db")


def test_a_reader_works_beside_a_writer(path: Path, store: SqliteStore) -> None:
    store.add("s", [entity("a")])
    reader = SqliteStore(path, read_only=True)
    store.add("s", [entity("b")])
    assert reader.ids(Entity, "s") == ["a", "b"]
    reader.close()


def test_a_file_from_before_runs_had_owners_keeps_its_answers(path: Path) -> None:
    Database(path, migrations=MIGRATIONS[:1]).close()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO runs (id, kind) VALUES ('a1', 'answer')")
        connection.execute("INSERT INTO events VALUES ('a1', 0, 0.0, 'AnswerToken', '{}')")
    store = SqliteStore(path)
    assert store.latest("answer") == [RunEntry("a1", "", "")]
    assert len(store.events("a1")) == 1
    store.close()
