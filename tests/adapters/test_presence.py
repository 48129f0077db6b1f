"""Programs at a corpus folder see each other, until they end."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from sensemaking.adapters.presence import ProgramPresence

CLAIM = """
import sys
from pathlib import Path
from sensemaking.adapters.presence import ProgramPresence
here = ProgramPresence(Path(sys.argv[1]))
print(here.claim(), flush=True)
sys.stdin.read()
"""


def test_another_program_is_present_until_it_is_killed(tmp_path: Path) -> None:
    here = ProgramPresence(tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", CLAIM, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        name = other.stdout.readline().strip()
        try:
            assert here.is_present(name)
            assert here.is_present(name)
        finally:
            other.kill()
            other.wait()
    assert not here.is_present(name)
    assert list((tmp_path / "programs").iterdir()) == []


def test_two_in_one_process_are_two_and_one_that_closes_is_gone(tmp_path: Path) -> None:
    first, second = ProgramPresence(tmp_path), ProgramPresence(tmp_path)
    names = {first.claim(), second.claim()}
    assert len(names) == 2
    assert first.claim() in names
    assert first.is_present(first.claim())
    assert first.is_present(second.claim())
    gone = second.claim()
    second.close()
    assert not first.is_present(gone)
    first.close()
    assert list((tmp_path / "programs").iterdir()) == []


def test_who_only_looks_writes_nothing(tmp_path: Path) -> None:
    assert not ProgramPresence(tmp_path).is_present("12-abc.lock")
    assert not ProgramPresence(tmp_path).is_present("")
    assert list(tmp_path.iterdir()) == []


def test_where_nothing_can_be_written_a_program_is_not_seen(tmp_path: Path) -> None:
    (tmp_path / "programs").write_text("in the way")
    here = ProgramPresence(tmp_path)
    assert not ProgramPresence(tmp_path).is_present(here.claim())
    here.close()
