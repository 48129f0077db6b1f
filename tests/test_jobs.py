"""Runs in the background: followed, stopped, failed, and found again after a restart."""

from __future__ import annotations

import threading
from collections.abc import Generator

import pytest

from sensemaking.errors import ModelUnavailable, NotFound, StoreError
from sensemaking.jobs import Jobs
from sensemaking.types import (
    AnswerToken,
    BuildReady,
    Coverage,
    LoggedEvent,
    Progress,
    Skipped,
    SubAnswer,
    SubAnswerReady,
    Usage,
    WindowsPlanned,
)
from tests.fakes import MemoryLog

READY = BuildReady(1, 1, 0, 0, 0, (), 0, (), Usage(), 0.1, "d")


def two_stages() -> Generator[object, None, None]:
    yield Progress("read", 1, 2, "a.txt")
    yield Skipped("read", "b.txt", "it is empty")
    yield Progress("read", 2, 2)
    yield Progress("chunk", 1, 1)
    yield READY


def test_a_build_ends_with_its_stages_skips_and_result() -> None:
    jobs = Jobs("c", MemoryLog())
    jobs.start_build("build", two_stages)
    job = jobs.join_build(5)
    assert job is not None
    assert (job.status, job.result, job.error) == ("done", READY, "")
    assert [(stage.name, stage.done, stage.total) for stage in job.stages] == [
        ("read", 2, 2),
        ("chunk", 1, 1),
    ]
    assert [skip.subject for skip in job.skipped] == ["b.txt"]


def test_a_finished_build_is_the_same_after_a_restart() -> None:
    log = MemoryLog()
    jobs = Jobs("c", log)
    jobs.start_build("build", two_stages)
    assert Jobs("c", log).build() == jobs.join_build(5)


def test_a_build_without_an_end_was_interrupted_and_does_not_restart() -> None:
    log = MemoryLog()
    ended = Jobs("c", log)
    ended.start_build("build", two_stages)
    ended.join_build(5)
    interrupted = MemoryLog()
    interrupted.start_run("build-1", "build")
    interrupted.append("build-1", log.events("build-1")[:-2])
    job = Jobs("c", interrupted).build()
    assert job is not None
    assert job.status == "stopped"
    assert job.stages
    alive = Jobs("c", interrupted).build(is_alive_elsewhere=True)
    assert alive is not None
    assert alive.is_running


def test_stopping_closes_the_generator_after_the_unit_at_hand() -> None:
    begun, closed = threading.Event(), threading.Event()

    def endless() -> Generator[object, None, None]:
        try:
            n = 0
            while True:
                n += 1
                yield Progress("read", n, n + 1)
                begun.set()
        finally:
            closed.set()

    jobs = Jobs("c", MemoryLog())
    jobs.start_build("build", endless)
    assert begun.wait(5)
    jobs.stop_build()
    job = jobs.join_build(5)
    assert job is not None
    assert job.status == "stopped"
    assert closed.is_set()


def test_a_second_build_is_the_running_one() -> None:
    release = threading.Event()

    def waits() -> Generator[object, None, None]:
        yield Progress("read", 0, 1)
        release.wait(5)
        yield READY

    jobs = Jobs("c", MemoryLog())
    first = jobs.start_build("build", waits)
    assert jobs.start_build("build", two_stages) == first
    assert jobs.running_build() == first
    release.set()
    jobs.join_build(5)
    assert jobs.start_build("build", two_stages) != first
    jobs.join_build(5)


def test_an_error_is_told_as_it_is() -> None:
    def fails() -> Generator[object, None, None]:
        yield Progress("reports", 0, 3)
        raise ModelUnavailable("No model answers at localhost:8080.")

    jobs = Jobs("c", MemoryLog())
    jobs.start_build("build", fails)
    job = jobs.join_build(5)
    assert job is not None
    assert (job.status, job.error) == ("failed", "No model answers at localhost:8080.")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_unforeseen_exception_is_a_failure_not_a_silence() -> None:
    def breaks() -> Generator[object, None, None]:
        yield Progress("graph", 0, 1)
        raise ZeroDivisionError

    jobs = Jobs("c", MemoryLog())
    jobs.start_build("build", breaks)
    job = jobs.join_build(5)
    assert job is not None
    assert job.status == "failed"
    assert "unforeseen" in job.error


def test_a_full_disk_ends_a_build_with_its_message() -> None:
    class FullLog(MemoryLog):
        def append(self, run_id: str, events: list[LoggedEvent]) -> None:
            if any(event.kind != "RunStarted" for event in events):
                raise StoreError("The disk is full: free some space and press Resume.")
            super().append(run_id, events)

    jobs = Jobs("c", FullLog())
    jobs.start_build("build", two_stages)
    job = jobs.join_build(5)
    assert job is not None
    assert (job.status, "disk is full" in job.error) == ("failed", True)


def test_windows_keep_their_slots_while_answers_arrive_in_any_order() -> None:
    def answering() -> Generator[object, None, None]:
        yield WindowsPlanned((("A",), ("B",)), 900, Coverage(1, 1, 1, 1, 2))
        yield SubAnswerReady(SubAnswer(1, "kept", 70, (), ("b",), ("B",), 450))
        yield SubAnswerReady(SubAnswer(0, "zero", 0, (), ("a",), ("A",), 450))
        yield AnswerToken("Ships ")
        yield AnswerToken("wait. [1]")

    log = MemoryLog()
    jobs = Jobs("c", log)
    jobs.start_answer("a1", "Why do ships wait?", answering)
    snapshot = jobs.join_answer("a1", 5)
    assert [sub.helpfulness for sub in snapshot.sub_answers] == [0, 70]
    assert snapshot.text == "Ships wait. [1]"
    again = Jobs("c", log).answer("a1")
    assert (again.question, again.text, again.sub_answers) == (
        "Why do ships wait?",
        snapshot.text,
        snapshot.sub_answers,
    )
    assert [one.id for _, one in jobs.answers()] == ["a1"]


def test_an_unknown_answer_is_not_found() -> None:
    with pytest.raises(NotFound, match="a9"):
        Jobs("c", MemoryLog()).answer("a9")
