"""One description of several: all that is said of an entity or a relationship, said once.

Descriptions go in by token-limited batches; what came of a batch goes first into the next one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import Shape, Text, clean
from sensemaking.context import pack_in_order
from sensemaking.ports import Message
from sensemaking.prompts import render, template

PROMPTS = ("describe", "describe_these")
BATCH_TOKENS = 4_000
LINE_TOKENS = 4


class _Description(Shape):
    description: Text


@dataclass(frozen=True, slots=True)
class LlmDescriber:
    """Merges descriptions with a model."""

    asker: Asker
    batch_tokens: int = BATCH_TOKENS
    waits: bool = True

    @property
    def key(self) -> str:
        """Return the model, the prompts and the size of a batch."""
        return self.asker.key("describer", PROMPTS, self.batch_tokens)

    def describe(self, name: str, descriptions: Sequence[str]) -> str:
        """Return what all descriptions say; a single one is returned as it is, without a call.

        Raises
        ------
        ModelError
            When the model gives no description.
        """
        rest = list(dict.fromkeys(clean(one) for one in descriptions if one.strip()))
        budget = min(self.batch_tokens, self.asker.room(*(template(one) for one in PROMPTS)))
        while len(rest) > 1:
            sizes = (self.asker.tokenizer.count(one) + LINE_TOKENS for one in rest)
            # Two at least, however long they are: otherwise it would never end.
            n = max(2, pack_in_order(sizes, budget))
            rest = [self._merge(name, rest[:n]), *rest[n:]]
        return rest[0] if rest else ""

    def _merge(self, name: str, descriptions: Sequence[str]) -> str:
        data = mark("DESCRIPTIONS", "\n".join(f"- {one}" for one in descriptions))
        messages = [
            Message("system", render("describe", data_rule=template("data_rule"))),
            Message("user", render("describe_these", subject=mark("NAME", clean(name)), data=data)),
        ]
        asked = self.asker.ask(messages, Form(_Description), f"description of {clean(name)[:60]}")
        return asked.value.description
