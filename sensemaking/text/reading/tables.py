"""Rows and records: CSV, JSON, JSON Lines."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from sensemaking.text.reading.content import Content, NoText, Unreadable

TEXT_FIELDS = ("text", "body", "content", "article", "transcript", "message", "description")
TITLE_FIELDS = ("title", "headline", "subject", "name")
ID_FIELDS = ("id", "_id", "key", "uuid", "slug")
LONG = 200
"""A text field is prose when its values have on the average so many characters."""

csv.field_size_limit(50_000_000)


def read_csv(text: str) -> Iterator[Content]:
    """Yield a table: a document of one line per row, or of one passage per row of prose.

    Raises
    ------
    NoText
        When the table has no rows.
    """
    rows = [
        row for row in csv.reader(io.StringIO(text), _dialect(text)) if any(map(str.strip, row))
    ]
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
        value = json.loads(text.lstrip("\ufeff"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(
            f"It is not valid JSON ({error}): mend it, or rename it to .txt."
        ) from error
    records = value if isinstance(value, list) else [value]
    if records and all(isinstance(one, dict) and _text_field(one) for one in records):
        is_single = len(records) == 1
        for number, record in enumerate(records, start=1):
            yield _record(record, "" if is_single else str(number))
        return
    lines = list(_flatten(value))
    if not lines:
        raise NoText("The JSON holds no text.")
    yield Content("\n".join(lines))


def read_json_lines(text: str) -> Iterator[Content]:
    """Yield a document per line.

    Raises
    ------
    Unreadable
        When a line is not JSON; the message names it.
    """
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line.lstrip("\ufeff"))
        except (ValueError, RecursionError) as error:
            raise Unreadable(f"Line {number} is not valid JSON ({error}): mend it.") from error
        if isinstance(value, dict) and _text_field(value):
            yield _record(value, str(number))
        else:
            yield Content("\n".join(_flatten(value)), part=str(number))


def _record(record: Mapping[str, Any], number: str) -> Content:
    wanted = _text_field(record)
    title = next((str(record[one]) for one in TITLE_FIELDS if record.get(one)), "")
    part = next((str(record[one]) for one in ID_FIELDS if record.get(one) is not None), number)
    metadata = {
        key.lower(): str(value)
        for key, value in record.items()
        if key not in (wanted, *TITLE_FIELDS, *ID_FIELDS)
        and isinstance(value, str | int | float)
        and str(value).strip()
        and len(str(value)) <= LONG
    }
    return Content(str(record[wanted]), title=title, part=part if number else "", metadata=metadata)


def _text_field(record: Mapping[str, Any]) -> str:
    for name in TEXT_FIELDS:
        if isinstance(record.get(name), str) and record[name].strip():
            return name
    return ""


def _flatten(value: object, path: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flatten(inner, f"{path} {key}".strip())
    elif isinstance(value, list):
        for inner in value:
            yield from _flatten(inner, path)
    elif value is not None and str(value).strip():
        yield f"{path}: {value}" if path else str(value)


def _dialect(text: str) -> type[csv.Dialect] | csv.Dialect:
    try:
        return csv.Sniffer().sniff(text[:20_000], delimiters=",;\t|")
    except csv.Error:
        return csv.excel


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
