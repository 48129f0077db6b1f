"""Topics of a corpus from end to end, and questions by topic."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sensemaking.config import AskSettings
from sensemaking.errors import CorpusBusy, InputError, NotBuilt, NotFound
from sensemaking.methods import METHODS
from sensemaking.workspace import Corpus, Workspace
from sensemaking.workspace.evaluating import NO_GRAPHS, NO_TOPICS
from tests.dossier import DOCUMENTS, QUESTION

BY_TOPIC = [name for name, method in METHODS.items() if method.by_topic]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with one corpus that is built."""
    made = tmp_path_factory.mktemp("topics") / "home"
    workspace = Workspace.open(made)
    corpus = workspace.create("bridge")
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    corpus.start_build()
    job = corpus.wait_for_build(120)
    workspace.close()
    assert job is not None
    assert job.result is not None, job.error
    return made


@pytest.fixture
def corpus(home: Path, tmp_path: Path):
    """A copy of that corpus, so that no test sees another one's topics."""
    import shutil

    shutil.copytree(home, tmp_path / "home")
    workspace = Workspace.open(tmp_path / "home")
    yield workspace.open_corpus("bridge")
    workspace.close()


def done(corpus: Corpus) -> None:
    job = corpus.topics.wait(120)
    assert job is not None
    assert job.status == "done", job.error


def find(corpus: Corpus) -> None:
    corpus.topics.start_finding()
    done(corpus)


def make(corpus: Corpus, names: list[str] | None = None, way: str = "extracted") -> None:
    corpus.topics.start_graphs(names, way)
    done(corpus)


def ask(corpus: Corpus, question: str = QUESTION, **chosen: object):
    method = METHODS[str(chosen.pop("method", "retag"))]
    key = corpus.start_answer(question, method.settings(**chosen))
    return corpus.wait_for_answer(key, 60)


def test_topics_are_found_listed_and_described(corpus: Corpus) -> None:
    assert not corpus.topics.is_found
    with pytest.raises(NotBuilt, match="Find topics"):
        corpus.topics.all()
    find(corpus)
    rows = corpus.topics.rows()
    assert rows
    assert corpus.topics.description()
    for row in rows:
        assert row.way is None
        assert 0 < row.document_share <= 1
        assert row.n_documents <= 4
    assert len(corpus.topics.overlap()) == len(rows)
    assert corpus.topics.groups()


def test_topics_are_the_same_when_they_are_found_again(corpus: Corpus) -> None:
    find(corpus)
    before = corpus.topics.all()
    find(corpus)
    assert corpus.topics.all() == before


def test_a_user_s_edits_outlive_a_new_search_and_a_build(corpus: Corpus) -> None:
    find(corpus)
    first = corpus.topics.all()[0]
    corpus.topics.edit("rename", first.name, "The bridge")
    corpus.topics.edit("add", "Money", "What the council pays.")
    with pytest.raises(InputError, match="changes nothing"):
        corpus.topics.edit("add", "money")
    corpus.add_files([("late.txt", b"Ada Penrose opened the Larkmere Bridge again in 2025.")])
    corpus.start_build()
    corpus.wait_for_build(120)
    find(corpus)
    names = [one.name for one in corpus.topics.all()]
    assert "Money" in names
    assert "The bridge" in names
    assert corpus.topics.idle_edits() == ()
    corpus.topics.undo_edit()
    assert "Money" not in [one.name for one in corpus.topics.all()]


def test_edits_are_kept_by_the_names_that_topics_were_found_under(corpus: Corpus) -> None:
    find(corpus)
    corpus.topics.edit("add", "Tolls", "What a crossing costs.")
    first, second = corpus.topics.all()[0], corpus.topics.all()[-1]
    corpus.topics.edit("rename", first.id, "The bridge")
    corpus.topics.edit("merge", second.name, "The bridge")
    kept = corpus.topics._now.edits()
    assert [one.topic for one in kept] == ["Tolls", first.subject, "Tolls"]
    with pytest.raises(InputError, match="changes nothing"):
        corpus.topics.edit("drop", " ".join(reversed(first.subject.split())))
    assert kept[2].value == first.subject
    corpus.topics.undo_edit()
    corpus.topics.undo_edit()
    assert (corpus.topics.all()[0], corpus.topics.all()[-1]) == (first, second)


