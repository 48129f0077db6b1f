"""Nearest neighbours, exact and approximate, and what happens to the folder they lie in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from sensemaking.adapters.exact import exact_nearest
from sensemaking.adapters.vectors import EXACT_ROWS, ChromaIndex
from sensemaking.errors import ConfigError, StoreError

DIMENSION = 16
N = 1160
"""More than the 1,000 rows after which Chroma writes an index file."""


def rows(n: int, seed: int = 0) -> np.ndarray:
    found = np.random.default_rng(seed).standard_normal((n, DIMENSION)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def names(n: int) -> list[str]:
    return [f"r{number:05d}" for number in range(n)]


@pytest.fixture(params=["exact", "approximate"])
def index(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ChromaIndex]:
    exact_rows = EXACT_ROWS if request.param == "exact" else 0
    made = ChromaIndex(tmp_path / "chroma", exact_rows=exact_rows)
    yield made
    made.close()


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[ChromaIndex]:
    made = ChromaIndex(tmp_path / "chroma")
    made.write("first", names(N), rows(N))
    yield made
    made.close()


def test_a_row_is_nearest_to_itself_and_cosines_are_right(index: ChromaIndex) -> None:
    vectors = rows(300)
    index.write("first", names(300), vectors)
    found = index.nearest("first", vectors[7], 5)
    assert found[0] == ("r00007", pytest.approx(1, abs=1e-5))
    assert found == [
        (name, pytest.approx(score, abs=1e-5))
        for name, score in exact_nearest(vectors, names(300), vectors[7], 5)
    ]


def test_equal_rows_come_in_order_of_their_ids(index: ChromaIndex) -> None:
    vectors = np.vstack([rows(1)] * 6 + [-rows(1)])
    index.write("ties", ["f", "b", "e", "a", "d", "c", "z"], vectors)
    assert [name for name, _ in index.nearest("ties", vectors[0], 4)] == ["a", "b", "c", "d"]


def test_more_neighbours_than_rows_gives_all_rows(index: ChromaIndex) -> None:
    index.write("few", names(3), rows(3))
    assert len(index.nearest("few", rows(1)[0], 10)) == 3


def test_the_length_of_a_row_plays_no_part(index: ChromaIndex) -> None:
    vectors = rows(20)
    index.write("long", names(20), vectors * np.linspace(0.5, 9, 20, dtype=np.float32)[:, None])
    found = [name for name, _ in index.nearest("long", vectors[3], 6)]
    assert found == [name for name, _ in exact_nearest(vectors, names(20), vectors[3], 6)]


def test_a_complete_collection_is_left_alone(index: ChromaIndex) -> None:
    index.write("first", names(5), rows(5))
    index.write("first", names(9), rows(9, seed=1))
    assert index.size("first") == 5


def test_a_missing_collection_has_size_0_and_says_what_to_do(
    index: ChromaIndex,
) -> None:
    assert index.size("none") == 0
    with pytest.raises(StoreError, match="build the corpus again"):
        index.nearest("none", rows(1)[0], 3)


def test_no_rows_make_no_collection(index: ChromaIndex) -> None:
    index.write("empty", [], np.zeros((0, DIMENSION), dtype=np.float32))
    assert index.size("empty") == 0


def test_only_what_is_kept_stays(index: ChromaIndex) -> None:
    for name in ("first", "second", "third"):
        index.write(name, names(4), rows(4))
    index.keep_only(["second", "unknown"])
    assert [index.size(name) for name in ("first", "second", "third")] == [0, 4, 0]
    index.write("first", names(6), rows(6))
    assert index.size("first") == 6


@pytest.mark.parametrize("name", ["a", "reports:general.leiden", "ünïcode", "x" * 600, "a..b", ""])
def test_any_name_will_do(index: ChromaIndex, name: str) -> None:
    index.write(name, names(4), rows(4))
    assert index.size(name) == 4
    assert index.nearest(name, rows(4)[2], 1)[0][0] == "r00002"


@pytest.mark.parametrize("ids", [["a"], ["a", "a"]])
def test_ids_must_fit_the_rows(index: ChromaIndex, ids: list[str]) -> None:
    with pytest.raises(ValueError, match="ids"):
        index.write("bad", ids, rows(2))


def test_chroma_takes_more_rows_than_fit_one_call(tmp_path: Path) -> None:
    index = ChromaIndex(tmp_path / "chroma")
    index.write("large", names(5600), rows(5600)[:, :8])
    assert index.size("large") == 5600
    index.close()


def test_chroma_finds_its_rows_after_a_restart(chroma: ChromaIndex, tmp_path: Path) -> None:
    chroma.close()
    again = ChromaIndex(tmp_path / "chroma")
    assert again.size("first") == N
    assert again.nearest("first", rows(N)[1100], 1)[0][0] == "r01100"
    again.close()


@pytest.mark.parametrize("change", ["other bytes", "cut short", "gone"])
def test_the_files_of_an_empty_index_tell_nothing(tmp_path: Path, change: str) -> None:
    folder = tmp_path / "chroma"
    index = ChromaIndex(folder)
    index.write("small", names(40), rows(40))
    index.close()
    for n in range(3):  # Chroma makes them anew, of whatever the memory held
        lengths = segment(folder, "length.bin")
        if change == "gone":
            shutil.rmtree(lengths.parent)
        else:
            size = lengths.stat().st_size
            lengths.write_bytes(bytes([n]) * (size if change == "other bytes" else size // 2))
        again = ChromaIndex(folder)
        assert again.size("small") == 40
        assert again.nearest("small", rows(40)[7], 1)[0][0] == "r00007"
        again.close()


def test_what_is_dropped_leaves_no_files(chroma: ChromaIndex, tmp_path: Path) -> None:
    chroma.write("second", names(N), rows(N, seed=2))
    chroma.keep_only(["second"])
    folders = [one for one in (tmp_path / "chroma").iterdir() if one.is_dir()]
    assert len(folders) == 1
    assert chroma.nearest("second", rows(N, seed=2)[3], 1)[0][0] == "r00003"


def damage_database(folder: Path) -> None:
    path = folder / "chroma.sqlite3"
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:4096] + b"\x5a" * (size - 4096))


def empty_folder(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.mkdir()


def put_a_file_there(folder: Path) -> None:
    shutil.rmtree(folder)
    folder.write_text("x")


def segment(folder: Path, name: str) -> Path:
    return next(folder.glob(f"*/{name}"))


DAMAGES: dict[str, Callable[[Path], None]] = {
    "folder deleted": shutil.rmtree,
    "folder emptied": empty_folder,
    "a file in its place": put_a_file_there,
    "database deleted": lambda folder: (folder / "chroma.sqlite3").unlink(),
    "database overwritten": damage_database,
    "database cut short": lambda folder: os.truncate(folder / "chroma.sqlite3", 5000),
    "database empty": lambda folder: os.truncate(folder / "chroma.sqlite3", 0),
    "index folder deleted": lambda folder: shutil.rmtree(segment(folder, "header.bin").parent),
    "index cut short": lambda folder: os.truncate(segment(folder, "data_level0.bin"), 70),
    "labels deleted": lambda folder: segment(folder, "index_metadata.pickle").unlink(),
    "labels overwritten": lambda folder: segment(folder, "index_metadata.pickle").write_bytes(b"x"),
    "note deleted": lambda folder: (folder / "first.complete.json").unlink(),
    "note overwritten": lambda folder: (folder / "first.complete.json").write_text("[]"),
}


@pytest.mark.parametrize("was_open", [False, True], ids=["closed", "open"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_folder_is_seen_and_mended(
    damage: str, was_open: bool, chroma: ChromaIndex, tmp_path: Path
) -> None:
    if not was_open:
        chroma.close()
    DAMAGES[damage](tmp_path / "chroma")
    # A client that is open may go on with what it has in memory; afterwards all must be well.
    assert chroma.size("first") in ((0, N) if was_open else (0,))
    chroma.write("first", names(N), rows(N))
    chroma.write("second", names(40), rows(40))
    chroma.close()
    again = ChromaIndex(tmp_path / "chroma")
    again.write("first", names(N), rows(N))
    again.write("second", names(40), rows(40))
    assert (again.size("first"), again.size("second")) == (N, 40)
    assert again.nearest("first", rows(N)[1150], 1)[0][0] == "r01150"
    again.close()


def test_keeping_nothing_of_a_damaged_folder_works(chroma: ChromaIndex, tmp_path: Path) -> None:
    chroma.close()
    damage_database(tmp_path / "chroma")
    chroma.keep_only([])
    assert chroma.size("first") == 0


WRITER = """
import sys
from pathlib import Path
from sensemaking.adapters.vectors import ChromaIndex
from tests.adapters.test_vector_contract import N, names, rows
index = ChromaIndex(Path(sys.argv[1]))
index.write("second", names(N), rows(N, seed=2))
index.keep_only(["second"])
index.close()
"""


def test_a_reader_sees_what_another_process_wrote(chroma: ChromaIndex, tmp_path: Path) -> None:
    assert chroma.size("first") == N
    assert chroma.size("second") == 0
    subprocess.run([sys.executable, "-c", WRITER, str(tmp_path / "chroma")], check=True)
    assert chroma.size("second") == N
    assert chroma.nearest("second", rows(N, seed=2)[77], 1)[0][0] == "r00077"
    assert chroma.size("first") == 0


def test_a_server_that_is_not_there_is_named(tmp_path: Path) -> None:
    index = ChromaIndex(tmp_path / "chroma", server="http://127.0.0.1:9")
    with pytest.raises(StoreError, match=r"http://127\.0\.0\.1:9.*SENSEMAKING_CHROMA_URL"):
        index.size("first")


def test_an_address_that_is_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="write it as http"):
        ChromaIndex(tmp_path / "chroma", server="nonsense").size("first")


def test_up_to_many_rows_the_answer_is_exact_and_follows_a_rebuild(
    chroma: ChromaIndex, tmp_path: Path
) -> None:
    query = rows(1, seed=9)[0]
    assert chroma.nearest("first", query, 50) == [
        (name, pytest.approx(score, abs=2e-6))
        for name, score in exact_nearest(rows(N), names(N), query, 50)
    ]
    chroma.keep_only([])
    chroma.write("first", names(N), rows(N, seed=2))
    found = [name for name, _ in chroma.nearest("first", query, 50)]
    assert found == [name for name, _ in exact_nearest(rows(N, seed=2), names(N), query, 50)]


def test_exact_search_agrees_with_sorting_everything() -> None:
    vectors = rows(200)
    scores = np.round((vectors @ vectors[5]).astype(np.float64), 6)
    expected = [f"r{row:05d}" for row in sorted(range(200), key=lambda row: (-scores[row], row))]
    for k in (1, 7, 199, 200, 500):
        assert [one for one, _ in exact_nearest(vectors, names(200), vectors[5], k)] == expected[:k]
    assert exact_nearest(vectors, names(200), vectors[5], 0) == []
