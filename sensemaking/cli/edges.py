"""Edge lists from files: source,target[,weight], a line each."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sensemaking.communities.indexed import (
    MAX_WEIGHT,
    IndexedGraph,
    index_arrays,
    weight_message,
)
from sensemaking.errors import InputError

HEADER = ("source", "target", "weight")
DELIMITERS = (",", "\t", ";")


def read_edges(path: Path) -> tuple[IndexedGraph, dict[str, str]]:
    """Return the graph of an edge list, and each of its labels as the file spells it.

    A first line of the words source, target and weight, in any order, names the columns. Names are
    compared exactly after Unicode normalisation (NFC): letters of different case are different.
    Of several spellings of a name the first in code point order is returned.

    Raises
    ------
    InputError
        When the file cannot be read as an edge list: with the line and what is wrong with it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: byte {error.start} is not UTF-8: save it as UTF-8.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    spelled: dict[str, str] = {}
    number: dict[str, int] = {}
    normal: dict[str, str] = {}
    ends: list[int] = []
    weights: list[float] = []
    for source, target, weight in _rows(path, text):
        for name in (source, target):
            label = normal.get(name)
            if label is None:
                label = normal[name] = unicodedata.normalize("NFC", name)
                spelled[label] = min(name, spelled.get(label, name))
            ends.append(number.setdefault(label, len(number)))
        weights.append(weight)
    labels = sorted(number)
    place = np.empty(len(labels), dtype=np.int64)
    place[[number[label] for label in labels]] = np.arange(len(labels))
    pairs = place[np.array(ends, dtype=np.int64)].reshape(-1, 2)
    return index_arrays(labels, pairs, np.array(weights, dtype=np.float64)), spelled


def _rows(path: Path, text: str) -> Iterator[tuple[str, str, float]]:
    first = text.split("\n", 1)[0]
    delimiter = max(DELIMITERS, key=first.count)
    # No quoting other than by double quotes; a line break inside them belongs to the name.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    columns = (0, 1, 2)
    try:
        for n, row in enumerate(reader):
            if n == 0 and _is_header(row):
                names = [one.strip().lower() for one in row]
                columns = (
                    names.index("source"),
                    names.index("target"),
                    names.index("weight") if "weight" in names else len(names),
                )
            elif row:
                yield _edge(row, columns, f"{path}, line {reader.line_num}")
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}.") from error


def _is_header(row: list[str]) -> bool:
    return {"source", "target"} <= {one.strip().lower() for one in row} <= set(HEADER)


def _edge(row: list[str], columns: tuple[int, int, int], place: str) -> tuple[str, str, float]:
    source, target, weight = columns
    if len(row) <= max(source, target) or not row[source] or not row[target]:
        raise InputError(f"{place}: “{','.join(row)[:80]}” is not source,target[,weight].")
    if weight >= len(row) or not row[weight].strip():
        return row[source], row[target], 1.0
    try:
        found = float(row[weight])
    except ValueError:
        found = float("nan")
    if not 0 < found <= MAX_WEIGHT:
        raise InputError(f"{place}: {weight_message(row[source], row[target], row[weight])}")
    return row[source], row[target], found
