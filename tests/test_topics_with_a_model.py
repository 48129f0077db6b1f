"""Topics the way of ReTAG, with a model behind a real connection: mining, graphs, a killed job."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sensemaking.config import AskSettings, HierarchySettings, LanguageSettings, Settings
from sensemaking.methods import METHODS
from sensemaking.pipeline.topics import CORPUS_QUESTION, TOPIC_QUESTION
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS, QUESTION
from tests.wire import ScriptedServer
from tests.wire.reader import read

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 300
NAME = "larkmere"
SETTINGS = Settings(backend="llm", language=LanguageSettings(gleanings=0))
_FOCUS = "The bridge"


def topical(body: dict[str, Any]) -> Any:
    """Answer as `reader` does, and the tasks on topics by their texts alone."""
    system = body["messages"][0]["content"]
    last = body["messages"][-1]["content"]
    if system.startswith("You say what topics"):
        finer = sorted(set(re.findall(r"\b(?:river wall|Ferry Company)\b", last)))
        names = ["The bridge", "Bridge", *finer, "  the BRIDGE ", "Volcanoes"]
        return {"topics": [{"name": one, "description": f"{len(last)} about it."} for one in names]}
    if system.startswith("You describe a collection"):
        return {"description": f"Letters and minutes, {len(last)}."}
    if system.startswith("You say in which topic"):
        return {"reason": "It names it.", "topic": "the bridge", "runner_up": "Bridge"}
    if system.startswith("You name words for a search"):
        return {"keywords": ["bearings", "repair"]}
    if "Volcanoes" in last:
        return {"entities": [], "relationships": [], "claims": []}
    return read(body)


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with ScriptedServer(topical) as one:
        yield one


@pytest.fixture
def empty_home(server: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home whose corpora are read by the scripted model."""
    monkeypatch.setenv("SENSEMAKING_MODEL", "reader")
    monkeypatch.setenv("SENSEMAKING_BASE_URL", server.url)
    monkeypatch.setenv("SENSEMAKING_RETRIES", "1")
    monkeypatch.setenv("SENSEMAKING_CONTEXT_TOKENS", "32000")
    return tmp_path / "home"


def build(home: Path, settings: Settings, documents: dict[str, str]) -> None:
    workspace = Workspace.open(home)
    corpus = workspace.create(NAME, settings)
    corpus.add_files((name, text.encode()) for name, text in documents.items())
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    workspace.close()
    assert job is not None
    assert job.status == "done", job.error


@pytest.fixture
def home(empty_home: Path) -> Path:
    """A home with the corpus built."""
    build(empty_home, SETTINGS, DOCUMENTS)
    return empty_home


@pytest.fixture
def corpus(home: Path) -> Iterator[Corpus]:
    workspace = Workspace.open(home)
    yield workspace.open_corpus(NAME)
    workspace.close()


def ring_of_villages(size: int) -> str:
    """Return sentences on villages of three, each tied to the next: Leiden joins them in pairs."""
    villages = [f"{first}{last}" for first in "BDGKLMNPRSTV" for last in ("arn", "olm")][:size]
    lines = []
    for one, following in zip(villages, [*villages[1:], villages[0]], strict=True):
        mill, quay, school = (f"{one} {what}" for what in ("Mill", "Quay", "School"))
        lines += [
            f"{mill} pays {quay}.",
            f"{quay} pays {school}.",
            f"{school} pays {mill}.",
            f"{mill} trades with {following} Mill.",
        ]
    return " ".join(lines)


def finish(corpus: Corpus) -> None:
    job = corpus.topics.wait(SECONDS)
    assert job is not None
    assert job.status == "done", job.error


def settings_of(corpus: Corpus, method: str) -> AskSettings:
    return METHODS[method].settings(hierarchy=corpus.topics.default_hierarchy())


def asked(server: ScriptedServer, since: int = 0) -> list[dict[str, Any]]:
    return list(server.chats[since:])


def of_task(bodies: list[dict[str, Any]], opening: str) -> list[dict[str, Any]]:
    return [one for one in bodies if one["messages"][0]["content"].startswith(opening)]


def passages(bodies: list[dict[str, Any]]) -> list[str]:
    """Return the requests to read a chunk, each as all that was sent."""
    sent = (json.dumps(one["messages"]) for one in bodies)
    return [one for one in sent if "<<<PASSAGE " in one]


def test_two_questions_go_through_map_and_reduce_on_every_level(
    empty_home: Path, server: ScriptedServer
) -> None:
    settings = SETTINGS.model_copy(update={"hierarchy": HierarchySettings(max_community_size=3)})
    build(empty_home, settings, {**DOCUMENTS, "villages.txt": ring_of_villages(24)})
    workspace = Workspace.open(empty_home)
    try:
        check_mining(workspace.open_corpus(NAME), server)
    finally:
        workspace.close()


