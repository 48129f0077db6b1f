"""The Evaluate page: question sets, a batch from start to figures, what goes wrong."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from sensemaking.types import Question, QuestionSet
from sensemaking.workspace import Corpus, Workspace
from tests.pages.conftest import HOSTILE, SECONDS, Visit, fill, keys, looked_at, markup

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
    found.evaluations.questions.keep(QuestionSet("asked", questions, ("one came twice",)))
    return found


def test_before_a_build_it_says_what_to_do(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Larkmere Bridge")
    assert "Not built yet" in markup(visit(fresh, "evaluate", corpus=NAME))


def test_without_questions_it_offers_to_write_some(built: Workspace, visit: Visit) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    looked_at(app.button(key="go_write").click().run())
    sets = {one.id: one for one in built.open_corpus(NAME).evaluations.questions.all()}
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
    assert len(app.dataframe) == 7
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
    (asked,) = (one for one in evaluations.questions.all() if one.id == "asked")
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
    app = visit(built, "evaluate", batch=batch.id)
    assert "have not been asked yet" not in markup(app)
    assert "go_on" not in keys(app)


def test_a_whole_batch_of_the_terminal_is_not_to_go_on(
    built: Workspace, corpus: Corpus, visit: Visit
) -> None:
    evaluations = corpus.evaluations
    asked = evaluations.questions.keep(QuestionSet("single", (Question("1", "Who pays for it?"),)))
    conditions = [one for one in evaluations.conditions() if one.label in ("text", "vector")]
    batch = evaluations.plan(asked, conditions, ["extractive"], criteria=["relevance"])
    list(evaluations.run(batch, ["extractive"]))
    assert evaluations.job(batch.id) is None
    assert "go_on" not in keys(visit(built, "evaluate", corpus=NAME, batch=batch.id))
    app = visit(built, "evaluate", corpus=NAME)
    told = app.button(key=f"batch_{batch.id}").label.replace("\xa0", " ")
    assert "1 question, " in told
    # The number of questions of one set is not kept for a larger one.
    app.selectbox(key="question_set").set_value("single").run()
    assert app.number_input(key="batch_limit_single").value == 1
    app.selectbox(key="question_set").set_value("asked").run()
    assert app.number_input(key="batch_limit_asked").value == len(ASKED)


def test_a_judge_that_is_not_set_up_is_said(built: Workspace, corpus: Corpus, visit: Visit) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    app.selectbox(key="question_set").set_value("asked").run()
    app.multiselect(key="batch_conditions").set_value(["text", "vector"]).run()
    app.multiselect(key="batch_judges").set_value(["llm"]).run()
    assert "This did not work" in markup(looked_at(app))
    assert "go_batch" not in keys(app)


def test_ready_experiments_say_what_is_made_first_and_what_is_missing(
    built: Workspace, corpus: Corpus, visit: Visit
) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    app.selectbox(key="question_set").set_value("asked").run()
    app.selectbox(key="experiment").set_value("k-core hierarchies against Leiden").run()
    assert "are made from the graph" in markup(looked_at(app))
    app.selectbox(key="experiment").set_value("ReTAG and its parts").run()
    assert "topics of the corpus were not looked for" in markup(looked_at(app))


def test_how_pairs_are_judged_is_chosen_on_the_page(
    built: Workspace, corpus: Corpus, visit: Visit
) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    app.selectbox(key="question_set").set_value("asked").run()
    app.multiselect(key="batch_conditions").set_value(["text", "vector", "global:leiden:0"]).run()
    app.multiselect(key="batch_criteria").set_value(["relevance"])
    app.number_input(key="batch_replicates").set_value(3)
    app.toggle(key="batch_majority").set_value(True)
    app.toggle(key="batch_differential").set_value(True)
    app.selectbox(key="batch_baseline").set_value("Texts").run()
    looked_at(app.button(key="go_batch").click().run())
    batch = corpus.evaluations.findings(app.query_params["batch"]).batch
    assert (batch.replicates, batch.scoring, batch.is_differential) == (3, "majority", True)
    assert len(batch.pairs) == 2
    job = corpus.evaluations.wait(batch.id, SECONDS)
    assert job is not None
    assert job.status == "done", job.error


def test_searches_are_measured_and_each_question_opened(
    built: Workspace, corpus: Corpus, visit: Visit
) -> None:
    gold = (
        Question("wall", "How far does the river wall move?", gold=(("survey", 1.0),)),
        Question("boats", "Who runs boats across the Larke?", gold=(("news", 1.0), ("x", 1.0))),
        Question("none", "Without gold?"),
    )
    corpus.evaluations.questions.keep(QuestionSet("known", gold))
    app = visit(built, "evaluate", corpus=NAME, view="searches")
    app.selectbox(key="question_set").set_value("asked").run()
    assert "names its documents" in markup(looked_at(app))
    app.selectbox(key="question_set").set_value("known").run()
    looked_at(app.button(key="go_retrieval").click().run())
    run_id = app.query_params["run"]
    job = corpus.evaluations.searches.wait(run_id, SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    looked_at(app.run())
    assert list(app.dataframe[0].value["Questions"]) == [2, 2, 2]
    assert len(app.dataframe[1].value) == 2
    app.query_params["question"] = "boats"
    page = markup(looked_at(app.run()))
    assert "Known documents: news, x" in page
    assert "not found" in page
    assert "passage</summary>" in page
    assert f"run_{run_id}" in keys(visit(built, "evaluate", corpus=NAME, view="searches"))


def test_a_measurement_that_is_not_there_is_said(built: Workspace, visit: Visit) -> None:
    assert "There is no measurement" in markup(visit(built, "evaluate", corpus=NAME, run="x"))


def test_lines_are_pasted_a_set_is_renamed_and_deleted(
    built: Workspace, corpus: Corpus, visit: Visit
) -> None:
    app = visit(built, "evaluate", corpus=NAME)
    app.text_area(key="paste_text").set_value("Who pays?\nWho pays?\nWho objects?\n")
    app.text_input(key="paste_name").set_value("mine")
    looked_at(app.button(key="go_paste").click().run())
    assert len(corpus.evaluations.questions.get("mine").questions) == 2
    assert "came twice" in markup(app)
    app.text_input(key="set_name").set_value("asked").run()
    looked_at(app.button(key="rename_set").click().run())
    assert "another set has it" in markup(app)
    app.text_input(key="set_name").set_value("ours").run()
    looked_at(app.button(key="rename_set").click().run())
    assert {"ours"} <= {one.id for one in corpus.evaluations.questions.all()}
    looked_at(app.button(key="delete_set").click().run())
    assert not {"ours", "mine"} & {one.id for one in corpus.evaluations.questions.all()}


def test_ten_thousand_questions_are_shown_by_the_hundred_and_estimated(
    built: Workspace, corpus: Corpus, visit: Visit
) -> None:
    many = tuple(Question(str(n), f"What is said of point {n}?") for n in range(10_000))
    corpus.evaluations.questions.keep(QuestionSet("many", many))
    app = visit(built, "evaluate", corpus=NAME)
    app.selectbox(key="question_set").set_value("many").run()
    assert "1 to 100 of 10,000" in markup(looked_at(app))
    app.multiselect(key="batch_conditions").set_value(["text", "global:leiden:leaf"]).run()
    app.number_input(key="batch_limit_many").set_value(10_000).run()
    assert "of 20,000" in markup(looked_at(app))
    corpus.evaluations.questions.drop("many")


def test_an_unknown_batch_is_said(built: Workspace, visit: Visit) -> None:
    assert "There is no evaluation" in markup(visit(built, "evaluate", corpus=NAME, batch="x"))


def test_questions_that_cannot_be_kept_are_told_in_plain_words(
    fresh: Workspace, visit: Visit
) -> None:
    corpus = fresh.create("Larkmere Bridge")
    fill(corpus)
    corpus.start_build()
    corpus.wait_for_build(SECONDS)
    with closing(sqlite3.connect(fresh.home / "corpora" / corpus.name / "corpus.db")) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE sql LIKE '% TABLE %scope%'")
        for (name,) in tables.fetchall():
            database.execute(
                f"CREATE TRIGGER no_{name} BEFORE INSERT ON {name} "
                "BEGIN SELECT RAISE(ABORT, 'refused by the test'); END"
            )
        database.commit()
    app = visit(fresh, "evaluate", corpus=corpus.name)
    for what in ("personas", "tasks", "each"):
        app.number_input(key=f"write_{what}").set_value(1)
    looked_at(app.button(key="go_write").click().run())
    assert "refused by the test" in markup(app)
