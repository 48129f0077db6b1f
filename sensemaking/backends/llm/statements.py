"""What a model lists for a passage: entities, relationships, claims, as it writes them."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BeforeValidator

from sensemaking.backends.llm.replies import DropBad, Line, Name, Shape, Text, clean, read_score

Status = Literal["true", "false", "suspected"]

DEFAULT_STRENGTH = 0.5
_DATE = re.compile(r"\d{4}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)?")
_TRUE = frozenset(("true", "confirmed", "fact", "stated", "yes", ""))
_FALSE = frozenset(("false", "denied", "refuted", "untrue", "no"))
_NOBODY = frozenset(("", "none", "null", "n/a", "unknown", "nobody", "nothing"))


def _strength(value: object) -> float:
    """Return 0.1-1 from a strength of 1 to 10; the middle where it is no number."""
    try:
        return max(0.1, read_score(value, 10) / 10)
    except ValueError:
        return DEFAULT_STRENGTH


def _date(value: object) -> str | None:
    """Return an ISO date as precise as it is given; anything else is not known."""
    text = str(value).strip()[:40] if isinstance(value, str | int) else ""
    found = _DATE.match(text)
    return found[0] if found else None


def _status(value: object) -> Status:
    """Return the status of a claim; what is neither true nor false is suspected."""
    text = clean(str(value)).casefold() if value is not None else ""
    return "true" if text in _TRUE else "false" if text in _FALSE else "suspected"


def _object(value: object) -> str:
    text = clean(str(value)).strip(" \"'") if value is not None else ""
    return "" if text.casefold() in _NOBODY or len(text) > 200 else text


Date = Annotated[str | None, BeforeValidator(_date)]


class ListedEntity(Shape):
    """An entity as listed."""

    name: Name
    kind: Line = ""
    description: Line = ""
    quote: Line = ""


class ListedRelationship(Shape):
    """A relationship as listed; `strength` 1-10, read as 0.1-1."""

    source: Name
    target: Name
    description: Text
    strength: Annotated[float, BeforeValidator(_strength)] = DEFAULT_STRENGTH
    quote: Line = ""


class ListedClaim(Shape):
    """A claim as listed."""

    subject: Name
    object: Annotated[str, BeforeValidator(_object)] = ""
    kind: Line = ""
    status: Annotated[Status, BeforeValidator(_status)] = "true"
    start: Date = None
    end: Date = None
    description: Text
    quote: Line = ""


class Listed(Shape):
    """What one passage states."""

    entities: Annotated[list[ListedEntity], DropBad.before(ListedEntity)]
    relationships: Annotated[list[ListedRelationship], DropBad.before(ListedRelationship)] = []
    claims: Annotated[list[ListedClaim], DropBad.before(ListedClaim)] = []
