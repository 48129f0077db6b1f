"""A model that fails, seen from the Ask and Documents pages: what is told, what can be done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sensemaking.config import AskSettings, LanguageSettings, Settings
from sensemaking.workspace import Workspace
from tests.pages.conftest import DOCUMENTS, SECONDS, Visit, keys, looked_at, markup
from tests.wire import Fail, ScriptedServer
from tests.wire.reader import read

NAME = "larkmere"
QUESTION = "What is said about the bridge?"
LLM = Settings(backend="llm", language=LanguageSettings(gleanings=0))


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(read) as one:
        yield one


@pytest.fixture
def talking(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspace]:
    for name, value in {
        "MODEL": "reader",
        "BASE_URL": server.url,
        "RETRIES": "1",
        "CONTEXT_TOKENS": "32000",
    }.items():
        monkeypatch.setenv(f"SENSEMAKING_{name}", value)
    workspace = Workspace.open(tmp_path)
    corpus = workspace.create("Larkmere", LLM)
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    yield workspace
    workspace.close()


def is_map(body: dict) -> bool:
    return body["messages"][0]["content"].startswith("You look through numbered items")


def test_a_failed_window_is_told_and_read_again_by_a_button(
    talking: Workspace, server: ScriptedServer, visit: Visit
) -> None:
    corpus = talking.open_corpus(NAME)
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    broken: list[str] = []

    def script(body: dict) -> object:
        if is_map(body) and (not broken or body["messages"][1]["content"] in broken):
            broken.append(body["messages"][1]["content"])
            return "I do not know what to say to this."
        return read(body)

    server.script = script
    key = corpus.start_answer(QUESTION, AskSettings(window_tokens=200))
    answer = corpus.wait_for_answer(key, SECONDS).answer
    assert answer is not None
    (failed,) = [one.window for one in answer.sub_answers if one.status == "failed"]
    app = visit(talking, "ask", corpus=NAME, answer=key)
    assert "The answer leaves out" in markup(app)
    assert app.button(key=f"retry_{failed}").label == f"Try window {failed + 1} again"
    server.script = read
    looked_at(app.button(key=f"retry_{failed}").click().run())
    again = app.query_params["answer"]
    assert again != key
    second = corpus.wait_for_answer(again, SECONDS).answer
    assert second is not None
    looked_at(app.run())
    assert "The answer leaves out" not in markup(app)
    assert f"retry_{failed}" not in keys(app)


def test_a_model_that_refuses_is_told_with_the_next_steps(
    talking: Workspace, server: ScriptedServer, visit: Visit
) -> None:
    corpus = talking.open_corpus(NAME)
    server.script = lambda _: Fail(401, "no such key")
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status != "done"
    app = visit(talking, "documents", corpus=NAME)
    assert "key" in markup(app)
    assert {"without_model", "go_build"} <= keys(app)
    looked_at(app.button(key="without_model").click().run())
    done = corpus.wait_for_build(SECONDS)
    assert done is not None
    assert done.status == "done", done.error
    corpus.change_settings(LLM)
    key = corpus.start_answer(QUESTION, AskSettings())
    ended = corpus.wait_for_answer(key, SECONDS)
    assert ended.answer is None
    app = visit(talking, "ask", corpus=NAME, answer=key)
    page = markup(app)
    assert "No answer" in page or "Stopped" in page
    assert "key" in page
    server.script = read
    looked_at(app.button(key="try_again").click().run())
    assert corpus.wait_for_answer(app.query_params["answer"], SECONDS).answer is not None
