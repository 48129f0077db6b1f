"""Labels, directions, headers and headings are told from content by their form."""

from __future__ import annotations

import pytest

from sensemaking.text.structure import find_sections

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
def test_no_label_is_left_in_the_interviews(shared_data: object) -> None:
    import re
    from pathlib import Path

    folder = Path(str(shared_data)) / "data/corpora/behind_the_tech_podcast/full"
    left = 0
    for path in sorted(folder.glob("*.txt"))[:12]:
        text = path.read_text()
        covered = bytearray(len(text))
        for one in find_sections(text):
            if one.kind == "furniture":
                covered[one.start : one.end] = b"\x01" * (one.end - one.start)
        left += sum(
            not covered[match.start()] for match in re.finditer(r"^[A-Z][A-Z. ]+:", text, re.M)
        )
    assert left == 0