@pytest.mark.parametrize("way", ["extracted", "filtered"])
def test_a_topic_has_its_own_graph_hierarchy_and_reports(corpus: Corpus, way: str) -> None:
    find(corpus)
    (topic, *_) = corpus.topics.all()
    with pytest.raises(NotBuilt, match="no graph yet"):
        corpus.topics.graph(topic.name)
    make(corpus, [topic.name], way)
    graph = corpus.topics.graph(topic.name)
    general = corpus.graph()
    assert graph.key == topic.graph_key
    assert 0 < len(graph.entities) <= len(general.entities)
    row = next(row for row in corpus.topics.rows() if row.topic == topic)
    assert row.way == way
    assert row.n_reports > 0
    (key,) = corpus.topics.hierarchy_keys(topic.name)
    hierarchy, reports = corpus.topics.hierarchy(key)
    assert {one.id for one in hierarchy.communities} == set(reports)
    statistics = corpus.topics.statistics()
    assert statistics.n_topics == 1
    assert statistics.rows[0] == (
        *("entities", len(general.entities), float(len(graph.entities))),
        round(len(graph.entities) / len(general.entities), 4),
    )


def test_making_a_graph_again_does_nothing_anew(corpus: Corpus) -> None:
    find(corpus)
    make(corpus)
    before = corpus.content_digests()
    estimate = corpus.topics.estimate(None)
    assert estimate.n_chunks == 0
    assert "every chunk was read for each" in estimate.sentence
    make(corpus)
    assert corpus.content_digests() == before


def test_the_estimate_says_how_many_builds_the_topics_are_worth(corpus: Corpus) -> None:
    find(corpus)
    n_topics = len(corpus.topics.all())
    found = corpus.topics.estimate(None)
    assert found.n_topics == n_topics
    assert found.n_chunks == 4 * n_topics
    assert f"{n_topics:.1f} times" in found.sentence
    assert found.calls == (0, 0)
    assert corpus.topics.estimate(None, "filtered").n_chunks == 0


def test_an_unchanged_build_keeps_topic_graphs_and_a_changed_one_does_not(corpus: Corpus) -> None:
    find(corpus)
    make(corpus)
    corpus.start_build()
    corpus.wait_for_build(120)
    assert all(row.way == "extracted" for row in corpus.topics.rows())
    assert ask(corpus).status == "done"
    corpus.add_files([("late.txt", b"The ferry sank. Tomas Veld lost the Ferry Company.")])
    corpus.start_build()
    corpus.wait_for_build(120)
    assert all(row.way is None for row in corpus.topics.rows())


@pytest.mark.parametrize("method", [name for name in METHODS if name != "global"])
def test_every_method_answers_with_sources(corpus: Corpus, method: str) -> None:
    find(corpus)
    make(corpus)
    snapshot = ask(corpus, method=method)
    assert snapshot.status == "done", snapshot.error
    answer = snapshot.answer
    assert answer is not None
    assert answer.sentences
    assert all(one.spans for one in answer.sentences)
    assert {one.support for one in answer.sentences} == {100}  # a quotation cites where it stands
    assert all(corpus.evidence(answer.id, n) for n in range(len(answer.sentences)))
    told = dict(answer.trace)
    assert ("topic" in told) == METHODS[method].by_topic
    assert ("retrieved" in told) == METHODS[method].retrieves
    assert snapshot.planned is not None
    assert snapshot.planned.trace == answer.trace


def test_a_topic_can_be_chosen_and_none_means_the_whole_corpus(corpus: Corpus) -> None:
    find(corpus)
    make(corpus)
    topic = corpus.topics.all()[-1]
    told = dict(ask(corpus, topic=topic.name).answer.trace)
    assert told["topic"] == topic.name
    assert told["reason"] == "The topic was chosen."
    assert dict(ask(corpus, topic="None").answer.trace)["topic"] == "none"
    assert "There is no topic “Volcanoes”" in ask(corpus, topic="Volcanoes").error


