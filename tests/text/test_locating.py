"""A quotation is found where it stands, and only there."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensemaking.text.locating import locate

TEXT = (
    "The board met on Tuesday. Ms Feriani said: “The Statement of Reasons gives “particular\n"
    "weight” to the study — and it does not exist.” Nobody answered. The tide turned at Quay 7, "
    "and the ships that had been waiting in the outer harbour since the storm came in one by one."
)


def found(quote: str, text: str = TEXT) -> str | None:
    where = locate(quote, text)
    return None if where is None else text[where[0] : where[1]]


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("The tide turned at Quay 7", "The tide turned at Quay 7"),
        ("  the TIDE turned  at quay 7 ", "The tide turned at Quay 7"),
        ('gives "particular weight" to the study', "gives “particular\nweight” to the study"),
        ("the study - and it does not", "the study — and it does not"),
        ('"Nobody answered"', "Nobody answered"),
        ("The tide turned ... came in one by one", TEXT[TEXT.index("The tide") : -1]),
        (
            "the ships which had been waiting in the outer harbour since the storm came in",
            "the ships that had been waiting in the outer harbour since the storm came in",
        ),
        ("nothing of the kind was ever said by anyone here", None),
        ("The board turned", None),
        ("", None),
        ("…", None),
    ],
)
def test_a_quotation_is_found_by_its_words(quote: str, expected: str | None) -> None:
    assert found(quote) == expected


def test_letters_that_grow_in_small_case_keep_offsets_true() -> None:
    text = "İİİ and THE TIDE turned."
    assert found("the tide", text) == "THE TIDE"


def test_a_long_quotation_is_found_by_its_ends() -> None:
    text = " ".join(f"word{n}" for n in range(3000))
    quote = text[100:9000].replace("word500 ", "").replace("word20 ", "other ")
    start, end = locate(quote, text) or (0, 0)
    assert abs(start - 100) < 20
    assert abs(end - 9000) < 20


def test_a_large_text_is_searched_in_bounded_time() -> None:
    text = "the tide turned and the ship waited " * 30_000
    began = time.process_time()
    assert locate("a ship that never came and a tide which never turned again", text) is None
    assert time.process_time() - began < 5


@given(st.text(), st.text())
def test_what_is_found_lies_in_the_text(quote: str, text: str) -> None:
    where = locate(quote, text)
    if where is not None:
        assert 0 <= where[0] < where[1] <= len(text)


@given(st.text(min_size=1).filter(str.strip), st.text(), st.text())
def test_an_exact_quotation_is_always_found(quote: str, before: str, after: str) -> None:
    assert found(quote, before + quote + after) == quote.strip()
