"""What the fields of a reply may look like: text, names, scores, labels, lists with bad items.

Every type reads what a careful person would read the same way, and refuses the rest with a message
that can be sent back to the model. A list drops its bad items alone and keeps account of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, ValidationInfo

T = TypeVar("T", bound=BaseModel)

MAX_LINE = 8_000
MAX_NAME = 200
"""Characters; a longer name is none."""
MAX_ITEMS = 500
"""Items of one list that are read."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\ufeff]")
_NUMBER = r"[-+]?\d{1,9}(?:[.,]\d{1,9})?"
_PLAIN = re.compile(rf"({_NUMBER})\s*(?:points?)?\s*(?:[(:;,–—-]\D*)?")
_SHARE = re.compile(rf"({_NUMBER})\s*(?:/|out of|of)\s*(\d{{1,4}})\b\D*", re.IGNORECASE)
_PERCENT = re.compile(rf"({_NUMBER})\s*(?:%|percent|per cent)", re.IGNORECASE)
_LABELS = re.compile(r"(?<![A-Za-z])[A-Za-z]?\s?\d{1,6}")


class Shape(BaseModel):
    """Base of all that a model is asked to write. Fields too many are ignored, not an error."""

    model_config = ConfigDict(extra="ignore", frozen=True)


@dataclass(slots=True)
class Account:
    """What became of the items of a reply while it was read."""

    n_good: int = 0
    problems: list[str] = field(default_factory=list)


def clean(text: str) -> str:
    """Return a text on one line that can be stored: no control characters, no half characters."""
    whole = text[: 4 * MAX_LINE].encode("utf-8", "replace").decode("utf-8")
    return " ".join(_CONTROL.sub(" ", whole).split())[:MAX_LINE]


