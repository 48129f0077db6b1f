"""Answers by quotation."""

import re

from sensemaking.answers.dialect import parse_blocks, parse_sentences
from sensemaking.backends.extractive.covering import cover
from sensemaking.backends.extractive.grouping import group_by_speaker
from sensemaking.backends.extractive.ranking import similarity
from sensemaking.backends.extractive.reducer import QUOTED, SIDE_BY_SIDE, ExtractiveReducer
from sensemaking.backends.extractive.statements import find_differing, join_points
from tests.backends.small_world import point

REDUCER = ExtractiveReducer()
QUESTION = "What would it cost to clean Quay 7, and who pays?"
POINTS = [
    point(
        1, "Removing the cadmium from Quay 7 would cost 58 million crowns.", 95, heading="Quay 7"
    ),
    point(2, "The Harbour Authority carries the cost of the basin under clause 14.3.", 90),
    point(3, "Removal of the cadmium from Quay 7 would cost 58 million crowns.", 88),
    point(
        4,
        "Making the cadmium at Quay 7 safe would cost 31 million crowns.",
        80,
        heading="Quay 7 and cadmium",
    ),
    point(5, "Reinholt: “The Authority's reserves are 71 million.”", 70, heading="Reserves"),
    point(6, "The reserves would fall to 13 million after the works.", 60, heading="Reserves"),
    point(7, "Ferries sail from Quay 4 every morning.", 5),
]


def answer(question=QUESTION, points=POINTS):
    return "".join(REDUCER.reduce(question, points))


def cited(text):
    return [
        (sentence, numbers)
        for block in parse_blocks(text)
        if block.kind == "paragraph"
        for sentence, numbers in parse_sentences(block.text)
    ]


def test_every_sentence_is_a_quotation_with_the_numbers_of_its_points():
    for sentence, numbers in cited(answer()):
        words = re.fullmatch(r"(?:[^“”]+: )?“(.+)”", sentence)
        assert words is not None
        assert numbers
        assert words[1] in POINTS[numbers[0] - 1].text


def test_near_duplicates_are_joined_with_all_their_sources():
    assert [numbers for _, numbers in cited(answer()) if 1 in numbers] == [(1, 3)]


def test_the_answer_begins_with_the_most_helpful_and_leaves_out_what_hardly_helps():
    sentences = cited(answer())
    assert sentences[0][1][0] == 1
    assert not any(7 in numbers for _, numbers in sentences)
    assert {number for _, numbers in sentences for number in numbers} == {1, 2, 3, 4, 5, 6}


def test_each_point_is_cited_once():
    numbers = [number for _, ones in cited(answer()) for number in ones]
    assert len(numbers) == len(set(numbers))


def test_what_differs_stands_side_by_side():
    numbers = [ones for _, ones in cited(answer())]
    assert numbers.index((4,)) == numbers.index((1, 3)) + 1


def test_what_differs_further_down_has_a_section_of_its_own():
    points = [
        *(
            point(n, f"The {thing} was rebuilt by Falk.", 100 - n)
            for n, thing in enumerate(
                ["lock of Varn", "crane of Norra", "shed of Salt Street"], start=1
            )
        ),
        point(4, "The gate of Section T3 will be ready in March 2027.", 60, heading="Section T3"),
        point(5, "The gate of Section T3 is ready in November 2027.", 55, heading="Section T3"),
    ]
    blocks = parse_blocks(answer("What was rebuilt?", points))
    at = next(n for n, block in enumerate(blocks) if block.text == SIDE_BY_SIDE)
    assert [ones for _, ones in parse_sentences(blocks[at + 1].text)] == [(4,), (5,)]


def test_statements_that_agree_are_not_set_against_each_other():
    joined = join_points(
        [
            point(1, "Cadmium at Quay 7 lies at 3.1 metres under the apron.", 90, heading="Quay 7"),
            point(
                2,
                "At 3.1 metres under the apron of Quay 7 drillers met cadmium.",
                80,
                heading="Quay 7",
            ),
        ]
    )
    assert find_differing(joined, similarity([one.stems for one in joined])) == []


def test_a_speaker_keeps_the_attribution():
    assert "Reinholt: “The Authority's reserves are 71 million.” [5]" in answer()


