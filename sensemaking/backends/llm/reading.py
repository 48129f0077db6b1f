"""JSON as models write it: fenced, cut off, with commas too many and prose around it.

The text of a reply comes in; out come the JSON values that it may be meant to hold, the likeliest
first. Never raises, whatever the text is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import json_repair

MAX_CHARACTERS = 100_000
"""What lies beyond is not read: no limit of tokens lets through so much but a fault."""
MAX_STARTS = 40
"""Places at which a value may begin that are tried."""
MAX_DEPTH = 40
"""Objects and lists inside each other; nothing that is asked for has more than four."""

_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[^\S\n]*\w*[^\S\n]*\n?(.*?)(?:```|\Z)", re.DOTALL)
_START = re.compile(r"[{\[]")
_BRACKET = re.compile(r"[{}\[\]]")
_ENDS = frozenset("}]")


def read_json(text: str, *, is_cut: bool = False) -> Iterator[object]:
    r"""Yield the objects and lists that a reply may be meant to hold, the likeliest first.

    `is_cut` says that the reply ended at a limit: what is unfinished at its end is then left out
    rather than completed, where something finished stands before it.

    Examples
    --------
    >>> next(read_json('Sure:\n```json\n{"points": [1, 2,],}\n```'))
    {'points': [1, 2]}
    >>> next(read_json('{"points": [{"n": 1}, {"n": 2', is_cut=True))
    {'points': [{'n': 1}]}
    """
    plain = _THOUGHT.sub(" ", text[:MAX_CHARACTERS]).strip().lstrip("\ufeff")
    is_cut = is_cut or len(text) > MAX_CHARACTERS
    bodies = [match[1].strip() for match in _FENCE.finditer(plain)]
    for body in (*([] if is_cut and len(bodies) == 1 else bodies), plain):
        yield from _exactly(body)
    for body in (*bodies, plain):
        start = _START.search(body)
        if start is not None:
            yield from _mended(body[start.start() :], is_cut=is_cut)
    yield from _embedded(plain)


def _exactly(text: str) -> Iterator[object]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict | list):
        yield value


def _embedded(text: str) -> Iterator[object]:
    """Yield the values that are complete somewhere in a text."""
    decoder = json.JSONDecoder()
    at = 0
    for _ in range(MAX_STARTS):
        start = _START.search(text, at)
        if start is None:
            return
        try:
            value, at = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            at = start.end()
        else:
            yield value


def _mended(text: str, *, is_cut: bool) -> Iterator[object]:
    """Yield the value at the beginning of a text, with what follows it left out, and repaired."""
    try:
        value, _ = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        pass
    else:
        yield value
        return
    if _is_deep(text):
        return
    if is_cut:
        end = _last_end(text)
        if end:
            yield from _repaired(text[:end])
    yield from _repaired(text)


def _repaired(text: str) -> Iterator[object]:
    try:
        value: object = json_repair.loads(text)
    except (ValueError, RecursionError, IndexError, KeyError, TypeError, AttributeError):
        # A foreign parser on text that anybody may have written: whatever it trips over, it found
        # nothing.
        return
    if isinstance(value, dict | list) and value:
        yield value


def _is_deep(text: str) -> bool:
    """Return whether brackets are opened so often without being closed that nobody means it.

    Repairing such a text would take time that grows with the square of its length.
    """
    depth = 0
    for match in _BRACKET.finditer(text):
        depth += 1 if match[0] in "{[" else -1
        if depth > MAX_DEPTH:
            return True
    return False


def _last_end(text: str) -> int:
    """Return where the last object or list inside the outermost ends; 0 when none does."""
    depth = end = 0
    is_string = is_escaped = False
    for at, one in enumerate(text):
        if is_string:
            if is_escaped:
                is_escaped = False
            elif one == "\\":
                is_escaped = True
            elif one == '"':
                is_string = False
        elif one == '"':
            is_string = True
        elif one in "{[":
            depth += 1
        elif one in _ENDS:
            depth -= 1
            end = at + 1
    return end
