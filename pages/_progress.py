"""A build as it goes, and what of the corpus reached each stage."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pages import _look as look
from pages._look import Sign, esc
from pages._words import count, duration, number, share, shorten
from sensemaking.types import CorpusState, JobSnapshot, StageSnapshot

CoverageRow = tuple[str, int, int]

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
    "read": ("Read", "files"),
    "chunk": ("Chunk", "documents"),
    "extract": ("Extract", "chunks"),
    "graph": ("Graph", ""),
    "communities": ("Communities", ""),
    "reports": ("Reports", "reports"),
    "vectors": ("Vectors", "texts"),
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


def stages(job: JobSnapshot) -> None:
    """Draw one row per stage: done, running, and those to come as empty tracks."""
    known = [stage.name.split()[0] for stage in job.stages]
    rows = [
        _row(stage, is_running=job.is_running and n == len(job.stages))
        for n, stage in enumerate(job.stages, 1)
    ]
    to_come = [name for name in _STAGES if name not in known] if job.is_running else []
    rows += [
        f'<span class="ico">circle</span><span>{esc(_STAGES[name][0])}</span>{look.bar(0)}'
        '<span class="num"></span><span class="rate"></span>'
        for name in to_come
    ]
    look.draw(f'<div class="sm-stages">{"".join(rows)}</div>')


def elapsed(job: JobSnapshot) -> str:
    """Return how long a build has been running, also while nothing is reported."""
    since = time.time() - job.started_at if job.is_running and job.started_at else 0.0
    return duration(max(job.seconds, since))


def job_line(job: JobSnapshot) -> str:
    """Return one line on what a running build does now."""
    stage = current_stage(job)
    if stage is None:
        return "Starting"
    return f"{stage_name(stage.name)}, {number(stage.done)} of {number(stage.total)}"


def sidebar_job(title: str, job: JobSnapshot) -> None:
    """Draw a running build in the sidebar."""
    stage = current_stage(job)
    part = stage.done / stage.total if stage and stage.total else 0.0
    look.draw(
        f'<div class="sm-job"><p class="sm-s"><b>{esc(shorten(title, 40))}</b></p>'
        f'<div class="sm-row">{look.bar(part, "var(--accent)")}</div>'
        f'<p class="sm-s">{esc(job_line(job))}, {esc(elapsed(job))}</p></div>'
    )


def ledger(rows: Sequence[CoverageRow]) -> None:
    """Draw a bar per stage against what came in; what was lost is hatched, with its number."""
    lines = []
    for label, kept, lost in rows:
        whole = kept + lost
        width = 100 * kept / whole if whole else 100.0
        loss = f"{number(lost)} missing" if lost else ""
        title = f"{share(kept, whole)} of {number(whole)}" if whole else ""
        lines.append(
            f'<div class="sm-led" title="{esc(title)}"><span>{esc(label)}</span>'
            f'<div class="t"><i style="width:{width:.1f}%"></i></div>'
            f'<span class="v">{esc(number(kept))}</span><span class="x">{esc(loss)}</span></div>'
        )
    look.draw("".join(lines))


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
        done = (
            number(stage.total) if part >= 1 else f"{number(stage.done)} of {number(stage.total)}"
        )
        amount = f"{done} {unit}"
    else:
        amount = stage.note
    label = f"<b>{esc(name)}</b>" if is_running else esc(name)
    color = "var(--accent)" if is_running else "var(--fill)"
    return (
        f'<span class="ico {tone}">{icon}</span><span>{label}</span>{look.bar(part, color)}'
        f'<span class="num">{esc(amount)}</span>'
        f'<span class="rate">{esc(duration(stage.seconds))}</span>'
    )