def test_a_level_that_the_topic_does_not_have_is_its_deepest(corpus: Corpus) -> None:
    find(corpus)
    make(corpus)
    topic = corpus.topics.all()[0]
    level = corpus.hierarchy("general.leiden").n_levels - 1
    answer = ask(corpus, topic=topic.name, level=level).answer
    (key,) = corpus.topics.hierarchy_keys(topic.name)
    deepest = corpus.topics.hierarchy(key)[0].n_levels - 1
    assert dict(answer.trace)["level"] == f"{min(level, deepest)} of 0 to {deepest}"


def test_without_topics_or_without_the_graph_the_answer_says_what_to_do(corpus: Corpus) -> None:
    assert "Find topics" in ask(corpus).error
    assert ask(corpus, method="global+retrieval").status == "done"
    find(corpus)
    failed = ask(corpus, topic=corpus.topics.all()[0].name)
    assert "has no reports of its own yet" in failed.error
    assert "--make" in failed.error


def test_an_empty_topic_is_shown_as_such_and_no_question_goes_there(corpus: Corpus) -> None:
    find(corpus)
    corpus.topics.edit("add", "Volcanoes", "Lava and ash.")
    make(corpus)
    row = corpus.topics.rows()[-1]
    assert (row.topic.name, row.is_empty, row.n_entities) == ("Volcanoes", True, 0)
    route = corpus.topics.choose("Which volcanoes threw lava and ash?", AskSettings(method="retag"))
    assert route.topic is None or route.topic.name != "Volcanoes"
    assert "is empty" in ask(corpus, topic="Volcanoes").error


def test_with_no_topics_at_all_a_question_goes_to_the_whole_corpus(corpus: Corpus) -> None:
    find(corpus)
    for topic in corpus.topics.all():
        corpus.topics.edit("drop", topic.name)
    assert corpus.topics.rows() == ()
    assert corpus.topics.overlap() == []
    assert corpus.topics.statistics().n_topics == 0
    snapshot = ask(corpus)
    assert snapshot.status == "done"
    assert dict(snapshot.answer.trace)["topic"] == "none"


def test_five_hundred_topics_are_listed_and_chosen_from(corpus: Corpus) -> None:
    find(corpus)
    for n in range(8):
        corpus.topics.edit("add", f"Matter {n}", "Words that no document holds: xyzzy.")
    library = corpus.topics._now
    edits = library.edits()
    from sensemaking.pipeline.topic_library import EDITS
    from sensemaking.types import TopicEdit

    more = [TopicEdit(f"{len(edits) + n:06d}", "add", f"Subject {n}", "") for n in range(500)]
    library._store.replace(EDITS, {TopicEdit: [*edits, *more]})
    assert len(corpus.topics.rows()) > 500
    assert corpus.topics.choose(QUESTION, AskSettings(method="retag")).topic is not None


def test_more_reports_may_be_asked_for_than_there_are_or_fewer(corpus: Corpus) -> None:
    many = ask(corpus, method="global+retrieval", max_reports=100_000).answer
    few = ask(corpus, method="global+retrieval", max_reports=1).answer
    assert many.coverage.n_reports >= few.coverage.n_reports == 1
    assert dict(few.trace)["retrieved"].startswith("the 1 best of ")


def test_recall_is_measured_against_what_the_mapper_finds_helpful(corpus: Corpus) -> None:
    settings = METHODS["global+retrieval"].settings()
    for question in (QUESTION, "xyzzy plugh"):
        corpus.topics.start_recall(question, settings)
        done(corpus)
    found, nothing = corpus.topics.recalls(settings)
    assert found.question == QUESTION
    assert found.keywords
    assert 0 < found.n_relevant <= found.n_reports == corpus.topics.n_readings(settings)
    assert found.n_failed == 0
    shares = [share for _, share in found.recalls]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert nothing.n_relevant == 0
    assert {share for _, share in nothing.recalls} == {None}


