"""Points cite items of their window; a window is never lost for one bad point."""

from __future__ import annotations

import pytest

from sensemaking.backends.llm.mapper import LlmMapper
from sensemaking.errors import ContentRefused, ModelError, ReplyUnreadable
from sensemaking.types import Citation
from tests.backends.llm.replaying import REFUSAL, asked, asker, counts, window

WINDOW = window(
    "The survey stopped at two metres.",
    "Removing the cadmium costs 58 million crowns.",
    "The ferry sails from Quay 4.",
)


def point(text="It stopped.", helpfulness=80, items=(1,), **more):
    return {
        "heading": "Depth",
        "text": text,
        "helpfulness": helpfulness,
        "items": list(items),
    } | more


def read(*replies, scoring="point"):
    one = asker(*replies)
    return one, LlmMapper(one, scoring).prepare("What does it cost?", ())(WINDOW)


def test_points_carry_helpfulness_and_the_findings_of_their_items():
    _, (first,) = read({"points": [point(items=[2, "3"])]})
    assert (first.heading, first.text, first.helpfulness) == ("Depth", "It stopped.", 80)
    assert first.citations == (Citation("finding", "f2"), Citation("finding", "f3"))


@pytest.mark.parametrize(("written", "meant"), [("85/100", 85), (0.85, 85), ("7/10", 70)])
def test_certain_scores_are_read_at_once(written, meant):
    one, (first,) = read({"points": [point(helpfulness=written)]})
    assert first.helpfulness == meant
    assert len(asked(one)) == 1


def test_an_uncertain_score_is_asked_for_again():
    one, points = read({"points": [point(), point("Dear.", "high")]}, {"points": [point()] * 2})
    assert len(asked(one)) == 2
    assert len(points) == 1
    one, points = read({"points": [point(), point("Dear.", "high")]})
    assert [first.text for first in points] == ["It stopped."]
    assert counts(one)["bad items dropped"] == 1


def test_one_helpfulness_for_a_window_goes_to_all_its_points():
    reply = {"points": [point(), point("Dear.", items=[2])], "helpfulness": "60%"}
    one, points = read(reply, scoring="window")
    assert [first.helpfulness for first in points] == [60, 60]
    assert "helpfulness" in asked(one)[0][0].text


def test_a_window_that_does_not_help_is_empty():
    one, points = read({"points": []})
    assert points == []
    assert len(asked(one)) == 1
    assert read({"points": [], "helpfulness": 0}, scoring="window")[1] == []


def test_numbers_of_no_item_are_dropped_and_counted():
    one, (first,) = read({"points": [point(items=[2, 9])]})
    assert first.citations == (Citation("finding", "f2"),)
    assert counts(one)["unknown numbers dropped"] == 1


def test_numbers_in_the_text_count_and_are_taken_out():
    _, (first,) = read({"points": [point("It costs much [2].", items=[])]})
    assert first.text == "It costs much."
    assert first.citations == (Citation("finding", "f2"),)


def test_a_point_without_a_source_is_kept_only_when_an_item_says_it():
    said = point("Removing the cadmium costs 58 million crowns.", items=[])
    one, points = read({"points": [said, point("Elephants are large grey animals.", items=[])]})
    assert [first.citations for first in points] == [(Citation("finding", "f2"),)]
    assert counts(one)["points without a source dropped"] == 1


def test_a_window_without_any_source_was_not_read():
    invented = {"points": [point("Elephants are large grey animals.", items=[77])]}
    assert len(read(invented, {"points": [point()]})[1]) == 1
    with pytest.raises(ReplyUnreadable, match='no point names in "items"'):
        read(invented)


def test_a_loop_is_one_point():
    assert len(read({"points": [point()] * 200})[1]) == 1


@pytest.mark.parametrize("bad", ["I do not know.", "", "[1, 2", '{"points": "none"}', "z" * 10**6])
def test_what_cannot_be_read_is_an_error_and_never_zero(bad):
    with pytest.raises(ModelError):
        read(bad)
    with pytest.raises(ContentRefused):
        read(REFUSAL)


def test_the_key_tells_scorings_apart():
    one = asker("")
    assert LlmMapper(one, "point").key != LlmMapper(one, "window").key
    assert LlmMapper(one).context_tokens > 5000


def test_points_copied_from_the_example_are_dropped():
    copied = point("Wren & Daughters bought the kiln hall in March 2031.", items=[2])
    one, points = read({"points": [point(), copied]})
    assert [first.text for first in points] == ["It stopped."]
    with pytest.raises(ReplyUnreadable):
        read({"points": [copied]})
