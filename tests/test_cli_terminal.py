"""What a terminal shows while a build goes on."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from sensemaking.cli import terminal
from sensemaking.jobs.folding import fold_build, new_job
from sensemaking.types import Progress


def test_a_stage_that_has_nothing_to_do_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = StringIO()
    console = Console(file=screen, force_terminal=True, width=100)
    monkeypatch.setattr(terminal, "console", console)
    job = new_job("build-1", "any")
    with terminal.following_build() as show:
        for told in (
            Progress("graph", 1, 1),
            Progress("describe", 0, 0),
            Progress("reports", 1, 4),
        ):
            job = fold_build(job, 1.0, told)
            show(job)
    assert "reports" in screen.getvalue()
    assert "describe" not in screen.getvalue()
