"""A build as it goes, and what of the corpus reached each stage."""

from __future__ import annotations

import time

from pages import _look as look
from pages._look import Sign, esc
from pages._words import count, duration, number, shorten
from sensemaking.types import CorpusState, JobSnapshot, StageSnapshot

STATES: dict[CorpusState, tuple[str, Sign]] = {
    "empty": ("Empty", "wait"),
    "ready": ("Not built", "wait"),
    "building": ("Building", "run"),
    "stopped": ("Stopped", "warn"),
    "failed": ("Failed", "bad"),
    "changed": ("Changed", "warn"),
    "outdated": ("Changed", "warn"),
    "built": ("Ready", "ok"),
}
_STAGES: dict[str, tuple[str, str]] = {
    "read": ("Read", "file"),
    "chunk": ("Chunk", "document"),
    "extract": ("Extract", "chunk"),
    "graph": ("Graph", ""),
    "communities": ("Communities", ""),
    "reports": ("Reports", "report"),
    "vectors": ("Vectors", "text"),
}
_TOGETHER = ("read", "chunk", "extract")
"""Stages that may go on at the same time."""
_LAST = {
    "read": "Just read",
    "extract": "Just read",
    "describe": "Just described",
    "reports": "Report just written",
}


def corpus_sign(state: CorpusState) -> str:
    """Return the state of a corpus as sign and word."""
    return look.sign(*STATES[state])


def stage_name(name: str) -> str:
    """Return the word for a stage of a build."""
    return _STAGES.get(name.split()[0], (name.capitalize(), ""))[0]


def current_stage(job: JobSnapshot) -> StageSnapshot | None:
    """Return the stage at work: the last that was heard of."""
    return job.stages[-1] if job.stages else None


def milestone(job: JobSnapshot | None) -> tuple[str, bool, int, bool] | None:
    """Return how far a build is for what is shown beside it.

    Which run it is, whether it goes on, how many stages have begun, whether all files are read.
    """
    if job is None:
        return None
    is_read = any(stage.name == "read" and stage.done >= stage.total for stage in job.stages)
    return (job.id, job.is_running, len(job.stages), is_read)


def stages(job: JobSnapshot) -> None:
    """Draw one row per stage: done, running, and those to come as empty tracks."""
    known = [stage.name.split()[0] for stage in job.stages]
    rows = [_row(stage, is_running=is_at_work(stage, job)) for stage in job.stages]
    to_come = [name for name in _STAGES if name not in known] if job.is_running else []
    rows += [
        f'<span class="ico">circle</span><span>{esc(_STAGES[name][0])}</span>{look.bar(0)}'
        '<span class="num"></span><span class="rate"></span>'
        for name in to_come
    ]
    look.draw(f'<div class="sm-stages">{"".join(rows)}</div>')


def is_at_work(stage: StageSnapshot, job: JobSnapshot) -> bool:
    """Return whether a stage goes on: the last does, and those whose results it takes as they come.

    A later stage may be missing some of an earlier one for good: what failed is skipped.
    """
    last = job.stages[-1].name
    takes_part = last in _TOGETHER and stage.name in _TOGETHER and stage.done < stage.total
    return job.is_running and (stage.name == last or takes_part)


def elapsed(job: JobSnapshot) -> str:
    """Return how long a build has been running, also while nothing is reported."""
    since = time.time() - job.started_at if job.is_running and job.started_at else 0.0
    return duration(max(job.seconds, since))


def job_line(job: JobSnapshot) -> str:
    """Return one line on what a running build does now."""
    stage = current_stage(job)
    if stage is None:
        return "Starting"
    left = stage.seconds_left if stage.done < stage.total else None
    more = f", about {duration(left)} more" if left is not None and left >= 1 else ""
    return f"{stage_name(stage.name)}, {number(stage.done)} of {number(stage.total)}{more}"


def sidebar_job(title: str, job: JobSnapshot) -> None:
    """Draw a running build in the sidebar."""
    stage = current_stage(job)
    part = stage.done / stage.total if stage and stage.total else 0.0
    look.draw(
        f'<div class="sm-job"><p class="sm-s"><b>{esc(shorten(title, 40))}</b></p>'
        f'<div class="sm-row">{look.bar(part, "var(--accent)")}</div>'
        f'<p class="sm-s">{esc(job_line(job))}, {esc(elapsed(job))}</p></div>'
    )


def headline(job: JobSnapshot) -> str:
    """Return the time so far and, where it can be told, how long the stage at work still takes."""
    stage = current_stage(job)
    left = stage.seconds_left if stage is not None and stage.done < stage.total else None
    told = f"<b>{esc(elapsed(job))}</b> so far"
    if stage is not None and left is not None and left >= 1:
        told += f", {esc(stage_name(stage.name).lower())} about <b>{esc(duration(left))}</b> more"
    return told


def just_done(job: JobSnapshot) -> None:
    """Draw the last thing that was read or written."""
    stage = current_stage(job)
    word = _LAST.get(stage.name.split()[0]) if stage is not None else None
    if stage is None or word is None or not stage.note:
        return
    look.draw(
        f'<div class="sm-hr"></div><p class="sm-l">{word}</p>'
        f'<p class="sm-p">{esc(shorten(stage.note, 120))}</p>'
    )


def skipped(job: JobSnapshot, limit: int = 8) -> None:
    """Draw what a build left out, and why."""
    if not job.skipped:
        return
    lines = "".join(
        f'<p class="sm-s"><b>{esc(shorten(one.subject, 60))}</b> '
        f"{esc(shorten(one.reason, 200))}</p>"
        for one in job.skipped[:limit]
    )
    more = len(job.skipped) - limit
    rest = f'<p class="sm-s">and {esc(count(more, "more unit"))}</p>' if more > 0 else ""
    look.draw(
        f"<div>{look.sign(count(len(job.skipped), 'unit') + ' left out', 'warn')}"
        f"{lines}{rest}</div>"
    )


def _row(stage: StageSnapshot, *, is_running: bool) -> str:
    name, unit = _STAGES.get(stage.name.split()[0], (stage.name.capitalize(), ""))
    part = stage.done / stage.total if stage.total else 1.0
    icon = "progress_activity" if is_running else "check_circle" if part >= 1 else "circle"
    tone = "run" if is_running else "done" if part >= 1 else ""
    if unit:
        amount = count(stage.total, unit)
        if part < 1:
            amount = f"{number(stage.done)} of {amount}"
    else:
        amount = stage.note
    label = f"<b>{esc(name)}</b>" if is_running else esc(name)
    color = "var(--accent)" if is_running else "var(--fill)"
    return (
        f'<span class="ico {tone}">{icon}</span><span>{label}</span>{look.bar(part, color)}'
        f'<span class="num">{esc(amount)}</span>'
        f'<span class="rate">{esc(_rate(stage) if is_running else duration(stage.seconds))}</span>'
    )


def _rate(stage: StageSnapshot) -> str:
    if not stage.rate:
        return ""
    return f"{stage.rate:.1f} / s" if stage.rate < 10 else f"{round(stage.rate)} / s"
