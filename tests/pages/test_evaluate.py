"""The Evaluate page: question sets, a batch from start to figures, what goes wrong."""

from __future__ import annotations

import pytest

from sensemaking.types import Question, QuestionSet
from sensemaking.workspace import Corpus, Workspace
from tests.pages.conftest import HOSTILE, SECONDS, Visit, keys, looked_at, markup

NAME = "larkmere-bridge"
ASKED = (
    "What is said about the river wall?",
    "What does Northgate Engineering say about the Larkmere Bridge?",
    f"What does the Ferry Company want? {HOSTILE}",
)


@pytest.fixture(scope="module")
def corpus(built: Workspace) -> Corpus:
    found = built.open_corpus(NAME)
    questions = tuple(Question(str(n), text) for n, text in enumerate(ASKED))
    found.evaluations.keep_questions(QuestionSet("asked", questions, ("one came twice",)))
    return found


def test_before_a_build_it_says_what_to_do(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Larkmere Bridge")
    assert "Not built yet" in markup(visit(fresh, "evaluate", corpus=NAME))


def test_without_questions_it_offers_to_write_some(built: Workspace, visit: Visit) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    looked_at(app.button(key="write_questions").click().run())
    sets = {one.id: one for one in built.open_corpus(NAME).evaluations.question_sets()}
    assert len(sets["from the corpus"].questions) > 10
    assert "go_batch" not in keys(app)
    assert "at least two methods" in markup(app)


def test_a_batch_runs_in_the_background_and_its_figures_are_drawn(
    built: Workspace, corpus: Corpus, visit: Visit
) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    app.selectbox(key="question_set").set_value("asked").run()
    app.multiselect(key="batch_conditions").set_value(["text", "global:leiden:leaf"]).run()
    page = markup(looked_at(app))
    assert "To do: 6" in page
    looked_at(app.button(key="go_batch").click().run())
    batch_id = app.query_params["batch"]
    job = corpus.evaluations.wait(batch_id, SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    looked_at(app.run())
    page = markup(app)
    assert "In words" in page
    assert "measurements, not opinions" in page
    assert len(app.get("plotly_chart")) == 3
    assert len(app.dataframe) == 3
    assert "onerror=alert" not in page.replace("&lt;img src=x onerror=alert", "")
    names = {one.proto.label for one in app.get("download_button")}
    assert {"comparisons.csv", "evaluation.json", "evaluation.html"} <= names
    assert "go_on" not in keys(app)
    app.segmented_control(key="criterion").set_value("directness").run()
    assert set(looked_at(app).dataframe[0].value["Questions"]) == {3}
    listed = visit(built, "evaluate", corpus=NAME)
    assert f"batch_{batch_id}" in keys(listed)


def test_a_batch_that_was_stopped_can_go_on(built: Workspace, corpus: Corpus, visit: Visit) -> None:
    evaluations = corpus.evaluations
    (asked,) = (one for one in evaluations.question_sets() if one.id == "asked")
    conditions = [one for one in evaluations.conditions() if one.label in ("text", "vector")]
    batch = evaluations.plan(asked, conditions, ["extractive"], criteria=["relevance"])
    events = evaluations.run(batch, ["extractive"])
    for _ in range(3):
        next(events)
    events.close()
    app = visit(built, "evaluate", corpus=NAME, batch=batch.id)
    assert "go_on" in keys(app)
    assert "have not been asked yet" in markup(app)
    looked_at(app.button(key="go_on").click().run())
    job = evaluations.wait(batch.id, SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    assert "have not been asked yet" not in markup(visit(built, "evaluate", batch=batch.id))


def test_a_judge_that_is_not_set_up_is_said(built: Workspace, corpus: Corpus, visit: Visit) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    app.selectbox(key="question_set").set_value("asked").run()
    app.multiselect(key="batch_conditions").set_value(["text", "vector"]).run()
    app.multiselect(key="batch_judges").set_value(["llm"]).run()
    assert "This did not work" in markup(looked_at(app))
    assert "go_batch" not in keys(app)


def test_ready_experiments_say_what_is_missing(
    built: Workspace, corpus: Corpus, visit: Visit
) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    app.selectbox(key="question_set").set_value("asked").run()
    app.selectbox(key="experiment").set_value("k-core hierarchies against Leiden").run()
    assert "is left out: the corpus has no hierarchy" in markup(looked_at(app))


def test_an_unknown_batch_is_said(built: Workspace, visit: Visit) -> None:
    assert "There is no evaluation" in markup(visit(built, "evaluate", corpus=NAME, batch="x"))
