"""Labels, directions, headers and headings are told from content by their form."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sensemaking.text.normalising import normalise
from sensemaking.text.structure import find_sections

LABEL = re.compile(
    r"^(?:[A-Z][A-Z.'-]+ [A-Z. -]+(?:, [\w. ]+)?|danah boyd|OPERATOR):", re.MULTILINE
)
INTERVIEW = """[MUSIC]
ADA LIND:  Welcome. Today I talk to Bo Nord.
BO NORD: (LAUGHTER) Thank you, Ada. It is true: I like tides.
ADA LIND: Why tides?
BO NORD: They turn. [CROSSTALK] Always.
ADA LIND: And the ship, The Heron: what of her?
BO NORD: She waits.
"""


def titles(text: str, kind: str) -> list[str]:
    return [one.title for one in find_sections(text) if one.kind == kind]


def furniture(text: str) -> list[str]:
    return [text[one.start : one.end] for one in find_sections(text) if one.kind == "furniture"]


def test_a_transcript_has_turns_with_speakers_and_labels_as_furniture() -> None:
    assert titles(INTERVIEW, "turn") == ["Ada Lind", "Bo Nord"] * 3
    found = furniture(INTERVIEW)
    assert found.count("ADA LIND:") == 3
    assert "[MUSIC]" in found
    assert "[CROSSTALK]" in found
    assert not any("The Heron" in one for one in found)


def test_every_word_of_a_turn_belongs_to_its_speaker() -> None:
    turns = [one for one in find_sections(INTERVIEW) if one.kind == "turn"]
    assert INTERVIEW[turns[1].start : turns[1].end].strip() == (
        "(LAUGHTER) Thank you, Ada. It is true: I like tides."
    )


def test_a_firm_after_the_name_belongs_to_the_label() -> None:
    text = "".join(
        f"ADA LIND, Nord Bank: Question {n}, please.\n\nBO NORD: Answer {n}.\n\n" for n in range(3)
    )
    assert titles(text, "turn") == ["Ada Lind", "Bo Nord"] * 3
    assert furniture(text)[0] == "ADA LIND, Nord Bank:"


def test_names_are_spelt_as_the_text_spells_them_and_short_labels_find_their_owner() -> None:
    text = (
        "BO NORD: Today: Neil deGrasse Tyson.\nNEIL DEGRASSE TYSON: Hello.\nBO NORD: Well?\n"
        "BO: Go on.\nNEIL DEGRASSE TYSON: I wait.\n"
    )
    assert titles(text, "turn") == [
        "Bo Nord",
        "Neil deGrasse Tyson",
        "Bo Nord",
        "Bo Nord",
        "Neil deGrasse Tyson",
    ]


def test_small_letters_label_a_turn_in_a_transcript_only() -> None:
    turns = "KEVIN LIND: Why?\n\ndana berg: Because.\n\n" * 5
    assert titles(turns, "turn") == ["Kevin Lind", "dana berg"] * 5
    assert titles("dana berg: no.\n\nmore text: yes.\n\n" * 5, "turn") == []


def test_fields_before_a_transcript_are_not_turns() -> None:
    text = "Guest: Dr. Ada Lind\nTRT: 53:42\nInspector: Ms Rosa Berg\n\n" + INTERVIEW
    assert titles(text, "turn") == ["Ada Lind", "Bo Nord"] * 3


def test_a_speech_has_one_speaker_and_goes_on_under_its_headings() -> None:
    text = "9:10 P.M.\n\nTHE PRESIDENT: Members of the Congress.\n\nTHE ECONOMY\n\nIt grows.\n\nEND"
    turns = [one for one in find_sections(text) if one.kind == "turn"]
    assert [one.title for one in turns] == ["The President"]
    assert "It grows." in text[turns[0].start : turns[0].end]
    assert titles(text, "heading") == ["THE ECONOMY"]
    assert "END" in furniture(text)


def test_what_stands_in_brackets_on_its_own_line_is_a_direction() -> None:
    text = "(Operator Direction.)\n\nThe tide (Spring) turned. (Ada laughs) [TCR 01:08:00] Yes.\n"
    assert furniture(text) == ["(Operator Direction.)", "(Ada laughs)", "[TCR 01:08:00]"]


def test_questions_and_answers_are_turns() -> None:
    text = "\n".join(f"Q: Question {n}?\nA: Answer {n}." for n in range(3))
    assert titles(text, "turn") == ["Q", "A"] * 3


def test_a_list_with_colons_is_not_a_transcript() -> None:
    text = "Applicant: Nord Ltd.\nLocation: Quay 7.\nDate: 4 May 2024.\nPrice: 40 million.\n"
    assert titles(text, "turn") == []


def test_prose_with_a_few_colons_is_not_a_transcript() -> None:
    text = "One thing is clear: the tide turns.\n" + "The ship waits in the harbour.\n" * 40
    assert titles(text, "turn") == []


def test_a_mail_header_is_furniture_and_its_text_is_not() -> None:
    text = "From: Ada Lind\nTo: Bo Nord\nDate: 4 May 2024\nSubject: Tides\n\nThe tide turned.\n"
    assert furniture(text) == ["From: Ada Lind\nTo: Bo Nord\nDate: 4 May 2024\nSubject: Tides\n"]


@pytest.mark.parametrize(
    ("text", "heading"),
    [
        ("# The tide\n\nIt turned.", "The tide"),
        ("The tide\n========\n\nIt turned.", "The tide"),
        ("3. THE GUARANTEE\n\nIt is capped.", "3. THE GUARANTEE"),
        ("PLANNING COMMITTEE\n\nThe chair opened.", "PLANNING COMMITTEE"),
    ],
)
def test_headings_are_found(text: str, heading: str) -> None:
    assert titles(text, "heading") == [heading]


def test_an_item_of_a_list_that_goes_on_below_is_no_heading() -> None:
    text = "1. Ask the owner to open the gate. He\n   must do so.\n\n17 February 2023\n\nIt is.\n"
    assert titles(text, "heading") == []


def test_a_sentence_in_capitals_inside_a_paragraph_is_no_heading() -> None:
    assert titles("He said:\nSTOP THE SHIP\nand she stopped.", "heading") == []


def test_pages_and_running_heads() -> None:
    pages = [f"Harbour report\nThe text of page {n} is its own.\n{n}" for n in (1, 2, 3)]
    text, spans = "", []
    for page in pages:
        spans.append((len(text), len(text) + len(page)))
        text += page + "\n\n"
    sections = find_sections(text, spans)
    assert [one.title for one in sections if one.kind == "page"] == ["1", "2", "3"]
    heads = [text[one.start : one.end] for one in sections if one.title == "running head"]
    assert heads.count("Harbour report") == 3
    assert heads.count("2") == 1


def test_sections_are_sorted() -> None:
    found = [(one.start, one.end, one.kind) for one in find_sections(INTERVIEW)]
    assert found == sorted(found)


@pytest.mark.shared_data
@pytest.mark.parametrize("corpus", ["behind_the_tech_podcast", "msft_earnings_calls"])
def test_in_real_transcripts_no_label_is_left_and_speakers_are_known(
    shared_data: Path, corpus: str
) -> None:
    left: list[str] = []
    paths = sorted((shared_data / "data/corpora" / corpus / "full").glob("*.txt"))
    for path in [*paths[::4], *paths[10:14]]:
        text = normalise(path.read_text("utf-8"))
        sections = find_sections(text)
        covered = bytearray(len(text))
        for one in sections:
            if one.kind == "furniture":
                covered[one.start : one.end] = b"\x01" * (one.end - one.start)
        left += [match[0] for match in LABEL.finditer(text) if not covered[match.start()]]
        turns = [one for one in sections if one.kind == "turn"]
        spoken = sum(one.end - one.start for one in turns)
        assert spoken > 0.9 * len(text), path.name
    assert left == []
