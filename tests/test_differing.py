"""Two answers compared sentence by sentence: each sentence of both comes out once."""

from sensemaking.types import Answer, AnswerSentence, Coverage, Paragraph, Usage
from sensemaking.workspace import compare_sentences


def answer(*texts: str) -> Answer:
    sentences = tuple(AnswerSentence(text, 100, ()) for text in texts)
    coverage = Coverage(1, 1, 1, 1, 1)
    return Answer(
        "id",
        "What does it cost?",
        "global",
        (),
        " ".join(texts),
        (Paragraph("", sentences),),
        (),
        (),
        coverage,
        (),
        Usage(),
        1.0,
        0.5,
        10,
    )


OLD = answer(
    "The river wall costs 3 million.", "The ferry stops in May.", "The council meets on Monday."
)
NEW = answer(
    "The river wall costs 4 million.", "The council meets on Monday.", "Boats wait at the quay."
)


def test_an_answer_against_itself_is_the_same_throughout() -> None:
    changes = compare_sentences(OLD, OLD)
    assert [(one.kind, one.before, one.after) for one in changes] == [
        ("same", n, n) for n in range(3)
    ]


def test_what_is_new_gone_and_said_with_other_figures_is_told_apart() -> None:
    found = {(one.kind, one.before, one.after) for one in compare_sentences(OLD, NEW)}
    assert found == {("differs", 0, 0), ("gone", 1, -1), ("same", 2, 1), ("new", -1, 2)}
    (differs,) = (one for one in compare_sentences(OLD, NEW) if one.kind == "differs")
    assert "3" in differs.reason
    assert "4" in differs.reason


def test_an_empty_answer_loses_everything() -> None:
    assert {one.kind for one in compare_sentences(OLD, answer())} == {"gone"}
    assert compare_sentences(answer(), answer()) == ()
