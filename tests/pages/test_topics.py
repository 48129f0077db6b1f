"""The Topics page: finding, one topic, edits, which topic a question falls in."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path

import pytest

from sensemaking.methods import METHODS
from sensemaking.pipeline.topic_library import EDITS
from sensemaking.types import TopicEdit
from sensemaking.workspace import Workspace
from tests.pages.conftest import HOSTILE, QUESTION, SECONDS, Visit, keys, looked_at, markup

NAME = "larkmere-bridge"
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def own(built: Workspace, tmp_path: Path) -> Iterator[Workspace]:
    """A copy of the built corpus, so that no other test sees its topics."""
    shutil.copytree(built.home, tmp_path / "home")
    workspace = Workspace.open(tmp_path / "home")
    yield workspace
    workspace.close()


@pytest.fixture
def found(own: Workspace) -> Workspace:
    topics = own.open_corpus(NAME).topics
    topics.start_finding()
    job = topics.wait(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    return own


def test_before_a_build_it_says_what_to_do(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Larkmere Bridge")
    assert "Not built yet" in markup(visit(fresh, "topics", corpus=NAME))


def test_topics_are_found_with_one_button(own: Workspace, visit: Visit) -> None:
    app = visit(own, "topics", corpus=NAME)
    assert "The topics are not known yet" in markup(app)
    looked_at(app.button(key="go_find").click().run())
    own.open_corpus(NAME).topics.wait(SECONDS)
    app = looked_at(app.run())
    (frame,) = [one.value for one in app.dataframe if "Topic" in one.value]
    assert len(frame) == len(own.open_corpus(NAME).topics.all())


def test_all_topics_are_shown_with_figures_and_an_estimate(found: Workspace, visit: Visit) -> None:
    app = visit(found, "topics", corpus=NAME)
    text = markup(app)
    topics = found.open_corpus(NAME).topics
    assert topics.description().split(".")[0] in text.replace("&#x27;", "'")
    assert "every chunk is read once for each" in text
    assert "No model is called" in text
    assert len(app.get("plotly_chart")) >= 1


def test_a_topic_opens_with_its_graph_once_it_is_made(found: Workspace, visit: Visit) -> None:
    topics = found.open_corpus(NAME).topics
    topic = topics.all()[0]
    app = visit(found, "topics", corpus=NAME, topic=topic.slug)
    assert "go_make" in keys(app)
    looked_at(app.button(key="go_make").click().run())
    topics.wait(SECONDS)
    app = visit(found, "topics", corpus=NAME, topic=topic.slug)
    assert "go_make" not in keys(app)
    (key,) = topics.hierarchy_keys(topic.id)
    hierarchy, reports = topics.hierarchy(key)
    one = hierarchy.view(0)[0]
    looked_at(app.button(key=f"topic_{one.id}").click().run())
    assert reports[one.id].rating_reason in markup(app)


def test_edits_are_kept_and_can_be_undone(found: Workspace, visit: Visit) -> None:
    topics = found.open_corpus(NAME).topics
    before = [one.name for one in topics.all()]
    app = visit(found, "topics", corpus=NAME)
    app.text_input(key="new_topic").input(HOSTILE)
    looked_at(app.button(key="go_add").click().run())
    assert topics.all()[-1].name == HOSTILE
    app = visit(found, "topics", corpus=NAME, topic=topics.all()[-1].slug)
    assert "<img src=x" not in markup(app)
    looked_at(app.button(key="drop_topic").click().run())
    assert [one.name for one in topics.all()] == before
    app = visit(found, "topics", corpus=NAME)
    looked_at(app.button(key="undo_topic").click().run())
    assert topics.all()[-1].name == HOSTILE


def test_an_edit_that_cannot_be_done_is_refused(found: Workspace, visit: Visit) -> None:
    app = visit(found, "topics", corpus=NAME)
    looked_at(app.button(key="go_add").click().run())
    assert "changes nothing" in markup(app)


def test_a_question_is_told_its_topic_and_why(found: Workspace, visit: Visit) -> None:
    app = visit(found, "topics", corpus=NAME)
    app.text_input(key="topic_question").input(QUESTION)
    looked_at(app.button(key="say_topic").click().run())
    assert "The reports that fit the question" in markup(app) or "No topic" in markup(app)


def test_recall_of_retrieval_is_measured_for_a_question(found: Workspace, visit: Visit) -> None:
    topics = found.open_corpus(NAME).topics
    app = visit(found, "topics", corpus=NAME)
    app.text_input(key="recall_question").input(QUESTION)
    looked_at(app.button(key="say_recall").click().run())
    topics.wait(SECONDS)
    app = visit(found, "topics", corpus=NAME)
    (frame,) = [one.value for one in app.dataframe if "Help" in one.value]
    assert list(frame["Question"]) == [QUESTION]
    assert list(frame["First 400"]) == [100.0]


def test_the_hierarchy_of_a_topic_opens_in_graph_and_communities(
    found: Workspace, visit: Visit
) -> None:
    corpus = found.open_corpus(NAME)
    topic = corpus.topics.all()[0]
    corpus.topics.start_graphs([topic.name])
    corpus.topics.wait(SECONDS)
    (key,) = corpus.topics.hierarchy_keys(topic.id)
    hierarchy, reports = corpus.topics.hierarchy(key)
    for page in ("communities", "graph"):
        app = visit(found, page, corpus=NAME, hierarchy=key)
        assert app.selectbox(key=f"{page}_hierarchy").value == key
        (shown,) = [
            one for one in app.selectbox(key=f"{page}_hierarchy").options if topic.name in one
        ]
        assert "Leiden" in shown
    one = hierarchy.view(0)[0]
    app = visit(found, "communities", corpus=NAME, hierarchy=key, community=one.id)
    assert escape(reports[one.id].rating_reason) in markup(app)


def test_what_topics_keep_is_told_in_percent(found: Workspace, visit: Visit) -> None:
    topics = found.open_corpus(NAME).topics
    topics.start_graphs(None, "filtered")
    topics.wait(SECONDS)
    app = visit(found, "topics", corpus=NAME)
    (frame,) = [one.value for one in app.dataframe if "Kept" in one.value]
    shares = [100 * share for _, _, _, share in topics.statistics().rows]
    assert list(frame["Kept"]) == pytest.approx(shares)
    assert max(shares) > 1


def test_words_have_the_colour_for_filled_buttons_only_there() -> None:
    rules = (ROOT / "pages/static/style.css").read_text().splitlines()
    colours = [rule for rule in rules if "st-key-go_" in rule and "--on-accent" in rule]
    assert colours
    for rule in colours:
        selectors = rule.partition("{")[0].split(",")
        assert all('button[kind^="primary"]' in one for one in selectors)


def test_without_topics_no_graph_can_be_made_and_many_alike_are_counted(
    found: Workspace, visit: Visit
) -> None:
    topics = found.open_corpus(NAME).topics
    for one in topics.all():
        topics.edit("drop", one.name)
    app = visit(found, "topics", corpus=NAME)
    assert app.button(key="go_make").disabled
    assert "There are no topics to make graphs of." in markup(app)
    for at in range(9):
        topics.edit("add", f"Masts and sails {at}", "Speaks of masts and sails.")
    (group,) = [one for one in topics.groups() if len(one) > 1]
    text = markup(visit(found, "topics", corpus=NAME))
    assert f"and {len(group) - 6}\u00a0others" in text


def test_many_topics_are_shown_fifty_at_a_time(found: Workspace, visit: Visit) -> None:
    topics = found.open_corpus(NAME).topics
    for at in range(60):
        topics.edit("add", f"Quarter {at}", f"Words of no document: xyzzy{at}.")
    app = visit(found, "topics", corpus=NAME)

    def shown() -> list[str]:
        (frame,) = [one.value for one in app.dataframe if "Topic" in one.value]
        return list(frame["Topic"])

    first = shown()
    assert len(first) == 50
    looked_at(app.button(key="after_topics").click().run())
    assert sorted([*first, *shown()]) == sorted(one.name for one in topics.all())


def test_edits_whose_topic_was_not_found_again_are_told(found: Workspace, visit: Visit) -> None:
    topics = found.open_corpus(NAME).topics
    library = topics._now
    gone = TopicEdit("000000", "rename", "Masts and sails", "Rigging")
    library._store.replace(EDITS, {TopicEdit: [gone]})
    text = markup(visit(found, "topics", corpus=NAME))
    assert "rename “Masts and sails”" in text


def test_a_topic_that_is_gone_is_said_so(found: Workspace, visit: Visit) -> None:
    assert "no such topic any more" in markup(visit(found, "topics", corpus=NAME, topic="gone"))


def test_picking_a_topic_carries_over_to_ask(found: Workspace, visit: Visit) -> None:
    topic = found.open_corpus(NAME).topics.all()[0]
    app = visit(found, "ask", corpus=NAME, method="retag", topic=topic.slug)
    assert app.selectbox(key="ask_method").value == "retag"
    assert app.selectbox(key="ask_topic").value == topic.slug


def test_an_answer_by_topic_says_which_and_why(found: Workspace, visit: Visit) -> None:
    corpus = found.open_corpus(NAME)
    corpus.topics.start_graphs(None)
    corpus.topics.wait(SECONDS)
    key = corpus.start_answer(QUESTION, METHODS["retag"].settings())
    answer = corpus.wait_for_answer(key, SECONDS).answer
    assert answer is not None
    told = dict(answer.trace)
    text = markup(visit(found, "ask", corpus=NAME, answer=key))
    assert escape(told["reason"]) in text
    assert escape(told["retrieved"]) in text
