"""Events to snapshots: what a run has come to, one event after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import msgspec

from sensemaking.types import (
    AnswerReady,
    AnswerRow,
    AnswerSnapshot,
    AnswerToken,
    BuildReady,
    JobSnapshot,
    LoggedEvent,
    Progress,
    RunEnded,
    RunStarted,
    Skipped,
    Spent,
    StageSnapshot,
    SubAnswer,
    SubAnswerReady,
    WindowsPlanned,
)

_EVENT_TYPES: dict[str, type[Any]] = {
    one.__name__: one
    for one in (
        RunStarted,
        RunEnded,
        Progress,
        Skipped,
        Spent,
        BuildReady,
        WindowsPlanned,
        SubAnswerReady,
        AnswerToken,
        AnswerReady,
    )
}


def encode_event(seconds: float, event: object) -> LoggedEvent:
    """Return an event as the log keeps it; `seconds` since the run began."""
    return LoggedEvent(seconds, type(event).__name__, msgspec.json.encode(event).decode())


def decode_event(logged: LoggedEvent) -> object:
    """Return the event that the log kept."""
    return msgspec.json.decode(logged.body, type=_EVENT_TYPES[logged.kind])


def new_job(run_id: str, corpus: str) -> JobSnapshot:
    """Return a build of which nothing is known yet."""
    return JobSnapshot(run_id, corpus, "running", (), (), None, "", 0.0, 0.0, 0)


def fold_build(snapshot: JobSnapshot, seconds: float, event: object) -> JobSnapshot:
    """Return the snapshot after one more event of a build."""
    snapshot = replace(snapshot, seconds=seconds, n_events=snapshot.n_events + 1)
    match event:
        case RunStarted(_, started_at):
            return replace(snapshot, started_at=started_at)
        case Progress():
            return replace(snapshot, stages=_advance(snapshot.stages, seconds, event))
        case Skipped():
            return replace(snapshot, skipped=(*snapshot.skipped, event))
        case Spent(usage, rate):
            return replace(snapshot, usage=usage, calls_per_minute=rate)
        case BuildReady():
            return replace(snapshot, result=event, usage=event.usage)
        case RunEnded(status, error):
            return replace(snapshot, status=status, error=error)
    return snapshot


def pack_job(snapshot: JobSnapshot) -> str:
    """Return a build in short, for the log: all of it, once it has ended."""
    return "" if snapshot.is_running else msgspec.json.encode(snapshot).decode()


def unpack_job(folded: str) -> JobSnapshot:
    """Return the build that `pack_job` made short."""
    return msgspec.json.decode(folded, type=JobSnapshot)


def new_answer(answer_id: str, corpus: str) -> AnswerSnapshot:
    """Return an answer of which nothing is known yet."""
    return AnswerSnapshot(answer_id, corpus, "", "mapping", None, (), "", None, "", 0.0, 0)


def fold_answer(snapshot: AnswerSnapshot, seconds: float, event: object) -> AnswerSnapshot:
    """Return the snapshot after one more event of an answer."""
    snapshot = replace(snapshot, seconds=seconds, n_events=snapshot.n_events + 1)
    match event:
        case RunStarted(question, started_at, settings):
            return replace(snapshot, question=question, settings=settings, started_at=started_at)
        case WindowsPlanned(titles):
            waiting = tuple(
                SubAnswer(index, "waiting", 0, (), (), names, 0)
                for index, names in enumerate(titles)
            )
            return replace(snapshot, planned=event, sub_answers=waiting)
        case SubAnswerReady(sub_answer):
            slots = list(snapshot.sub_answers)
            slots[sub_answer.window] = sub_answer
            return replace(snapshot, sub_answers=tuple(slots))
        case AnswerToken(text):
            return replace(snapshot, status="reducing", text=snapshot.text + text)
        case Skipped():
            return replace(snapshot, skipped=(*snapshot.skipped, event))
        case Spent(usage, _):
            return replace(snapshot, usage=usage)
        case AnswerReady(answer):
            snapshot = replace(snapshot, usage=answer.usage)
            return replace(snapshot, answer=answer, sub_answers=answer.sub_answers)
        case RunEnded(status, error):
            ended = "stopped" if status == "running" else status
            return replace(snapshot, status=ended, error=error)
    return snapshot


def row_of(snapshot: AnswerSnapshot) -> AnswerRow:
    """Return an answer as one line of the history."""
    answer = snapshot.answer
    return AnswerRow(
        id=snapshot.id,
        question=snapshot.question,
        method=dict(snapshot.settings).get("method", "") if answer is None else answer.method,
        created_at=datetime.fromtimestamp(snapshot.started_at, UTC).isoformat(timespec="seconds"),
        status=snapshot.status,
        n_sentences=len(answer.sentences) if answer is not None else 0,
    )


def pack_answer(snapshot: AnswerSnapshot) -> str:
    """Return an answer in short, for the log: its line of the history."""
    return msgspec.json.encode(row_of(snapshot)).decode()


def unpack_answer(folded: str) -> AnswerRow:
    """Return the line of the history that `pack_answer` made."""
    return msgspec.json.decode(folded, type=AnswerRow)


def _advance(
    stages: Sequence[StageSnapshot], seconds: float, event: Progress
) -> tuple[StageSnapshot, ...]:
    known = {stage.name: stage for stage in stages}
    before = known.get(event.stage)
    began, first = (before.began, before.done_before) if before else (seconds, event.done)
    known[event.stage] = StageSnapshot(
        event.stage, event.done, event.total, event.note, began, seconds - began, first
    )
    return tuple(known.values())
