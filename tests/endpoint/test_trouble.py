"""What models and endpoints get wrong: each is told plainly, and costs nothing twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.config import AskSettings
from sensemaking.errors import InputError
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS
from tests.endpoint.conftest import LLM, QUESTION, SECONDS, ask, build
from tests.wire import Fail, Hang, Say, ScriptedServer
from tests.wire.reader import read

ROOT = Path(__file__).resolve().parents[2]
FIRST = next(iter(DOCUMENTS.values()))[:40]
N_ANSWERED = 3


def is_extraction(body: dict) -> bool:
    is_for_kinds = "which kinds of things" in body["messages"][0]["content"]
    return "<<<PASSAGE" in body["messages"][1]["content"] and not is_for_kinds


def is_about(body: dict, text: str) -> bool:
    """Whether a passage with a text is to be extracted from, for the first time or again."""
    return is_extraction(body) and text in body["messages"][1]["content"]


def texts_of(bodies: list[dict]) -> list[str]:
    return [json.dumps(one["messages"]) for one in bodies]


def test_a_build_that_is_killed_repeats_no_call_that_was_answered(
    server: ScriptedServer, tmp_path: Path
) -> None:
    for name, text in DOCUMENTS.items():
        (tmp_path / name).write_text(text)
    home = tmp_path / "home"
    command = [sys.executable, "-m", "sensemaking", "build", *map(str, tmp_path.glob("*.*"))]
    command += ["--corpus", "killed", "--backend", "llm", "--home", str(home)]
    environment = os.environ | {
        "SENSEMAKING_MODEL": "reader",
        "SENSEMAKING_BASE_URL": server.url,
        "SENSEMAKING_CONTEXT_TOKENS": "32000",
    }
    n_begun = iter(range(10**6))
    server.script = lambda body: read(body) if next(n_begun) < N_ANSWERED else Hang(60)
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as first:
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            if sum(one.ended is not None for one in server.requests) >= N_ANSWERED:
                break
            time.sleep(0.05)
        time.sleep(3.0)  # what has arrived is stored at once, whoever is busy
        first.send_signal(signal.SIGKILL)
    answered = texts_of([one.body for one in server.requests if one.ended is not None])
    answered = answered[:N_ANSWERED]
    assert len(answered) == N_ANSWERED
    server.forget()
    server.script = read
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert server.chats
    assert not set(answered) & set(texts_of(server.chats))


def test_an_endpoint_that_dies_after_most_of_a_build_is_asked_for_the_rest_alone(
    workspace: Workspace, corpus: Corpus, server: ScriptedServer
) -> None:
    assert build(corpus).status == "done"
    n_calls = len(server.chats)
    other = workspace.create("Other", LLM)
    other.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    server.forget()
    n_begun = iter(range(10**6))
    most = int(0.6 * n_calls)
    server.script = lambda body: read(body) if next(n_begun) < most else Fail(500, "out of memory")
    job = build(other)
    assert job.status == "stopped"
    assert "out of memory" in job.error
    assert "press Resume" in job.error
    funnel = {one.name: (one.done, one.total) for one in job.stages}
    assert funnel["extract"][0] == len(DOCUMENTS)
    good = texts_of(server.chats[:most])
    server.forget()
    server.script = read
    assert build(other).status == "done"
    assert not set(good) & set(texts_of(server.chats))
    assert len(server.chats) == n_calls - most
    assert other.job().result.digest == corpus.job().result.digest


def test_a_small_context_makes_everything_smaller_and_is_told(
    corpus: Corpus, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SENSEMAKING_CONTEXT_TOKENS", "4096")
    job = build(corpus)
    assert job.status == "done", job.error
    assert any("Reports are written from" in note for note in job.result.notes)
    answer = corpus.answer(ask(corpus)).answer
    assert any("Windows are cut at" in note for note in answer.notes)
    count = BpeTokenizer().count
    for body in server.chats:
        sent = sum(count(one["content"]) + 4 for one in body["messages"])
        assert sent + body["max_tokens"] <= 4096


def test_a_model_without_any_json_mode_does_the_same(
    corpus: Corpus, server: ScriptedServer
) -> None:
    server.json_modes = frozenset({"text"})
    server.script = lambda body: Say(f"Here it is:\n```json\n{json.dumps(read(body))}\n```")
    job = build(corpus)
    assert job.status == "done", job.error
    assert not job.result.skipped
    assert corpus.graph().relationships


def test_a_refusal_is_told_as_one(corpus: Corpus, server: ScriptedServer) -> None:
    server.script = lambda body: (
        "I'm sorry, but I can't help with that." if is_about(body, FIRST) else read(body)
    )
    job = build(corpus)
    assert job.status == "done"
    (skipped,) = [one for one in job.result.skipped if one.stage == "extract"]
    assert "will not answer" in skipped.reason
    assert skipped.retriable


def loop(_: dict) -> object:
    """Say the same again and again until the limit."""
    one = {"name": "Larkmere Bridge", "kind": "place", "description": "A bridge.", "quote": ""}
    return Say('{"entities": [' + f"{json.dumps(one)}, " * 400, finish="length")


@pytest.mark.parametrize(
    "reply", [loop, lambda _: Say("word " * 200_000), lambda _: Say('{"entities": ' + "[" * 10**6)]
)
def test_loops_and_megabytes_cost_one_unit_at_most(
    corpus: Corpus, server: ScriptedServer, reply: object
) -> None:
    server.script = lambda body: reply(body) if is_about(body, FIRST) else read(body)
    began = time.process_time()
    job = build(corpus)
    assert time.process_time() - began < 60
    assert job.status == "done", job.error
    told = [one for one in job.result.skipped if one.stage == "extract"]
    assert told or any("asked for again" in note for note in job.result.notes)
    assert len(told) <= 1


def test_another_language_is_asked_for_again_and_told(
    corpus: Corpus, server: ScriptedServer
) -> None:
    german = (
        "Die Brücke braucht neue Lager, und niemand weiß, wer das alles am Ende bezahlen soll, "
        "denn der Rat der Stadt hat nicht genug Geld für die Mauer und auch nicht für das Boot."
    )

    def script(body: dict) -> object:
        found = read(body)
        if isinstance(found, dict) and "findings" in found:
            found["summary"] = german
            for one in found["findings"]:
                one["text"] = german
        return found

    server.script = script
    job = build(corpus)
    assert job.status == "done", job.error
    assert any("replies not as wished" in note for note in job.result.notes)


def test_kinds_of_entities_are_named_by_the_model_once(
    workspace: Workspace, server: ScriptedServer
) -> None:
    language = LLM.language.model_copy(update={"derive_kinds": True})
    corpus = workspace.create("Kinds", LLM.model_copy(update={"language": language}))
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())

    def is_asked(body: dict) -> bool:
        return "which kinds of things" in body["messages"][0]["content"]

    def script(body: dict) -> object:
        return (
            {"kinds": [{"name": "Bridge"}, {"name": "council"}]} if is_asked(body) else read(body)
        )

    server.script = script
    assert corpus.estimate_build().stages[0].name == "kinds"
    assert build(corpus).status == "done"
    told = [one["messages"][0]["content"] for one in server.chats if is_extraction(one)]
    assert len(told) == len(DOCUMENTS)
    assert all("bridge, council, concept" in one for one in told)
    # A new document does not change what is looked for, nor is anything read again.
    server.forget()
    corpus.add_files([("new.txt", b"Vera Holt met Otto Brandt at the bridge.")])
    assert build(corpus).status == "done"
    assert sum(map(is_extraction, server.chats)) == 1
    assert not any(map(is_asked, server.chats))


def test_kinds_that_cannot_be_named_are_those_of_the_settings(
    workspace: Workspace, server: ScriptedServer
) -> None:
    language = LLM.language.model_copy(update={"derive_kinds": True, "entity_kinds": ("ship",)})
    corpus = workspace.create("Kinds", LLM.model_copy(update={"language": language}))
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    server.script = lambda body: (
        "No idea." if "which kinds of things" in body["messages"][0]["content"] else read(body)
    )
    job = build(corpus)
    assert job.status == "done"
    assert [one.stage for one in job.result.skipped] == ["kinds"]
    told = [one["messages"][0]["content"] for one in server.chats if is_extraction(one)]
    assert all("ship" in one for one in told)


def test_a_window_that_failed_is_tried_again_and_no_other(
    corpus: Corpus, server: ScriptedServer
) -> None:
    assert build(corpus).status == "done"
    settings = AskSettings(window_tokens=200)
    titles = corpus.plan_answer(settings).titles
    assert len(titles) > 1
    n_map = iter(range(10**6))

    def is_map(body: dict) -> bool:
        return body["messages"][0]["content"].startswith("You look through numbered items")

    broken: list[str] = []

    def script(body: dict) -> object:
        if is_map(body) and (next(n_map) == 0 or body["messages"][1]["content"] in broken):
            broken.append(body["messages"][1]["content"])
            return "I do not know what to say to this."
        return read(body)

    server.script = script
    key = corpus.start_answer(QUESTION, settings)
    first = corpus.wait_for_answer(key, SECONDS).answer
    (failed,) = [one.window for one in first.sub_answers if one.status == "failed"]
    with pytest.raises(InputError, match="did not fail"):
        corpus.try_again(key, [one.window for one in first.sub_answers if one.window != failed][:1])
    server.script = read
    server.forget()
    again = corpus.try_again(key)
    assert again != key
    snapshot = corpus.wait_for_answer(again, SECONDS)
    assert snapshot.answer is not None, snapshot.error
    second = snapshot.answer
    assert [one for one in second.sub_answers if one.status == "failed"] == []
    assert second.skipped == ()
    assert sum(map(is_map, server.chats)) == 1
    before = {one.window: one.points for one in first.sub_answers if one.window != failed}
    after = {one.window: one.points for one in second.sub_answers if one.window != failed}
    assert before == after
    assert dict(second.settings)["windows read again"] == str(failed + 1)
    assert second.sentences
    with pytest.raises(InputError, match="No window of this answer failed"):
        corpus.try_again(again)
    # A corpus that has changed has other windows.
    corpus.add_files([("new.txt", b"Vera Holt met Otto Brandt at the Larkmere Bridge in May.")])
    assert build(corpus).status == "done"
    stale = corpus.wait_for_answer(corpus.try_again(key, [failed]), SECONDS)
    assert stale.answer is not None or "Ask the question again" in stale.error
