"""The answer from the points that were kept, by a language model, streamed, every source checked.

A question and points come in; out goes Markdown of the dialect of `ports.Reducer`. Numbers of no
point are dropped. Nothing is passed on until a sentence has a source: a text that cites nothing at
all is asked for once more and then refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensemaking.backends.llm.asking import MAX_QUOTED, Asker
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import clean
from sensemaking.backends.llm.sourcing import Sourcing
from sensemaking.errors import ReplyUnreadable
from sensemaking.ports import Message
from sensemaking.prompts import render, template
from sensemaking.types import Point

PROMPTS = ("reduce", "reduce_points", "reduce_again")


@dataclass(frozen=True, slots=True)
class LlmReducer:
    """Writes answers with a model."""

    asker: Asker
    waits: bool = True

    @property
    def key(self) -> str:
        """Return the model and the prompts."""
        return self.asker.key("reducer", PROMPTS)

    @property
    def context_tokens(self) -> int:
        """Return how many tokens of points it can read, beside a question of usual length."""
        return self.asker.room(*map(template, (*PROMPTS, "data_rule"))) - 60

    def reduce(self, question: str, points: Sequence[Point]) -> Iterator[str]:
        """Yield the answer piece by piece; point n of `points` is cited as [n], from 1.

        Raises
        ------
        ReplyUnreadable
            When the model's answer names no point, also when it is asked again.
        ModelError
            Whatever the model raises.
        """
        messages = self.messages(question, points)
        tried: list[list[Message]] = []
        text = ""
        for _ in range(2):
            sourcing = Sourcing([f"{one.heading} {one.text}" for one in points])
            text = ""
            held: list[str] = []
            for piece in self.asker.model.stream(messages, max_tokens=self.asker.reply_tokens):
                text = (text + piece)[:MAX_QUOTED]
                yield from _released(held, sourcing.feed(piece), sourcing)
            yield from _released(held, sourcing.end(), sourcing)
            tally = self.asker.tally
            tally.add("unknown numbers dropped", sourcing.n_unknown, subject="answer")
            tally.add("sentences sourced by their words", sourcing.n_found, subject="answer")
            tally.add("citations mended by their words", sourcing.n_mended, subject="answer")
            tally.add("sentences that say nothing", sourcing.n_idle, subject="answer")
            if sourcing.n_cited:
                return
            tally.add("replies asked for again", subject="answer")
            tried.append(messages)
            again = Message("user", template("reduce_again"))
            messages = [*messages, Message("assistant", text or "(nothing)"), again]
        for one in tried:
            # Whoever asks again wants another answer than these.
            self.asker.model.forget(one, max_tokens=self.asker.reply_tokens)
        raise ReplyUnreadable(
            f"The answer names none of the {len(points)} points that it was to be written from, "
            f"also when asked again. It begins: {clean(text)[:80]!r}"
        )

    def messages(self, question: str, points: Sequence[Point]) -> list[Message]:
        """Return what is asked."""
        lines = "\n".join(
            f"[{number}] (helpfulness {one.helpfulness}) {clean(one.heading)}: {clean(one.text)}"
            for number, one in enumerate(points, start=1)
        )
        user = render(
            "reduce_points",
            points=mark("POINTS", lines),
            question=mark("QUESTION", question),
            last=str(len(points)),
        )
        return [
            Message("system", render("reduce", data_rule=template("data_rule"))),
            Message("user", user),
        ]


def _released(held: list[str], pieces: Iterator[str], sourcing: Sourcing) -> Iterator[str]:
    """Yield pieces as soon as one of them has a source; hold them back until then."""
    for piece in pieces:
        held.append(piece)
        if sourcing.n_cited:
            yield from held
            held.clear()
