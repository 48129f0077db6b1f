"""Topics of a corpus that another version read, of none, of many, of what nothing is said about."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sensemaking.cli.preparing import prepare_topics
from sensemaking.errors import InputError, NotFound
from sensemaking.methods import METHODS
from sensemaking.pipeline.library import CODE_VERSIONS, Library
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS, QUESTION


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one corpus whose topics are found."""
    made = tmp_path_factory.mktemp("odd") / "home"
    workspace = Workspace.open(made)
    corpus = workspace.create("bridge")
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    corpus.start_build()
    corpus.wait_for_build(120)
    corpus.topics.start_finding()
    job = corpus.topics.wait(120)
    workspace.close()
    assert job is not None
    assert job.status == "done", job.error
    return made


@pytest.fixture
def corpus(home: Path, tmp_path: Path) -> Iterator[Corpus]:
    shutil.copytree(home, tmp_path / "home")
    workspace = Workspace.open(tmp_path / "home")
    yield workspace.open_corpus("bridge")
    workspace.close()


def test_a_graph_is_not_chosen_from_what_another_version_read(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = corpus.topics.all()[0].name
    monkeypatch.setitem(CODE_VERSIONS, "extract", "later")
    corpus.topics.start_graphs([name])
    job = corpus.topics.wait(120)
    assert job is not None
    assert job.status == "failed"
    assert "build the corpus again" in job.error
    assert corpus.topics.rows()[0].way is None
    corpus.topics.start_graphs([name], "filtered")
    corpus.topics.wait(120)
    assert corpus.topics.rows()[0].n_reports > 0


def test_a_question_goes_on_to_the_next_topic_where_a_graph_comes_out_empty(
    corpus: Corpus,
) -> None:
    question, settings = "What of the zebra and the quagga?", METHODS["retag"].settings()
    corpus.topics.edit("add", "Zebra and quagga", "Speaks of zebra and quagga.")
    corpus.topics.edit("add", "Quagga", "Speaks of the quagga.")
    assert corpus.topics.choose(question, settings).topic is not None
    prepare_topics(corpus, question, settings)
    chosen = corpus.topics.choose(question, settings).topic
    assert chosen is None or not corpus.topics.needs_graph(chosen)
    assert [row.is_empty for row in corpus.topics.rows()[-2:]] == [True, True]


def test_an_unknown_topic_is_told_what_names_there_are(corpus: Corpus) -> None:
    for at in range(20):
        corpus.topics.edit("add", f"Masts, sails and ropes {at}", "")
    topics = corpus.topics.all()
    with pytest.raises(NotFound) as caught:
        corpus.topics.estimate(["Banana"])
    assert f"“{topics[0].name}”" in str(caught.value)
    assert f"and {len(topics) - 12} more" in str(caught.value)


def test_of_no_topics_no_graph_is_estimated(corpus: Corpus) -> None:
    for one in corpus.topics.all():
        corpus.topics.edit("drop", one.name)
    assert corpus.topics.estimate(None).sentence == "There are no topics to make graphs of."


def test_recall_refuses_an_empty_question(corpus: Corpus) -> None:
    settings = METHODS["global+retrieval"].settings(hierarchy=corpus.topics.default_hierarchy())
    with pytest.raises(InputError, match="empty"):
        corpus.topics.start_recall("  ", settings)


def test_recall_knows_the_levels_that_a_question_knows(home: Path, tmp_path: Path) -> None:
    shutil.copytree(home, tmp_path / "home")
    command = [sys.executable, "-m", "sensemaking", "recall", "bridge", QUESTION, "--json"]
    ran = subprocess.run(
        [*command, "--level", "L1", "--home", str(tmp_path / "home")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)["reports"] > 0


def test_a_question_is_routed_without_reading_the_reports_of_every_topic(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus.topics.start_graphs(None)
    corpus.topics.wait(120)
    read = [row for row in corpus.topics.rows() if row.way is not None]
    told = [len(corpus.topics.hierarchy(f"{row.topic.graph_key}.leiden")[1]) for row in read]
    assert [row.n_reports for row in read] == told

    def refuse(*_: object) -> None:
        raise AssertionError("reports were read to be counted")

    monkeypatch.setattr(Library, "reports", refuse)
    assert [row.n_reports for row in corpus.topics.rows() if row.way is not None] == told
