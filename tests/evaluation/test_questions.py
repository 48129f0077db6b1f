"""Question files of all kinds, good and bad."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sensemaking.errors import InputError
from sensemaking.evaluation.questions import (
    describe_corpus,
    gather_questions,
    questions_of_personas,
    read_questions,
    revise_questions,
    write_answers,
    write_questions,
)
from sensemaking.ports import PersonaDraft
from sensemaking.types import Question, QuestionSet

LINES = (
    '{"id": "a", "question": "What delays the bridge?", "gold_ids": ["d1", "d2"]}\n'
    '{"id": "b", "question": "Who pays?", "answer": "The council"}\n'
)


def test_json_lines_are_read_with_gold_and_answers() -> None:
    found = read_questions("set.jsonl", LINES.encode())
    assert found.id == "set"
    assert [one.text for one in found.questions] == ["What delays the bridge?", "Who pays?"]
    assert found.questions[0].gold == (("d1", 1.0), ("d2", 1.0))
    assert found.questions[1].answer == "The council"


def test_lists_of_benchmarkqed_are_read_and_written() -> None:
    listed = [{"question_id": "1", "question_text": "Who pays?", "answer": "The council."}]
    found = read_questions("q.json", json.dumps(listed).encode())
    assert found.questions == (Question("1", "Who pays?", answer="The council."),)
    assert json.loads(write_questions(found.questions, "benchmarkqed")) == listed
    assert json.loads(write_answers(found.questions, {"1": "Nobody."})) == [
        {"question_id": "1", "question_text": "Who pays?", "answer": "Nobody."}
    ]
    assert json.loads(write_answers(found.questions, {})) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", 'question_id,query\n1,"Who pays, and why?"\n2,What next?\n'),
        ("q.csv", 'id;question\n1;"Who pays, and why?"\n2;What next?\n'),
        ("q.tsv", "id\tquestion\n1\tWho pays, and why?\n2\tWhat next?\n"),
        ("q.json", '["Who pays, and why?", "What next?"]'),
        ("q.json", '{"questions": [{"text": "Who pays, and why?"}, {"text": "What next?"}]}'),
        ("q.txt", "Who pays, and why?\n\nWhat next?\n"),
    ],
)
def test_tables_lists_and_lines_are_understood(name: str, text: str) -> None:
    found = read_questions(name, text.encode())
    assert [one.text for one in found.questions] == ["Who pays, and why?", "What next?"]
    assert len({one.id for one in found.questions}) == 2


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252", "utf-16-le"])
def test_encodings_are_told_from_the_bytes(encoding: str) -> None:
    asked = "Welche Gründe gibt es für die Größe der Kräne, und wer muß die Straßen räumen?"
    text = f'{{"question": "{asked}"}}\n{{"question": "Wie hoch ist das für später geschätzt?"}}\n'
    found = read_questions("q.jsonl", text.encode(encoding))
    assert found.questions[0].text == asked


def test_repeated_questions_are_kept_once_and_noted() -> None:
    lines = '{"question": "Who pays?"}\n{"question": "who  pays?"}\n{"question": "When?"}\n'
    found = read_questions("q.jsonl", lines.encode())
    assert [one.text for one in found.questions] == ["Who pays?", "When?"]
    assert "1 of the questions" in found.notes[0]


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("q.csv", b"frage,antwort\nWer?,Rat\n", ("frage", "question", "Rename")),
        ("q.jsonl", b'{"prompt": "Who?"}\n', ("line 1", "prompt", "question")),
        ("q.jsonl", b'{"question": "Who?"}\n{"question": \n', ("line 2", "not JSON")),
        ("q.jsonl", b'{"question": "Who?"}\n[1]\n', ("line 2", "no object")),
        ("q.json", b"[1, 2]", ("entry 1", "neither")),
        ("q.json", b"[" * 4000, ("not JSON",)),
        ("q.jsonl", b'{"question": "  "}\n', ("no question",)),
        ("q.jsonl", b'{"question": 7}\n', ("line 1", "no text")),
        ("q.jsonl", b'{"id":"a","question":"Who?"}\n{"id":"a","question":"When?"}\n', ("“a”",)),
        ("q.jsonl", b'{"question": "Who?", "gold_ids": 7}\n', ("gold", "list")),
        ("q.jsonl", b"", ("no question",)),
        ("q.csv", b"question\n", ("no question",)),
        ("q.bin", bytes(range(256)) * 40, ("cannot be read",)),
    ],
)
def test_bad_files_say_where_and_what_to_do(name: str, data: bytes, said: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as raised:
        read_questions(name, data)
    assert name in str(raised.value)
    for part in said:
        assert part in str(raised.value)


def test_ten_thousand_questions_survive_the_round_trip() -> None:
    many = tuple(
        Question(str(n), f"What of {n}?", "global", gold=((f"d{n}", 1.0 + n % 2),))
        for n in range(10_000)
    )
    assert read_questions("q.jsonl", write_questions(many).encode()).questions == many


def test_questions_of_personas_know_who_asks_and_come_once() -> None:
    drafts = [
        PersonaDraft("A teacher", (("plan", ("Who pays?", "When?")), ("show", ("When?",)))),
    ]
    found = questions_of_personas("made", drafts)
    assert [(one.text, one.origin) for one in found.questions] == [
        ("Who pays?", ("A teacher", "plan")),
        ("When?", ("A teacher", "plan")),
    ]
    again = read_questions("made.jsonl", write_questions(found.questions).encode())
    assert again.questions == found.questions
    assert gather_questions("x", ()).questions == ()


def test_a_description_lists_topics_and_names_each_once() -> None:
    told = describe_corpus("Bridge", ["River  wall", "Costs", "Costs"], ["Ada Penrose"])
    assert told.count("- Costs") == 1
    assert "- River wall" in told
    assert "* Ada Penrose" in told


def test_lines_without_a_question_are_left_out_and_noted() -> None:
    lines = '{"question": "Who pays?"}\n{"question": "", "id": "x"}\n{"question": null}\n'
    found = read_questions("q.jsonl", lines.encode())
    assert [one.text for one in found.questions] == ["Who pays?"]
    assert "line 2, line 3" in found.notes[0]


@pytest.mark.shared_data
def test_the_shared_question_files_are_read(shared_data: Path) -> None:
    for path in sorted((shared_data / "data" / "questions").glob("*.jsonl")):
        found = read_questions(path.name, path.read_bytes())
        n_lines = len(path.read_text().splitlines())
        assert 0.9 * n_lines <= len(found.questions) <= n_lines


def test_questions_are_changed_added_and_left_out_on_one_page_of_many() -> None:
    many = [Question(str(n), f"What of {n}?", gold=((f"d{n}", 2.0),)) for n in range(250)]
    found = QuestionSet("many", tuple(many))
    rows = [
        {"id": "100", "question": "What of a hundred?", "gold_ids": "d100"},
        {"id": "101", "question": "What of 101?", "gold_ids": "d101; other"},
        {"id": "", "question": "And what else?", "gold_ids": ""},
        {"id": "102", "question": "   "},
    ]
    revised = revise_questions(found, 100, 200, rows)
    assert len(revised.questions) == 250 - 100 + 3
    changed, more, fresh = revised.questions[100:103]
    assert (changed.id, changed.text, changed.gold) == (
        "100",
        "What of a hundred?",
        (("d100", 2.0),),
    )
    assert more.gold == (("d101", 1.0), ("other", 1.0))
    assert fresh.id
    assert revised.questions[103] == many[200]
    with pytest.raises(InputError, match="no question"):
        revise_questions(QuestionSet("one", (many[0],)), 0, 1, [])
    with pytest.raises(InputError, match="id “7”"):
        revise_questions(found, 100, 200, [{"id": "7", "question": "Who?"}])
    twice = revise_questions(found, 100, 200, [{"question": "What of 7?"}])
    assert "came twice" in twice.notes[0]


def test_who_asks_stays_when_a_page_of_questions_is_saved() -> None:
    asked = Question("1", "What of it?", origin=("A reporter", "find the story"))
    row = {"id": "1", "question": "What of it all?", "answer": "", "gold_ids": "", "type": ""}
    revised = revise_questions(QuestionSet("one", (asked,)), 0, 1, [row]).questions
    assert revised == (replace(asked, text="What of it all?"),)


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85", "\x0c", "\x1e"])
def test_any_end_of_a_line_in_a_question_survives_the_round_trip(mark: str) -> None:
    asked = (Question("1", f"What of this{mark}and that?"), Question("2", "What else?"))
    assert read_questions("again.jsonl", write_questions(asked).encode()).questions == asked


@pytest.mark.parametrize("gain", ["NaN", "Infinity", "-1", "1e999", "9" * 400])
def test_gains_that_are_no_amount_are_refused(gain: str) -> None:
    line = f'{{"question": "What?", "gold_ids": {{"docks": {gain}}}}}'
    with pytest.raises(InputError, match=r"line 1: the gold documents"):
        read_questions("gains.jsonl", line.encode())


@pytest.mark.parametrize("field", ["question", "answer", "id", "persona"])
def test_half_of_a_character_is_refused_where_it_stands(field: str) -> None:
    line = json.dumps({"question": "What?"} | {field: "half \ud800 of one"})
    with pytest.raises(InputError, match=r"line 1 holds a broken character"):
        read_questions("half.jsonl", line.encode())
