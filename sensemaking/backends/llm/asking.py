"""Asking a model for a reply of a certain shape, and once more when it is not.

Messages and a form come in, a reply that was read comes out. A reply that cannot be read, or whose
bad items are too many, is answered with what is wrong with it, once; of both the better is taken.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from sensemaking.backends.llm.counting import Tally
from sensemaking.backends.llm.reading import read_json
from sensemaking.backends.llm.replies import Account, Shape, describe_errors, schema_of
from sensemaking.errors import ContentRefused, ModelError, ReplyUnreadable
from sensemaking.ports import ChatModel, Message, Reply, Tokenizer
from sensemaking.prompts import render, version
from sensemaking.types import digest

M = TypeVar("M", bound=Shape)

VERSION = 1
MAX_QUOTED = 1_200
"""Characters of a bad reply that are shown to the model again."""
CORRECTION_TOKENS = 700
"""What the second asking adds to the first, at most."""
MARGIN = 0.08
"""Share of the context kept free: the model counts tokens with another vocabulary than we do."""
MESSAGE_TOKENS = 8
LEAST_ROOM = 200
LEAST_LOOP = 8
"""A list so long, half of which repeats the rest, was written by a model that loops."""

_REFUSAL = re.compile(
    r"\s*(?:i['’]?m (?:very |so |really )?sorry|sorry,|i (?:can['’]?t|cannot|am unable|won['’]?t)\b"
    r"|i['’]?m (?:unable|not able)\b|as an ai\b|i apologi[sz]e)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Form(Generic[M]):
    """What is asked for.

    `check` says what is wrong with a reply that has the right shape, "" for nothing; `wish` what
    would be better, for which the model is asked again but no reply refused. `most_bad` is the
    share of bad items above which the model is asked again.
    """

    shape: type[M]
    check: Callable[[M], str] = lambda _: ""
    wish: Callable[[M], str] = lambda _: ""
    most_bad: float = 0.34


@dataclass(frozen=True, slots=True)
class Asked(Generic[M]):
    """A reply that was read, and the problems of what had to be left out of it."""

    value: M
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Attempt(Generic[M]):
    text: str
    value: M | None
    error: str
    wish: str = ""
    problems: tuple[str, ...] = ()
    n_good: int = 0

    @property
    def share_bad(self) -> float:
        return len(self.problems) / max(1, len(self.problems) + self.n_good)


@dataclass(frozen=True, slots=True)
class Asker:
    """A model for one role, how its tokens are counted, and the account of what went wrong."""

    model: ChatModel
    tokenizer: Tokenizer
    tally: Tally = field(default_factory=Tally)

    @property
    def reply_tokens(self) -> int:
        """Return how long a reply may be: what the model allows, a quarter of its context.

        Never more than half of it, and 1,024 tokens where that is possible.
        """
        context = self.model.context_tokens
        return max(1, min(self.model.max_tokens, max(context // 4, 1024), context // 2))

    def room(self, *prompts: str) -> int:
        """Return how many tokens of data fit beside these prompts, a reply and a correction."""
        total = int(self.model.context_tokens * (1 - MARGIN))
        used = sum(self.tokenizer.count(one) + MESSAGE_TOKENS for one in prompts)
        return max(LEAST_ROOM, total - self.reply_tokens - CORRECTION_TOKENS - used)

    def key(self, task: str, prompts: Sequence[str], *parameters: str | int | float) -> str:
        """Return the key of a task: the model, its prompts, its parameters, this code."""
        made = version(*prompts, "data_rule", "correct")
        return f"llm-{task}-{VERSION}:{digest(self.model.key, made, *parameters)}"

    def ask(
        self, messages: Sequence[Message], form: Form[M], subject: str, *, replicate: int = 0
    ) -> Asked[M]:
        """Return the reply to some messages, read.

        Raises
        ------
        ReplyUnreadable
            When neither the first reply nor the corrected one can be read.
        ContentRefused
            When the model will not answer, twice.
        ModelError
            Whatever the model raises.
        """
        first = self._attempt(messages, form, subject, replicate)
        is_good = first.value is not None and not first.error and not first.wish
        if is_good and first.share_bad <= form.most_bad:
            return self._done(first, subject)
        self.tally.add("replies asked for again", subject=subject)
        wrong = first.error or "; ".join((*filter(None, [first.wish]), *first.problems))[:600]
        again = [
            *messages,
            Message("assistant", first.text[:MAX_QUOTED] or "(nothing)"),
            Message("user", render("correct", error=wrong)),
        ]
        try:
            second = self._attempt(again, form, subject, replicate)
        except ModelError:
            if first.value is None or first.error:
                self._forget(messages, form, replicate)
                raise
            return self._done(first, subject)
        readable = [one for one in (first, second) if one.value is not None and not one.error]
        if not readable:
            # Whoever tries this unit again wants other replies than these.
            self._forget(messages, form, replicate)
            self._forget(again, form, replicate)
            raise _failure(subject, first, second)
        best = max(readable, key=lambda one: (not one.wish, one.n_good, -one.share_bad))
        return self._done(best, subject)

    def _forget(self, messages: Sequence[Message], form: Form[M], replicate: int) -> None:
        self.model.forget(
            messages,
            schema=_schema(form.shape),
            max_tokens=self.reply_tokens,
            replicate=replicate,
        )

    def _done(self, attempt: _Attempt[M], subject: str) -> Asked[M]:
        assert attempt.value is not None
        self.tally.add("bad items dropped", len(attempt.problems), subject=subject)
        self.tally.add("replies not as wished", int(bool(attempt.wish)), subject=subject)
        return Asked(attempt.value, attempt.problems)

    def _attempt(
        self, messages: Sequence[Message], form: Form[M], subject: str, replicate: int
    ) -> _Attempt[M]:
        reply = self.model.complete(
            messages,
            schema=_schema(form.shape),
            max_tokens=self.reply_tokens,
            replicate=replicate,
        )
        if reply.finish == "filter":
            raise ContentRefused(f"{subject}: the endpoint's content filter ended the reply.")
        if reply.finish == "length":
            self.tally.add("replies cut at their limit", subject=subject)
        return _read(reply, form)


@cache
def _schema(shape: type[BaseModel]) -> dict[str, Any]:
    return schema_of(shape)


def _read(reply: Reply, form: Form[M]) -> _Attempt[M]:
    """Return the best of what a reply may mean; the first error when none has the shape."""
    error = "the reply holds no JSON object"
    if reply.finish == "length":
        error = "the reply was too long and was cut; write less"
    is_first = True
    for candidate in read_json(reply.text, is_cut=reply.finish == "length"):
        for value in _meanings(candidate, form.shape):
            account = Account()
            try:
                read = form.shape.model_validate(value, context=account)
            except (ValidationError, RecursionError) as problem:
                if is_first and isinstance(problem, ValidationError):
                    error, is_first = describe_errors(problem), False
                continue
            wrong = form.check(read)
            if account.problems and not account.n_good:
                # Nothing but bad items is not the same as no items.
                wrong = wrong or "; ".join(account.problems[:4])
            problems = tuple(account.problems)
            wish = form.wish(read) or _loop(value)
            return _Attempt(reply.text, read, wrong, wish, problems, account.n_good)
    return _Attempt(reply.text, None, error)


def _loop(value: object) -> str:
    """Return what to say to a model that lists the same things round and round, "" otherwise."""
    lists = value.values() if isinstance(value, dict) else ()
    for items in lists:
        if isinstance(items, list) and len(items) >= LEAST_LOOP:
            different = {json.dumps(one, sort_keys=True, default=str) for one in items}
            if len(different) <= len(items) / 2:
                return "it lists the same things again and again; list each thing once, then go on"
    return ""


def _meanings(candidate: object, shape: type[BaseModel]) -> list[object]:
    """Return the objects that a JSON value may stand for: itself, what it wraps, what it lacks."""
    fields = shape.model_fields
    if isinstance(candidate, dict):
        inner = [one for one in candidate.values() if isinstance(one, dict)]
        nested = inner if len(candidate) == 1 else []
        found: list[object] = [one for one in (candidate, *nested) if set(one) & set(fields)]
        return found
    if not isinstance(candidate, list):
        return []
    whole: list[object] = [
        one for one in candidate[:8] if isinstance(one, dict) and set(one) & set(fields)
    ]
    # A bare list is the list of a reply that has no other field.
    return [*whole, {next(iter(fields)): candidate}] if len(fields) == 1 else whole


def _failure(subject: str, first: _Attempt[M], second: _Attempt[M]) -> ModelError:
    if all(_REFUSAL.match(one.text) for one in (first, second)):
        return ContentRefused(f"{subject}: the model will not answer: {_begin(second.text)}")
    return ReplyUnreadable(
        f"{subject}: the reply is not what was asked for, also when asked again "
        f"({second.error[:200]}). It begins: {_begin(second.text)}"
    )


def _begin(text: str) -> str:
    return repr(" ".join(text[:400].split())[:80]) if text.strip() else "(empty)"
