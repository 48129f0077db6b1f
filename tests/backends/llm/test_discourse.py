"""Trees cover their passage, have one root and no cycle, whatever the model lists."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.backends.llm.discourse import LlmDiscourseParser
from sensemaking.backends.llm.trees import read_relation, sentence_units
from sensemaking.errors import ContentRefused
from sensemaking.ports import DISCOURSE_RELATIONS, PassageRelation, PlanStep
from tests.backends.llm.replaying import asked, asker, counts

PASSAGE = "  The ferry stopped\nbecause the river froze. Nobody had expected that.\n"


def unit(number, text, parent, role="S", relation="Cause"):
    return {"id": number, "text": text, "role": role, "parent": parent, "relation": relation}


TREE = [
    unit(1, "The ferry stopped", 0, "N"),
    unit(2, "because the river froze.", 1, relation="cause"),
    unit(3, "Nobody had expected that.", 2, relation="Surprise"),
]


def parse(*replies, passage=PASSAGE):
    one = asker(*replies)
    return one, LlmDiscourseParser(one).parse(passage)


def check_tree(tree, passage):
    assert [one.number for one in tree] == list(range(1, len(tree) + 1))
    assert tree[0].start == 0
    assert tree[-1].end == len(passage)
    assert all(one.end == other.start for one, other in zip(tree, tree[1:], strict=False))
    (root,) = [one for one in tree if one.parent == 0]
    assert root.role == "N"
    for one in tree:
        assert one.relation in DISCOURSE_RELATIONS
        seen = set()
        while one.parent:
            assert one.number not in seen
            seen.add(one.number)
            one = tree[one.parent - 1]


def test_a_good_tree_covers_the_passage():
    one, tree = parse({"edus": TREE})
    check_tree(tree, PASSAGE)
    assert [PASSAGE[part.start : part.end].strip() for part in tree] == [
        "The ferry stopped",
        "because the river froze.",
        "Nobody had expected that.",
    ]
    assert [part.relation for part in tree] == ["Cause", "Cause", "Elaboration"]
    assert [part.parent for part in tree] == [0, 1, 2]
    assert len(asked(one)) == 1


def test_ids_need_not_count_from_one():
    renamed = [part | {"id": part["id"] * 10, "parent": part["parent"] * 10} for part in TREE]
    assert [part.parent for part in parse({"edus": renamed})[1]] == [0, 1, 2]


@pytest.mark.parametrize(
    ("edus", "says"),
    [
        (TREE[:2], "the units end before the passage does"),
        ([TREE[1], TREE[0], TREE[2]], "does not go on where"),
        ([TREE[0] | {"text": "The ferry ended"}, *TREE[1:]], "does not go on where"),
        ([TREE[0], TREE[1] | {"parent": 0}, TREE[2]], "2 units have the parent 0"),
        ([TREE[0] | {"parent": 3}, *TREE[1:]], "0 units have the parent 0"),
        ([TREE[0], TREE[1] | {"parent": 3}, TREE[2]], "unit 2 is its own ancestor"),
        ([TREE[0], TREE[1], TREE[2] | {"parent": 3}], "unit 3 is its own ancestor"),
        ([TREE[0], TREE[1] | {"parent": 9}, TREE[2]], "which is no unit"),
        ([TREE[0], TREE[1] | {"id": 1}, TREE[2]], "the same id"),
        ([], "no"),
    ],
)
def test_a_tree_that_is_none_is_asked_for_again_then_sentences_stand_for_it(edus, says):
    one, tree = parse({"edus": edus}, {"edus": TREE})
    assert says in asked(one)[1][-1].text or not edus
    assert len(tree) == 3
    one, tree = parse({"edus": edus})
    check_tree(tree, PASSAGE)
    assert [part.relation for part in tree] == ["Elaboration", "Elaboration"]
    assert counts(one)["trees replaced by sentences"] == 1


@pytest.mark.parametrize("bad", ["no", "", ContentRefused("refused"), "[" * 1000])
def test_without_a_tree_sentences_stand_for_it(bad):
    check_tree(parse(bad)[1], PASSAGE)


@settings(max_examples=60, deadline=None)
@given(
    st.text(min_size=1, max_size=120).filter(str.strip),
    st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=6),
)
def test_any_passage_and_any_reply_give_a_tree(passage, links):
    words = passage.split()
    edus = [
        unit(number, words[at] if at < len(words) else "x", parent)
        for at, (number, parent) in enumerate(links)
    ]
    check_tree(parse(json.dumps({"edus": edus}), passage=passage)[1], passage)
    check_tree(sentence_units(passage), passage)


def test_an_empty_passage_has_no_units():
    assert parse("x", passage=" \n")[1] == ()


TEXTS = ("The ferry stopped.", "The river froze. It was cold.", "The owner denies it.")
TREES = tuple(sentence_units(one) for one in TEXTS)


def test_relations_are_between_different_passages_that_are_there():
    one = asker(
        {
            "relations": [
                {"source": 2, "target": 1, "relation": "CAUSE"},
                {"source": "3", "target": "passage 1", "relation": "contrast"},
                {"source": 2, "target": 1, "relation": "Contrast"},
                {"source": 1, "target": 1, "relation": "Cause"},
                {"source": 1, "target": 9, "relation": "Cause"},
                {"source": 1, "target": 3, "relation": "UNRELATED"},
                {"source": 1, "target": 2, "relation": "Same-Unit"},
            ]
        }
    )
    assert LlmDiscourseParser(one).relate(TEXTS, TREES) == (
        PassageRelation(2, 1, "Cause"),
        PassageRelation(3, 1, "Contrast"),
    )
    assert counts(one)["relations between nothing dropped"] == 4
    assert "2.2 (S, Elaboration of 2.1) It was cold." in asked(one)[0][1].text


def test_one_passage_has_no_relations_and_needs_no_call():
    one = asker("x")
    assert LlmDiscourseParser(one).relate(TEXTS[:1], TREES[:1]) == ()
    assert asked(one) == []


def test_relations_and_plans_that_cannot_be_had_are_none_and_counted():
    one = asker("x", "x", "y", "y")
    assert LlmDiscourseParser(one).relate(TEXTS, TREES) == ()
    assert LlmDiscourseParser(one).plan("Why?", TEXTS, TREES, ()) == ()
    assert counts(one)["relations between passages not had"] == 1
    assert counts(one)["plans not had"] == 1


def test_a_plan_names_passages_and_units_that_are_there():
    steps = [
        {"goal": "Say why.", "passages": [2, 9], "use": ["2.1", "2.7"], "relation": None},
        {"goal": "Set against.", "passages": [], "use": "3.1", "relation": "contrast"},
    ]
    plan = LlmDiscourseParser(asker({"steps": steps})).plan("Why?", TEXTS, TREES, ())
    assert plan == (
        PlanStep("Say why.", (2,), ("2.1",), ""),
        PlanStep("Set against.", (3,), ("3.1",), "Contrast"),
    )
    one = asker({"steps": []})
    assert LlmDiscourseParser(one).plan("Why?", TEXTS, TREES, ()) == ()
    assert "the plan has no step" in asked(one)[1][-1].text


def test_relations_are_known_however_they_are_written():
    assert read_relation("manner means") == "Manner-Means"
    assert read_relation("TOPIC_CHANGE") == "Topic-Change"
    assert read_relation("Surprise") is None
