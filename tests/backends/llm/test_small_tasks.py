"""Descriptions, topics, kinds, verdicts, claims and questions."""

from __future__ import annotations

import pytest

from sensemaking.backends.llm.asking import Asker
from sensemaking.backends.llm.claims import LlmClaimSplitter
from sensemaking.backends.llm.describer import LlmDescriber
from sensemaking.backends.llm.judge import LlmJudge
from sensemaking.backends.llm.kinds import derive_kinds
from sensemaking.backends.llm.questions import LlmQuestionWriter
from sensemaking.backends.llm.topics import LlmTopicAnalyst
from sensemaking.errors import ContextTooLong, ModelError, ReplyUnreadable
from sensemaking.ports import Criterion, TopicChoice, TopicDraft
from tests.backends.llm.replaying import (
    REFUSAL,
    ReplayModel,
    WordTokenizer,
    asked,
    asker,
    counts,
    cut,
)

CRITERION = Criterion("diversity", "How many sides?")


def test_one_description_needs_no_call():
    one = asker("x")
    assert LlmDescriber(one).describe("Quay 7", ["A quay.", "A  quay.", " "]) == "A quay."
    assert LlmDescriber(one).describe("Quay 7", []) == ""
    assert asked(one) == []


def test_descriptions_are_merged_in_rolling_batches():
    one = asker({"description": "First batch."}, {"description": "Both batches."})
    told = [f"Description number {at} of it." for at in range(5)]
    assert LlmDescriber(one, batch_tokens=30).describe("Quay 7", told) == "Both batches."
    first, second = (messages[1].text for messages in asked(one))
    assert "number 2" in first
    assert "number 3" not in first
    assert "- First batch." in second
    assert "number 4" in second


def test_long_descriptions_still_come_to_an_end():
    one = asker({"description": "word " * 50})
    told = ["long " * 60 + str(at) for at in range(6)]
    LlmDescriber(one, batch_tokens=20).describe("Quay 7", told)
    assert len(asked(one)) == 5


def test_short_descriptions_are_joined_and_what_another_says_is_left_out():
    one = asker("x")
    told = ["A quay", "Quay 7 is a quay in the harbour.", "It holds 58 mg of cadmium", "A quay."]
    assert LlmDescriber(one).join(told) == (
        "Quay 7 is a quay in the harbour. It holds 58 mg of cadmium."
    )
    assert LlmDescriber(one).join(["Same words here.", "same WORDS here"]) == "Same words here."
    assert LlmDescriber(one).join(["", " "]) == ""
    assert asked(one) == []


def test_long_descriptions_are_for_the_model():
    describer = LlmDescriber(asker("x"))
    assert describer.join(["word " * 150, "river " * 150]) is None
    assert describer.join(["word " * 150, "river word " * 150]) == ("river word " * 150).strip()


def test_nothing_is_joined_where_that_is_not_wanted():
    describer = LlmDescriber(asker("x"), joined_tokens=0)
    assert describer.join(["A quay.", "A dock."]) is None
    assert describer.join(["A quay."]) == "A quay."
    assert describer.key != LlmDescriber(describer.asker).key


def test_topics_of_all_batches_are_one_list():
    one = asker(
        {"topics": [{"name": "Soil", "description": "Ground."}, "Money"]},
        {"topics": [{"name": "soil", "description": "Earth."}, {"name": "Ferries"}]},
        context_tokens=3000,
    )
    texts = ["word " * 900, "other " * 900]
    assert LlmTopicAnalyst(one).mine(texts) == (
        TopicDraft("Soil", "Ground."),
        TopicDraft("Money", ""),
        TopicDraft("Ferries", ""),
    )
    assert len(asked(one)) == 2


@pytest.mark.parametrize("wanted", ["Matter 499", "Matter 0", None])
def test_more_topics_than_a_prompt_holds_are_read_in_parts(wanted):
    class Choosing(ReplayModel):
        """Chooses the wanted topic where it is listed, else the first one of its list."""

        def _next(self, messages, replicate):
            text = messages[1].text
            listed = [line[2:].partition(":")[0] for line in text.splitlines() if line[:2] == "- "]
            self.replies = [
                {"reason": "So.", "topic": wanted if wanted in listed else wanted and listed[0]}
            ]
            return super()._next(messages, replicate)

    model = Choosing([])
    model.context_tokens = 4096
    topics = [TopicDraft(f"Matter {n}", "many words " * 8) for n in range(500)]
    choice = LlmTopicAnalyst(Asker(model, WordTokenizer())).classify("Who?", topics, "Reports.")
    assert choice.topic == wanted
    most = max(sum(len(one.text.split()) for one in messages) for messages in model.asked)
    assert most < model.context_tokens
    assert 2 <= len(model.asked) < 20


