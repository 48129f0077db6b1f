"""Runs in the background: followed, stopped, failed, and found again after a restart."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator

import pytest

from sensemaking.errors import BudgetReached, ModelUnavailable, NotFound, RunStopped, StoreError
from sensemaking.jobs import Jobs, MakeEvents
from sensemaking.ports import RunEntry
from sensemaking.types import (
    AnswerToken,
    BuildReady,
    Coverage,
    LoggedEvent,
    Progress,
    RunStarted,
    Skipped,
    SubAnswer,
    SubAnswerReady,
    Usage,
    WindowsPlanned,
)
from tests.fakes import MemoryLog, MemoryPresence

READY = BuildReady(1, 1, 0, 0, 0, (), 0, (), Usage(), 0.1, "d")
ASKED = RunStarted("Why do ships wait?", 1_700_000_000.0, (("level", "1"), ("method", "global")))

Events = Generator[object, None, None]


def two_stages(is_stopping: Callable[[], bool]) -> Events:
    yield Progress("read", 1, 2, "a.txt")
    yield Skipped("read", "b.txt", "it is empty")
    yield Progress("read", 2, 2)
    yield Progress("chunk", 1, 1)
    yield READY


def fails_with(error: Exception) -> MakeEvents:
    def events(is_stopping: Callable[[], bool]) -> Events:
        yield Progress("reports", 0, 3)
        raise error

    return events


def waits_for(release: threading.Event) -> MakeEvents:
    def events(is_stopping: Callable[[], bool]) -> Events:
        yield Progress("read", 0, 1)
        release.wait(5)
        yield READY

    return events


def answering(is_stopping: Callable[[], bool]) -> Events:
    yield WindowsPlanned((("A",), ("B",)), 900, Coverage(1, 1, 1, 1, 2))
    yield SubAnswerReady(SubAnswer(1, "kept", 70, (), ("b",), ("B",), 450))
    yield SubAnswerReady(SubAnswer(0, "zero", 0, (), ("a",), ("A",), 450))
    yield AnswerToken("Ships ")
    yield AnswerToken("wait. [1]")


def jobs_over(log: MemoryLog | None = None, presence: MemoryPresence | None = None) -> Jobs:
    return Jobs("c", log or MemoryLog(), presence or MemoryPresence())


def test_a_build_ends_with_its_stages_skips_and_result() -> None:
    jobs = jobs_over()
    jobs.start_build(two_stages)
    job = jobs.join_build(5)
    assert job is not None
    assert (job.status, job.result, job.error) == ("done", READY, "")
    assert [(stage.name, stage.done, stage.total) for stage in job.stages] == [
        ("read", 2, 2),
        ("chunk", 1, 1),
    ]
    assert [skip.subject for skip in job.skipped] == ["b.txt"]


def test_a_finished_build_is_the_same_after_a_restart_and_its_log_is_not_replayed() -> None:
    log = MemoryLog()
    jobs = jobs_over(log)
    jobs.start_build(two_stages)
    ended = jobs.join_build(5)
    again = jobs_over(log)
    assert [again.build() for _ in range(3)] == [ended] * 3
    assert log.n_read == 0


def interrupted_log() -> MemoryLog:
    ended, log = MemoryLog(), MemoryLog()
    jobs = jobs_over(ended)
    jobs.start_build(two_stages)
    jobs.join_build(5)
    log.start_run(RunEntry("build-1", "other/1"), "build", None)
    log.append("build-1", ended.events("build-1")[:-2])
    return log


def test_a_build_whose_program_is_gone_was_interrupted_and_does_not_restart() -> None:
    job = jobs_over(interrupted_log()).build()
    assert job is not None
    assert job.status == "stopped"
    assert job.stages


def test_a_build_in_another_program_is_followed_without_reading_its_log_twice() -> None:
    log, presence = interrupted_log(), MemoryPresence(present={"other"})
    jobs = jobs_over(log, presence)
    first = jobs.build()
    assert first is not None
    assert first.is_running
    assert log.n_read == first.n_events
    log.append("build-1", [LoggedEvent(3.0, "Progress", '{"stage":"graph","done":1,"total":1}')])
    second = jobs.build()
    assert second is not None
    assert (second.n_events, second.stages[-1].name) == (first.n_events + 1, "graph")
    assert log.n_read == second.n_events
    presence.present.clear()
    assert jobs.build().status == "stopped"  # type: ignore[union-attr]


def test_stopping_closes_the_generator_after_the_unit_at_hand() -> None:
    begun, closed = threading.Event(), threading.Event()

    def endless(is_stopping: Callable[[], bool]) -> Events:
        try:
            n = 0
            while True:
                n += 1
                yield Progress("read", n, n + 1)
                begun.set()
        finally:
            closed.set()

    jobs = jobs_over()
    jobs.start_build(endless)
    assert begun.wait(5)
    jobs.stop_build()
    job = jobs.join_build(5)
    assert job is not None
    assert job.status == "stopped"
    assert closed.is_set()


def test_a_run_that_waits_sees_that_it_is_to_stop() -> None:
    begun = threading.Event()

    def waiting(is_stopping: Callable[[], bool]) -> Events:
        yield Progress("extract", 0, 1)
        begun.set()
        while not is_stopping():
            pass
        raise RunStopped("Stopped.")

    jobs = jobs_over()
    jobs.start_build(waiting)
    assert begun.wait(5)
    jobs.stop_build()
    job = jobs.join_build(5)
    assert job is not None
    assert (job.status, job.error) == ("stopped", "")


def test_a_second_build_is_the_running_one() -> None:
    release = threading.Event()
    jobs = jobs_over()
    first = jobs.start_build(waits_for(release))
    assert jobs.start_build(two_stages) == first
    assert jobs.running_build() == first
    release.set()
    jobs.join_build(5)
    assert jobs.start_build(two_stages) != first
    jobs.join_build(5)


def test_the_end_of_a_build_is_stored_before_the_corpus_is_let_go() -> None:
    log = MemoryLog()
    seen: list[str] = []

    def let_go() -> None:
        other = Jobs("c", log, MemoryPresence("other", present={"this"})).build()
        assert other is not None
        seen.append(other.status)

    jobs = jobs_over(log)
    jobs.start_build(two_stages, let_go)
    jobs.join_build(5)
    assert seen == ["done"]


def test_an_error_is_told_as_it_is() -> None:
    jobs = jobs_over()
    jobs.start_build(fails_with(ModelUnavailable("No model answers at localhost:8080.")))
    job = jobs.join_build(5)
    assert job is not None
    assert (job.status, job.error) == ("failed", "No model answers at localhost:8080.")


def test_a_run_that_pauses_is_stopped_and_says_why() -> None:
    jobs = jobs_over()
    jobs.start_build(fails_with(BudgetReached("The budget of $2 is spent.")))
    job = jobs.join_build(5)
    assert job is not None
    assert (job.status, job.error) == ("stopped", "The budget of $2 is spent.")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_unforeseen_exception_is_a_failure_not_a_silence() -> None:
    jobs = jobs_over()
    jobs.start_build(fails_with(ZeroDivisionError()))
    job = jobs.join_build(5)
    assert job is not None
    assert job.status == "failed"
    assert "unforeseen" in job.error


class FullLog(MemoryLog):
    def append(self, run_id: str, events: list[LoggedEvent], folded: str | None = None) -> None:
        if any(event.kind != "RunStarted" for event in events):
            raise StoreError("The disk is full: free some space and press Resume.")
        super().append(run_id, events, folded)


def test_a_full_disk_ends_a_build_with_its_message() -> None:
    ended = threading.Event()
    jobs = jobs_over(FullLog())
    jobs.start_build(two_stages, ended.set)
    job = jobs.join_build(5)
    assert job is not None
    assert (job.status, "disk is full" in job.error) == ("failed", True)
    assert ended.is_set()


def test_windows_keep_their_slots_while_answers_arrive_in_any_order() -> None:
    log = MemoryLog()
    jobs = jobs_over(log)
    jobs.start_answer("a1", ASKED, answering)
    snapshot = jobs.join_answer("a1", 5)
    assert [sub.helpfulness for sub in snapshot.sub_answers] == [0, 70]
    assert snapshot.text == "Ships wait. [1]"
    assert jobs_over(log).answer("a1") == snapshot


def test_an_answer_tells_what_it_was_asked_with_whatever_became_of_it() -> None:
    log = MemoryLog()
    jobs = jobs_over(log)
    jobs.start_answer("a1", ASKED, fails_with(ModelUnavailable("No model.")))
    jobs.join_answer("a1", 5)
    assert jobs_over(log).answer("a1").settings == ASKED.settings


def test_the_history_is_read_without_any_event() -> None:
    log = MemoryLog()
    jobs = jobs_over(log)
    for n in range(5):
        jobs.start_answer(f"a{n}", ASKED, answering)
        jobs.join_answer(f"a{n}", 5)
    again = jobs_over(log)
    rows = again.answers()
    assert [row.id for row in rows] == ["a4", "a3", "a2", "a1", "a0"]
    assert {(row.status, row.question, row.method) for row in rows} == {
        ("done", ASKED.subject, "global")
    }
    assert [row.id for row in again.answers(2)] == ["a4", "a3"]
    assert log.n_read == 0


def test_an_answer_in_another_program_runs_and_is_followed_not_made_anew() -> None:
    log, release = MemoryLog(), threading.Event()
    present: set[str] = set()
    there = Jobs("c", log, MemoryPresence("there", present))
    here = Jobs("c", log, MemoryPresence("here", present))
    there.start_answer("a1", ASKED, waits_for(release))
    assert here.answer("a1").is_running
    assert [row.status for row in here.answers()] == ["mapping"]
    assert here.start_answer("a1", ASKED, answering) == "a1"
    assert here.join_answer("a1", 0.1).is_running
    release.set()
    there.join_answer("a1", 5)
    assert here.answer("a1") == there.answer("a1")
    assert here.answer("a1").status == "done"


def test_an_answer_whose_program_is_gone_is_stopped_and_can_be_asked_again() -> None:
    log, release = MemoryLog(), threading.Event()
    present: set[str] = set()
    gone = Jobs("c", log, MemoryPresence("gone", present))
    gone.start_answer("a1", ASKED, waits_for(release))
    here = Jobs("c", log, MemoryPresence("here", present - {"gone"}))
    assert here.answer("a1").status == "stopped"
    assert [row.status for row in here.answers()] == ["stopped"]
    here.start_answer("a1", ASKED, answering)
    assert here.join_answer("a1", 5).text == "Ships wait. [1]"
    release.set()
    gone.stop_all()


def test_of_two_programs_that_start_one_answer_one_makes_it() -> None:
    class Slow(MemoryLog):
        """Another program begins the run between the look and the start."""

        def run(self, run_id: str) -> RunEntry | None:
            found = super().run(run_id)
            if found is None:
                self.start_run_of_another(run_id)
            return found

        def start_run_of_another(self, run_id: str) -> None:
            self._entries[run_id] = ("answer", RunEntry(run_id, "other/1"))
            self._events[run_id] = []

    made: list[str] = []

    def counted(is_stopping: Callable[[], bool]) -> Events:
        made.append("here")
        yield AnswerToken("x")

    jobs = jobs_over(Slow(), MemoryPresence(present={"other"}))
    assert jobs.start_answer("a1", ASKED, counted) == "a1"
    assert made == []
    assert jobs.answer("a1").is_running


def test_an_unknown_answer_is_not_found() -> None:
    with pytest.raises(NotFound, match="a9"):
        jobs_over().answer("a9")
