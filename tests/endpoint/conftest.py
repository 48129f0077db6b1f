"""A corpus whose backend is a scripted server, over a real connection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sensemaking.config import AskSettings, LanguageSettings, Settings
from sensemaking.types import JobSnapshot
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS
from tests.wire import ScriptedServer
from tests.wire.reader import read

SECONDS = 400
LLM = Settings(backend="llm", language=LanguageSettings(gleanings=0))
QUESTION = "What is said about the bridge?"


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(read) as one:
        yield one


@pytest.fixture
def workspace(
    server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspace]:
    monkeypatch.setenv("SENSEMAKING_MODEL", "reader")
    monkeypatch.setenv("SENSEMAKING_BASE_URL", server.url)
    monkeypatch.setenv("SENSEMAKING_RETRIES", "1")
    monkeypatch.setenv("SENSEMAKING_CONTEXT_TOKENS", "32000")
    opened = Workspace.open(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
def corpus(workspace: Workspace) -> Corpus:
    made = workspace.create("Larkmere", LLM)
    made.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    return made


def build(corpus: Corpus) -> JobSnapshot:
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    return job


def ask(corpus: Corpus, question: str = QUESTION) -> str:
    key = corpus.start_answer(question, AskSettings())
    corpus.wait_for_answer(key, SECONDS)
    return key
