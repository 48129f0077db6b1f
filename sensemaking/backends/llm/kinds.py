"""Which kinds of entities are worth looking for in a corpus, asked of a model once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.collecting import GENERAL_KIND
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import DropBad, Name, Shape
from sensemaking.context import pack_in_order
from sensemaking.ports import Message
from sensemaking.prompts import render, template

MAX_KINDS = 12
MAX_SAMPLE = 4_000
"""Tokens of text that are looked at."""


class _Kind(Shape):
    name: Name


class _Kinds(Shape):
    kinds: Annotated[list[_Kind], DropBad.before(_Kind)]


def derive_kinds(asker: Asker, texts: Sequence[str]) -> tuple[str, ...]:
    """Return kinds of entities for a corpus, the most telling first; the general one is among them.

    Parameters
    ----------
    asker
        Who is asked.
    texts
        Passages from all over the corpus; as many of the first as fit are read.

    Raises
    ------
    ModelError
        When the model gives none.
    """
    room = min(MAX_SAMPLE, asker.room(template("entity_kinds"), template("data_rule")))
    n = pack_in_order((asker.tokenizer.count(one) for one in texts), room)
    messages = [
        Message("system", render("entity_kinds", data_rule=template("data_rule"))),
        Message("user", "\n\n".join(mark("PASSAGE", one) for one in texts[: max(1, n)])),
    ]
    form = Form(_Kinds, lambda one: "" if one.kinds else "no kind was named")
    asked = asker.ask(messages, form, "kinds of entities")
    names = [one.name.casefold() for one in asked.value.kinds]
    return tuple(dict.fromkeys([*names[:MAX_KINDS], GENERAL_KIND]))
