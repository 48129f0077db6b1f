import pytest

from sensemaking.text.stopwords import STOP_WORDS, stop_words
from sensemaking.text.words import content_words, names, numbers, words


def test_words_are_folded_and_keep_inner_apostrophes() -> None:
    assert words("Don't stop O’Brien's VAN") == ["don't", "stop", "o'brien", "van"]


def test_elided_articles_are_cut_off() -> None:
    assert words("l'été d'Artagnan") == ["l", "été", "d", "artagnan"]
    assert words("dell'arte") == ["dell", "arte"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京都", ["東京", "京都"]),
        ("삼성전자는", ["삼성", "성전", "전자", "자는"]),
        ("人", ["人"]),
        ("iPhone15를", ["iphone15", "를"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("مُحَمَّد", ["مُحَمَّد"]),
        ("กขค", ["กข", "ขค"]),
    ],
)
def test_scripts_are_cut_into_what_can_be_found_again(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_content_words_leave_out_function_words_and_stem_english() -> None:
    assert content_words("They were the engineers' machines, 7 of them") == [
        "engin",
        "machin",
        "7",
    ]
    assert content_words("Die Häfen und der Kai", "de") == ["häfen", "kai"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1,204", ("1204",)),
        ("1.204,50 or 1,204.50", ("1204.5", "1204.5")),
        ("40 million; 40M; $40m; 40-million; €40mn", ("40000000",) * 5),
        ("2.5 billion", ("2500000000",)),
        ("five million", ("5000000",)),
        ("12.50% and 12,5 percent", ("12.5%", "12.5%")),
        ("on 3 May 2019", ("3", "2019")),
        ("2019-05-03", ("2019", "05", "03")),
        ("GPT-3 in v2", ("3",)),
        ("three people", ()),
        ("100 kilometres, 5 men", ("100", "5")),
    ],
)
def test_figures_come_in_one_notation(text: str, expected: tuple[str, ...]) -> None:
    assert numbers(text) == expected


def test_names_are_capitalised_sequences_beyond_the_start_of_a_sentence() -> None:
    text = (
        "Yesterday the Bank of England spoke. Growth slowed, said Ada Lovelace. "
        "NASA agreed. Jonas van der Berg and Mara left Varnholm."
    )
    assert names(text) == (
        "Bank of England",
        "Ada Lovelace",
        "NASA",
        "Jonas van der Berg",
        "Mara",
        "Varnholm",
    )


def test_stop_lists_hold_each_word_once_and_fall_back_to_english() -> None:
    for language, listed in STOP_WORDS.items():
        assert len(listed.split()) == len(stop_words(language)), language
        assert listed == listed.lower()
    assert stop_words("xx") == stop_words("en")
