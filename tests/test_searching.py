"""Passages found for a question, measured against questions with gold; and the commands."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sensemaking.errors import InputError, NotBuilt, RunStopped
from sensemaking.types import Progress, Question, RetrievalRow
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS

SECONDS = 120
ROOT = Path(__file__).resolve().parents[1]
GOLD = (
    Question("1", "How many weeks must the bridge be closed?", gold=(("letter", 1.0),)),
    Question("2", "How far does the river wall move a month?", gold=(("survey.txt", 1.0),)),
    Question("3", "Who runs boats across the Larke?", gold=(("news", 1.0), ("gone", 1.0))),
    Question("4", "Without gold"),
)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("home")
    workspace = Workspace.open(folder)
    corpus = workspace.create("bridge")
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    workspace.create("empty")
    workspace.close()
    return folder


@pytest.fixture(scope="module")
def workspace(home: Path) -> Iterator[Workspace]:
    opened = Workspace.open(home)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def corpus(workspace: Workspace) -> Corpus:
    return workspace.open_corpus("bridge")


@pytest.mark.parametrize("method", ["bm25", "dense", "fused"])
def test_the_passage_that_answers_is_found_first(corpus: Corpus, method: str) -> None:
    found = corpus.evaluations.searches.find(method, "river wall moves two millimetres a month", 2)
    assert corpus.document(found[0].chunk.document_id).name == "survey.txt"
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    assert found == corpus.evaluations.searches.find(
        method, "river wall moves two millimetres a month", 2
    )


def test_words_that_nothing_holds_find_nothing(corpus: Corpus) -> None:
    assert corpus.evaluations.searches.find("bm25", "zeppelin", 5) == ()
    assert len(corpus.evaluations.searches.find("bm25", "river wall", 1000)) <= 4


def test_what_cannot_be_searched_is_said(workspace: Workspace, corpus: Corpus) -> None:
    with pytest.raises(InputError, match="empty"):
        corpus.evaluations.searches.find("bm25", "  ", 5)
    with pytest.raises(InputError, match="no retriever"):
        corpus.evaluations.searches.find("magic", "wall", 5)
    with pytest.raises(InputError, match="at least 1"):
        corpus.evaluations.searches.find("bm25", "wall", 0)
    with pytest.raises(NotBuilt):
        workspace.open_corpus("empty").evaluations.searches.find("bm25", "wall", 5)


def test_retrievers_are_measured_by_questions_whose_documents_are_known(corpus: Corpus) -> None:
    searches = corpus.evaluations.searches
    plan = searches.plan("gold", GOLD, ["bm25", "fused"], 10)
    events = list(searches.run(plan))
    rows = [one for one in events if isinstance(one, RetrievalRow)]
    assert len(rows) == 6
    assert [one.done for one in events if isinstance(one, Progress)] == [1, 2, 3, 4, 5, 6]
    by_key = {(one.method, one.question_id): one for one in rows}
    assert by_key["bm25", "1"].recall == 1.0
    assert by_key["bm25", "2"].gold == ("survey.txt",)
    assert by_key["bm25", "3"].recall == 0.5
    means = corpus.evaluations.searches.sum_up(rows, 10)
    assert [one.method for one in means] == ["bm25", "fused"]
    assert means[0].recall == pytest.approx(2.5 / 3)
    assert means[0].topological_recall is None
    assert searches.result(plan.id) == (plan, tuple(rows))
    again = [one for one in searches.run(plan) if isinstance(one, RetrievalRow)]
    assert again == rows  # kept, seconds and all: nothing was searched twice


def test_a_measurement_that_was_stopped_goes_on(corpus: Corpus) -> None:
    searches = corpus.evaluations.searches
    many = [replace(GOLD[n % 3], id=str(n), text=f"{GOLD[n % 3].text} {n}") for n in range(50)]
    plan = searches.plan("many", many, ["bm25"], 10)
    with pytest.raises(RunStopped):
        list(searches.run(plan, lambda: True))
    _, kept = searches.result(plan.id)
    assert 0 < len(kept) < 50
    searches.start(plan)
    job = searches.wait(plan.id, 60)
    assert job is not None
    assert job.status == "done", job.error
    _, rows = searches.result(plan.id)
    assert len(rows) == 50
    assert rows[: len(kept)] == kept
    assert plan in searches.runs()


def test_names_of_documents_stay_apart_in_the_table(corpus: Corpus) -> None:
    row = RetrievalRow("1", "bm25", ("b", "c d"), ("the survey.txt", "b"), 1.0, 1.0, 0.1)
    assert "the survey.txt; b,b; c d" in corpus.evaluations.searches.to_csv([row])


def test_gold_that_is_partly_not_there_is_told(corpus: Corpus) -> None:
    searches = corpus.evaluations.searches
    assert searches.told(searches.plan("all", GOLD[:2], ["bm25"])) == ""
    assert "1 gold document is not in this corpus (“gone”)" in searches.told(
        searches.plan("some", GOLD, ["bm25"])
    )


def test_gold_that_is_not_there_at_all_is_said(corpus: Corpus) -> None:
    def measure(*questions: Question) -> None:
        corpus.evaluations.searches.plan("gold", questions, ["bm25"], 10)

    with pytest.raises(InputError, match="gold_ids"):
        measure(Question("1", "Who?"))
    with pytest.raises(InputError, match="elsewhere"):
        measure(Question("1", "Who?", gold=(("elsewhere", 1.0),)))


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sensemaking", *arguments, "--home", str(home)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_the_commands_tell_in_json_what_the_contract_names(home: Path, tmp_path: Path) -> None:
    found = run(home, "retrieve", "bridge", "river wall", "--method", "bm25", "-k", "2", "--json")
    assert found.returncode == 0, found.stderr
    told = json.loads(found.stdout)
    assert {"results", "trace", "seconds"} <= told.keys()
    first = told["results"][0]
    text = DOCUMENTS[first["document"]]
    assert first["rank"] == 1
    assert "river wall" in text[first["start"] : first["end"]] == first["quote"]

    nothing = run(home, "retrieve", "bridge", "zzzqqq", "--method", "bm25")
    assert nothing.returncode == 0
    assert nothing.stdout == ""
    assert "No passage" in nothing.stderr

    made = run(home, "questions", "bridge", "--personas", "2", "--tasks", "2", "--questions", "2")
    assert made.returncode == 0, made.stderr
    asked = tmp_path / "asked.jsonl"
    asked.write_text(made.stdout, "utf-8")
    assert len(made.stdout.splitlines()) == 8

    compared = run(
        home, "evaluate", "compare", "bridge", str(asked), "--methods",
        "global,top=global:leiden:0", "--limit", "3", "--out", str(tmp_path / "out"), "--json",
    )  # fmt: skip
    assert compared.returncode == 0, compared.stderr
    result = json.loads(compared.stdout)
    assert result["n_questions"] == 3
    assert len(result["comparisons"]) == 4
    assert any("measurements" in one for one in result["summary"])
    assert {one.name for one in (tmp_path / "out").iterdir()} == {
        *("comparisons.csv", "methods.csv", "scores.csv", "answers.csv"),
        *("evaluation.json", "evaluation.html"),
        *("answers-1-global.json", "answers-2-top.json"),
    }
    answers = json.loads((tmp_path / "out" / "answers-1-global.json").read_text("utf-8"))
    assert {"question_id", "question_text", "answer"} == answers[0].keys()


def test_bad_arguments_end_with_the_right_code_and_a_next_step(home: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("frage\nWer?\n", "utf-8")
    refused = run(home, "evaluate", "compare", "bridge", str(wrong), "--methods", "global")
    assert refused.returncode == 1
    assert "frage" in refused.stderr
    assert "question" in refused.stderr
    asked = run(
        home, "evaluate", "compare", "bridge", str(wrong), "--methods", "x", "--judge", "me"
    )
    assert asked.returncode == 2