def test_recall_at_a_level_that_is_not_there_names_those_that_are(corpus: Corpus) -> None:
    with pytest.raises(InputError, match="There is no level 99"):
        corpus.topics.start_recall("What is wrong?", AskSettings(level=99))


def test_topic_hierarchies_are_listed_once_their_graphs_are_made(corpus: Corpus) -> None:
    assert corpus.topics.hierarchies() == ()
    find(corpus)
    assert corpus.topics.hierarchies() == ()
    topic = corpus.topics.all()[0]
    make(corpus, [topic.name])
    (head,) = corpus.topics.hierarchies()
    assert head.key == f"{topic.graph_key}.leiden"
    hierarchy = corpus.hierarchy(head.key)
    assert (head.communities, head.levels) == (len(hierarchy.communities), hierarchy.n_levels)
    assert set(corpus.reports(head.key)) == {one.id for one in hierarchy.communities}


def test_equal_questions_have_one_answer_and_edits_make_it_another(corpus: Corpus) -> None:
    find(corpus)
    make(corpus)
    settings = METHODS["retag"].settings()
    key = corpus.start_answer(QUESTION, settings)
    corpus.wait_for_answer(key, 60)
    assert corpus.start_answer(QUESTION, settings) == key
    corpus.topics.edit("rename", corpus.topics.all()[0].name, "Another name")
    assert corpus.start_answer(QUESTION, settings) != key


def test_work_on_topics_keeps_builds_out_and_is_kept_out_by_them(corpus: Corpus) -> None:
    find(corpus)
    corpus._lock.acquire("build")
    try:
        with pytest.raises(CorpusBusy, match="busy"):
            corpus.topics.start_graphs(None)
    finally:
        corpus._lock.release()
    make(corpus)
    with pytest.raises(NotFound, match="There is no topic"):
        corpus.topics.start_graphs(["Volcanoes"])


def test_a_corpus_that_was_not_built_says_so(tmp_path: Path) -> None:
    workspace = Workspace.open(tmp_path / "home")
    try:
        corpus = workspace.create("empty")
        with pytest.raises(NotBuilt):
            corpus.topics.start_finding()
    finally:
        workspace.close()


def test_the_terminal_lists_topics_and_answers_by_topic(home: Path, tmp_path: Path) -> None:
    import shutil

    shutil.copytree(home, tmp_path / "home")

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "sensemaking", *arguments, "--home", str(tmp_path / "home")],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
            env={**os.environ, "PYTHONHASHSEED": "random"},
        )

    asked = run("ask", "bridge", QUESTION, "--method", "retag", "--json")
    assert asked.returncode == 0, asked.stderr
    answer = json.loads(asked.stdout)
    assert answer["method"] == "retag"
    assert all(one["citations"] for one in answer["sentences"])
    name = dict(answer["trace"])["topic"]
    listed = run("topics", "bridge", "--make", name, "--way", "filtered", "--json")
    assert listed.returncode == 0, listed.stderr
    told = json.loads(listed.stdout)
    assert told["description"]
    assert {"name", "description", "entities", "documents"} <= set(told["topics"][0])
    assert [one["graph"] for one in told["topics"] if one["name"] == name] == ["filtered"]
    estimate = json.loads(run("topics", "bridge", "--make-all", "--estimate", "--json").stdout)
    assert estimate["topics"] == len(told["topics"])
    unknown = run("ask", "bridge", QUESTION, "--method", "retag", "--topic", "Volcanoes")
    assert unknown.returncode == 1
    assert "There is no topic “Volcanoes”" in unknown.stderr


def test_an_experiment_with_topics_waits_for_their_graphs(corpus: Corpus) -> None:
    retag = next(one for one in corpus.evaluations.experiments() if one.name == "retag")

    def reasons() -> set[str]:
        return {why for _, why in corpus.evaluations.split_available(retag)[1]}

    assert NO_TOPICS in reasons()
    find(corpus)
    assert NO_GRAPHS in reasons()
    assert NO_TOPICS not in reasons()
    make(corpus, [corpus.topics.all()[0].name], "filtered")
    assert NO_GRAPHS not in reasons()
