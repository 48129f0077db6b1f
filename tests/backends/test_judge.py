"""The judge that counts, the splitter and the question writer that need no model."""

from __future__ import annotations

import random

import pytest

from sensemaking.backends.extractive.claim_splitter import ExtractiveClaimSplitter
from sensemaking.backends.extractive.judge import RULES, ExtractiveJudge
from sensemaking.backends.extractive.question_writer import FORMS, ExtractiveQuestionWriter
from sensemaking.evaluation.judging import CRITERIA
from sensemaking.evaluation.questions import describe_corpus
from sensemaking.ports import Criterion

QUESTION = "What delays the Larkmere Bridge?"
RICH = (
    "The bearings of the Larkmere Bridge are cracked because the river wall moves. The repair will "
    "cost 3.1 million. Tomas Veld objected to the cost. Northgate Engineering advises to close the "
    "bridge for eleven weeks. The council pays nothing before the wall is surveyed."
)
POOR = "The bridge is late. The bridge is late. It rains a lot in this part of the land."
SPLITTER = ExtractiveClaimSplitter()


@pytest.mark.parametrize("name", sorted(RULES))
def test_the_order_of_the_answers_plays_no_part(name: str) -> None:
    rng = random.Random(3)
    pieces = [*RICH.split(". "), *POOR.split(". ")]
    judge = ExtractiveJudge()
    for _ in range(40):
        texts = [". ".join(rng.sample(pieces, rng.randint(0, 6))) for _ in range(2)]
        forward = judge.judge(QUESTION, (texts[0], texts[1]), CRITERIA[name])
        backward = judge.judge(QUESTION, (texts[1], texts[0]), CRITERIA[name])
        assert backward.winner == {0: 0, 1: 2, 2: 1}[forward.winner]


def test_every_criterion_is_measured_and_says_that_it_is() -> None:
    assert set(RULES) == set(CRITERIA)
    for criterion in CRITERIA.values():
        verdict = ExtractiveJudge().judge(QUESTION, (RICH, POOR), criterion)
        assert verdict.reason.startswith("Measured: ")
        assert verdict.is_parsed
    assert "measurement" in ExtractiveJudge().key


def test_the_richer_answer_wins_where_riches_count() -> None:
    for name in ("comprehensiveness", "diversity", "empowerment"):
        assert ExtractiveJudge().judge(QUESTION, (RICH, POOR), CRITERIA[name]).winner == 1


def test_saying_the_same_again_wins_nothing_and_loses_directness() -> None:
    long = " ".join([RICH] * 4)
    for name in ("comprehensiveness", "diversity"):
        assert ExtractiveJudge().judge(QUESTION, (long, RICH), CRITERIA[name]).winner == 0
    assert ExtractiveJudge().judge(QUESTION, (long, RICH), CRITERIA["directness"]).winner == 2


def test_the_same_in_short_sentences_wins_nothing() -> None:
    long = (
        "The bearings of the Larkmere Bridge are cracked under the eastern span, and the river "
        "wall beside the western pier moves two millimetres towards the water every month. "
        "Tomas Veld of Larkmere Council objected to the cost of repairs in spring, and the "
        "engineers from Northgate advised residents to expect eleven weeks without a crossing."
    )
    short = long.replace(", and the", ". The")
    assert len(SPLITTER.split(short)) == 2 * len(SPLITTER.split(long))
    for name in ("comprehensiveness", "diversity", "empowerment"):
        verdict = ExtractiveJudge().judge("What is wrong?", (long, short), CRITERIA[name])
        assert verdict.winner != 2, (name, verdict.reason)


def test_padding_a_claim_wins_nothing() -> None:
    claim = "The repair of the eastern span costs three million and lasts eleven weeks in summer"
    padded = claim + " " + "as " + " ".join(f"people{n} mention" for n in range(40))
    verdict = ExtractiveJudge().judge(
        "What is wrong?", (f"{padded}.", f"{claim}. {RICH}"), CRITERIA["comprehensiveness"]
    )
    assert verdict.winner == 2, verdict.reason


