"""The single claims of an answer, by a language model; each can be understood alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import model_validator

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import DropBad, Shape, Text
from sensemaking.context import pack_greedily
from sensemaking.ports import Message
from sensemaking.prompts import render, template

PROMPTS = ("claims",)
GROWTH = 3
"""A list of claims, each with its subject named, may be so many times as long as its text."""


class _Claim(Shape):
    text: Text

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:  # noqa: ANN401 - whatever the model wrote
        return {"text": value} if isinstance(value, str) else value


class _Claims(Shape):
    claims: Annotated[list[_Claim], DropBad.before(_Claim)]


@dataclass(frozen=True, slots=True)
class LlmClaimSplitter:
    """Splits answers with a model."""

    asker: Asker

    @property
    def key(self) -> str:
        """Return the model and the prompt."""
        return self.asker.key("claims", PROMPTS)

    def split(self, text: str) -> tuple[str, ...]:
        """Return the claims in order, each once; long texts are split by their paragraphs.

        Raises
        ------
        ModelError
            When the claims of a part cannot be had.
        """
        paragraphs = [one.strip() for one in text.split("\n\n") if one.strip()]
        sizes = [self.asker.tokenizer.count(one) for one in paragraphs]
        room = self.asker.room(template("claims"), template("data_rule"))
        budget = min(room, self.asker.reply_tokens // GROWTH)
        found: dict[str, str] = {}
        for batch in pack_greedily(sizes, budget):
            for one in self._split([paragraphs[at] for at in batch]):
                found.setdefault(one.casefold(), one)
        return tuple(found.values())

    def _split(self, paragraphs: Sequence[str]) -> list[str]:
        messages = [
            Message("system", render("claims", data_rule=template("data_rule"))),
            Message("user", mark("ANSWER", "\n\n".join(paragraphs))),
        ]
        return [one.text for one in self.asker.ask(messages, Form(_Claims), "claims").value.claims]