def test_a_question_falls_in_a_given_topic_or_in_none():
    topics = (TopicDraft("Soil", ""), TopicDraft("Money", ""))

    def classify(topic, runner_up=None):
        reply = {"reason": "So.", "topic": topic, "runner_up": runner_up}
        return LlmTopicAnalyst(asker(reply)).classify("Who pays?", topics, "Reports.")

    assert classify("money", "Soil") == TopicChoice("Money", "So.", "Soil")
    assert classify("Elephants", "Money") == TopicChoice(None, "So.", "Money")
    assert classify(None) == TopicChoice(None, "So.", None)
    assert classify("Soil", "Soil").runner_up is None
    one = asker("x")
    assert LlmTopicAnalyst(one).classify("Who?", (), "").topic is None
    assert asked(one) == []


def test_keywords_and_description():
    one = asker({"keywords": ["quay", {"word": "soil"}, "quay", ""]}, {"description": "Reports."})
    analyst = LlmTopicAnalyst(one)
    assert analyst.expand("What is in the soil?", "Reports.") == ("quay", "soil")
    assert analyst.describe(["A text."]) == "Reports."


def test_kinds_are_derived_and_the_general_one_is_among_them():
    one = asker({"kinds": [{"name": "Ship"}, {"name": "port"}, {"name": "ship"}]})
    assert derive_kinds(one, ["A text."]) == ("ship", "port", "concept")
    with pytest.raises(ReplyUnreadable):
        derive_kinds(asker({"kinds": []}), ["A text."])


@pytest.mark.parametrize(
    ("written", "winner"),
    [(1, 1), ("2", 2), ("Answer 1", 1), (0, 0), ("tie", 0), ("answer #2", 2), (2.0, 2)],
)
def test_verdicts_are_read(written, winner):
    verdict = LlmJudge(asker({"reason": "So.", "winner": written})).judge(
        "Who?", ("A.", "B."), CRITERION, replicate=2
    )
    assert (verdict.winner, verdict.reason, verdict.is_parsed) == (winner, "So.", True)


def test_replicates_reach_the_model():
    one = asker("{}", {"winner": 1})
    LlmJudge(one).judge("Who?", ("A.", "B."), CRITERION, replicate=3)
    assert isinstance(one.model, ReplayModel)
    assert one.model.replicates == [3, 3]


@pytest.mark.parametrize("bad", ["Both are good.", {"winner": "first"}, {"winner": 3}, {}])
def test_a_verdict_that_cannot_be_read_is_not_a_tie(bad):
    one = asker(bad)
    verdict = LlmJudge(one).judge("Who?", ("A.", "B."), CRITERION)
    assert not verdict.is_parsed
    assert counts(one)["verdicts not read"] == 1


def test_a_verdict_that_is_cut_in_its_reason_counts():
    reply = cut('{"winner": 2, "reason": "Answer 2 names mor')
    assert LlmJudge(asker(reply)).judge("Who?", ("A.", "B."), CRITERION).winner == 2


def test_a_judge_who_is_not_there_gives_no_verdict():
    with pytest.raises(ContextTooLong):
        LlmJudge(asker(ContextTooLong("x"))).judge("Who?", ("A.", "B."), CRITERION)


def test_claims_of_all_parts_each_once():
    one = asker(
        {"claims": ["The quay is old.", "It is long."]},
        {"claims": ["the quay is old.", {"text": "It is wide."}, ""]},
        max_tokens=30,
    )
    text = "word " * 9 + "\n\n" + "other " * 9
    assert LlmClaimSplitter(one).split(text) == ("The quay is old.", "It is long.", "It is wide.")
    assert LlmClaimSplitter(one).split(" ") == ()


def test_questions_are_written_for_every_task_of_every_persona():
    users = [{"persona": "A historian.", "tasks": ["Find out.", "Describe."]}]
    tasks = [
        {"task": "Find out.", "questions": ["Why?", "How?", "When?"]},
        {"task": "Describe.", "questions": []},
    ]
    one = asker({"users": users * 2}, {"tasks": tasks}, "no JSON")
    (draft,) = LlmQuestionWriter(one).write("Reports.", (2, 2, 2))
    assert draft.persona == "A historian."
    assert draft.tasks == (("Find out.", ("Why?", "How?")),)
    assert counts(one)["personas without questions"] == 1


@pytest.mark.parametrize("bad", ["", "the the the", REFUSAL, "{" * 1000, {"x": []}])
def test_every_task_fails_with_a_model_error(bad):
    calls = (
        lambda one: LlmDescriber(one).describe("x", ["a b", "c d"]),
        lambda one: LlmTopicAnalyst(one).mine(["A text."]),
        lambda one: LlmTopicAnalyst(one).describe(["A text."]),
        lambda one: LlmTopicAnalyst(one).expand("Q?", ""),
        lambda one: LlmClaimSplitter(one).split("A text."),
        lambda one: LlmQuestionWriter(one).write("Reports.", (1, 1, 1)),
        lambda one: derive_kinds(one, ["A text."]),
    )
    for call in calls:
        with pytest.raises(ModelError):
            call(asker(bad))
