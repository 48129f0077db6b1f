"""The corpus file: vectors, events and replies, and many who use them at once."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from sensemaking.adapters.database import Database
from sensemaking.adapters.store import SqliteStore
from sensemaking.errors import NotFound, StoreError
from sensemaking.ports import RunEntry
from sensemaking.types import (
    Chunk,
    Entity,
    LoggedEvent,
    digest,
)
from tests.adapters.examples import entity

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
