"""The discourse tree of a passage: from what a model lists to units that cover the passage.

Notes
-----
Checks of ours, the paper gives no format: the texts of the units, put together, are the passage but
for white space; one unit has no parent and is a nucleus; parents are units; no cycle; a relation
outside the inventory is Elaboration. Fallback: the sentences, the first being the nucleus.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator

from sensemaking.backends.llm.replies import DropBad, Line, Shape, Text
from sensemaking.ports import DISCOURSE_RELATIONS, DiscourseUnit
from sensemaking.text.sentences import split_sentences

Role = Literal["N", "S"]
DEFAULT_RELATION = "Elaboration"
_RELATIONS = {one.casefold(): one for one in DISCOURSE_RELATIONS}


def _role(value: object) -> Role:
    text = str(value).strip().upper()[:1] if value is not None else ""
    return "N" if text == "N" else "S"


def _number(value: object) -> int:
    if value is None:
        return 0
    found = re.search(r"\d{1,6}", str(value)[:20])
    if found is None:
        raise ValueError("the number of a unit is wanted here")
    return int(found[0])


Number = Annotated[int, BeforeValidator(_number)]


class ListedUnit(Shape):
    """A unit as listed."""

    id: Number
    text: Text
    role: Annotated[Role, BeforeValidator(_role)] = "S"
    parent: Number
    relation: Line = ""


class ListedTree(Shape):
    """A tree as listed."""

    edus: Annotated[list[ListedUnit], DropBad.before(ListedUnit)]


def read_relation(name: str, inventory: Sequence[str] = DISCOURSE_RELATIONS) -> str | None:
    """Return a relation of the inventory, whatever its letter case; None when it is none."""
    found = _RELATIONS.get(name.strip().casefold().replace("_", "-").replace(" ", "-"))
    return found if found in inventory else None


def make_units(passage: str, listed: Sequence[ListedUnit]) -> tuple[DiscourseUnit, ...]:
    """Return the units of a tree.

    Raises
    ------
    ValueError
        When the units do not cover the passage or are no tree; says how.
    """
    places = _places(passage, listed)
    numbers = {one.id: at for at, one in enumerate(listed, start=1)}
    if len(numbers) != len(listed):
        raise ValueError("two units have the same id")
    parents = []
    for one in listed:
        if one.parent and one.parent not in numbers:
            raise ValueError(f"unit {one.id} has the parent {one.parent}, which is no unit")
        parents.append(numbers[one.parent] if one.parent else 0)
    if parents.count(0) != 1:
        raise ValueError(f"{parents.count(0)} units have the parent 0; exactly one must")
    _check_cycles(parents)
    return tuple(
        DiscourseUnit(
            number=at,
            start=start,
            end=end,
            role="N" if parent == 0 else one.role,
            parent=parent,
            relation=read_relation(one.relation) or DEFAULT_RELATION,
        )
        for at, (one, parent, (start, end)) in enumerate(
            zip(listed, parents, places, strict=True), start=1
        )
    )


def _places(passage: str, listed: Sequence[ListedUnit]) -> list[tuple[int, int]]:
    """Return where each unit stands: one after the other, white space with the one before it."""
    starts = [at for at, one in enumerate(passage) if not one.isspace()]
    plain = "".join(passage[at] for at in starts)
    bounds = [0]
    at = 0
    for one in listed:
        text = "".join(one.text.split())
        if not plain.startswith(text, at):
            raise ValueError(
                f"unit {one.id} does not go on where the unit before it ends: {one.text[:60]!r}"
            )
        at += len(text)
        bounds.append(starts[at] if at < len(starts) else len(passage))
    if at != len(plain):
        raise ValueError(
            f"the units end before the passage does, at {passage[bounds[-1] :][:60]!r}"
        )
    return list(zip(bounds, bounds[1:], strict=False))


def _check_cycles(parents: Sequence[int]) -> None:
    for first in range(1, len(parents) + 1):
        here, steps = first, 0
        while here and steps <= len(parents):
            here, steps = parents[here - 1], steps + 1
        if here:
            raise ValueError(f"unit {first} is its own ancestor")


def sentence_units(passage: str) -> tuple[DiscourseUnit, ...]:
    """Return the sentences of a passage as units: the first is the root, the rest elaborate it."""
    starts = [start for start, _ in split_sentences(passage)] or [0]
    bounds = [0, *starts[1:], len(passage)]
    return tuple(
        DiscourseUnit(
            number=at,
            start=start,
            end=end,
            role="N" if at == 1 else "S",
            parent=0 if at == 1 else 1,
            relation=DEFAULT_RELATION,
        )
        for at, (start, end) in enumerate(zip(bounds, bounds[1:], strict=False), start=1)
    )
