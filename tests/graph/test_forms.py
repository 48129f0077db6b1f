import pytest

from sensemaking.graph.forms import is_person_name, person_parts, phrase_key, plain, singular


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("neural networks", "neural network"),
        ("orders of magnitude", "order of magnitude"),
        ("analyses", "analysis"),
        ("physics", "physics"),
        ("buses", "bus"),
    ],
)
def test_phrases_meet_in_the_singular(word: str, expected: str):
    assert phrase_key(word) == phrase_key(expected)


def test_suffixes_of_companies_go_only_from_names():
    assert plain("Microsoft Corporation") == plain("Microsoft")
    assert phrase_key("systems company") == "systems company"


def test_countries_meet():
    assert plain("U.S.") == plain("United States of America") == plain("the United States")
    assert plain("us") == "us"


def test_names_without_letters_survive():
    assert plain("the") == "the"
    assert plain("?!") == "?!"
    assert singular("s") == "s"


def test_institutions_are_no_persons():
    assert is_person_name(person_parts("Dr. Birgit Oldenburg"))
    assert not is_person_name(person_parts("Port of Varnholm"))
    assert not is_person_name(person_parts("Nadella"))
