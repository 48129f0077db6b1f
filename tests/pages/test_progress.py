"""What a build shows of itself while stages go on together."""

from __future__ import annotations

from dataclasses import replace

from pages._progress import is_at_work, milestone
from sensemaking.jobs.folding import fold_build, new_job
from sensemaking.types import JobSnapshot, Progress, RunEnded


def after(*told: tuple[str, int, int]) -> JobSnapshot:
    job = new_job("build-1", "larkmere")
    for second, (stage, done, total) in enumerate(told):
        job = fold_build(job, float(second), Progress(stage, done, total))
    return job


def at_work(job: JobSnapshot) -> list[str]:
    return [stage.name for stage in job.stages if is_at_work(stage, job)]


def test_files_that_are_still_read_are_told_beside_what_is_extracted_already() -> None:
    job = after(("read", 8, 30), ("chunk", 8, 8), ("extract", 2, 9))
    assert at_work(job) == ["read", "extract"]
    assert at_work(after(("read", 30, 30), ("chunk", 30, 30), ("extract", 9, 9))) == ["extract"]
    assert at_work(replace(job, status="stopped")) == []


def test_what_a_stage_missed_for_good_does_not_go_on() -> None:
    job = after(("read", 3, 3), ("chunk", 3, 3), ("extract", 8, 9), ("graph", 0, 1))
    assert at_work(job) == ["graph"]


def test_the_page_is_drawn_again_when_all_files_are_read() -> None:
    reading = after(("read", 8, 30), ("chunk", 8, 8), ("extract", 2, 9))
    further = after(("read", 9, 30), ("chunk", 9, 9), ("extract", 3, 9))
    read = after(("read", 30, 30), ("chunk", 9, 9), ("extract", 3, 9))
    ended = fold_build(read, 9.0, RunEnded("done", ""))
    assert milestone(reading) == milestone(further)
    assert len({milestone(None), milestone(reading), milestone(read), milestone(ended)}) == 4