def check_mining(corpus: Corpus, server: ScriptedServer) -> None:
    n_levels = corpus.hierarchy(corpus.topics.default_hierarchy()).n_levels
    assert n_levels > 1
    before = len(server.chats)
    corpus.topics.start_finding()
    finish(corpus)
    bodies = asked(server, before)
    mined = of_task(bodies, "You say what topics")
    assert len(mined) == n_levels
    assert len(of_task(bodies, "You describe a collection")) == n_levels
    read_for = Counter(
        question
        for one in of_task(bodies, "You look through numbered items")
        for question in (TOPIC_QUESTION, CORPUS_QUESTION)
        if question in json.dumps(one, ensure_ascii=False)
    )
    assert read_for[TOPIC_QUESTION] == read_for[CORPUS_QUESTION] >= n_levels
    found = {one.name: one for one in corpus.topics.all()}
    assert list(found)[:2] == ["The bridge", "Bridge"]
    assert {"Volcanoes", "river wall"} <= set(found)
    first = len(mined[0]["messages"][-1]["content"])
    assert found["The bridge"].description == f"{first} about it."  # the coarsest level's
    assert found["The bridge"].level == 0
    assert ["The bridge", "Bridge"] in [[a.name for a in one] for one in corpus.topics.groups()]
    assert corpus.topics.description().startswith("Letters and minutes")
    before = len(server.chats)
    corpus.topics.start_finding()
    finish(corpus)
    assert len(server.chats) == before  # a level that was asked is not asked again


def test_every_chunk_is_read_anew_for_a_topic_and_asks_for_it_alone(
    corpus: Corpus, server: ScriptedServer
) -> None:
    corpus.topics.start_finding()
    finish(corpus)
    estimate = corpus.topics.estimate([_FOCUS])
    before = len(server.chats)
    corpus.topics.start_graphs([_FOCUS])
    finish(corpus)
    bodies = asked(server, before)
    read_anew = passages(bodies)
    assert len(read_anew) == estimate.n_chunks == len(DOCUMENTS)
    assert all("The bridge" in one for one in read_anew)
    # A topic that holds all there is has the reports that are there already.
    assert estimate.calls[0] <= len(bodies) <= estimate.calls[1]
    graph = corpus.topics.graph(_FOCUS)
    assert graph.entities
    assert graph.key == "topic-the-bridge"
    (key,) = corpus.topics.hierarchy_keys(_FOCUS)
    assert key in [one.key for one in corpus.topics.hierarchies()]
    assert corpus.topics.rows()[0].n_reports > 0


def test_an_answer_by_topic_reads_that_topic_and_an_empty_one_is_not_offered(
    corpus: Corpus, server: ScriptedServer
) -> None:
    corpus.topics.start_finding()
    finish(corpus)
    corpus.topics.start_graphs([_FOCUS, "Volcanoes"])
    finish(corpus)
    before = len(server.chats)
    key = corpus.start_answer(QUESTION, settings_of(corpus, "retag"))
    snapshot = corpus.wait_for_answer(key, SECONDS)
    assert snapshot.answer is not None, snapshot.error
    told = dict(snapshot.answer.trace)
    assert (told["topic"], told["reason"], told["second"]) == (
        *("The bridge", "It names it."),
        "Bridge",
    )
    assert told["keywords"] == "bearings, repair"
    (choosing,) = of_task(asked(server, before), "You say in which topic")
    offered = choosing["messages"][-1]["content"]
    assert "- Bridge:" in offered
    assert "- Volcanoes:" not in offered
    rows = {row.topic.name: row for row in corpus.topics.rows()}
    assert rows["Volcanoes"].is_empty


def test_recall_is_measured_against_reports_that_the_model_reads_one_by_one(
    corpus: Corpus, server: ScriptedServer
) -> None:
    settings = settings_of(corpus, "retrieval-no-expansion")
    before = len(server.chats)
    corpus.topics.start_recall(QUESTION, settings)
    finish(corpus)
    (found,) = corpus.topics.recalls(settings)
    n_readings = corpus.topics.n_readings(settings)
    assert len(of_task(asked(server, before), "You look through numbered items")) == n_readings
    assert found.n_reports == n_readings
    assert found.n_relevant == n_readings
    assert found.recalls[-1] == (400, 1.0)


def test_a_job_killed_while_it_reads_goes_on_and_reads_no_chunk_twice(
    home: Path, server: ScriptedServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SENSEMAKING_CONCURRENCY", "1")
    workspace = Workspace.open(home)
    corpus = workspace.open_corpus(NAME)
    corpus.topics.start_finding()
    finish(corpus)
    workspace.close()
    shutil.copytree(home, tmp_path / "undisturbed")
    before = len(server.chats)
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.kill_topics", str(home), NAME], cwd=ROOT, env=os.environ
    )
    deadline = time.monotonic() + SECONDS
    while len(passages(asked(server, before))) < len(DOCUMENTS) + 2:  # in the second topic
        assert child.poll() is None, "it ended before it could be killed"
        assert time.monotonic() < deadline
        time.sleep(0.005)
    child.kill()
    assert child.wait() == -signal.SIGKILL

    workspace = Workspace.open(home)
    corpus = workspace.open_corpus(NAME)
    left = corpus.topics.estimate(None).n_chunks
    n_topics = len(corpus.topics.all())
    assert 0 < left < n_topics * len(DOCUMENTS)
    between = len(server.chats)
    corpus.topics.start_graphs(None)
    finish(corpus)
    after = corpus.content_digests()
    assert len(passages(asked(server, between))) <= left
    read_twice = Counter(passages(asked(server, before)))
    # Only what was under way when it died may be asked for again: a call, and a reply that had
    # come and was not on the disk yet.
    assert sum(count - 1 for count in read_twice.values()) <= 2
    assert sum(read_twice.values()) - n_topics * len(DOCUMENTS) <= 2
    workspace.close()

    workspace = Workspace.open(tmp_path / "undisturbed")
    corpus = workspace.open_corpus(NAME)
    corpus.topics.start_graphs(None)
    finish(corpus)
    assert corpus.content_digests() == after
    assert corpus.topics.choose(QUESTION, settings_of(corpus, "retag")).topic is not None
    workspace.close()
