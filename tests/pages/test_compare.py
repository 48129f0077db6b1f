"""The Compare page: runs side by side, claims aligned, judged blind and by the judge."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from sensemaking.config import AskSettings
from sensemaking.workspace import Corpus, Workspace
from tests.pages.conftest import QUESTION, SECONDS, Visit, keys, looked_at, markup
from tests.wire import ScriptedServer
from tests.wire.reader import read

NAME = "larkmere-bridge"


@pytest.fixture(scope="module")
def corpus(built: Workspace) -> Corpus:
    return built.open_corpus(NAME)


@pytest.fixture(scope="module")
def ids(corpus: Corpus) -> list[str]:
    found = []
    for method in ("global", "text", "vector"):
        key = corpus.start_answer(QUESTION, AskSettings(method=method))
        snapshot = corpus.wait_for_answer(key, SECONDS)
        assert snapshot.answer is not None, snapshot.error
        found.append(key)
    return found


def test_before_a_build_it_says_what_to_do(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Larkmere Bridge")
    app = visit(fresh, "compare", corpus=NAME)
    assert "Not built yet" in markup(app)
    assert "go_compare" not in keys(app)


def test_a_question_is_asked_of_several_methods_at_once(built: Workspace, visit: Visit) -> None:
    app = visit(built, "compare", corpus=NAME)
    app.text_area(key="compare_question").set_value("What moves the river wall?")
    app.button(key="add_run").click().run()
    app.selectbox(key="run_backend_2").set_value("extractive")
    app.number_input(key="run_seed_0").set_value(7)
    looked_at(app.button(key="go_compare").click().run())
    asked = app.query_params["answers"].split(",")
    assert len(set(asked)) == 3
    corpus = built.open_corpus(NAME)
    settings = []
    for key in asked:
        snapshot = corpus.wait_for_answer(key, SECONDS)
        assert snapshot.status == "done", snapshot.error
        settings.append(dict(snapshot.settings))
    assert [one["method"] for one in settings] == ["global", "text", "vector"]
    assert settings[0]["seed"] == "7"
    assert settings[2]["backend"] == "extractive"
    page = markup(visit(built, "compare", corpus=NAME, answers=",".join(asked)))
    assert "seed 7" in page
    assert "Vector search, extractive" in page


def test_two_equal_runs_are_refused(built: Workspace, visit: Visit) -> None:
    app = visit(built, "compare", corpus=NAME)
    app.text_area(key="compare_question").set_value("What moves the river wall?")
    app.selectbox(key="run_method_1").set_value("global").run()
    looked_at(app.button(key="go_compare").click().run())
    assert "Two of the runs are the same" in markup(app)
    assert "answers" not in app.query_params


def test_topics_are_offered_where_a_method_needs_them(built: Workspace, visit: Visit) -> None:
    app = visit(built, "compare", corpus=NAME)
    app.selectbox(key="run_method_0").set_value("retag").run()
    assert app.selectbox(key="run_topic_0").options == ["By the question", "None"]
    app.text_area(key="compare_question").set_value("What moves the river wall?")
    looked_at(app.button(key="go_compare").click().run())
    # Topics were not looked for: the answer says so, and the other one is there.
    asked = app.query_params["answers"].split(",")
    for key in asked:
        built.open_corpus(NAME).wait_for_answer(key, SECONDS)
    page = markup(visit(built, "compare", corpus=NAME, answers=",".join(asked)))
    assert "No answer" in page
    assert "Claims and verdicts need two answers" in page


def test_a_model_that_is_not_set_up_is_said_where_it_is_asked_for(
    built: Workspace, ids: list[str], visit: Visit
) -> None:
    app = visit(built, "compare", corpus=NAME)
    app.text_area(key="compare_question").set_value("What moves the river wall?")
    app.selectbox(key="run_backend_0").set_value("llm").run()
    looked_at(app.button(key="go_compare").click().run())
    assert "This did not work" in markup(app)
    app = visit(built, "compare", corpus=NAME, answers=",".join(ids[:2]))
    app.segmented_control(key="judge").set_value("llm").run()
    assert "No model is set up as a judge" in markup(looked_at(app))


def test_an_empty_question_is_refused_in_the_engines_words(built: Workspace, visit: Visit) -> None:
    app = visit(built, "compare", corpus=NAME)
    looked_at(app.button(key="go_compare").click().run())
    assert "This did not work" in markup(app)
    assert "answers" not in app.query_params


def test_answers_stand_side_by_side_with_what_they_took_and_their_claims(
    built: Workspace, ids: list[str], visit: Visit
) -> None:
    page = markup(visit(built, "compare", corpus=NAME, answers=",".join(ids[:2])))
    assert page.count("<span>Length</span>") == 2
    assert "Claim by claim" in page
    assert "sm-claim-agree" in page
    assert "not an opinion" in page
    assert "Measured: " in page
    assert "onerror" not in page


def test_claims_are_filtered_by_what_they_are_and_by_words(
    built: Workspace, ids: list[str], visit: Visit
) -> None:
    app = visit(built, "compare", corpus=NAME, answers=",".join(ids[:2]))
    assert "passage</summary>" in markup(app)
    app.pills(key="claims_shown").set_value(["second only"]).run()
    page = markup(looked_at(app))
    assert "sm-claim-agree" not in page
    assert "sm-claim-first" not in page
    assert "A does not say this" in page
    app.text_input(key="claims_words").set_value("no claim holds this").run()
    assert "No claim is left" in markup(looked_at(app))


def test_only_what_answers_do_not_share_may_be_judged(
    built: Workspace, ids: list[str], visit: Visit
) -> None:
    app = visit(built, "compare", corpus=NAME, answers=",".join(ids[:2]))
    before = markup(app)
    app.toggle(key="differential").set_value(True).run()
    after = markup(looked_at(app))
    assert "Measured: " in after
    assert before != after


def test_a_blind_reader_sees_no_names_and_the_verdict_is_kept(
    built: Workspace, corpus: Corpus, ids: list[str], visit: Visit
) -> None:
    app = visit(built, "compare", corpus=NAME, answers=",".join(ids[:2]), blind=1)
    page = markup(app)
    assert "<span>Length</span>" not in page
    assert "leaves" not in page
    app.radio(key="own_diversity").set_value("Left")
    looked_at(app.button(key="go_reveal").click().run())
    first, second = (corpus.answer(key).answer for key in ids[:2])
    assert first is not None
    assert second is not None
    is_swapped = corpus.evaluations.comparing.is_swapped(first, second)
    assert corpus.evaluations.comparing.own(first, second) == {"diversity": 2 if is_swapped else 1}
    assert "you: " in markup(app)
    exported = json.loads(corpus.evaluations.comparing.to_json(first, second))
    assert exported["own_verdicts"] == {"diversity": 2 if is_swapped else 1}
    assert {one["judge"] for one in exported["verdicts"]} == {"extractive"}
    assert len(exported["verdicts"]) >= 5


def test_who_is_to_judge_blind_never_sees_the_names_before(
    built: Workspace, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_answer = threading.Event()

    def when_allowed(body: dict[str, Any]) -> Any:
        may_answer.wait(SECONDS)
        return read(body)

    with ScriptedServer(when_allowed) as server:
        monkeypatch.setenv("SENSEMAKING_MODEL", "reader")
        monkeypatch.setenv("SENSEMAKING_BASE_URL", server.url)
        app = visit(built, "compare", corpus=NAME)
        app.text_area(key="compare_question").set_value("Who pays for the river wall?")
        app.toggle(key="compare_blind").set_value(True)
        for n in (0, 1):
            app.selectbox(key=f"run_backend_{n}").set_value("llm")
        looked_at(app.button(key="go_compare").click().run())
        assert app.query_params["blind"] == "1"
        asked = app.query_params["answers"].split(",")
        page = markup(visit(built, "compare", corpus=NAME, answers=",".join(asked), blind=1))
        assert "0 of 2\xa0answers done" in page
        assert "Global" not in page
        app = visit(built, "compare", corpus=NAME, answers=",".join(asked))
        assert {"stop_0", "stop_1"} <= keys(app)
        may_answer.set()
        for key in asked:
            built.open_corpus(NAME).wait_for_answer(key, SECONDS)
    app = visit(built, "compare", corpus=NAME, answers=",".join(asked), blind=1)
    assert app.radio(key="own_diversity").label.startswith("**Diversity** How many")


def test_three_answers_let_one_choose_the_pair(
    built: Workspace, ids: list[str], visit: Visit
) -> None:
    app = visit(built, "compare", corpus=NAME, answers=",".join(ids))
    first = markup(app)
    assert "Only A" in " ".join(app.pills(key="claims_shown").options)
    app.query_params["pair"] = "BC"
    app.run()
    assert "Only C" in " ".join(app.pills(key="claims_shown").options)
    assert markup(looked_at(app)) != first


def test_an_unknown_answer_is_said(built: Workspace, visit: Visit) -> None:
    assert "There is no answer" in markup(visit(built, "compare", corpus=NAME, answers="nothing"))
