"""The corpus file: what is committed stays, and what fails says what to do."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import is_dataclass, replace
from pathlib import Path

import numpy as np
import pytest

import sensemaking.types
from sensemaking.adapters.database import Database
from sensemaking.adapters.records import CONTENT_TABLES, RECORD_TABLES, decode, encode
from sensemaking.adapters.schema import MIGRATIONS
from sensemaking.adapters.store import SqliteStore
from sensemaking.config import ChunkingSettings, Settings
from sensemaking.errors import NewerStore, NotFound, StoreError
from sensemaking.ports import RunEntry
from sensemaking.types import (
    Answer,
    AnswerSentence,
    Batch,
    BuildReady,
    Chunk,
    Citation,
    Claim,
    Community,
    CommunityEdit,
    Condition,
    Coverage,
    Document,
    Entity,
    EvaluatedAnswer,
    Extraction,
    Faithfulness,
    Finding,
    FoundTopics,
    HierarchyHead,
    HierarchySummary,
    Judgement,
    LevelStability,
    LoggedEvent,
    Mention,
    MentionedClaim,
    Paragraph,
    Point,
    Question,
    QuestionSet,
    Relationship,
    Report,
    ReportLink,
    RetrievalRow,
    RetrievalRun,
    Section,
    Sentence,
    Skipped,
    SourceFile,
    Span,
    Stability,
    SubAnswer,
    TopicEdit,
    Trial,
    Usage,
    digest,
)

SPAN = Span("d1", 3, 9, 2)
CITATION = Citation("entity", "e1", (SPAN,))
POINT = Point("p1", "Ports", "It met.", 70, (CITATION,))
SUB = SubAnswer(0, "kept", 70, (POINT,), ("b1",), ("Harbour",), 12)
EXAMPLES = (
    SourceFile("f1", "a/b.txt", "text/plain", 12, "cd", "read", "", ("d1",)),
    Document(
        *("d1", "a/b.txt", "Ünï 東京", 'A "text"\nwith 😀\t.', "text/plain", "en", 4),
        metadata=(("date", "2024-01-01"),),
        sections=(Section("turn", "KEVIN:", 0, 4),),
    ),
    Chunk("c1", "d1", 0, 0, 14, 0, 6),
    Extraction(
        "c1",
        (Mention("Port", "organisation", (SPAN,)),),
        (),
        (MentionedClaim(0, None, "amount", "true", "3 million", (SPAN,), "2019"),),
        (Sentence(SPAN, (0,), "KEVIN"),),
    ),
    Entity("e1", "Port", "organisation", "", (SPAN,), ("c1",), ("The Port",)),
    Relationship("r1", "e1", "e2", "met", 0.1 + 0.2, (SPAN,), ("c1",)),
    Claim("k1", "e1", None, "amount", "true", "3 million", (SPAN,), ("c1",), "2019", None),
    HierarchyHead("general.leiden", "general", "leiden", (("a", "b"),), 3735928559, ("e9",)),
    Community("m1", "mk", 0, None, ("e1",), ("e1",), "core", 3),
    Report(
        *("t1", "m1", "Harbour", "Sums up.", (CITATION,)),
        *((Finding("t1.0", "H", "T", (CITATION,)),), 7.5, "large", 90, 4, "elements", 80),
    ),
    ReportLink("m1", "t1"),
    Answer(
        *("a1", "What?", "global", (("seed", "86"),), "It met."),
        *((Paragraph("", (AnswerSentence("It met.", 90, (CITATION,), ("p1",)),)),), ("none",)),
        *((SUB,), Coverage(1, 1, 2, 1, 1), (Skipped("map", "w1", "late", True),)),
        *(Usage(calls=2), 1.25, 0.5, 3),
    ),
    BuildReady(
        *(1, 1, 2, 1, 1, (HierarchySummary("general.leiden", "leiden", 1, 1, 1, (2,), 0),), 1, ()),
        *(Usage(), 2.5, "digest"),
    ),
    Settings(chunking=ChunkingSettings(size=300, overlap=0)),
    FoundTopics("0", 0, "Minutes of a port.", (("Ports", "What ships do."),)),
    TopicEdit("000000", "rename", "Ports", "Harbours"),
    CommunityEdit("000000", "note", "mk", "Ask the harbour master."),
    QuestionSet("set", (Question("q1", "Who pays?", gold=(("d1", 1.0),)),), ("one came twice",)),
    Batch(
        *("b1", "set", (Question("q1", "Who pays?"),), (Condition("A", (("method", "global"),)),)),
        *((("A", "B"),), ("diversity",), ("extractive",)),
    ),
    EvaluatedAnswer(
        *("v1", "q1", "A", "a1", "done", "", "The port pays.", ("The port pays.",), ((0.5, 1),)),
        faithfulness=Faithfulness(1, 0, 0, 1, 1, 2, 1, ("The port pays.",)),
    ),
    Judgement("j1", 2, "more claims"),
    RetrievalRun("r1", "set", (Question("q1", "Who pays?", gold=(("d1", 1.0),)),), ("bm25",), 10),
    RetrievalRow("q1", "bm25", ("d2", "d1"), ("d1",), 1.0, 0.63, 0.01),
    Stability(
        *("general.leiden", "leiden", ("m1", "m2"), ("e1", "e2", "e3")),
        (
            Trial(
                5.0,
                3,
                4,
                (LevelStability(0, (2, 3), 0.5, 0.25, 0.75, (0.4, 0.5), 3),),
                (3, 1),
                (1.0, None, 0.5),
            ),
        ),
    ),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus" / "corpus.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(path)
    yield made
    made.close()


def entity(name: str) -> Entity:
    return Entity(name, name.title(), "person", "x" * 2000, (SPAN,), ("c1",))


# Records


def test_there_is_an_example_of_every_stored_record() -> None:
    assert {type(one) for one in EXAMPLES} == set(RECORD_TABLES)


def test_everything_with_an_id_that_a_build_makes_is_stored() -> None:
    known = {one for one in vars(sensemaking.types).values() if is_dataclass(one)}
    assert set(RECORD_TABLES) - {Settings} <= known
    assert set(CONTENT_TABLES) < set(RECORD_TABLES.values())


@pytest.mark.parametrize("record", EXAMPLES, ids=lambda one: type(one).__name__)
def test_a_record_comes_back_as_it_was(record: object, store: SqliteStore, path: Path) -> None:
    store.add("s", [record])
    (identity,) = store.ids(type(record), "s")
    assert store.all(type(record), "s") == [record]
    assert store.get(type(record), "s", identity) == record
    assert decode(type(record), encode(record), path=path) == record


def test_a_long_record_is_kept_short(path: Path) -> None:
    mentions = tuple(Mention(f"name {n}", "person", (SPAN,) * 3) for n in range(200))
    extraction = Extraction("c1", mentions)
    assert len(encode(extraction)) < 8_000
    assert decode(Extraction, encode(extraction), path=path) == extraction


def test_added_records_come_by_id_and_replaced_ones_in_their_order(store: SqliteStore) -> None:
    store.add("s", [entity("b"), entity("a")])
    assert store.ids(Entity, "s") == ["a", "b"]
    store.replace("s", {Entity: [entity("z"), entity("m"), entity("a")]})
    store.add("s", [replace(entity("m"), description="new")])
    assert store.ids(Entity, "s") == ["z", "m", "a"]
    assert [one.id for one in store.all(Entity, "s")] == ["z", "m", "a"]
    assert store.get(Entity, "s", "m").description == "new"


def test_replace_is_the_whole_scope_and_no_other(store: SqliteStore) -> None:
    store.add("s", [EXAMPLES[5]])
    store.add("other", [entity("a")])
    assert not store.is_finished("s")
    store.replace("s", {Entity: [entity("b")], Claim: []})
    assert store.is_finished("s")
    assert store.all(Relationship, "s") == []
    assert store.ids(Entity, "other") == ["a"]
    assert not store.is_finished("other")


def test_a_scope_that_loses_records_is_no_longer_finished(store: SqliteStore) -> None:
    for scope in ("one", "two", "three"):
        store.replace(scope, {Entity: [entity("a")], Claim: [EXAMPLES[6]]})
    store.keep_only(Claim, ["one", "two"])
    assert [store.is_finished(scope) for scope in ("one", "two", "three")] == [True, True, False]
    assert store.all(Claim, "three") == []
    assert store.ids(Entity, "three") == ["a"]
    store.finish("three")
    assert store.is_finished("three")


def test_a_record_that_somebody_changed_is_not_overwritten(store: SqliteStore) -> None:
    first, second = entity("a"), replace(entity("a"), description="changed " * 500)
    late = replace(first, description="too late")
    assert store.exchange("s", [(first, second)]) == [False]
    store.add("s", [first, entity("b")])
    assert store.exchange("s", [(first, second), (first, late)]) == [True, False]
    assert store.all(Entity, "s") == [second, entity("b")]
    gone = (entity("c"), entity("c"))
    assert store.exchange("s", [(second, first), gone]) == [True, False]
    assert store.exchange("other", [(first, second)]) == [False]
    assert store.exchange("s", []) == []


def test_heads_move_together(store: SqliteStore) -> None:
    store.point({"graph": "g1", "reports": "r1"})
    store.point({"graph": "g2"})
    assert store.heads() == {"graph": "g2", "reports": "r1"}
    assert store.head("graph") == "g2"
    assert store.head("none") is None


def test_a_record_that_is_not_stored_is_a_mistake_of_the_program(store: SqliteStore) -> None:
    with pytest.raises(TypeError, match="Usage"):
        store.add("s", [Usage()])


def test_half_a_surrogate_pair_is_refused_and_named(store: SqliteStore) -> None:
    with pytest.raises(StoreError, match="Entity x holds a broken character"):
        store.add("s", [replace(entity("x"), description="\ud800")])
    assert store.ids(Entity, "s") == []


def test_digests_see_content_and_order_and_nothing_else(store: SqliteStore, tmp_path: Path) -> None:
    other = SqliteStore(tmp_path / "other.db")
    store.add("s", [entity("a")])
    store.add("s", [entity("b")])
    other.add("s", [entity("b"), entity("a")])
    other.add("s", [SourceFile("f", "n", "text/plain", 1, "c", "read"), EXAMPLES[11]][:1])
    other.add_vectors("m", {"d": np.ones(4, dtype=np.float32)})
    assert store.digest_tables() == other.digest_tables()
    assert set(store.digest_tables()) == set(CONTENT_TABLES)
    other.add("t", [entity("c")])
    assert store.digest_tables() != other.digest_tables()
    assert store.digest_tables() == other.digest_tables(["s"])
    other.replace("s", {Entity: [entity("b"), entity("a")]})
    assert store.digest_tables(["s"]) != other.digest_tables(["s"])
    other.close()


# Vectors and events


def test_vectors_come_back_rounded_to_float16(store: SqliteStore) -> None:
    vectors = {digest(n): np.random.default_rng(n).random(384).astype("f4") for n in range(700)}
    store.add_vectors("m1", vectors)
    found = store.vectors("m1", [*vectors, "unknown"])
    assert list(found) == list(vectors)
    for key, vector in vectors.items():
        assert found[key].dtype == np.float32
        assert np.array_equal(found[key], vector.astype(np.float16).astype(np.float32))
    assert store.vectors("m2", list(vectors)) == {}


def test_events_are_numbered_and_a_run_may_begin_anew(store: SqliteStore) -> None:
    for name, kind in (("r1", "build"), ("r2", "build"), ("r3", "answer")):
        assert store.start_run(RunEntry(name, f"owner of {name}"), kind, None)
    events = [LoggedEvent(n / 10, "Progress", f'{{"done": {n}}}') for n in range(5)]
    store.append("r1", events[:2])
    store.append("r1", events[2:])
    assert store.events("r1") == events
    assert store.events("r1", 3) == events[3:]
    assert [one.id for one in store.latest("build")] == ["r2", "r1"]
    known = store.run("r1")
    assert known == RunEntry("r1", "owner of r1")
    assert store.start_run(RunEntry("r1", "another"), "build", known)
    assert store.events("r1") == []
    assert [one.id for one in store.latest("build")] == ["r1", "r2"]
    assert [one.id for one in store.latest("build", 1)] == ["r1"]
    with pytest.raises(NotFound, match="no run r9"):
        store.append("r9", events)


def test_a_run_that_has_changed_is_not_begun_anew(store: SqliteStore) -> None:
    first, second = RunEntry("r1", "first"), RunEntry("r1", "second")
    assert store.start_run(first, "answer", None)
    assert not store.start_run(second, "answer", None)
    store.append("r1", [LoggedEvent(0.1, "Progress", "{}")], folded="in short")
    assert not store.start_run(second, "answer", first)
    assert store.run("r1") == RunEntry("r1", "first", "in short")
    assert len(store.events("r1")) == 1
    assert store.start_run(second, "answer", store.run("r1"))
    assert store.run("r1") == second


def test_a_reply_is_kept_for_good_and_its_first_version_stays(path: Path) -> None:
    first = SqliteStore(path)
    assert first.reply("k") is None
    first.add_reply("k", b"\x00said")
    first.add_reply("k", b"something else")
    first.close()
    again = SqliteStore(path, read_only=True)
    assert again.reply("k") == b"\x00said"
    again.close()


def test_replies_that_come_together_are_stored_together(path: Path) -> None:
    store = SqliteStore(path)
    began, ready = threading.Barrier(16), []

    def add(number: int) -> None:
        began.wait()
        for n in range(5):
            store.add_reply(f"{number}-{n}", b"x" * 100)
            ready.append(store.reply(f"{number}-{n}"))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ready == [b"x" * 100] * 80
    store.close()
    with pytest.raises(StoreError, match="has been closed"):
        store.add_reply("late", b"x")
    with pytest.raises(StoreError, match="has been closed"):
        store.add_reply("later", b"x")


# Threads and processes


def test_readers_never_wait_for_a_writer(path: Path) -> None:
    database = Database(path)
    store = SqliteStore(path)
    store.add("s", [entity("a")])
    with database.writing() as connection:
        connection.execute("DELETE FROM entities")
        began = time.monotonic()
        found: list[list[str]] = []
        threads = [
            threading.Thread(target=lambda: found.append(store.ids(Entity, "s"))) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert time.monotonic() - began < 2
        assert found == [["a"]] * 4
    assert store.ids(Entity, "s") == []
    store.close()
    database.close()


def test_threads_write_and_read_at_once(store: SqliteStore) -> None:
    errors: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for n in range(20):
                store.add("s", [entity(f"e{number}-{n:02}")])
                assert f"e{number}-{n:02}" in store.ids(Entity, "s")
        except (AssertionError, StoreError) as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    assert len(store.all(Entity, "s")) == 100


WRITER = """
import sys
from pathlib import Path
from sensemaking.adapters.store import SqliteStore
from sensemaking.types import Chunk
store = SqliteStore(Path(sys.argv[1]))
print("open", flush=True)
n = 0
while True:
    unit = [Chunk(f"{n:05}-{part}", "d" * 3000, n, 0, 1, 0, 1) for part in range(5)]
    store.add("s", unit)
    n += 1
    print(n, flush=True)
"""


@pytest.mark.parametrize("delay", [0.05, 0.15, 0.4])
def test_sigkill_neither_loses_nor_tears_a_unit(delay: float, path: Path) -> None:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    time.sleep(delay)
    writer.send_signal(signal.SIGKILL)
    reported = writer.stdout.read().split()
    writer.wait()
    writer.stdout.close()
    done = max((int(one) for one in reported if one.isdigit()), default=0)
    store = SqliteStore(path)
    found = store.ids(Chunk, "s")
    store.close()
    units = {one.split("-")[0] for one in found}
    assert len(found) == 5 * len(units)
    assert len(units) in (done, done + 1)


OPENER = """
import sys
from pathlib import Path
from sensemaking.adapters.store import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
store.finish(sys.argv[2])
store.close()
"""


def test_processes_may_make_the_file_at_the_same_moment(path: Path) -> None:
    commands = [[sys.executable, "-c", OPENER, str(path), f"s{n}"] for n in range(4)]
    processes = [subprocess.Popen(command) for command in commands]
    assert [one.wait() for one in processes] == [0] * 4
    store = SqliteStore(path)
    assert all(store.is_finished(f"s{n}") for n in range(4))
    store.close()


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
