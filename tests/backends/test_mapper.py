"""Windows read by their words."""

import time

import pytest

from sensemaking.backends.extractive.mapper import ExtractiveMapper
from sensemaking.backends.extractive.questions import asked_names, read_question
from sensemaking.backends.extractive.synonyms import related
from sensemaking.types import Citation, ContextBlock, ContextItem
from tests.backends import small_world as world

MAPPER = ExtractiveMapper()
GROUND = world.report(
    "ground",
    "Quay 7 and cadmium",
    (
        world.finding(1, "survey", "Hallorsen found", "Cadmium and Hallorsen"),
        world.finding(2, "survey", "Removing the", "Cadmium and Quay 7"),
        world.finding(3, "survey", "The survey", "Survey"),
        world.finding(4, "press", "Meridian says", "Meridian and Quay 7"),
    ),
    rating=8.0,
)
PORT = world.report(
    "port",
    "Ferry and Ostervik Line",
    (world.finding(5, "press", "The ferry", "Ferry"),),
    rating=3.0,
)
BLOCKS = [world.block(GROUND), world.block(PORT)]


def read(question, blocks=BLOCKS):
    return MAPPER.prepare(question, blocks)(world.window(*blocks))


def test_the_finding_that_answers_comes_first_and_is_helpful():
    points = read("How many people does the ferry employ?")
    assert points[0].text.startswith("The ferry of the Ostervik Line employs 188")
    assert points[0].helpfulness >= 80
    assert points[0].citations == (Citation("finding", PORT.findings[0].id),)
    assert points[0].heading == "Ferry"


def test_points_are_findings_as_they_stand_and_fall_in_helpfulness():
    points = read("What was found at Quay 7, and what would removing the cadmium cost?")
    texts = {one.text for one in (*GROUND.findings, *PORT.findings)}
    scores = [one.helpfulness for one in points]
    assert len(points) >= 2
    assert all(one.text in texts for one in points)
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 100 for score in scores)


@pytest.mark.parametrize(
    "question",
    [
        "What is the best recipe for lasagne?",
        "🙂",
        "?!",
        "qwrtz plomp vexil",
        "오늘 날씨가 어때요?",
        "كيف أطبخ اللازانيا؟",
    ],
)
def test_a_question_about_something_else_gets_nothing(question):
    assert list(read(question)) == []


def test_a_window_about_something_else_gets_nothing():
    reads = MAPPER.prepare("How many people does the ferry employ?", BLOCKS)
    assert list(reads(world.window(BLOCKS[0]))) == []
    assert len(reads(world.window(BLOCKS[1]))) == 1


@pytest.mark.parametrize(
    "question",
    [
        "What are the main themes?",
        "What recurring topics do speakers emphasize in their discussions?",
        "Give me an overview of these documents.",
        "Was sind die Hauptthemen?",
        "이 문서들의 주요 주제는 무엇인가요?",
    ],
)
def test_a_question_about_the_whole_takes_what_is_prominent(question):
    points = read(question)
    assert points[0].heading == GROUND.title
    assert points[0].helpfulness > max(
        one.helpfulness for one in points if one.heading == PORT.title
    )


def test_words_of_the_same_idea_are_found_but_count_less():
    direct = read("What does removing the cadmium cost?")[0]
    other = read("What is the price of removing the cadmium?")[0]
    assert other.text == direct.text
    assert 0 < other.helpfulness <= direct.helpfulness
    assert "price" in related("cost")


def test_korean_findings_are_found_by_a_korean_question():
    item = ContextItem(
        1, "부두", "항만청은 동부 부두를 2024년에 폐쇄했다.", Citation("finding", "k")
    )
    other = ContextItem(2, "여객선", "여객선은 매일 아침 출항한다.", Citation("finding", "l"))
    blocks = [ContextBlock("b", "부두", "# 부두\n", 20, 5.0, 1, (item, other))]
    points = read("동부 부두는 언제 폐쇄되었는가?", blocks)
    assert [point.text for point in points][0] == item.text


def test_a_question_of_5000_characters_works():
    question = "What was found at Quay 7 and who pays for the cadmium? " * 91
    assert len(question) > 5000
    assert read(question)[0].helpfulness > 40


def test_near_duplicates_in_a_window_are_one_point():
    items = tuple(
        ContextItem(
            n,
            "Ferry",
            f"The ferry of the Ostervik Line employs 188 people{end}",
            Citation("finding", str(n)),
        )
        for n, end in ((1, "."), (2, " now."))
    )
    blocks = [ContextBlock("b", "Ferry", "# Ferry\n", 20, 5.0, 1, items)]
    assert len(read("How many people does the ferry employ?", blocks)) == 1


def test_what_the_host_says_counts_less_where_guests_are_asked_about():
    said = [
        ("Host", "ferry"),
        ("Host", "The cold store of Frosthavn burned in 1950 and nobody saw it come."),
        ("Ada Lind", "tower"),
        ("Bo Falk", "We bought the bridge from Meridian for one crown in 1999."),
    ]
    risk = "The greatest risk in the {} is the old gate of 1920, which {} cannot close."
    named = {"ferry": risk.format("port", "Falk"), "tower": risk.format("north", "nobody alive")}
    items = tuple(
        ContextItem(n, words, f"{who}: “{named.get(words, words)}”", Citation("finding", str(n)))
        for n, (who, words) in enumerate(said, start=1)
    )
    blocks = [ContextBlock("b", "Docks", "# Docks\n", 20, 5.0, 1, items)]
    scores = {
        point.heading: point.helpfulness for point in read("Which guests name a risk?", blocks)
    }
    assert scores["tower"] > scores["ferry"]


def test_terms_names_clauses_and_kinds_of_questions():
    question = read_question("Who pays for Quay 7, and why was it delayed until March 2027?")
    assert question.kind == "who"
    assert {term.stems for term in question.terms} >= {"quay 7", "march 2027", "pay", "delay"}
    assert len(question.clauses) == 2
    assert asked_names("What does Judy Estrin say about sustainability?") == (
        "Judy Estrin",
        "sustainability",
    )


def test_the_order_of_blocks_changes_nothing():
    question = "What would removing the cadmium cost?"
    forth, back = MAPPER.prepare(question, BLOCKS), MAPPER.prepare(question, BLOCKS[::-1])
    assert forth(world.window(*BLOCKS)) == back(world.window(*BLOCKS))


def test_1500_reports_are_prepared_in_half_a_second_and_read_in_four():
    blocks = [
        ContextBlock(
            f"b{n:04}",
            f"Quay {n} and basin {n % 37}",
            f"# Quay {n}\n",
            350,
            n % 10,
            n % 13,
            tuple(
                ContextItem(
                    m,
                    f"Quay {n}",
                    f"The harbour of quay {n} was inspected {m} times after the storm broke basin "
                    f"{n % 37} and cost {n * m} crowns, said inspector {chr(65 + n % 26)}. Falk.",
                    Citation("finding", f"{n}-{m}"),
                )
                for m in range(1, 9)
            ),
        )
        for n in range(1500)
    ]
    began = time.process_time()
    reads = MAPPER.prepare(
        "Which challenges of the harbour did the storm cause, and at what cost?", blocks
    )
    prepared = time.process_time() - began
    points = [
        point for n in range(0, 1500, 22) for point in reads(world.window(*blocks[n : n + 22]))
    ]
    read_all = time.process_time() - began
    assert points
    # The budget is 0.4 and 4 seconds of a machine with nothing else to do.
    assert prepared < 0.8
    assert read_all < 6
