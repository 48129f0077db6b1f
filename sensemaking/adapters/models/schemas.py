"""JSON schemas as OpenAI's strict mode wants them.

Strict mode takes objects whose properties are all required and to which nothing may be added. A
schema from Pydantic is rewritten so; one that cannot be (an object with free keys) is sent as it is
and not strict.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_DROPPED = frozenset({"default", "title", "examples"})
_NAMED = frozenset({"properties", "$defs", "definitions"})
"""Where the keys of a dictionary are names, not keywords."""


_MOST_KEPT = 64


@dataclass(frozen=True, slots=True)
class _Made:
    """What was made of a schema. It is kept with it: while it lives no other object has its id."""

    schema: Mapping[str, Any]
    text: str
    format: dict[str, Any]


_KEPT: dict[int, _Made] = {}


def schema_text(schema: Mapping[str, Any]) -> str:
    """Return a schema as JSON with sorted keys; the object must not change afterwards."""
    return _made(schema).text


def response_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the schema as the value of `response_format`; do not change what is returned.

    Properties keep their order: it is that in which a model writes them.
    """
    return _made(schema).format


def _made(schema: Mapping[str, Any]) -> _Made:
    """Return what is made of a schema, once for each object: a task always hands in the same."""
    kept = _KEPT.get(id(schema))
    if kept is not None and kept.schema is schema:
        return kept
    text = json.dumps(schema, sort_keys=True, ensure_ascii=False)
    made = _Made(schema, text, _response_format(json.loads(json.dumps(schema))))
    if len(_KEPT) >= _MOST_KEPT:
        _KEPT.clear()
    _KEPT[id(schema)] = made
    return made


def _response_format(schema: dict[str, Any]) -> dict[str, Any]:
    is_strict = not _has_free_keys(schema)
    named = {
        "name": "reply",
        "schema": _strict(schema) if is_strict else schema,
        "strict": is_strict,
    }
    return {"type": "json_schema", "json_schema": named}


def _has_free_keys(part: object) -> bool:
    if isinstance(part, Mapping):
        # A property may have the name of a keyword: then its value is a schema, without "type".
        is_object = part.get("type") == "object"
        if is_object and (part.get("additionalProperties") or "properties" not in part):
            return True
        return any(_has_free_keys(one) for one in part.values())
    return isinstance(part, list) and any(_has_free_keys(one) for one in part)


def _strict(part: Any, *, is_named: bool = False) -> Any:  # noqa: ANN401 - any part of a schema
    if isinstance(part, list):
        return [_strict(one) for one in part]
    if not isinstance(part, Mapping):
        return part
    if is_named:
        return {name: _strict(one) for name, one in part.items()}
    if "$ref" in part:
        return {"$ref": part["$ref"]}
    kept = {
        key: _strict(one, is_named=key in _NAMED)
        for key, one in part.items()
        if key not in _DROPPED
    }
    if "properties" in kept:
        kept["additionalProperties"] = False
        kept["required"] = list(kept["properties"])
    return kept
