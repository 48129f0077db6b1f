import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.graphemes import is_boundary
from sensemaking.text.sentences import MAX_CHARACTERS, split_sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    "sentences",
    [
        ["Dr. Smith met Mr. Jones at 3 p.m. on Monday.", "They talked."],
        ["J. R. R. Tolkien wrote it.", "It sold well."],
        ["In the U.S. the law changed.", "He lives in the U.S.", "The law changed."],
        ["It grew 3.5 percent to $4.50.", "See Fig. 3 and No. 5."],
        ['"Stop!" he said.', '"Why?" she asked.', "Nobody knew."],
        ["Apple Inc. rose.", "The rest fell, e.g. Acme Ltd. and others."],
        ["Well… perhaps.", "It was late..."],
        ["No.", "I do not agree."],
        ["Is it (really?) so?", "Yes!", "Good."],
        ["He joined on 5 Jan. 2020.", "Then he left."],
    ],
)
def test_english_sentences_end_where_a_reader_ends_them(sentences: list[str]) -> None:
    assert cut(" ".join(sentences)) == sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["今天天气很好。", "我们去公园吧！", "好吗？"],
        ["これはペンです。", "「はい。」", "終わり。"],
        ["यह एक वाक्य है।", " यह दूसरा है।"],
        ["هل أنت بخير؟", " نعم."],
        ["Τι κάνεις;", " Είμαι καλά."],
        ["ይህ ዓረፍተ ነገር ነው።", " ሌላ።"],
    ],
)
def test_other_scripts_end_sentences_with_their_own_stops(sentences: list[str]) -> None:
    assert cut("".join(sentences)) == [one.strip() for one in sentences]


def test_thai_breaks_at_white_space_once_it_is_long() -> None:
    text = " ".join(["สวัสดีครับผมชื่อสมชาย"] * 60)
    pieces = cut(text)
    assert len(pieces) > 5
    assert all(len(piece) <= 200 for piece in pieces)


def test_paragraphs_always_break_and_wrapped_lines_do_not() -> None:
    wrapped = (
        "The committee met on Tuesday and discussed the state of the harbour with Mr.\n"
        "Varga and with the owners of the eastern docks, who had come in the morning and\n"
        "Stayed until four."
    )
    assert len(cut(wrapped)) == 1
    assert cut("no full stop here\n\nand no capital there") == [
        "no full stop here",
        "and no capital there",
    ]


def test_headings_lists_and_short_lines_stand_alone() -> None:
    text = "# The docks\nMinutes\nMonday, 4 May\n\n1. Open the gate\n2. Close it\n- later"
    assert cut(text) == [
        "# The docks",
        "Minutes",
        "Monday, 4 May",
        "1. Open the gate",
        "2. Close it",
        "- later",
    ]


def test_a_range_gives_offsets_into_the_whole_text() -> None:
    text = "One two. Three four. Five six."
    assert split_sentences(text, 9, 20) == [(9, 20)]


@pytest.mark.parametrize(
    "text",
    ["x" * 300_000, "word " * 60_000, "字" * 300_000, "Mr. " * 75_000, "a\n" * 100_000],
)
def test_a_long_line_is_capped_in_linear_time(text: str) -> None:
    began = time.process_time()
    sentences = split_sentences(text)
    assert time.process_time() - began < 5
    assert max(end - start for start, end in sentences) <= MAX_CHARACTERS


@given(st.text(alphabet=st.sampled_from('aB .?!\n"”。…1)é\u0301👩\u200d🔬🇩🇪가ก')))
def test_sentences_cover_all_but_white_space_in_order(text: str) -> None:
    sentences = split_sentences(text)
    edges = [edge for pair in sentences for edge in pair]
    assert edges == sorted(edges)
    kept = set[int]()
    for start, end in sentences:
        assert text[start:end].strip() == text[start:end] != ""
        kept.update(range(start, end))
    assert all(text[at].isspace() for at in range(len(text)) if at not in kept)


def test_a_cut_never_tears_what_is_seen_as_one_character() -> None:
    family = "👩\u200d👩\u200d👧\u200d👦"
    for text in (family * 100, "e\u0301" * 900, "🇩🇪" * 700):
        for start, end in split_sentences(text):
            assert is_boundary(text, start)
            assert is_boundary(text, end)
