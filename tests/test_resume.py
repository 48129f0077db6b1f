"""A build that is killed at any moment goes on and ends with the very same records."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kill_build import ROOT, moments, run, to_the_end

N_KILLS = 12
N_REALLY_KILLED = 10
"""A short delay after one of the last events may come too late: then that build was whole."""
N_DOCUMENTS = 3
SEED = 20240314
SAMPLE = ROOT / "assets" / "sample" / "documents"


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for path in sorted(SAMPLE.glob("*.txt"))[:N_DOCUMENTS]:
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.fixture(scope="module")
def undisturbed(documents: Path, tmp_path_factory: pytest.TempPathFactory) -> dict:
    return run(tmp_path_factory.mktemp("home"), documents).output


@pytest.mark.timeout(900)
def test_killed_builds_end_with_identical_records(
    documents: Path, undisturbed: dict, tmp_path: Path
) -> None:
    n_killed = 0
    for number, moment in enumerate(moments(len(undisturbed["events"]), N_KILLS, SEED)):
        home = tmp_path / f"home-{number}"
        n_killed += run(home, documents, moment).was_killed
        assert to_the_end(home, documents).output["tables"] == undisturbed["tables"], moment
    assert n_killed >= N_REALLY_KILLED


def test_a_build_killed_among_the_vectors_goes_on(
    documents: Path, undisturbed: dict, tmp_path: Path
) -> None:
    first = undisturbed["events"].index("vectors")
    assert run(tmp_path, documents, (first + 2, 0)).was_killed
    ended = to_the_end(tmp_path, documents).output
    assert ended["tables"] == undisturbed["tables"]
    assert len(ended["events"]) < len(undisturbed["events"])


def test_two_builds_in_fresh_folders_are_identical(
    documents: Path, undisturbed: dict, tmp_path: Path
) -> None:
    assert run(tmp_path, documents).output["tables"] == undisturbed["tables"]
