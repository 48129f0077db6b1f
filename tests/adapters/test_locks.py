"""One writer per corpus, known by name; a dead one holds nothing."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from sensemaking.adapters.locks import WriteLock
from sensemaking.errors import CorpusBusy, StoreError

HOLDER = """
import sys, time
from pathlib import Path
from sensemaking.adapters.locks import WriteLock
lock = WriteLock(Path(sys.argv[1]))
lock.acquire("build")
print("held", flush=True)
sys.stdin.read()
lock.release()
"""


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock until its input ends."""
    started = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "held\n"
    yield started
    started.kill()
    started.communicate()


def is_free(folder: Path) -> bool:
    lock = WriteLock(folder)
    try:
        lock.acquire("look")
    except CorpusBusy:
        return False
    lock.release()
    return True


def test_a_second_writer_is_told_who_holds_it_and_since_when(
    other: subprocess.Popen[str], tmp_path: Path
) -> None:
    lock = WriteLock(tmp_path)
    with pytest.raises(CorpusBusy) as caught:
        lock.acquire("build")
    message = str(caught.value)
    assert f"process {other.pid}" in message
    assert re.search(r"\(build\) since \d\d:\d\d:\d\d on \d\d \w+", message)
    assert tmp_path.name in message


def test_a_killed_holder_holds_nothing(other: subprocess.Popen[str], tmp_path: Path) -> None:
    other.send_signal(signal.SIGKILL)
    other.wait()
    lock = WriteLock(tmp_path)
    assert is_free(tmp_path)
    lock.acquire("resume")
    with pytest.raises(CorpusBusy, match=r"this program has been at work \(resume\)"):
        WriteLock(tmp_path).acquire("build")
    lock.release()


def test_a_released_lock_is_free(other: subprocess.Popen[str], tmp_path: Path) -> None:
    other.communicate("")
    lock = WriteLock(tmp_path)
    assert is_free(tmp_path)
    with lock.held("read"):
        assert not is_free(tmp_path)
    assert is_free(tmp_path)


def test_two_locks_of_one_program_exclude_each_other(tmp_path: Path) -> None:
    first, second = WriteLock(tmp_path), WriteLock(tmp_path)
    first.acquire("build")
    for lock in (first, second):
        with pytest.raises(CorpusBusy, match="this program has been at work"):
            lock.acquire("build")
    first.release()
    second.acquire("build")
    second.release()


def test_another_thread_may_release_it(tmp_path: Path) -> None:
    lock = WriteLock(tmp_path)
    lock.acquire("build")
    thread = threading.Thread(target=lock.release)
    thread.start()
    thread.join()
    assert is_free(tmp_path)
    lock.release()


def test_of_many_threads_one_gets_it(tmp_path: Path) -> None:
    lock = WriteLock(tmp_path)
    outcomes: list[str] = []

    def attempt() -> None:
        try:
            lock.acquire("build")
        except CorpusBusy:
            outcomes.append("busy")
        else:
            outcomes.append("held")

    threads = [threading.Thread(target=attempt) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["busy"] * 7 + ["held"]
    lock.release()


def test_a_note_without_sense_does_not_hide_the_lock(
    other: subprocess.Popen[str], tmp_path: Path
) -> None:
    (tmp_path / "write.holder.json").write_text("{")
    with pytest.raises(CorpusBusy, match="Another program is writing"):
        WriteLock(tmp_path).acquire("build")


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be locked for writing"):
        WriteLock(tmp_path / "file").acquire("build")
