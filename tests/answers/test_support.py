"""How far a sentence rests on what it cites."""

import pytest

from sensemaking.answers.support import overlap, support, support_level

PASSAGE = "In May 2024 Meridian paid 1,204 crowns to the Harbour Authority for dredging Quay 7."


@pytest.mark.parametrize(
    "sentence",
    [
        PASSAGE,
        "Meridian paid 1204 crowns.",
        "Meridian paid the Harbour Authority for the dredging.",
        "“Meridian paid 1,204 crowns …”",
        "the Harbour Authority was paid for dredging Quay 7",
    ],
)
def test_what_the_passage_says_is_fully_supported(sentence):
    assert support(sentence, [PASSAGE]) == 100


@pytest.mark.parametrize(
    "sentence",
    [
        "In May 2024 Meridian paid 1,304 crowns to the Harbour Authority for dredging Quay 7.",
        "In May 2023 Meridian paid 1,204 crowns to the Harbour Authority for dredging Quay 7.",
        "In May 2024 Hallorsen paid 1,204 crowns to the Harbour Authority for dredging Quay 7.",
        "In May 2024 Meridian paid 1,204 crowns to the Harbour Council for dredging Quay 7.",
    ],
)
def test_a_changed_figure_or_name_caps_support_at_40(sentence):
    assert support(sentence, [PASSAGE]) == 40


def test_without_a_passage_there_is_no_support():
    assert support("Meridian paid.", []) == 0
    assert support("Meridian paid.", [" "]) == 0


def test_support_is_the_share_found_rounded_down():
    # wanted: paid, crowns, quickly, secretly (words); found: 2 of 4
    assert support("paid crowns quickly secretly", ["He paid two crowns."]) == 50
    # 2 of 3 is 66 percent
    assert support("paid crowns quickly", ["He paid two crowns."]) == 66


def test_passages_count_together():
    assert support("Falk built the lock and the weir.", ["Falk built the lock.", "the weir"]) == 100


def test_who_speaks_may_be_credited_and_nobody_else():
    sentence = "Reid Hoffman: “Meridian paid 1,204 crowns.”"
    assert support(sentence, [PASSAGE]) == 40
    assert support(sentence, [PASSAGE], ["REID HOFFMAN"]) == 100
    assert support(sentence, [PASSAGE], ["Ida Fenner"]) == 40


def test_figures_compare_by_value():
    assert support("Sales reached 40 million.", ["sales reached 40M"]) == 100
    assert support("Sales grew 12.50 percent.", ["sales grew 12.5%"]) == 100


def test_a_sentence_of_function_words_must_stand_in_one_passage():
    assert support("It is so.", ["He said it is so, and left."]) == 100
    assert support("It is so.", ["So it is."]) == 0


def test_quotations_in_other_scripts_are_supported():
    korean = "항만청은 동부 부두를 2024년에 폐쇄했다."
    assert support(korean, [korean]) == 100
    assert support("Порт закрыли весной.", ["Порт закрыли весной 2024 года."]) == 100
    assert support("港湾局は埠頭を閉鎖した。", ["昨日、港湾局は埠頭を閉鎖した。"]) == 100


def test_an_invention_is_unsupported():
    value = support("Dragons devoured eleven bishops yesterday.", [PASSAGE])
    assert support_level(value) == "unsupported"


def test_the_levels_have_the_bounds_of_the_design():
    assert [support_level(value) for value in (100, 60, 59, 20, 19, 0)] == [
        "supported",
        "supported",
        "weak",
        "weak",
        "unsupported",
        "unsupported",
    ]


def test_overlap_counts_shared_words_and_figures():
    assert overlap("Meridian paid 1204 crowns", PASSAGE) > overlap("the ferry sails", PASSAGE) == 0
