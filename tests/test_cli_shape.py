"""The command that tells the shape of a hierarchy, and the names of levels."""

import json
import sys

import pytest
import typer

from sensemaking.cli import main
from sensemaking.cli.choosing import read_level
from sensemaking.errors import InputError
from sensemaking.workspace import Workspace
from tests.dossier import DOCUMENTS

NAME = "bridge"


@pytest.mark.parametrize(
    ("named", "level"),
    [
        *(("leaf", None), ("LF", None), ("lf", None), ("1", 1)),
        *(("L1", 2), ("LF-1", 2), ("leaf-2", 1), ("LF-3", 0)),
    ],
)
def test_levels_have_the_names_of_the_papers(named, level):
    assert read_level(named, lambda: 4) == level


def test_l1_of_a_single_level_is_that_level():
    assert read_level("L1", lambda: 1) == 0


@pytest.mark.parametrize("named", ["LF-4", "leaf-9"])
def test_a_level_above_the_coarsest_is_refused(named):
    with pytest.raises(InputError):
        read_level(named, lambda: 4)


@pytest.mark.parametrize("named", ["LF-", "LFx", "-1", "top"])
def test_what_names_no_level_is_refused(named):
    with pytest.raises(typer.BadParameter):
        read_level(named, lambda: 4)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("home")
    workspace = Workspace.open(folder)
    corpus = workspace.create(NAME)
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    corpus.start_build()
    job = corpus.wait_for_build(240)
    assert job is not None
    assert job.status == "done", job.error
    workspace.close()
    return folder


@pytest.fixture
def run(home, monkeypatch, capsys):
    def run(*arguments):
        given = ["sensemaking", "shape", NAME, *arguments, "--home", str(home)]
        monkeypatch.setattr(sys, "argv", given)
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        return code, capsys.readouterr().out

    return run


def test_fewer_relationships_leave_fewer_tokens(run):
    code, output = run("--percent", "80", "--percent", "40", "--percent", "0", "--json")
    assert code == 0
    found = json.loads(output)
    rows = found["round_robin"]
    assert [one["chosen"] for one in rows] == [
        one["eligible"] * percent // 100 for one, percent in zip(rows, (80, 40, 0), strict=True)
    ]
    spent = [found["leaf_tokens"], *(one["leaf_tokens"] for one in rows[:2])]
    assert spent == sorted(spent, reverse=True)
    assert 0 < found["source_tokens_reached"] <= found["source_tokens"]


def test_a_budget_can_be_kept_for_the_next_build_and_taken_back(run, home):
    assert run("--percent", "70", "--order", "B", "--use", "--community-tokens", "4000")[0] == 0
    workspace = Workspace.open(home)
    settings = workspace.open_corpus(NAME).settings
    workspace.close()
    kept = settings.reports.round_robin
    assert (kept.percent, kept.order, kept.base) == (70, "B", "eligible")
    assert settings.hierarchy.community_tokens == 4000
    assert run("--all-ties")[0] == 0
    workspace = Workspace.open(home)
    assert workspace.open_corpus(NAME).settings.reports.round_robin is None
    workspace.close()


@pytest.mark.parametrize(
    "wrong", [("--percent", "101"), ("--tokens", "-1"), ("--use",), ("--community-tokens", "0")]
)
def test_what_cannot_be_kept_is_refused(run, wrong):
    assert run(*wrong)[0] == 1