def _line(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise ValueError("a text is wanted here")  # noqa: TRY004 - Pydantic reports ValueErrors
    return clean(str(value)[: 4 * MAX_LINE])


def _text(value: object) -> str:
    text = _line(value)
    if not any(one.isalnum() for one in text):
        raise ValueError("the text is empty")
    return text


def _name(value: object) -> str:
    name = _text(value).strip(" \"'“”‘’`*_[]<>,;")
    if len(name) > MAX_NAME or not any(one.isalnum() for one in name):
        raise ValueError(f"a name of at most {MAX_NAME} characters is wanted here")
    return name


def _optional(value: object) -> str:
    return "" if value is None else _line(value)


Line = Annotated[str, BeforeValidator(_optional)]
"""Any text on one line; nothing is the empty text."""
Text = Annotated[str, BeforeValidator(_text)]
"""A text on one line that is not empty."""
Name = Annotated[str, BeforeValidator(_name)]
"""A name: a short text."""


def read_score(value: object, most: int) -> float:
    """Return a number from 0 to `most` from what a model wrote.

    Notes
    -----
    Certain are numbers on the scale, shares of a total ("85/100", "85 %") and, on a scale to 100,
    fractions below 1 (0.85). A word ("high"), 1.0 on a scale to 100 and numbers off the scale are
    not.

    Raises
    ------
    ValueError
        When the meaning is not certain.

    Examples
    --------
    >>> read_score("85/100", 100), read_score(0.85, 100), read_score("17 of 20", 10)
    (85.0, 85.0, 8.5)
    """
    number = _share_of(value, most) if isinstance(value, str) else _number(value, most)
    if number is None or not math.isfinite(number) or not 0 <= number <= most:
        raise ValueError(f"{str(value)[:40]!r} is no number from 0 to {most}")
    return number


def _number(value: object, most: int) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if isinstance(value, int):
        return float(value) if abs(value) <= most else None
    if most == 100 and 0 < value < 1:
        return value * most
    return None if most == 100 and value == 1 else value


def _share_of(text: str, most: int) -> float | None:
    text = text.strip()[:200]
    if text.lower() in ("none", "zero"):
        return 0.0
    if found := _SHARE.fullmatch(text):
        total = int(found[2])
        part = _decimal(found[1])
        return part / total * most if 0 <= part <= total and total else None
    if found := _PERCENT.fullmatch(text):
        return _decimal(found[1]) / 100 * most
    if found := _PLAIN.fullmatch(text):
        is_whole = re.fullmatch(r"[-+]?\d+", found[1]) is not None
        return _number(int(found[1]) if is_whole else _decimal(found[1]), most)
    return None


def _decimal(text: str) -> float:
    return float(text.replace(",", "."))


def _helpfulness(value: object) -> int:
    return math.floor(read_score(value, 100) + 0.5)


def _rating(value: object, info: ValidationInfo) -> float | None:
    """Return a rating, or None with a note of it: no report is lost for its rating."""
    try:
        return round(read_score(value, 10), 1)
    except ValueError as error:
        note(info, f"rating: {error}")
        return None


Helpfulness = Annotated[int, BeforeValidator(_helpfulness)]
"""0-100."""
Rating = Annotated[float | None, BeforeValidator(_rating)]
"""0-10; None when it could not be read."""


def _labels(value: object) -> list[str]:
    """Return labels such as "E1" or "3" from a list of them, or from a text that holds them."""
    parts = value if isinstance(value, list) else [value]
    found: list[str] = []
    for part in parts[:MAX_ITEMS]:
        if isinstance(part, float) and part.is_integer():
            part = int(part)
        if isinstance(part, str | int) and not isinstance(part, bool):
            text = part[:MAX_LINE] if isinstance(part, str) else str(part % 10**7)
            found.extend(one.replace(" ", "").upper() for one in _LABELS.findall(text))
    return list(dict.fromkeys(found))


Labels = Annotated[list[str], BeforeValidator(_labels)]
"""Labels or numbers of what is cited, as they were written: capital letter, number."""


def note(info: ValidationInfo, problem: str) -> None:
    """Put a problem on the account of the reply that is being read."""
    if isinstance(info.context, Account):
        info.context.problems.append(problem[:300])


@dataclass(frozen=True, slots=True)
class DropBad:
    """Reads a list of items one by one: those that are bad are noted and left out."""

    item: type[BaseModel]

    @classmethod
    def before(cls, item: type[BaseModel]) -> BeforeValidator:
        """Return the annotation of a list field."""
        return BeforeValidator(cls(item).read)

    def read(self, value: object, info: ValidationInfo) -> list[BaseModel]:
        """Return the good items in their order."""
        if value is None:
            return []
        if isinstance(value, dict):
            values: list[object] = list(value.values())
            value = values if values and all(isinstance(one, dict) for one in values) else [value]
        if not isinstance(value, list):
            raise ValueError("a list is wanted here")  # noqa: TRY004 - Pydantic reports ValueErrors
        good: list[BaseModel] = []
        for at, one in enumerate(value[:MAX_ITEMS]):
            try:
                good.append(self.item.model_validate(one, context=info.context))
            except ValidationError as error:
                note(info, f"{info.field_name}[{at}]: {describe_errors(error)}")
        if isinstance(info.context, Account):
            info.context.n_good += len(good)
        return good


def describe_errors(error: ValidationError, most: int = 4) -> str:
    """Return what is wrong with a reply, briefly enough to be quoted to the model."""
    found = [
        f"{'.'.join(map(str, one['loc'])) or 'reply'}: {one['msg'].removeprefix('Value error, ')}"
        for one in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    more = f" (and {len(found) - most} more)" if len(found) > most else ""
    return "; ".join(found[:most])[:600] + more


def schema_of(shape: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a shape, strict: every field is required and none is added."""
    strict = _strict(shape.model_json_schema())
    assert isinstance(strict, dict)
    return strict


def _strict(part: object) -> object:
    if isinstance(part, list):
        return [_strict(one) for one in part]
    if not isinstance(part, Mapping):
        return part
    found: dict[str, Any] = {
        key: {name: _strict(one) for name, one in inner.items()}
        if key in ("properties", "$defs")
        else _strict(inner)
        for key, inner in part.items()
        if key not in ("default", "title", "description")
    }
    if "properties" in found:
        found["required"] = list(found["properties"])
        found["additionalProperties"] = False
    return found