def test_an_empty_answer_loses_and_two_empty_ones_tie() -> None:
    for criterion in CRITERIA.values():
        assert ExtractiveJudge().judge(QUESTION, ("", RICH), criterion).winner == 2
        assert ExtractiveJudge().judge(QUESTION, ("", ""), criterion).winner == 0


def test_what_is_not_measured_is_not_guessed() -> None:
    verdict = ExtractiveJudge().judge(QUESTION, (RICH, POOR), Criterion("beauty", "Is it fair?"))
    assert (verdict.winner, verdict.is_parsed) == (0, False)
    assert "beauty" in verdict.reason


def test_claims_are_the_sentences_that_say_something() -> None:
    text = (
        "## Costs\n\nThe repair costs 3.1 million; the council will not pay for it. Who pays? "
        "Yes.\n\n> A note.\n- Boats run every hour.\n\nThe repair costs 3.1 million."
    )
    assert SPLITTER.split(text) == (
        "The repair costs 3.1 million",
        "the council will not pay for it.",
        "Boats run every hour.",
        "The repair costs 3.1 million.",
    )


def test_a_quotation_of_several_sentences_is_several_claims_of_one_speaker() -> None:
    text = "Ada Penrose: “The bridge is late. The wall moves.” Boats run every hour."
    assert SPLITTER.split(text) == (
        "Ada Penrose: “The bridge is late.”",
        "Ada Penrose: “The wall moves.”",
        "Boats run every hour.",
    )


def test_texts_without_spaces_and_without_claims_are_split_too() -> None:
    assert len(SPLITTER.split("北港の工事は三月に始まる予定です。住民は浚渫に反対している。")) == 2
    assert SPLITTER.split("") == ()
    assert SPLITTER.split("Why? §§§ !!!") == ()


def test_a_hundred_and_twenty_five_questions_come_from_a_dozen_topics() -> None:
    topics = [f"Subject {number} of the harbour" for number in range(12)]
    told = describe_corpus("Harbour", topics, ["Ada Penrose"])
    drafts = ExtractiveQuestionWriter().write(told, (5, 5, 5))
    asked = [one for draft in drafts for _, texts in draft.tasks for one in texts]
    assert len(drafts) == 5
    assert all(len(draft.tasks) == 5 for draft in drafts)
    assert len(asked) == len(set(asked)) == 125
    assert drafts == ExtractiveQuestionWriter().write(told, (5, 5, 5))
    assert all(any(topic in "\n".join(asked) for topic in topics) for topic in topics)


def test_few_topics_give_fewer_questions_and_none_gives_those_about_the_whole() -> None:
    writer = ExtractiveQuestionWriter()
    asked = [
        one
        for draft in writer.write("- Bridges", (5, 5, 5))
        for _, texts in draft.tasks
        for one in texts
    ]
    assert len(FORMS) - 1 <= len(asked) == len(set(asked))
    assert not any("connects Bridges with Bridges" in one for one in asked)
    whole = [
        one for draft in writer.write("", (5, 5, 5)) for _, texts in draft.tasks for one in texts
    ]
    assert len(whole) == 5
    assert writer.write("- Bridges", (0, 5, 5)) == ()


def test_any_description_gives_topics() -> None:
    told = "Interviews with leaders of Northgate Engineering about river walls and river walls."
    (draft,) = ExtractiveQuestionWriter().write(told, (1, 1, 5))
    assert any("Northgate Engineering" in one for one in draft.tasks[0][1])


def test_quotations_of_nobody_in_particular_are_claims_of_their_own() -> None:
    text = "“The order applies to plots 12 to 19.” “(a) The bearings are cracked.”\n"
    text += "«Eins ist da.» «Zwei ist auch da.»"
    assert SPLITTER.split(text) == (
        "The order applies to plots 12 to 19.",
        "(a) The bearings are cracked.",
        "«Eins ist da.»",
        "«Zwei ist auch da.»",
    )
