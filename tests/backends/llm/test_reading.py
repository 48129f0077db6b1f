"""JSON as models write it."""

from __future__ import annotations

import json
import time
from typing import Annotated

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sensemaking.backends.llm.asking import Form
from sensemaking.backends.llm.reading import MAX_CHARACTERS, read_json
from sensemaking.backends.llm.replies import (
    DropBad,
    Helpfulness,
    Labels,
    Rating,
    Shape,
    Text,
    clean,
    read_score,
    schema_of,
)
from sensemaking.backends.llm.statements import Listed
from sensemaking.errors import ContentRefused, ContextTooLong, ModelError, ReplyUnreadable
from sensemaking.ports import Message, Reply
from sensemaking.types import Usage
from tests.backends.llm.replaying import REFUSAL, asked, asker, counts, cut

POINT = {"text": "Work stopped.", "score": 80}


class Item(Shape):
    text: Text
    score: Helpfulness
    items: Labels = []


class Box(Shape):
    points: Annotated[list[Item], DropBad.before(Item)]


FORM = Form(Box, most_bad=0.0)
ASK = [Message("user", "Say it.")]


def read(*replies):
    one = asker(*replies)
    return one, one.ask(ASK, FORM, "window 1").value.points


@pytest.mark.parametrize(
    "reply",
    [
        {"points": [POINT]},
        [POINT],
        {"reply": {"points": [POINT]}},
        {"points": POINT},
        {"points": {"first": POINT}},
        {"points": [POINT], "note": "one field too many"},
        f"```json\n{json.dumps({'points': [POINT]})}\n```",
        f"```\n{json.dumps({'points': [POINT]})}",
        f"Here you are:\n{json.dumps({'points': [POINT]})}\nI hope that {{helps}}!",
        "Let me see {what is asked}. " + json.dumps({"points": [POINT]}),
        '<think>{"points": []} maybe?</think>' + json.dumps({"points": [POINT]}),
        '{"points": [{"text": "Work stopped.", "score": 80,},],}',
        "{'points': [{'text': 'Work stopped.', 'score': 80}]}",
        '{points: [{text: "Work stopped.", score: 80}]',
        '{"points": [{"text": "Work\nstopped.", "score": 80}]}',
        "\ufeff" + json.dumps({"points": [POINT]}),
    ],
)
def test_a_reply_is_read_however_it_is_wrapped(reply):
    one, points = read(reply)
    assert [(point.text, point.score) for point in points] == [("Work stopped.", 80)]
    assert len(asked(one)) == 1


def test_a_cut_reply_keeps_what_is_complete_and_completes_nothing():
    text = '{"points": [{"text": "Work stopped.", "score": 80}, {"text": "The qua'
    one, points = read(cut(text))
    assert [point.text for point in points] == ["Work stopped."]
    assert counts(one)["replies cut at their limit"] == 1
    fenced = cut("```json\n" + text)
    assert [point.text for point in read(fenced)[1]] == ["Work stopped."]


def test_a_bad_item_is_asked_for_again_and_then_dropped_alone():
    bad = {"text": "It rains.", "score": "high"}
    one, points = read({"points": [POINT, bad, {"score": 3}]})
    assert [point.text for point in points] == ["Work stopped."]
    question = asked(one)[1][-1].text
    assert "'high' is no number from 0 to 100" in question
    assert "points[2]: text" in question
    assert counts(one) == {"bad items dropped": 2, "replies asked for again": 1}


def test_the_better_of_both_replies_is_taken():
    bad = {"text": "It rains.", "score": "high"}
    assert len(read({"points": [POINT, POINT, bad]}, {"points": [bad]})[1]) == 2
    assert len(read({"points": [bad]}, {"points": [POINT]})[1]) == 1
    assert len(read({"points": [POINT, bad]}, "nonsense")[1]) == 1
    assert len(read({"points": [POINT, bad]}, ContextTooLong("too long"))[1]) == 1


def test_a_reply_that_goes_round_and_round_is_asked_for_again_but_not_refused():
    other = {"text": "The quay is closed.", "score": 60}
    one, points = read({"points": [POINT, other] * 8}, {"points": [POINT, other]})
    assert "lists the same things again and again" in asked(one)[1][-1].text
    assert len(points) == 2
    one, points = read({"points": [POINT, other] * 8}, {"points": [POINT, other] * 8})
    assert len(points) == 16
    assert counts(one)["replies not as wished"] == 1
    many = [{"text": f"Quay {n} is closed.", "score": 60} for n in range(20)]
    assert len(asked(read({"points": many})[0])) == 1


def test_what_cannot_be_read_twice_is_unreadable_and_says_how_it_begins():
    with pytest.raises(ReplyUnreadable, match="window 1: .*no JSON object.*'The quay is old"):
        read("The quay is old and nobody knows.")
    with pytest.raises(ReplyUnreadable, match="points: a list is wanted here"):
        read({"points": "none"})
    with pytest.raises(ReplyUnreadable, match="empty"):
        read("")
    with pytest.raises(ReplyUnreadable, match="too long"):
        read(cut("the the the " * 2000))


