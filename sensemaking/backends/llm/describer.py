"""One description of several: all that is said of an entity or a relationship, said once.

Few short descriptions are put one after the other, without a call: what another one says already is
left out. Longer ones go to the model by token-limited batches; what came of a batch goes first into
the next one.

Notes
-----
The paper (Edge et al. 2024) and its code ask a model as soon as there are two descriptions, which
is more calls than all other stages together. Systems that build the same graph join them first and
ask from a limit on: nano-graphrag from 500 tokens, LightRAG from 1,200 tokens or 8 descriptions.
Ours is `LanguageSettings.joined_tokens`, smaller because reports and cards show descriptions whole;
0 is the paper's way. Batches of 4,000 tokens, rolling, as in GraphRAG's code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import Shape, Text, clean
from sensemaking.context import pack_in_order
from sensemaking.ports import Message
from sensemaking.prompts import render, template
from sensemaking.text.words import content_words, numbers

PROMPTS = ("describe", "describe_these")
BATCH_TOKENS = 4_000
LINE_TOKENS = 4
JOINED_TOKENS = 200
_ENDS = re.compile(r"[.!?…。！？]['\"”’)]*$")


class _Description(Shape):
    description: Text


@dataclass(frozen=True, slots=True)
class LlmDescriber:
    """Merges descriptions with a model."""

    asker: Asker
    batch_tokens: int = BATCH_TOKENS
    joined_tokens: int = JOINED_TOKENS
    waits: bool = True

    @property
    def key(self) -> str:
        """Return the model, the prompts, the size of a batch and what is joined without a call."""
        return self.asker.key("describer", PROMPTS, self.batch_tokens, self.joined_tokens)

    def join(self, descriptions: Sequence[str]) -> str | None:
        """Return short descriptions one after the other; None where they are for the model."""
        kept = _distinct(descriptions)
        if len(kept) < 2:
            return "".join(kept)
        joined = " ".join(one if _ENDS.search(one) else f"{one}." for one in kept)
        # A token is a byte at least: short texts need no count.
        if len(joined.encode()) <= self.joined_tokens:
            return joined
        return joined if self.asker.tokenizer.count(joined) <= self.joined_tokens else None

    def describe(self, name: str, descriptions: Sequence[str]) -> str:
        """Return what all descriptions say; a single one is returned as it is, without a call.

        Raises
        ------
        ModelError
            When the model gives no description.
        """
        rest = _distinct(descriptions)
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


def _distinct(descriptions: Sequence[str]) -> list[str]:
    """Return descriptions in their order, without those whose words another one holds as well."""
    texts = list(dict.fromkeys(clean(one) for one in descriptions if one.strip()))
    if len(texts) < 2:
        return texts
    words = [_telling(one) for one in texts]

    def is_held(at: int) -> bool:
        return any(
            words[at] < other or (words[at] == other and number < at)
            for number, other in enumerate(words)
            if number != at
        )

    return [one for at, one in enumerate(texts) if not (words[at] and is_held(at))]


@lru_cache(maxsize=1024)
def _telling(text: str) -> frozenset[str]:
    """Return what a text tells; what is said of a tie is often said of both of its ends, too."""
    return frozenset((*content_words(text), *numbers(text)))
