"""Corpus folders that are damaged, full, read-only or half made, and names that lose characters."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sensemaking.config import AskSettings
from sensemaking.errors import ConfigError, InputError, NotBuilt, StoreError
from sensemaking.jobs import ANSWER, BUILD
from sensemaking.ports import RunEntry
from sensemaking.types import LoggedEvent
from sensemaking.workspace import Corpus, Workspace, check_paths
from sensemaking.workspace.escaping import markdown_text
from sensemaking.workspace.home import slug
from sensemaking.workspace.spare_log import SpareLog
from tests.fakes import MemoryLog

TEXT = b"The tide turned at Quay 7."


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace.open(tmp_path / "home")
    yield opened
    opened.close()


def reopened(workspace: Workspace, name: str) -> Corpus:
    """Return the corpus as a program sees it that starts now."""
    workspace.close()
    return workspace.open_corpus(name)


@pytest.mark.parametrize("damage", ["", "[]", "{", '{"title": 5}', "\x00\xff", "deleted"])
def test_a_corpus_whose_json_is_lost_or_damaged_opens_with_its_documents(
    workspace: Workspace, damage: str
) -> None:
    made = workspace.create("Quay")
    made.add_files([("a.txt", TEXT)])
    path = made.folder / "corpus.json"
    if damage == "deleted":
        path.unlink()
    else:
        path.write_bytes(damage.encode("latin-1"))
    corpus = reopened(workspace, "quay")
    assert [one.name for one in corpus.files()] == ["a.txt"]
    assert json.loads(path.read_text())["title"] == "quay"
    assert (made.folder / "corpus.json.damaged").exists() == (damage != "deleted")
    with pytest.raises(InputError, match="already"):
        workspace.create("Quay")


def test_a_setting_that_cannot_be_used_is_named(workspace: Workspace) -> None:
    path = workspace.create("Quay").folder / "corpus.json"
    data = json.loads(path.read_text())
    data["settings"]["chunking"]["size"] = 3
    path.write_text(json.dumps(data))
    with pytest.raises(ConfigError, match=r"chunking.size is '3'"):
        reopened(workspace, "quay")
    assert workspace.corpora()[0].error
    workspace.trash("quay")
    assert workspace.trashed() == ("quay",)


def test_a_half_made_folder_does_not_block_its_name(workspace: Workspace) -> None:
    folder = workspace.home / "corpora" / "quay"
    folder.mkdir(parents=True)
    (folder / "corpus.json.part").write_text("{")
    assert workspace.names() == ()
    assert workspace.create("Quay").files() == ()
    other = workspace.home / "corpora" / "other"
    other.mkdir()
    (other / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="in the way"):
        workspace.create("Other")
    assert (other / "notes.txt").read_text() == "mine"
    assert workspace.names() == ("quay",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("서울 2021", "부산 2021"),
        ("a" * 70 + " one", "a" * 70 + " two"),
        ("C", "C++"),
        ("Resume", "Résumé"),
        ("x \udcff", "x \udcfe"),
    ],
)
def test_titles_that_lose_characters_have_names_of_their_own(
    workspace: Workspace, one: str, other: str
) -> None:
    assert slug(one) != slug(other)
    first, second = workspace.create(one), workspace.create(other)
    assert workspace.open_corpus(one) is first
    assert workspace.open_corpus(other) is second


def test_a_title_is_found_however_it_is_typed() -> None:
    assert slug("Re\u0301sume\u0301") == slug("Résumé") == slug(" RÉSUMÉ ")
    assert slug("Larkmere, Bridge") == "larkmere-bridge"
    assert slug("con") != "con"
    with pytest.raises(InputError, match="limit is 200"):
        slug("x" * 201)


@pytest.mark.parametrize("damage", ["other bytes", "cut", "gone"])
def test_a_damaged_original_is_told_and_mended_by_adding_the_file_again(
    workspace: Workspace, damage: str
) -> None:
    corpus = workspace.create("Quay")
    (row,) = corpus.add_files([("a.txt", TEXT)])
    (path,) = (one for one in (corpus.folder / "files").rglob("*") if one.is_file())
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(TEXT[:-1] if damage == "cut" else bytes(len(TEXT)))
    with pytest.raises(StoreError, match="Add the file again"):
        corpus.read_original(row)
    (again,) = corpus.add_files([("a.txt", TEXT)])
    assert again == row
    assert corpus.read_original(row) == TEXT
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_names_of_files_are_written_out_and_told_apart(
    workspace: Workspace, tmp_path: Path
) -> None:
    corpus = workspace.create("Quay")
    (row,) = corpus.add_files([("a\udcff\n.txt", TEXT)])
    assert row.name == "a\\xff\\x0a.txt"
    for folder in ("north", "south"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "b.txt").write_text(folder)
    rows = corpus.add_paths([tmp_path / "north", tmp_path / "south", tmp_path / "south"])
    assert [one.name for one in rows] == ["north/b.txt", "south/b.txt"]


def test_paths_are_looked_at_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "void").mkdir()
    for path, told in (
        (tmp_path / "nowhere", "no file or folder"),
        (tmp_path / ("x" * 400), "no file or folder"),
        (tmp_path / "void", "no files"),
    ):
        with pytest.raises(InputError, match=told):
            check_paths([path])


def test_without_documents_nothing_is_built_or_answered(workspace: Workspace) -> None:
    corpus = workspace.create("Quay")
    rows = corpus.add_files([("a.txt", TEXT)])
    corpus.remove_files([one.id for one in rows])
    with pytest.raises(InputError, match="no files in this corpus"):
        corpus.start_build()
    with pytest.raises(NotBuilt, match="bring some back"):
        corpus.start_answer("Why?", AskSettings())
    corpus.restore_files([one.id for one in rows])
    assert corpus.summary().state == "ready"


def test_a_home_that_is_no_folder_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    opened = Workspace.open(tmp_path / "file")
    try:
        with pytest.raises(StoreError, match="--home"):
            opened.names()
        (folder,) = (one for one in opened.check() if one.name == "folder")
    finally:
        opened.close()
    assert not folder.is_good
    assert "--home" in folder.detail
    with pytest.raises(InputError, match="--home"):
        Workspace.open(Path("~nobody-of-that-name/x"))


def fill(disk: Path) -> None:
    with (disk / "fill").open("wb", 0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            assert shutil.disk_usage(disk).free == 0


@pytest.mark.skipif(shutil.which("mount") is None or os.geteuid() != 0, reason="needs a mount")
@pytest.mark.parametrize("state", ["full", "read-only"])
def test_a_corpus_can_be_read_where_nothing_can_be_written(tmp_path: Path, state: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if os.system(f"mount -t tmpfs -o size=4m tmpfs '{disk}' 2>/dev/null"):
        pytest.skip("no file system can be mounted here")
    opened = Workspace.open(disk)
    try:
        opened.create("Quay").add_files([("a.txt", TEXT)])
        opened.close()
        if state == "full":
            fill(disk)
        else:
            assert not os.system(f"mount -o remount,ro '{disk}'")
        corpus = opened.open_corpus("quay")
        assert [one.name for one in corpus.files()] == ["a.txt"]
        assert corpus.read_original(corpus.files()[0]) == TEXT
        assert opened.corpora()[0].state == "ready"
        with pytest.raises(StoreError):
            corpus.add_files([("b.txt", TEXT * 9)])
    finally:
        opened.close()
        os.system(f"umount '{disk}'")


class FullLog(MemoryLog):
    """A log whose disk is full from some moment on."""

    is_full = False

    def start_run(self, entry: RunEntry, kind: str, after: RunEntry | None) -> bool:
        self._refuse()
        return super().start_run(entry, kind, after)

    def append(self, run_id: str, events: list[LoggedEvent], folded: str | None = None) -> None:  # type: ignore[override]
        self._refuse()
        super().append(run_id, events, folded)

    def _refuse(self) -> None:
        if self.is_full:
            raise StoreError("The disk is full.")


def test_an_answer_goes_on_in_memory_when_the_disk_is_full_and_a_build_does_not() -> None:
    disk = FullLog()
    log = SpareLog(disk)
    first, second = LoggedEvent(0.0, "A", "{}"), LoggedEvent(1.0, "B", "{}")
    build, answer, late = RunEntry("b", "me"), RunEntry("a", "me"), RunEntry("c", "me")
    assert log.start_run(build, BUILD, None)
    assert log.start_run(answer, ANSWER, None)
    log.append("a", [first])
    disk.is_full = True
    log.append("a", [second], "short")
    assert log.events("a") == [first, second]
    assert log.events("a", 1) == [second]
    assert log.run("a") == replace(answer, folded="short")
    assert log.start_run(late, ANSWER, None)
    assert [one.id for one in log.latest(ANSWER)] == ["c", "a"]
    assert log.why_not_kept("a") == "The disk is full."
    with pytest.raises(StoreError):
        log.append("b", [first])
    with pytest.raises(StoreError):
        log.start_run(RunEntry("d", "me"), BUILD, None)
    disk.is_full = False
    assert not log.start_run(late, ANSWER, None)
    assert log.start_run(late, ANSWER, log.run("c"))
    assert log.why_not_kept("c") == ""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("![x](http://a.b/c.png)", "!\\[x\\](http\\://a.b/c.png)"),
        ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
        ("# a\n## b", "\\# a \\#\\# b"),
        ("1. one", "1\\. one"),
        ("- one", "\\- one"),
        ("www.evil.org, a@b.org, javascript:x", "www\\.evil.org, a\\@b.org, javascript\\:x"),
        ("a [^1] *b* `c` |d| &amp;", "a \\[\\^1\\] \\*b\\* \\`c\\` \\|d\\| &amp;amp;"),
        ("Quay 7: it was closed (4.3 m).", "Quay 7: it was closed (4.3 m)."),
    ],
)
def test_text_of_documents_does_nothing_in_markdown(text: str, shown: str) -> None:
    assert markdown_text(text) == shown
