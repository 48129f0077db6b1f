"""Answers judged by a model over a real connection: both orders, cached, failures counted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sensemaking.config import AskSettings
from sensemaking.types import Answer, Question, QuestionSet
from sensemaking.workspace import Corpus, Workspace
from sensemaking.workspace.comparing import Meeting
from tests.dossier import DOCUMENTS
from tests.evaluate_killed import QUESTIONS, SHORT
from tests.wire import ScriptedServer
from tests.wire.acts import Fail
from tests.wire.reader import read

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


def answered(corpus: Corpus, method: str) -> Answer:
    key = corpus.start_answer(QUESTIONS[0], AskSettings(method=method))
    snapshot = corpus.wait_for_answer(key, SECONDS)
    assert snapshot.answer is not None, snapshot.error
    return snapshot.answer


def test_two_answers_are_judged_by_a_model_as_a_job_and_nothing_is_asked_twice(
    corpus: Corpus, server: ScriptedServer
) -> None:
    comparing = corpus.evaluations.comparing
    meeting = Meeting(answered(corpus, "global"), answered(corpus, "text"), "llm")
    assert [one.by_order for one in comparing.verdicts(meeting)] == [(None, None)] * 5
    assert judged(server) == []
    comparing.start_judging(meeting)
    job = comparing.wait_for_judge(meeting, SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    found = comparing.verdicts(meeting)
    # Always the first one shown: the orders contradict each other, and nobody wins.
    assert [one.by_order for one in found] == [(1, 2)] * 5
    assert [one.score for one in found] == [50.0] * 5
    assert len(judged(server)) == 10
    comparing.judge(meeting)
    assert len(judged(server)) == 10
    comparing.judge(Meeting(meeting.first, meeting.second, "llm", is_differential=True))
    assert len(judged(server)) == 20
    assert '"differential": true' in comparing.to_json(meeting.first, meeting.second)


def test_a_judge_that_breaks_down_is_told_and_goes_on(
    corpus: Corpus, server: ScriptedServer
) -> None:
    comparing = corpus.evaluations.comparing
    meeting = Meeting(answered(corpus, "global"), answered(corpus, "text"), "llm")
    script, asked = server.script, iter(range(100))

    def half(body: dict[str, Any]) -> Any:
        return Fail(400) if next(asked) % 2 else script(body)

    server.script = half
    comparing.start_judging(meeting)
    job = comparing.wait_for_judge(meeting, SECONDS)
    assert job is not None
    assert job.skipped or job.error
    kept = sum(one is not None for each in comparing.verdicts(meeting) for one in each.by_order)
    assert 0 < kept < 10
    server.script = script
    comparing.judge(meeting)
    assert all(None not in one.by_order for one in comparing.verdicts(meeting))


def test_one_run_of_a_comparison_may_be_answered_by_the_model(
    corpus: Corpus, server: ScriptedServer
) -> None:
    server.script = read
    plain = corpus.start_answer(QUESTIONS[0], AskSettings())
    by_model = corpus.start_answer(QUESTIONS[0], AskSettings(), "llm")
    assert plain != by_model
    assert corpus.wait_for_answer(plain, SECONDS).answer is not None
    snapshot = corpus.wait_for_answer(by_model, SECONDS)
    assert snapshot.answer is not None, snapshot.error
    assert snapshot.answer.usage.calls > 0
    assert dict(snapshot.settings)["backend"] == "llm"
    assert len(server.chats) == snapshot.answer.usage.calls
