"""What a window of findings says to a question, by a language model, with what it rests on.

A question and a window of numbered items come in; out go points, each with its helpfulness and the
items it cites.

Notes
-----
Scoring "point" gives each point its own helpfulness (GraphRAG's code), "window" one to all points
of the window (GraphRAG's paper, ReTAG). A point that cites no item of the window is kept only when
one item holds most of its words; otherwise it is dropped and counted. A window all of whose points
are without a source was not read: that is a failure, not "does not help".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from sensemaking.backends.llm.asking import Asker, Form
from sensemaking.backends.llm.citing import Sources, take_labels
from sensemaking.backends.llm.examples import stands_in_example
from sensemaking.backends.llm.marking import mark
from sensemaking.backends.llm.replies import DropBad, Helpfulness, Labels, Line, Shape, Text
from sensemaking.backends.llm.tongues import language_of, wrong_language
from sensemaking.ports import MapWindow, Message, PointDraft
from sensemaking.prompts import render, template
from sensemaking.types import ContextBlock, ContextItem, Window

PROMPTS = {"point": ("map", "map_items"), "window": ("map_window", "map_items")}
MAX_POINTS = 20
"""Points of one window; more are repetitions."""


class _Said(Shape):
    heading: Line = ""
    text: Text
    items: Labels = []


class _Scored(_Said):
    helpfulness: Helpfulness


class _Points(Shape):
    points: Annotated[list[_Scored], DropBad.before(_Scored)]


class _ScoredWindow(Shape):
    helpfulness: Helpfulness
    points: Annotated[list[_Said], DropBad.before(_Said)]


_Check = Callable[[Sequence[_Said]], str]


@dataclass(frozen=True, slots=True)
class LlmMapper:
    """Reads windows with a model."""

    asker: Asker
    scoring: Literal["point", "window"] = "point"
    waits: bool = True

    @property
    def key(self) -> str:
        """Return the model, the prompts and the scoring."""
        return self.asker.key("mapper", PROMPTS[self.scoring], self.scoring)

    @property
    def context_tokens(self) -> int:
        """Return the size of the largest window it can read, beside a question of usual length."""
        return self.asker.room(*map(template, (*PROMPTS[self.scoring], "data_rule"))) - 60

    def prepare(self, question: str, blocks: Sequence[ContextBlock]) -> MapWindow:
        """Return a function that reads one window.

        The function raises `ModelError` when the window could not be read.
        """
        del blocks
        return _Reading(self.asker, self.scoring, question).read


@dataclass(frozen=True, slots=True)
class _Reading:
    asker: Asker
    scoring: Literal["point", "window"]
    question: str

    def messages(self, window: Window) -> list[Message]:
        user = render(
            "map_items",
            items=mark("ITEMS", window.text),
            question=mark("QUESTION", self.question),
        )
        system = render(PROMPTS[self.scoring][0], data_rule=template("data_rule"))
        return [Message("system", system), Message("user", user)]

    def read(self, window: Window) -> list[PointDraft]:
        items = _items(window)
        subject = f"window {window.index + 1}"
        prompt = PROMPTS[self.scoring][0]

        def check(said: Sequence[_Said]) -> str:
            own = [one for one in said if not stands_in_example(one.text, prompt)]
            if not said or any(items.cited(one)[1] for one in own):
                return ""
            return 'no point names in "items" a number of the items'

        drafts: list[PointDraft] = []
        for one, helpfulness in self._ask(window, subject, check):
            text, cited, n_unknown = items.cited(one)
            self.asker.tally.add("unknown numbers dropped", n_unknown, subject=subject)
            if not cited or stands_in_example(text, prompt):
                self.asker.tally.add("points without a source dropped", subject=subject)
            elif all(text.casefold() != draft.text.casefold() for draft in drafts):
                heading = take_labels(one.heading)[0] or cited[0].heading
                citations = tuple(dict.fromkeys(item.citation for item in cited))
                drafts.append(PointDraft(heading, text, helpfulness, citations))
        return drafts[:MAX_POINTS]

    def _ask(self, window: Window, subject: str, check: _Check) -> list[tuple[_Said, int]]:
        messages = self.messages(window)
        if self.scoring == "point":
            form = Form(
                _Points,
                lambda one: check(one.points),
                lambda one: self._wrong_language(one.points),
                most_bad=0.0,
            )
            asked = self.asker.ask(messages, form, subject)
            return [(one, one.helpfulness) for one in asked.value.points]
        whole = Form(
            _ScoredWindow,
            lambda one: check(one.points),
            lambda one: self._wrong_language(one.points),
            most_bad=0.0,
        )
        value = self.asker.ask(messages, whole, subject).value
        return [(one, value.helpfulness) for one in value.points]

    def _wrong_language(self, said: Sequence[_Said]) -> str:
        return wrong_language((one.text for one in said), language_of(self.question))


@dataclass(frozen=True, slots=True)
class _Items:
    """The items of a window by number, in the order of `sources`."""

    by_number: dict[str, ContextItem]
    sources: Sources

    def cited(self, said: _Said) -> tuple[str, tuple[ContextItem, ...], int]:
        """Return a point's text without numbers, the items it rests on, how many were none."""
        text, inline = take_labels(said.text)
        numbers = list(dict.fromkeys((*said.items, *inline)))
        order = list(self.by_number)
        known = [order.index(one) for one in numbers if one in self.by_number]
        n_unknown = len(numbers) - len(known)
        if not known:
            held = self.sources.find(text)
            known = [] if held is None else [held]
        if known:
            known += self.sources.complete(text, known)
        return text, tuple(self.by_number[order[one]] for one in known), n_unknown


def _items(window: Window) -> _Items:
    items = [one for block in window.blocks for one in block.items]
    texts = [f"{one.heading} {one.text}" for one in items]
    return _Items({str(one.number): one for one in items}, Sources(texts))
