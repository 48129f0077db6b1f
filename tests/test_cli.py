"""The command line as scripts use it: exit codes, JSON, standard error."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.dossier import DOCUMENTS, QUESTION


def run(*arguments: str | Path, home: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sensemaking", *map(str, arguments)]
    if "--home" not in arguments:
        command += ["--home", str(home)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents")
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "empty.txt").write_text("")
    return folder


@pytest.fixture(scope="module")
def home(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("home")
    ended = run("build", folder, "--corpus", "Larkmere", "--json", home=home)
    assert ended.returncode == 0, ended.stderr
    (home / "built.json").write_text(ended.stdout)
    return home


def test_build_prints_one_object_with_the_promised_keys(home: Path) -> None:
    built = json.loads((home / "built.json").read_text())
    assert {
        "corpus", "documents", "skipped", "chunks", "entities", "relationships", "claims",
        "hierarchies", "reports", "usage", "seconds", "digest",
    } <= set(built)  # fmt: skip
    assert built["documents"] == 4
    assert built["skipped"] == [{"path": "empty.txt", "reason": "The file is empty (0 bytes)."}]
    assert set(built["hierarchies"][0]) == {"key", "algorithm", "levels", "communities"}


def test_ask_quotes_are_slices_of_the_text_that_show_prints(home: Path) -> None:
    ended = run("ask", "Larkmere", QUESTION, "--json", home=home)
    assert ended.returncode == 0, ended.stderr
    answer = json.loads(ended.stdout)
    assert {
        "question", "method", "text", "sentences", "sub_answers", "skipped", "usage", "seconds",
        "seconds_to_first",
    } <= set(answer)  # fmt: skip
    assert answer["sentences"]
    texts: dict[str, str] = {}
    for sentence in answer["sentences"]:
        assert sentence["citations"], sentence["text"]
        for one in sentence["citations"]:
            name = one["document"]
            if name not in texts:
                texts[name] = run("show", "Larkmere", "--text", name, home=home).stdout
            assert texts[name][one["start"] : one["end"]] == one["quote"]
    assert {"window", "status", "helpfulness", "text", "reports"} == set(answer["sub_answers"][0])


@pytest.mark.parametrize("level", ["0", "leaf", "leaf-0"])
def test_any_level_can_be_asked(home: Path, level: str) -> None:
    ended = run("ask", "Larkmere", QUESTION, "--level", level, "--json", home=home)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["sub_answers"]


def test_list_and_show_say_what_is_there(home: Path) -> None:
    (listed,) = json.loads(run("list", "--json", home=home).stdout)["corpora"]
    assert (listed["corpus"], listed["state"]) == ("larkmere", "built")
    shown = json.loads(run("show", "larkmere", "--json", home=home).stdout)
    assert shown["hierarchies"] == ["general.leiden"]
    community = shown["communities"][0]["id"]
    one = json.loads(run("show", "larkmere", community[:8], "--json", home=home).stdout)
    assert one["id"] == community
    assert one["members"]
    assert one["report"]["findings"]


def test_two_algorithms_lie_side_by_side(folder: Path, tmp_path: Path) -> None:
    ended = run(
        "build", folder, "--corpus", "both", "--communities", "leiden,rkh", "--json", home=tmp_path
    )
    assert ended.returncode == 0, ended.stderr
    assert [one["key"] for one in json.loads(ended.stdout)["hierarchies"]] == [
        "general.leiden",
        "general.rkh",
    ]
    asked = run("ask", "both", QUESTION, "--hierarchy", "general.rkh", "--json", home=tmp_path)
    assert json.loads(asked.stdout)["sentences"]
    again = run("build", folder, "--corpus", "both", "--json", home=tmp_path)
    first, second = json.loads(ended.stdout), json.loads(again.stdout)
    assert {**second, "seconds": 0} == {**first, "seconds": 0}


def test_doctor_finds_the_installation_sound(tmp_path: Path) -> None:
    ended = run("doctor", "--json", home=tmp_path / "not" / "there" / "yet")
    assert ended.returncode == 0, ended.stdout
    assert all(check["good"] for check in json.loads(ended.stdout)["checks"])


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("ask", "nowhere", "Why?"), 1, "There is no corpus"),
        (("ask", "larkmere", ""), 1, "question is empty"),
        (("ask", "larkmere", "Why?", "--hierarchy", "general.x"), 1, "general.leiden"),
        (("ask", "larkmere", "Why?", "--level", "top"), 2, "--level"),
        (("ask", "larkmere", "Why?", "--level", "9" * 5000), 2, "--level"),
        (("ask", "larkmere", "Why?", "--level", "99"), 1, "no level 99"),
        (("ask", "larkmere", "Why?", "--level", "leaf-99"), 1, "no level leaf-99"),
        (("ask", "larkmere", "Why?", "--seed", "x"), 2, "--seed"),
        (("ask", "x\udcff\x1b[2J", "Why?"), 1, "x\\xff\\x1b"),
        (("list", "--home", "~nobody-of-that-name"), 1, "--home"),
        (("ask", "larkmere", "Why?", "--method", "magic"), 1, "no method"),
        (("build", "/nowhere/at/all", "--corpus", "x"), 1, "no file or folder"),
        (("build", ".", "--corpus", "x", "--communities", "magic"), 2, "leiden"),
        (("show", "larkmere", "zzzz"), 1, "No communities"),
        (("show", "larkmere", "--text", "nothing.txt"), 1, "no document"),
        (("ask",), 2, "Usage"),
    ],
)
def test_errors_are_told_on_standard_error(
    home: Path, arguments: tuple[str, ...], code: int, told: str
) -> None:
    ended = run(*arguments, home=home)
    assert ended.returncode == code, ended.stderr
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.stdout == ""


@pytest.mark.parametrize(
    ("given", "told"), [("void", "There are no files"), ("typo", "no file or")]
)
def test_a_wrong_path_says_what_to_give_and_leaves_no_corpus(
    tmp_path: Path, given: str, told: str
) -> None:
    (tmp_path / "void").mkdir()
    ended = run("build", tmp_path / given, "--corpus", "x", home=tmp_path / "home")
    assert ended.returncode == 1
    assert told in ended.stderr
    assert not (tmp_path / "home" / "corpora").exists()


@pytest.mark.parametrize(
    ("shell", "code", "told"),
    [
        ('"$@" | head -c 10 >/dev/null; exit ${PIPESTATUS[0]}', 0, ""),
        ('"$@" >&-', 0, ""),
        ('"$@" 2>&-', 0, ""),
        ('"$@" >/dev/full', 1, "cannot be written"),
        ('LC_ALL=C PYTHONIOENCODING=ascii COLUMNS=10 TERM=dumb "$@" >/dev/null', 0, ""),
    ],
)
def test_any_kind_of_output_is_written_or_says_why_not(
    home: Path, shell: str, code: int, told: str
) -> None:
    command = [sys.executable, "-m", "sensemaking", "show", "larkmere", "--home", str(home)]
    ended = subprocess.run(
        ["bash", "-c", shell, "bash", *command],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert ended.returncode == code, ended.stderr
    assert told in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Exception ignored" not in ended.stderr


def test_ctrl_c_leaves_a_resumable_state(folder: Path, tmp_path: Path) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for n in range(60):
        text = "\n\n".join(DOCUMENTS.values()).replace("Larkmere", f"Larkmere {n}")
        (many / f"{n:02}.txt").write_text(text)
    command = [
        sys.executable, "-m", "sensemaking", "build", str(many), "--corpus", "many",
        "--home", str(tmp_path / "home"),
    ]  # fmt: skip
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not (tmp_path / "home/corpora/many/write.holder.json").exists():
        assert time.monotonic() < until
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 3, told
    assert "go on" in told
    ended = run("build", many, "--corpus", "many", "--json", home=tmp_path / "home")
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["documents"] == 60
