"""What an answer can show for itself, counted from the documents."""

from __future__ import annotations

from sensemaking.evaluation.faithfulness import measure_faithfulness
from sensemaking.types import (
    Answer,
    AnswerSentence,
    Citation,
    Coverage,
    Faithfulness,
    Paragraph,
    Span,
    Usage,
)

TEXT = "Northgate Engineering advises to close the Larkmere Bridge. The repair costs 3.1 million."
WHOLE = Citation("claim", "c", (Span("d", 0, len(TEXT)),))
GONE = Citation("claim", "x", (Span("gone", 0, 9),))


def text_of(span: Span) -> str:
    return TEXT[span.start : span.end] if span.document_id == "d" else ""


def measure(*sentences: AnswerSentence, credited: tuple[str, ...] = ()) -> Faithfulness:
    answer = Answer(
        id="a", question="q", method="global", settings=(), text="",
        paragraphs=(Paragraph("", sentences),), notes=("a note is no sentence",), sub_answers=(),
        coverage=Coverage(0, 0, 0, 0, 0), skipped=(), usage=Usage(), seconds=0.0,
        seconds_to_first=0.0, n_tokens=0,
    )  # fmt: skip
    return measure_faithfulness(answer, text_of, lambda _: credited)


def test_a_true_sentence_is_supported_and_its_facts_are_found() -> None:
    found = measure(AnswerSentence("The Larkmere Bridge costs 3.1 million.", 100, (WHOLE,)))
    assert found.supported == 1.0
    assert found.resolved == 1.0
    assert (found.n_facts, found.n_facts_found) == (2, 2)
    assert found.unsupported == ()


def test_invented_numbers_and_names_are_counted() -> None:
    found = measure(AnswerSentence("In fact Zoltan Corp paid 9 million for it.", 40, (WHOLE,)))
    assert found.n_weak == 1
    assert found.supported == 0.0
    assert (found.n_facts, found.n_facts_found) == (2, 0)


def test_a_sentence_without_citation_or_whose_passage_is_gone_is_unsupported() -> None:
    found = measure(
        AnswerSentence("It rains.", 0, ()), AnswerSentence("The bridge closes.", 90, (GONE,))
    )
    assert found.unsupported == ("It rains.", "The bridge closes.")
    assert found.resolved == 0.0


def test_who_speaks_the_passage_may_be_named() -> None:
    sentence = AnswerSentence("So says Ada Penrose: “close the Larkmere Bridge”.", 100, (WHOLE,))
    assert measure(sentence).n_facts_found == 1
    assert measure(sentence, credited=("Ada Penrose",)).n_facts_found == 2


def test_an_empty_answer_has_no_shares_rather_than_bad_ones() -> None:
    found = measure()
    assert (found.supported, found.resolved, found.facts_found) == (None, None, None)
    total = found + measure(AnswerSentence("It rains.", 0, ()))
    assert total.n_sentences == 1
