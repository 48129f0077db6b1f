"""A build that is killed at any moment goes on and ends with the very same records."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

N_KILLS = 12
N_DOCUMENTS = 6
SEED = 20240314
ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "assets" / "sample" / "documents"


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for path in sorted(SAMPLE.glob("*.txt"))[:N_DOCUMENTS]:
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.fixture(scope="module")
def undisturbed(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> dict:
    return finish(tmp_path_factory.mktemp("home"), documents)


def run(home: Path, documents: Path, *moment: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.kill_build", str(home), "six", str(documents)]
    return subprocess.run(
        [*command, *map(str, moment)], cwd=ROOT, capture_output=True, text=True, check=False
    )


def finish(home: Path, documents: Path) -> dict:
    ended = run(home, documents)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


def moments(n_events: int) -> list[tuple[int, int]]:
    rng = random.Random(SEED)
    events = sorted(rng.sample(range(1, n_events), N_KILLS))
    return [(event, rng.randrange(0, 40)) for event in events]


@pytest.mark.parametrize("which", range(N_KILLS))
def test_a_killed_build_ends_with_identical_records(
    which: int, documents: Path, undisturbed: dict, tmp_path: Path
) -> None:
    event, delay = moments(undisturbed["events"])[which]
    killed = run(tmp_path, documents, event, delay)
    # A short delay after one of the last events may come too late: then the build was whole.
    assert killed.returncode in (-signal.SIGKILL, 0), killed.stderr
    assert finish(tmp_path, documents)["tables"] == undisturbed["tables"]


def test_two_builds_in_fresh_folders_are_identical(
    documents: Path, undisturbed: dict, tmp_path: Path
) -> None:
    assert finish(tmp_path, documents)["tables"] == undisturbed["tables"]
