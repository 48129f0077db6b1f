"""The Ask page: the question, the answer with its evidence, the history, what goes wrong."""

import re

import pytest

from sensemaking.config import AskSettings
from sensemaking.workspace import Workspace
from tests.pages.conftest import QUESTION, SECONDS, Visit, component, keys, looked_at, markup

NAME = "larkmere-bridge"


def test_before_a_build_it_says_what_to_do(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Larkmere Bridge")
    app = visit(fresh, "ask", corpus=NAME)
    assert "Not built yet" in markup(app)
    assert "go_ask" not in keys(app)


def test_the_facts_of_a_question_are_known_before_it_is_asked(
    built: Workspace, visit: Visit
) -> None:
    corpus = built.open_corpus(NAME)
    page = markup(visit(built, "ask", corpus=NAME))
    n_reports = len({one.community_id for one in corpus.reports("general.leiden").values()})
    found = re.search(r"(\d+)\u00a0reports? in (\d+)\u00a0windows?, (\d[\d,]*) tokens", page)
    assert found is not None
    assert 1 <= int(found[1]) <= n_reports
    assert "of the chunks, no cost" in page


def test_a_question_is_answered_and_stays_in_the_address(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    app = visit(built, "ask", corpus=NAME)
    app.text_area(key="question").set_value(QUESTION)
    looked_at(app.button(key="go_ask").click().run())
    key = app.query_params["answer"]
    snapshot = corpus.wait_for_answer(key, SECONDS)
    assert snapshot.status == "done", snapshot.error
    looked_at(app.run())
    assert QUESTION in markup(app)
    assert component(app, f"answer_{key}")["paragraphs"]


def test_an_empty_question_is_refused_in_the_engines_words(built: Workspace, visit: Visit) -> None:
    app = visit(built, "ask", corpus=NAME)
    looked_at(app.button(key="go_ask").click().run())
    assert "This did not work" in markup(app)
    assert "answer" not in app.query_params


def test_each_sentence_opens_the_passages_it_rests_on(
    built: Workspace, answer_id: str, visit: Visit
) -> None:
    corpus = built.open_corpus(NAME)
    answer = corpus.answer(answer_id).answer
    assert answer is not None
    assert answer.sentences
    for n in range(min(3, len(answer.sentences))):
        app = visit(built, "ask", corpus=NAME, answer=answer_id, sentence=n)
        page = markup(app).replace("&#x27;", "'").replace("&quot;", '"')
        evidence = corpus.evidence(answer_id, n)
        assert evidence, answer.sentences[n].text
        for one in evidence[:12]:
            assert f"<mark>{one.quote}</mark>" in page
        assert f"Evidence for sentence {n + 1}" in page
        assert component(app, f"answer_{answer_id}")["selected"] == n


def test_the_answer_is_handed_over_sentence_by_sentence_with_numbers(
    built: Workspace, answer_id: str, visit: Visit
) -> None:
    answer = built.open_corpus(NAME).answer(answer_id).answer
    assert answer is not None
    app = visit(built, "ask", corpus=NAME, answer=answer_id)
    prose = component(app, f"answer_{answer_id}")
    shown = [one for block in prose["paragraphs"] for one in block["sentences"]]
    assert [one["i"] for one in shown] == list(range(len(answer.sentences)))
    assert all(one["refs"] for one in shown)
    for note in answer.notes:
        assert "About the evidence" in markup(app)
        assert note not in [one["text"] for one in shown]


def test_arrows_walk_the_sentences_and_close_the_drawer(
    built: Workspace, answer_id: str, visit: Visit
) -> None:
    app = visit(built, "ask", corpus=NAME, answer=answer_id, sentence=0)
    assert app.button(key="previous_sentence").disabled
    answer = built.open_corpus(NAME).answer(answer_id).answer
    assert answer is not None
    assert len(answer.sentences) > 1
    looked_at(app.button(key="next_sentence").click().run())
    assert app.query_params["sentence"] == "1"
    looked_at(app.button(key="close_sentence").click().run())
    assert "sentence" not in app.query_params
    assert "Click a sentence" in markup(app)


def test_the_history_names_what_was_asked(built: Workspace, answer_id: str, visit: Visit) -> None:
    app = visit(built, "ask", corpus=NAME)
    assert "Asked before" in markup(app)
    looked_at(app.button(key=f"history_{answer_id}").click().run())
    assert app.query_params["answer"] == answer_id
    assert QUESTION in markup(app)


def test_ask_again_brings_the_question_back(built: Workspace, answer_id: str, visit: Visit) -> None:
    app = visit(built, "ask", corpus=NAME, answer=answer_id)
    looked_at(app.button(key="again").click().run())
    assert app.text_area(key="question").value == QUESTION


def test_an_unknown_answer_is_said(built: Workspace, visit: Visit) -> None:
    page = markup(visit(built, "ask", corpus=NAME, answer="none"))
    assert "There is no answer “none”" in page


def test_a_question_that_nothing_helps_with_says_so(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    key = corpus.start_answer("🌉", AskSettings())
    answer = corpus.wait_for_answer(key, SECONDS).answer
    assert answer is not None
    assert answer.sentences == ()
    page = markup(visit(built, "ask", corpus=NAME, answer=key))
    assert all(note in page for note in answer.notes)
    assert "sentences supported" not in page


@pytest.mark.parametrize("question", ["🌉", "bridge " * 700, "<script>alert(1)</script>"])
def test_awkward_questions_end_in_an_answer_or_a_plain_message(
    built: Workspace, visit: Visit, question: str
) -> None:
    app = visit(built, "ask", corpus=NAME)
    app.text_area(key="question").set_value(question)
    looked_at(app.button(key="go_ask").click().run())
    if "answer" in app.query_params:
        built.open_corpus(NAME).wait_for_answer(app.query_params["answer"], SECONDS)
        looked_at(app.run())
    assert "<script" not in markup(app)
