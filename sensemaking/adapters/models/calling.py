"""One call with all that it takes: gate, attempts, waits, what the endpoint turns out not to know.

A call that fails after all its attempts ends the run (`EndpointDown`), except when the endpoint
answers others meanwhile: then this prompt is the cause, and only its unit is left out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sensemaking.adapters.models.abilities import MOST_CHANGES, Options
from sensemaking.adapters.models.clients import is_hosted
from sensemaking.adapters.models.endpoints import Endpoints
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.models.prices import cost
from sensemaking.adapters.models.retrying import SEED, Patience
from sensemaking.adapters.models.said import Said
from sensemaking.adapters.models.translating import (
    MAY_BE_THIS_PROMPT,
    MAY_HAVE_COST,
    RETRIED,
    CallFailed,
    explain,
)
from sensemaking.config import ModelChoice
from sensemaking.errors import SensemakingError
from sensemaking.ports import Message, Reply, Tokenizer
from sensemaking.types import Usage

TOKENS_PER_MESSAGE = 4
_MARGIN = 1.3
"""How many more tokens than our count another vocabulary may make of a prompt."""
_MOST_TIMEOUTS = 2
_PROBE = (Message("user", "Reply with the single word: ready"),)
_PROBE_TOKENS = 64
_PROBE_SECONDS = 30.0
_TRUNCATED = 0.5
_SHORT = 1000


@dataclass(frozen=True, slots=True)
class Prompt:
    """What is asked; `max_tokens` bounds the reply."""

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None
    max_tokens: int


class Caller:
    """Makes the calls of one role to one model; any thread may use it."""

    def __init__(
        self,
        choice: ModelChoice,
        role: str,
        *,
        endpoints: Endpoints,
        meter: RunMeter,
        tokenizer: Tokenizer,
    ) -> None:
        self.choice = choice
        self.role = role
        self.meter = meter
        self.endpoint = endpoints.endpoint(choice)
        self.patience = Patience()
        self._client = endpoints.client(choice)
        self._abilities = endpoints.abilities(choice)
        self._tokenizer = tokenizer
        self._read_whole = 0
        self._jitter = random.Random(SEED)
        self._price = meter.prices.price(choice.model, is_hosted=is_hosted(choice))
        if self._price is None and meter.has_budget:
            meter.note(
                f"No price is known for {choice.model}: its tokens are counted, its cost is not, "
                "and the cap does not hold it. Set a price in Settings."
            )

    @property
    def where(self) -> str:
        """Return the model and its endpoint, for messages."""
        return f"The model “{self.choice.model}” at {self.endpoint.address}"

    def most(self, prompt: Prompt) -> float:
        """Return the most dollars that a call can cost; 0 where nothing limits them."""
        if self._price is None or not self.meter.has_budget:
            return 0.0
        return cost(self._price, _MARGIN * self._count(prompt.messages) + 50, prompt.max_tokens)

    def prepare(self) -> None:
        """Load and make what a call needs; nothing is called. Raises `ConfigError`."""
        limit = self.choice.max_tokens
        self._client.prepare(self._abilities.options(None, limit, self.choice.json_mode))

    def call(
        self,
        prompt: Prompt,
        on_piece: Callable[[str], None] | None = None,
        on_attempt: Callable[[], None] | None = None,
    ) -> Reply:
        """Return the reply; what it has cost is counted before it is returned.

        Raises
        ------
        ModelError, Paused, ConfigError
            As `ports.ChatModel`.
        """
        n_failed, n_changes, is_repeated = 0, 0, False
        while True:
            options = self._abilities.options(
                prompt.schema, prompt.max_tokens, self.choice.json_mode
            )
            if on_attempt is not None:
                on_attempt()
            try:
                return self._counted(prompt, options, on_piece)
            except CallFailed as failure:
                if n_changes < MOST_CHANGES and self._abilities.adapt(
                    failure, options, is_repeated=is_repeated
                ):
                    n_changes, is_repeated = n_changes + 1, False
                    continue
                n_failed, is_repeated = n_failed + 1, True
                if failure.kind in MAY_HAVE_COST:
                    self.meter.add_uncertain(self.most(prompt))
                if self._gives_up(failure, n_failed):
                    raise self._final(failure) from failure
                self.meter.pause(self.patience.wait(n_failed, failure.retry_after, self._jitter))

    def _counted(
        self, prompt: Prompt, options: Options, on_piece: Callable[[str], None] | None = None
    ) -> Reply:
        said, seconds = self._once(prompt, options, on_piece)
        reply = self._reply(prompt, said)
        self.meter.add(self.role, reply.usage, seconds)
        return reply

    def _once(
        self, prompt: Prompt, options: Options, on_piece: Callable[[str], None] | None
    ) -> tuple[Said, float]:
        self._client.prepare(options)
        with self.endpoint.gate.slot(self.meter.check) as began:
            try:
                said = self._client.call(prompt.messages, options, on_piece)
            except CallFailed as failure:
                if failure.kind == "busy":
                    asked = failure.retry_after
                    pause = None if self.patience.is_too_long(asked) else asked
                    self.endpoint.gate.overloaded(began, pause)
                raise
            seconds = time.monotonic() - began
        self.endpoint.succeeded()
        self._abilities.worked(options)
        return said, seconds

    def _gives_up(self, failure: CallFailed, n_failed: int) -> bool:
        most = self.choice.retries + 1
        if failure.kind == "timeout":
            most = min(most, _MOST_TIMEOUTS)
        return (
            failure.kind not in RETRIED
            or n_failed >= most
            or self.patience.is_too_long(failure.retry_after)
        )

    def _final(self, failure: CallFailed) -> SensemakingError:
        """Return the error of a call that is given up.

        Whether the prompt is the cause is asked now: a reply to another call that comes in late
        says nothing about an endpoint that has died since.
        """
        self._abilities.gave_up()
        others_work = failure.kind in MAY_BE_THIS_PROMPT and self._is_alive()
        return explain(failure, self.where, others_work=others_work)

    def _is_alive(self) -> bool:
        """Return whether the model answers a question that every model can answer."""
        prompt = Prompt(_PROBE, None, _PROBE_TOKENS)
        options = replace(
            self._abilities.options(None, _PROBE_TOKENS, self.choice.json_mode),
            seconds=min(self.choice.read_seconds, _PROBE_SECONDS),
        )
        try:
            self._counted(prompt, options)
        except CallFailed:
            return False
        return True

    def _reply(self, prompt: Prompt, said: Said) -> Reply:
        sent, written, thought = said.prompt, said.completion, said.reasoning
        aloud = self._tokenizer.count(said.thoughts) if said.thoughts else 0
        if sent is None or written is None:
            sent, written = self._count(prompt.messages), self._tokenizer.count(said.text)
        elif aloud:
            # Thoughts in the reply were counted as reply.
            written = max(0, written - aloud)
        elif self._looks_truncated(prompt, sent):
            self.meter.note(
                f"{self.where} read {sent} tokens of a longer prompt: its context is smaller than "
                "it should be, and the rest was not read. Raise it on the server (Ollama: "
                "num_ctx), or set the context length in Settings."
            )
        thought += aloud
        dollars = cost(self._price, sent, written + thought)
        usage = Usage(1, 0, sent, written, thought, dollars)
        return Reply(said.text, said.finish, usage)

    def _looks_truncated(self, prompt: Prompt, sent: int) -> bool:
        # Five characters a token at least: far from every limit nothing needs to be counted. Nor is
        # what is no longer than something that was read whole: counting costs as much as a call.
        length = sum(len(message.text) for message in prompt.messages)
        if sent < 1 or length < sent * 5 or length < _SHORT * 4 or length <= self._read_whole:
            return False
        if sent < _TRUNCATED * self._count(prompt.messages):
            return True
        self._read_whole = length
        return False

    def _count(self, messages: Sequence[Message]) -> int:
        return sum(self._tokenizer.count(one.text) + TOKENS_PER_MESSAGE for one in messages)
