"""Answers judged by a model over a real connection: both orders, cached, failures counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sensemaking.types import Question, QuestionSet
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS
from tests.evaluate_killed import QUESTIONS, SHORT
from tests.wire import ScriptedServer

SECONDS = 120
ASKED = QuestionSet("asked", tuple(Question(str(n), text) for n, text in enumerate(QUESTIONS)))


def play(verdict: Any):
    """Return a script that judges by a rule, and splits claims into sentences."""

    def script(body: dict[str, Any]) -> Any:
        system = body["messages"][0]["content"]
        if system.startswith("You compare two answers"):
            return verdict
        text = body["messages"][-1]["content"]
        return {"claims": [{"text": one.strip()} for one in re.findall(r"[A-Z][^.\n]+\.", text)]}

    return script


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(play({"reason": "It came first.", "winner": 1})) as one:
        yield one


@pytest.fixture
def corpus(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Corpus]:
    monkeypatch.setenv("SENSEMAKING_MODEL", "judge")
    monkeypatch.setenv("SENSEMAKING_BASE_URL", server.url)
    monkeypatch.setenv("SENSEMAKING_RETRIES", "0")
    monkeypatch.setenv("SENSEMAKING_CONTEXT_TOKENS", "32000")
    workspace = Workspace.open(tmp_path)
    made = workspace.create("bridge")
    made.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    made.start_build()
    job = made.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    yield made
    workspace.close()


def judged(server: ScriptedServer) -> list[Any]:
    return [
        one
        for one in server.chats
        if one["messages"][0]["content"].startswith("You compare two answers")
    ]


def test_a_model_judges_in_both_orders_and_is_asked_once(
    corpus: Corpus, server: ScriptedServer
) -> None:
    evaluations = corpus.evaluations
    conditions = (*evaluations.conditions()[:1], SHORT)
    batch = evaluations.plan(ASKED, conditions, ["llm"], criteria=["diversity"])
    list(evaluations.run(batch, ["llm"]))
    result = evaluations.findings(batch.id).result
    (one,) = result.comparisons
    assert one.win_rate == 50.0
    assert result.judges[0].first_share == 1.0
    assert result.judges[0].n_missing == 0
    calls = len(server.chats)
    assert len(judged(server)) == result.judges[0].n_verdicts > 0
    list(evaluations.run(batch, ["llm"]))
    assert len(server.chats) == calls


def test_verdicts_that_cannot_be_read_are_counted(corpus: Corpus, server: ScriptedServer) -> None:
    server.script = play("Both are lovely, I could not possibly say.")
    evaluations = corpus.evaluations
    conditions = (*evaluations.conditions()[:1], SHORT)
    batch = evaluations.plan(ASKED, conditions, ["llm"], criteria=["diversity"])
    list(evaluations.run(batch, ["llm"]))
    result = evaluations.findings(batch.id).result
    assert result.judges[0].n_unparsed == result.judges[0].n_verdicts > 0
    assert result.comparisons[0].win_rate is None
    assert any("could not be read" in one for one in result.summary)
