"""The Ask page: the question, the answer with its evidence, the history, what goes wrong."""

import html
import re

import pytest

from pages._words import plain_label, shorten
from sensemaking.config import AskSettings
from sensemaking.errors import SensemakingError
from sensemaking.methods import METHODS
from sensemaking.workspace import Workspace, compare_sentences
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


def test_why_a_question_cannot_be_asked_stands_where_it_is_typed(
    built: Workspace, visit: Visit
) -> None:
    corpus = built.open_corpus(NAME)
    usual = corpus.settings
    corpus.change_settings(usual.model_copy(update={"backend": "llm"}))
    try:
        with pytest.raises(SensemakingError) as told:
            corpus.estimate_answer(AskSettings())
        page = markup(visit(built, "ask", corpus=NAME))
    finally:
        corpus.change_settings(usual)
    assert "Cannot be asked like this" in page
    assert html.escape(str(told.value)[:40]) in page


def test_the_method_is_named_as_the_menu_has_it(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    key = corpus.start_answer(QUESTION, METHODS["text"].settings())
    assert corpus.wait_for_answer(key, SECONDS).status == "done"
    page = markup(visit(built, "ask", corpus=NAME, answer=key))
    assert f"<b>{METHODS['text'].label}</b>, Leiden" in page
    assert "<b>Global</b>" not in page


def test_a_follow_up_is_asked_inside_a_community(
    built: Workspace, answer_id: str, visit: Visit
) -> None:
    corpus = built.open_corpus(NAME)
    app = visit(built, "ask", corpus=NAME, answer=answer_id)
    places = app.selectbox(key="follow_where").options
    assert places[0] == "The whole corpus"
    assert len(places) > 1
    app.text_area(key="follow_question").set_value("And who pays for it?")
    looked_at(app.button(key="follow_ask").click().run())
    key = app.query_params["answer"]
    answer = corpus.wait_for_answer(key, SECONDS).answer
    assert answer is not None
    within = dict(answer.settings)["within"]
    hierarchy = corpus.hierarchy("general.leiden")
    below = {within, *(one.id for one in hierarchy.descendants(within))}
    reports = corpus.reports("general.leiden")
    allowed = {reports[one].id for one in below if one in reports}
    read = {block for one in answer.sub_answers for block in one.block_ids}
    assert read
    assert read <= allowed
    assert "Inside" in markup(looked_at(app.run()))


def test_a_place_that_is_not_there_is_said_and_can_be_left(built: Workspace, visit: Visit) -> None:
    app = visit(built, "ask", corpus=NAME, within="nowhere")
    assert "There is no community “nowhere”" in markup(app)
    looked_at(app.button(key="drop_within").click().run())
    assert "within" not in app.query_params
    assert "Cannot be asked" not in markup(app)


def test_another_way_shows_what_it_changed(built: Workspace, answer_id: str, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    app = visit(built, "ask", corpus=NAME, answer=answer_id)
    app.selectbox(key="other_level").set_value(0)
    looked_at(app.button(key="other_ask").click().run())
    key = app.query_params["answer"]
    assert app.query_params["before"] == answer_id
    after = corpus.wait_for_answer(key, SECONDS).answer
    before = corpus.answer(answer_id).answer
    assert after is not None
    assert before is not None
    changes = compare_sentences(before, after)
    looked_at(app.run())
    same = sum(one.kind == "same" for one in changes)
    assert f"<b>{same}</b> the same" in markup(app)
    app.session_state["changed_view"] = "changed"
    looked_at(app.run())
    shown = [
        one["i"]
        for block in component(app, f"answer_{key}")["paragraphs"]
        for one in block["sentences"]
    ]
    assert sorted(shown) == sorted(one.after for one in changes if one.kind in ("new", "differs"))
    looked_at(app.button(key="close_changed").click().run())
    assert "before" not in app.query_params


def test_an_answer_compared_with_one_that_is_gone_is_shown_alone(
    built: Workspace, answer_id: str, visit: Visit
) -> None:
    app = visit(built, "ask", corpus=NAME, answer=answer_id, before="gone")
    assert "close_changed" not in keys(app)
    assert component(app, f"answer_{answer_id}")["paragraphs"]


def test_facts_of_each_level_and_method_stand_side_by_side(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    app = visit(built, "ask", corpus=NAME)
    assert not app.dataframe
    app.session_state["ask_facts"] = True
    looked_at(app.run())
    levels, methods = (one.value for one in app.dataframe)
    (head, *_) = corpus.hierarchies()
    assert len(levels) == 1 + head.levels
    assert (levels["Reports"] >= 1).all()
    assert list(methods["Method"]) == [one.label for one in METHODS.values()]


def test_each_sub_answer_names_the_reports_it_read(
    built: Workspace, answer_id: str, visit: Visit
) -> None:
    answer = built.open_corpus(NAME).answer(answer_id).answer
    assert answer is not None
    app = visit(built, "ask", corpus=NAME, answer=answer_id)
    app.session_state[f"all_windows_{answer_id}"] = True
    looked_at(app.run())
    links = {one.proto.label for one in app.get("page_link")}
    helping = [one for one in answer.sub_answers if one.status == "kept"]
    for title in helping[0].block_titles[:8]:
        assert plain_label(shorten(title, 90)) in links


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


def test_another_way_that_is_the_same_way_is_told(
    built: Workspace, answer_id: str, visit: Visit
) -> None:
    app = visit(built, "ask", corpus=NAME, answer=answer_id)
    looked_at(app.button(key="other_ask").click().run())
    assert "choose another level, or another method" in markup(app)
    assert app.query_params["answer"] == answer_id
