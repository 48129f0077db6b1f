"""Dates that a sentence names, as ISO 8601 and as precise as the text is.

Only absolute dates are read: "3 May 2019", "May 3, 2019", "2019-05-03", "May 2019", "Q2 2019",
"1939-45", "in 2019". "Last year" or "on Monday" would need a date of the text that may be wrong.
03/05/2019 is left alone as well: it is May or March depending on the writer.
"""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass

_MONTHS = {
    name.lower(): number
    for names in (calendar.month_name, calendar.month_abbr)
    for number, name in enumerate(names)
    if name
} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=lambda name: (-len(name), name)))
_YEAR = r"(?:1[5-9]|20)\d\d"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_PATTERN = re.compile(
    rf"(?P<iso>\b{_YEAR}-\d\d-\d\d\b)"
    rf"|\b(?P<d1>{_DAY})(?:st|nd|rd|th)?(?: of| day of)? (?P<m1>{_MONTH})\.?,? (?P<y1>{_YEAR})\b"
    rf"|\b(?P<m2>{_MONTH})\.? (?P<d2>{_DAY})(?:st|nd|rd|th)?,? (?P<y2>{_YEAR})\b"
    rf"|\b(?P<m3>{_MONTH})\.?(?: of)?,? (?P<y3>{_YEAR})\b"
    rf"|\b(?:Q(?P<q4>[1-4])|(?P<w4>first|second|third|fourth) quarter(?: of)?),? (?P<y4>{_YEAR})\b"
    rf"|\b(?P<y5>{_YEAR})\s?[-–]\s?(?P<z5>{_YEAR}|\d\d)\b(?![-–/]\d)"
    rf"|\b(?:from|between) (?P<y6>{_YEAR}) (?:to|and|until) (?P<z6>{_YEAR})\b"
    rf"|\b(?:in|since|by|until|during|before|after|of|from|to|around|early|late|mid|year|"
    rf"summer|spring|autumn|winter|fall)[ -](?P<y7>{_YEAR})\b(?!s|[.,]\d|\s?(?:%|percent|people|"
    rf"dollars|crowns|million|billion|miles|metres|meters|employees|kilomet|students|homes))",
    re.IGNORECASE,
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}


@dataclass(frozen=True, slots=True)
class DateFound:
    """A date at characters [start, end) of the text; `last` is the end of a range, or None."""

    first: str
    last: str | None
    start: int
    end: int


def find_dates(text: str) -> list[DateFound]:
    """Return the dates of a text in order.

    Examples
    --------
    >>> [one.first for one in find_dates("Signed on 3 May 2019, revised in June 2020.")]
    ['2019-05-03', '2020-06']
    >>> [(one.first, one.last) for one in find_dates("The second quarter of 2021, and 1939-45")]
    [('2021-04', '2021-06'), ('1939', '1945')]
    """
    found = []
    for match in _PATTERN.finditer(text):
        read = _read(match)
        if read is not None:
            found.append(DateFound(*read, match.start(), match.end()))
    return found


def _read(match: re.Match[str]) -> tuple[str, str | None] | None:
    if match["iso"]:
        year, month, day = (int(part) for part in match["iso"].split("-"))
        return _day(year, month, day)
    for n in ("1", "2"):
        if match["y" + n]:
            month = _MONTHS[match["m" + n].lower()]
            return _day(int(match["y" + n]), month, int(match["d" + n]))
    if match["y3"]:
        return f"{match['y3']}-{_MONTHS[match['m3'].lower()]:02}", None
    if match["y4"]:
        quarter = int(match["q4"]) if match["q4"] else _QUARTERS[match["w4"].lower()]
        return f"{match['y4']}-{3 * quarter - 2:02}", f"{match['y4']}-{3 * quarter:02}"
    if match["y5"] or match["y6"]:
        return _range(match["y5"] or match["y6"], match["z5"] or match["z6"])
    return match["y7"], None


def _day(year: int, month: int, day: int) -> tuple[str, None] | None:
    if not 1 <= month <= 12 or not 1 <= day <= calendar.monthrange(year, month)[1]:
        return None
    return f"{year}-{month:02}-{day:02}", None


def _range(first: str, last: str) -> tuple[str, str | None] | None:
    if len(last) == 2:
        last = first[:2] + last
    return (first, last) if first < last else None
