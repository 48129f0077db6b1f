"""Rows and records: CSV, JSON, JSON Lines."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from sensemaking.text.reading.content import Content, NoText, Omitted, Unreadable

TEXT_FIELDS = ("text", "body", "content", "article", "transcript", "message", "description")
TITLE_FIELDS = ("title", "headline", "subject", "name")
ID_FIELDS = ("id", "_id", "key", "uuid", "slug")
LONG = 200
"""A text field is prose when its values have on the average so many characters."""

MAX_DIGITS = 300
"""A longer number is a text: it has no use as a number, and takes long to read."""
MAX_METADATA = 40
SAMPLE = 20_000
"""Characters of a table by which its delimiter is told."""
_QUOTED = re.compile(r'"[^"]*"')

csv.field_size_limit(500_000_000)


def read_csv(text: str) -> Iterator[Content]:
    """Yield a table: a document of one line per row, or of one passage per row of prose.

    Raises
    ------
    NoText
        When the table has no rows.
    Unreadable
        When a row is damaged; the message names it.
    """
    # Line ends inside of cells belong to the cells: the reader must see them as they are.
    delimiter, skips_spaces = _find_delimiter(text)
    table = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=skips_spaces
    )
    try:
        rows = [row for row in table if any(map(str.strip, row))]
    except csv.Error as error:
        raise Unreadable(f"Row {table.line_num} of the table is damaged ({error}).") from error
    if not rows:
        raise NoText("The table has no rows.")
    header, body = ([], rows) if not _has_header(rows) else (rows[0], rows[1:])
    lines = [_row_line(header, row) for row in body] or [", ".join(header)]
    yield Content("\n\n".join(lines))


def read_json(text: str) -> Iterator[Content]:
    """Yield a document per record that has a text of its own, else the whole as readable lines.

    Raises
    ------
    Unreadable
        When it is not JSON; the message says where.
    """
    try:
        value = _parse(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(
            f"It is not valid JSON ({_short(error)}): mend it, or rename it to .txt."
        ) from error
    records = value if isinstance(value, list) else [value]
    with_text = sum(isinstance(one, dict) and bool(_text_field(one)) for one in records)
    if with_text * 2 > len(records):
        for number, record in enumerate(records, start=1):
            yield _entry(record, "" if len(records) == 1 else str(number))
        return
    lines = list(_flatten(value))
    if not lines:
        raise NoText("The JSON holds no text.")
    yield Content("\n".join(lines))


def read_json_lines(text: str) -> Iterator[Content | Omitted]:
    """Yield a document per line, and the lines that are not JSON."""
    # Not splitlines: JSON may hold other line ends than this one inside of texts.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            value = _parse(line.lstrip("\ufeff"))
        except (ValueError, RecursionError) as error:
            yield Omitted(f"line {number} is not valid JSON ({_short(error)}): mend it.")
        else:
            yield _entry(value, str(number))


def _parse(text: str) -> Any:  # noqa: ANN401 - whatever the JSON holds
    """Return the value of a JSON text; numbers that Python would not take are kept as written."""
    return json.loads(text, parse_int=_number, parse_float=_number, parse_constant=str)


def _number(digits: str) -> int | float | str:
    if len(digits) > MAX_DIGITS:
        return digits
    return int(digits) if digits.lstrip("-").isdecimal() else float(digits)


def _short(error: Exception) -> str:
    is_deep = isinstance(error, RecursionError)
    return "it is nested too deeply" if is_deep else str(error)[:LONG]


def _entry(value: object, number: str) -> Content:
    """Return one record of several: its text, or what it holds as readable lines."""
    if isinstance(value, dict) and _text_field(value):
        return _record(value, number)
    return Content("\n".join(_flatten(value)), part=number)


def _record(record: Mapping[str, Any], number: str) -> Content:
    wanted = _text_field(record)
    title = next((_said(record, one) for one in TITLE_FIELDS if _said(record, one)), "")
    part = next((_said(record, one) for one in ID_FIELDS if _said(record, one)), number)
    metadata = {
        key.lower(): said
        for key in record
        if key not in (wanted, *TITLE_FIELDS, *ID_FIELDS) and (said := _said(record, key))
    }
    kept = dict(list(metadata.items())[:MAX_METADATA])
    return Content(str(record[wanted]), title=title, part=part if number else "", metadata=kept)


def _said(record: Mapping[str, Any], name: str) -> str:
    """Return a short plain value of a record, "" for one that is missing, long or composed."""
    value = record.get(name)
    said = str(value) if isinstance(value, str | int | float) else ""
    return said if said.strip() and len(said) <= LONG else ""


def _text_field(record: Mapping[str, Any]) -> str:
    for name in TEXT_FIELDS:
        if isinstance(record.get(name), str) and record[name].strip():
            return name
    return ""


def _flatten(value: object) -> Iterator[str]:
    """Yield "path of keys: value" of all values, in order; as deep as it may be."""
    waiting: list[tuple[str, object]] = [("", value)]
    while waiting:
        path, one = waiting.pop()
        if isinstance(one, dict):
            inner = [(f"{path} {key}".strip()[-LONG:], held) for key, held in one.items()]
            waiting.extend(reversed(inner))
        elif isinstance(one, list):
            waiting.extend((path, held) for held in reversed(one))
        elif one is not None and str(one).strip():
            yield f"{path}: {one}" if path else str(one)


def _find_delimiter(text: str) -> tuple[str, bool]:
    """Return what parts the cells, and whether spaces follow it, by the first lines.

    The standard sniffer takes minutes for some texts with many quotation marks, so it sees none.
    """
    sample = _QUOTED.sub("x", text[:SAMPLE]).replace('"', "").replace("'", "")
    try:
        found = csv.Sniffer().sniff(sample, delimiters=",;\t|")
    except csv.Error:
        return ",", False
    return found.delimiter, found.skipinitialspace


def _has_header(rows: list[list[str]]) -> bool:
    """Return whether the first row names the columns: short, different, and not numbers."""
    first = [cell.strip() for cell in rows[0]]
    named = [cell for cell in first if cell]
    return (
        len(rows) > 1
        and len(set(named)) == len(named) == len(first)
        and all(len(cell) <= 60 and not cell[:1].isdigit() for cell in named)
    )


def _row_line(header: list[str], row: list[str]) -> str:
    """Return a row as a reader would say it: "depth: 3.4 m; remark: blue-green silt."."""
    cells = [cell.strip() for cell in row]
    pairs = []
    for number, cell in enumerate(cells):
        if not cell:
            continue
        name = header[number].strip().replace("_", " ") if number < len(header) else ""
        is_prose = len(cell) > LONG
        pairs.append(cell if is_prose or not name else f"{name}: {cell}")
    return "; ".join(pairs)
