"""A chat model that plays recorded replies back, and what the tasks read in these tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sensemaking.backends.llm.asking import Asker
from sensemaking.errors import ModelError
from sensemaking.ports import Message, Passage, Reply
from sensemaking.types import Chunk, Citation, ContextBlock, ContextItem, Section, Usage, Window

TEXT = (
    "The survey of 2019 at Quay 7 stopped at two metres because the tender paid for no more.\n"
    "Hallorsen found cadmium at Quay 7 between 3.1 and 3.9 metres. Removing it would cost "
    "58 million crowns. The Harbour Authority denies that it was warned by Ida Fenner."
)
REFUSAL = "I'm sorry, but I can't help with that request."


class WordTokenizer:
    """Counts words: tests need no real vocabulary."""

    key = "words"

    def count(self, text: str) -> int:
        return len(text.split())


@dataclass
class ReplayModel:
    """Plays replies in turn, the last one again and again; keeps what it was asked.

    A reply is a text, a `Reply`, an object that becomes JSON, or an error that is raised.
    """

    replies: Sequence[Any]
    key: str = "replay"
    context_tokens: int = 8192
    max_tokens: int = 1024
    n_parallel: int = 4
    asked: list[Sequence[Message]] = field(default_factory=list)
    schemas: list[Any] = field(default_factory=list)
    replicates: list[int] = field(default_factory=list)
    piece: int = 7
    forgotten: int = 0

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        replicate: int = 0,
    ) -> Reply:
        assert max_tokens is None or max_tokens > 0
        self.schemas.append(schema)
        return self._next(messages, replicate)

    def forget(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        replicate: int = 0,
    ) -> None:
        self.forgotten += 1

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None, replicate: int = 0
    ) -> Iterator[str]:
        text = self._next(messages, replicate).text
        for at in range(0, len(text), self.piece):
            yield text[at : at + self.piece]

    def _next(self, messages: Sequence[Message], replicate: int) -> Reply:
        reply = self.replies[min(len(self.asked), len(self.replies) - 1)]
        self.asked.append(list(messages))
        self.replicates.append(replicate)
        if isinstance(reply, ModelError):
            raise reply
        if isinstance(reply, Reply):
            return reply
        text = reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False)
        return Reply(text, "stop", Usage())


def asker(*replies: Any, **parameters: Any) -> Asker:
    return Asker(ReplayModel(replies, **parameters), WordTokenizer())


def asked(one: Asker) -> list[Sequence[Message]]:
    assert isinstance(one.model, ReplayModel)
    return one.model.asked


def cut(text: str) -> Reply:
    return Reply(text, "length", Usage())


def counts(one: Asker) -> dict[str, int]:
    return dict(one.tally.counts())


def passage(text: str = TEXT, *, start: int = 100, own: int = 0, ordinal: int = 0) -> Passage:
    """A chunk that begins at `start` of its document; its first `own` characters are overlap."""
    chunk = Chunk("k1", "d1", ordinal, start, start + len(text), start + own, len(text.split()))
    sections = (Section("page", "3", start, start + 90), Section("page", "4", start + 90, 10**6))
    return Passage(chunk, text, "Soil report", "en", (("date", "2024-09-02"),), sections)


def window(*texts: str) -> Window:
    items = tuple(
        ContextItem(at, f"Theme {at}", text, Citation("finding", f"f{at}"))
        for at, text in enumerate(texts, start=1)
    )
    block = ContextBlock("b", "Quay 7", "# Quay 7\n", 10, 5.0, 1, items)
    lines = "".join(f"[{one.number}] {one.heading}: {one.text}\n" for one in items)
    return Window(0, block.text + lines, 50, (block,))
