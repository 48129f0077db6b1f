import pytest

from sensemaking.backends.extractive.dates import find_dates


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on 3 May 2019", [("2019-05-03", None)]),
        ("on the 3rd of May, 2019", [("2019-05-03", None)]),
        ("May 3, 2019", [("2019-05-03", None)]),
        ("signed 2019-05-03 here", [("2019-05-03", None)]),
        ("in Sept. 2020", [("2020-09", None)]),
        ("in Q2 2021", [("2021-04", "2021-06")]),
        ("from 1939 to 1945", [("1939", "1945")]),
        ("1939-45", [("1939", "1945")]),
        ("in 2019", [("2019", None)]),
        ("in 2019 people came", []),
        ("on 31 February 2019", []),
        ("2019-13-40", []),
        ("on 03/05/2019", []),
        ("last year, on Monday, in May", []),
        ("in the 1990s", []),
        ("room 2019", []),
    ],
)
def test_only_certain_dates_are_read(text: str, expected: list[tuple[str, str | None]]):
    assert [(one.first, one.last) for one in find_dates(text)] == expected


def test_offsets_are_those_of_the_date():
    text = "It opened on 3 May 2019."
    (date,) = find_dates(text)
    assert text[date.start : date.end] == "3 May 2019"
