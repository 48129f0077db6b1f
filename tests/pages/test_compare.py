"""The Compare page: runs side by side, claims aligned, judged blind and by the judge."""

from __future__ import annotations

import json

import pytest

from sensemaking.config import AskSettings
from sensemaking.workspace import Corpus, Workspace
from tests.pages.conftest import QUESTION, SECONDS, Visit, keys, looked_at, markup

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
    app.multiselect(key="compare_conditions").set_value(["text", "global:leiden:leaf"])
    looked_at(app.button(key="go_compare").click().run())
    asked = app.query_params["answers"].split(",")
    assert len(set(asked)) == 2
    for key in asked:
        snapshot = built.open_corpus(NAME).wait_for_answer(key, SECONDS)
        assert snapshot.status == "done", snapshot.error


def test_an_empty_question_is_refused_in_the_engines_words(built: Workspace, visit: Visit) -> None:
    app = visit(built, "compare", corpus=NAME)
    app.multiselect(key="compare_conditions").set_value(["text"])
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


def test_claims_are_filtered_by_what_they_are(
    built: Workspace, ids: list[str], visit: Visit
) -> None:
    app = visit(built, "compare", corpus=NAME, answers=",".join(ids[:2]))
    app.segmented_control(key="claims_shown").set_value("Only second").run()
    page = markup(looked_at(app))
    assert "sm-claim-agree" not in page
    assert "sm-claim-first" not in page


def test_a_blind_reader_sees_no_names_and_the_verdict_is_kept(
    built: Workspace, corpus: Corpus, ids: list[str], visit: Visit
) -> None:
    app = visit(built, "compare", corpus=NAME, answers=",".join(ids[:2]), blind=1)
    page = markup(app)
    assert "<span>Length</span>" not in page
    assert "leaves" not in page
    app.radio(key="own_diversity").set_value("Left")
    looked_at(app.button(key="reveal").click().run())
    first, second = (corpus.answer(key).answer for key in ids[:2])
    assert first is not None
    assert second is not None
    is_swapped = corpus.evaluations.comparing.is_swapped(first, second)
    assert corpus.evaluations.comparing.own(first, second) == {"diversity": 2 if is_swapped else 1}
    assert "you: " in markup(app)
    exported = json.loads(corpus.evaluations.comparing.to_json(first, second))
    assert exported["own_verdicts"] == {"diversity": 2 if is_swapped else 1}
    assert len(exported["verdicts"]) == 5


def test_three_answers_let_one_choose_the_pair(
    built: Workspace, ids: list[str], visit: Visit
) -> None:
    app = visit(built, "compare", corpus=NAME, answers=",".join(ids))
    assert len(app.selectbox(key="pair_first").options) == 3
    assert "Claim by claim" in markup(app)


def test_an_unknown_answer_is_said(built: Workspace, visit: Visit) -> None:
    assert "There is no answer" in markup(visit(built, "compare", corpus=NAME, answers="nothing"))