def test_the_second_asking_quotes_what_was_wrong():
    one, _ = read({"points": 7}, {"points": []})
    assert [message.role for message in asked(one)[1]] == ["user", "assistant", "user"]
    assert "points: a list is wanted here" in asked(one)[1][-1].text


def test_a_refusal_is_told_apart():
    with pytest.raises(ContentRefused, match="will not answer"):
        read(REFUSAL)
    with pytest.raises(ContentRefused, match="filter"):
        read(Reply("", "filter", Usage()))
    with pytest.raises(ContextTooLong):
        read(ContextTooLong("too long"))


def test_a_reply_of_a_megabyte_costs_little():
    began = time.process_time()
    many = json.dumps({"points": [POINT] * 25_000})
    assert len(many) > 1_000_000
    assert len(read(many)[1]) > 10
    for text in ("the " * 300_000, "{" * 1_000_000, '{"points": [' + '{"a": ' * 200_000):
        with pytest.raises(ReplyUnreadable):
            read(text)
    assert time.process_time() - began < 20


def test_only_the_beginning_of_a_long_reply_is_read():
    with pytest.raises(ReplyUnreadable):
        read(" " * MAX_CHARACTERS + json.dumps({"points": [POINT]}))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["points", "text", "score", "items", "entities", "name", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='{}[]",:ab\\01.e- \n`', max_size=200) | JSON.map(json.dumps))
@example('{"points": [{"text": "\\ud800", "score": 1}]}')
@example('{"points": [{"text": "a", "score": 1e999}]}')
@example('{"points": [{"text": "a", "score": NaN}]}')
@example('{"points": [{"text": "a", "score": ' + "9" * 5000 + "}]}")
@example("[" * 5000)
@example('{"a":' * 5000)
def test_whatever_a_model_writes_nothing_but_a_model_error_is_raised(text):
    for finish in ("stop", "length"):
        for shape in (Box, Listed):
            try:
                value = asker(Reply(text, finish, Usage())).ask(ASK, Form(shape), "x").value
            except ModelError:
                continue
            # What was read can be stored.
            value.model_dump_json().encode()


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=300))
def test_reading_yields_objects_and_lists_only(text):
    assert all(isinstance(one, dict | list) for one in read_json(text))


@pytest.mark.parametrize(
    ("written", "most", "meant"),
    [
        (85, 100, 85),
        (85.4, 100, 85.4),
        ("85", 100, 85),
        ("85/100", 100, 85),
        ("8.5 / 10", 100, 85),
        ("17 out of 20", 100, 85),
        ("85%", 100, 85),
        ("85 percent", 100, 85),
        ("85 (very helpful)", 100, 85),
        ("85 points", 100, 85),
        (0.85, 100, 85),
        ("0.85", 100, 85),
        ("0,85", 100, 85),
        ("none", 100, 0),
        (0, 100, 0),
        (1, 100, 1),
        ("7/10", 10, 7),
        (7.5, 10, 7.5),
        (0.5, 10, 0.5),
        ("85/100", 10, 8.5),
    ],
)
def test_a_score_whose_meaning_is_certain_is_read(written, most, meant):
    assert read_score(written, most) == pytest.approx(meant)


@pytest.mark.parametrize(
    "written",
    [
        "high", "very 85", 1.0, "1.0", 101, -1, "120/100", "5/0", True, None, [85], {}, "",
        "between 60 and 80", "60-80", float("nan"), float("inf"), 10**400, "1e3",
    ],
)  # fmt: skip
def test_a_score_whose_meaning_is_not_certain_is_not_guessed(written):
    with pytest.raises(ValueError, match="no number from 0 to 100"):
        read_score(written, 100)


def test_labels_are_read_from_lists_and_texts():
    class Cited(Shape):
        records: Labels

    def labels(value):
        return Cited.model_validate({"records": value}).records

    assert labels(["E1", "[r2]", "item 3", 4, 5.0]) == ["E1", "R2", "3", "4", "5"]
    assert labels("E1, R2 and [C3]") == ["E1", "R2", "C3"]
    assert labels(None) == []
    assert labels([["E1"], {"a": 1}, True]) == []


def test_a_rating_that_cannot_be_read_is_unknown_not_an_error():
    class Rated(Shape):
        rating: Rating = None

    assert Rated.model_validate({"rating": "8/10"}).rating == 8
    assert Rated.model_validate({"rating": "high"}).rating is None


def test_text_is_made_fit_for_storing():
    assert clean("a\x00b\ud800c \n d") == "a b?c d"


def test_the_schema_is_strict():
    schema = schema_of(Listed)
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["entities", "relationships", "claims"]
    claim = schema["$defs"]["ListedClaim"]
    assert claim["required"] == list(claim["properties"])
    assert "description" in claim["properties"]
    assert "default" not in json.dumps(schema)