def test_who_questions_are_ordered_by_speaker():
    points = [
        point(n, f"{name}: “{words}”", 90 - n)
        for n, (name, words) in enumerate(
            [
                ("Ada Lind", "Diversity made our laboratory in Varnholm stronger."),
                ("Bo Falk", "I hired women for every second post of the shipyard."),
                ("Cy Aho", "Inclusion begins in the schools of the poorer districts."),
                ("Ada Lind", "We lost good engineers because nobody listened to them."),
                ("Bo Falk", "The board never asked who was missing from the table."),
                ("Dot Ek", "Minority founders receive two per cent of the money."),
            ],
            start=1,
        )
    ]
    headings = [
        block.text
        for block in parse_blocks(answer("Which guests discuss diversity?", points))
        if block.kind == "heading"
    ]
    assert set(headings) <= {"Ada Lind", "Bo Falk", "Cy Aho", "Dot Ek"}
    assert len(headings) >= 3
    statements = join_points(points)
    assert [heading for heading, _ in group_by_speaker(statements, least=2)] == [
        "Ada Lind",
        "Bo Falk",
        "Further points",
    ]


def test_a_question_about_the_whole_is_answered_by_themes():
    points = [
        point(1, "Cadmium lies under the apron of Quay 7.", 90, heading="Quay 7 and cadmium"),
        point(2, "The ferry employs 188 people on the quays.", 80, heading="Ferry"),
        point(
            3,
            "Nordmann surveyed the basins in 2019 for the Authority.",
            70,
            heading="Quay 7 and cadmium",
        ),
    ]
    blocks = parse_blocks(answer("What are the main themes?", points))
    assert [block.text for block in blocks if block.kind == "heading"] == [
        "Quay 7 and cadmium",
        "Ferry",
    ]


def test_notes_say_what_is_not_mentioned_and_that_sentences_are_quotations():
    notes = [
        block.text
        for block in parse_blocks(answer("What does Judy Estrin say about Quay 7?"))
        if block.kind == "note"
    ]
    assert "No passage used here mentions “Judy Estrin”." in notes
    assert notes[-1] == QUOTED


def test_quotation_marks_inside_a_quotation_do_not_break_it():
    points = [point(1, "She called it “a hole” and said “stop [3]” to the board of the port.", 90)]
    [(sentence, numbers)] = cited(answer(points=points))
    assert numbers == (1,)
    assert sentence.startswith("“She called it ‘a hole’")


def test_no_points_give_a_note_only():
    blocks = parse_blocks(answer(points=[]))
    assert [block.kind for block in blocks] == ["note"]


def test_the_answer_comes_in_small_pieces_and_the_same_each_time():
    pieces = list(REDUCER.reduce(QUESTION, POINTS))
    assert len(pieces) > 15
    assert max(len(piece.split()) for piece in pieces) <= 4
    assert pieces == list(REDUCER.reduce(QUESTION, POINTS))


def test_many_points_give_an_answer_that_can_be_read_in_three_minutes():
    things = ("quay", "lock", "crane", "shed", "barge", "tower", "pump", "weir", "ramp", "dock")
    points = [
        point(
            n,
            f"The {things[n % 10]} of {name} was rebuilt by {name} in {1900 + n} at great cost.",
            100 - n,
        )
        for n, name in enumerate(f"{a}{b}orst" for a in "BDFGHKLM" for b in "aeiou")
    ]
    text = answer("What was rebuilt?", points)
    assert 20 <= len(cited(text)) <= 40
    assert len(text.split()) < 1000


def test_a_statement_that_adds_a_fact_goes_before_one_that_says_it_again():
    statements = join_points(
        [
            point(1, "The works at Quay 7 would cost 58 million crowns, says Hallorsen.", 90),
            point(2, "Hallorsen never put 58 million crowns on the works at Quay 7.", 80),
            point(3, "The reserves of the Authority are 71 million crowns after 2026.", 78),
            point(4, "In 2026 the Authority has no reserves of 71 million crowns.", 40),
        ]
    )
    assert cover(statements, 2, 500) == [0, 2]


def test_a_choice_keeps_to_its_words_but_is_never_empty():
    statements = join_points([point(n, f"Quay {n} was rebuilt by Falk.", 90) for n in range(1, 6)])
    assert cover(statements, 40, 12) == [0, 1]
    assert cover(statements, 40, 3) == [0]
    assert cover([], 40, 3) == []
