"""Numbers, times and labels as the screen says them."""

import re
from datetime import datetime
from pathlib import Path

import pytest

from pages import _words as words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "–"),
        (0, "0"),
        (1204, "1,204"),
        (99_999, "99,999"),
        (190_214, "190\u00a0k"),
        (3_100_000, "3.1\u00a0M"),
        (412_000_000, "412\u00a0M"),
    ],
)
def test_numbers_are_as_precise_as_they_are_true(value: int | None, text: str) -> None:
    assert words.number(value) == text


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(1, 0, "–"), (1, 3, "33\u00a0%"), (953, 1000, "95.3\u00a0%"), (5, 5, "100\u00a0%")],
)
def test_shares_have_a_decimal_from_ninety_up(part: int, whole: int, text: str) -> None:
    assert words.share(part, whole) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.94, "0.9\u00a0s"),
        (42.2, "42\u00a0s"),
        (76, "1\u00a0min 16\u00a0s"),
        (7500, "2\u00a0h 05"),
    ],
)
def test_times_grow_coarser(seconds: float, text: str) -> None:
    assert words.duration(seconds) == text


def test_dates_are_near_or_full() -> None:
    now = datetime(2026, 11, 30, 12, 0)
    assert words.moment("2026-11-30T09:12:00", now) == "today 09:12"
    assert words.moment("2026-11-27T09:12:00", now) == "Fri 27 Nov"
    assert words.moment("2025-11-27T09:12:00", now) == "27 Nov 2025"
    assert words.moment(None) == "–"


def test_a_label_keeps_no_live_markup() -> None:
    label = words.plain_label("![x](https://evil/p.png) :red[hot] **bold** `code`\n# head")
    assert "\n" not in label
    assert "](" not in label
    assert ":red" not in label
    assert "**" not in label.replace("\\*", "")


def test_long_text_is_cut_at_a_word() -> None:
    assert words.shorten("one two three four", 12) == "one two…"
    assert words.shorten("short", 12) == "short"
    assert len(words.shorten("x" * 500, 80)) == 80


def test_choices_that_read_the_same_are_told_apart() -> None:
    names = {"a": "Docks", "b": "Docks", "c": "Docks (2)", "d": "Docks"}
    told = words.distinct(names)
    assert list(told) == list(names)
    assert len(set(told.values())) == 4
    assert told["a"] == "Docks"
    assert told["c"] == "Docks (2)"


def test_choices_in_a_menu_are_not_written_for_markdown() -> None:
    """A menu shows its choices as they are: marks against Markdown would be read."""
    for path in Path("pages").rglob("*.py"):
        assert not re.search(r"format_func=[^\n]*plain_label", path.read_text("utf-8")), path
