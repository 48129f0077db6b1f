"""Builds that follow each other closely."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from sensemaking.adapters.locks import WriteLock
from sensemaking.config import Settings
from sensemaking.workspace.building import Building


class EndedBuilds:
    """Jobs whose builds are seen to have ended before they say so."""

    def __init__(self) -> None:
        self.ends: list[Callable[[], None]] = []

    def running_build(self) -> None:
        return None

    def build(self) -> None:
        return None

    def start_build(self, _: object, on_end: Callable[[], None]) -> str:
        self.ends.append(on_end)
        return f"build-{len(self.ends)}"


def test_a_build_that_has_just_ended_is_no_reason_to_refuse_the_next(tmp_path: Path) -> None:
    # Resume, pressed as soon as the page said "stopped", told that the corpus was busy (#3).
    jobs = EndedBuilds()
    building = Building(None, None, None, jobs, WriteLock(tmp_path))
    assert building.start(Settings(), None) == "build-1"
    late = threading.Timer(0.3, jobs.ends[0])
    late.start()
    assert building.start(Settings(), None) == "build-2"
    late.join()
