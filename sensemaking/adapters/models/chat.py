"""A language model for one role (`ports.ChatModel`): cached, counted, gated, retried, stoppable."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sensemaking.adapters.models.caching import pack, reply_key, unpack
from sensemaking.adapters.models.calling import Caller, Prompt
from sensemaking.adapters.models.endpoints import CONTEXT_WHEN_UNKNOWN, Endpoints
from sensemaking.adapters.models.flights import Flight
from sensemaking.errors import ModelError, Paused, StoreError
from sensemaking.ports import Message, Reply, ReplyCache
from sensemaking.types import Usage

_LOG = logging.getLogger(__name__)


class EndpointChatModel:
    """A model behind an endpoint; any thread may use it. Made by `factory.chat_models`.

    `complete` and `stream` share the cache: what one has got the other gets for nothing.
    """

    def __init__(self, caller: Caller, *, endpoints: Endpoints, cache: ReplyCache | None) -> None:
        self._caller = caller
        self._meter = caller.meter
        self._endpoints = endpoints
        self._cache = cache
        choice = caller.choice
        self._key = (
            f"{choice.provider}|{caller.endpoint.address}|{choice.model}|"
            f"temperature={choice.temperature}|seed={choice.seed}|json={choice.json_mode}|"
            f"max_tokens={choice.max_tokens}"
        )

    def __repr__(self) -> str:
        return f"EndpointChatModel({self._key})"

    @property
    def key(self) -> str:
        """Return provider, endpoint, model and parameters: what replies depend on, no secret."""
        return self._key

    @property
    def context_tokens(self) -> int:
        """Return how many tokens prompt and reply may have together.

        From the settings, else from the server, which is asked once, else 32,000 with a note.
        """
        choice = self._caller.choice
        found = choice.context_tokens or self._endpoints.context_tokens(choice)
        if found:
            return found
        self._meter.note(
            f"{self._caller.where} does not tell its context length: {CONTEXT_WHEN_UNKNOWN:,} "
            "tokens are assumed. Set the right number in Settings."
        )
        return CONTEXT_WHEN_UNKNOWN

    @property
    def max_tokens(self) -> int:
        """Return how long a reply may be; at most half of the context."""
        return min(self._caller.choice.max_tokens, max(64, self.context_tokens // 2))

    @property
    def n_parallel(self) -> int:
        """Return how many calls may be under way at once."""
        return self._caller.choice.concurrency

    def prepare(self) -> None:
        """Load and make what a call needs, which may take a second; nothing is called.

        Raises
        ------
        ConfigError
            When the package of the provider is not installed.
        """
        self._caller.prepare()

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        replicate: int = 0,
    ) -> Reply:
        """Return the reply; with a JSON schema, in the strictest JSON mode that the server has.

        Raises
        ------
        ModelError
            When this call fails and others may not.
        Paused
            When the run ends here: stopped, budget reached, endpoint down.
        StoreError
            When the reply cannot be kept.
        """
        prompt = self._prompt(messages, schema, max_tokens)
        key = self._reply_key(prompt, replicate)
        while True:
            self._meter.check()
            n_landed = self._endpoints.flights.n_landed
            kept = self._kept(key)
            if kept is not None:
                return kept
            flight, is_mine = self._join(key, prompt, n_landed, is_streamed=False)
            flight.wait(self._meter)
            reply = self._landed(flight, is_mine)
            if reply is not None:
                return reply

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None, replicate: int = 0
    ) -> Iterator[str]:
        """Yield the reply piece by piece; a cached one comes whole.

        Raises
        ------
        ModelError, Paused, StoreError
            As `complete`. A `ModelError` also when the connection was cut and the reply, asked for
            again, came differently from what was shown: the new one is kept, and `complete` with
            the same arguments returns it.
        """
        prompt = self._prompt(messages, None, max_tokens)
        key = self._reply_key(prompt, replicate)
        while True:
            self._meter.check()
            n_landed = self._endpoints.flights.n_landed
            kept = self._kept(key)
            if kept is not None:
                if kept.text:
                    yield kept.text
                return
            flight, is_mine = self._join(key, prompt, n_landed, is_streamed=True)
            yield from flight.pieces(self._meter)
            reply = self._landed(flight, is_mine)
            if reply is None and flight.shown:
                raise ModelError(f"{self._caller.where} was stopped by another run: ask again.")
            if reply is not None:
                yield from self._rest(flight, reply)
                return

    def forget(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        replicate: int = 0,
    ) -> None:
        """Drop a cached reply that was of no use, so that it is asked for anew next time."""
        if self._cache is not None:
            prompt = self._prompt(messages, schema, max_tokens)
            self._cache.remove_reply(self._reply_key(prompt, replicate))

    def _rest(self, flight: Flight, reply: Reply) -> Iterator[str]:
        if flight.has_diverged or not reply.text.startswith(flight.shown):
            raise ModelError(
                f"{self._caller.where}: the connection was cut in the middle of the reply, and the "
                "reply that came afterwards begins differently. It is kept: ask again to see it."
            )
        if rest := reply.text[len(flight.shown) :]:
            yield rest

    def _prompt(
        self,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        max_tokens: int | None,
    ) -> Prompt:
        return Prompt(tuple(messages), schema, max_tokens or self.max_tokens)

    def _reply_key(self, prompt: Prompt, replicate: int) -> str:
        return reply_key(self._key, prompt.messages, prompt.schema, prompt.max_tokens, replicate)

    def _kept(self, key: str) -> Reply | None:
        body = None if self._cache is None else self._cache.reply(key)
        return None if body is None else self._as_cached(unpack(body))

    def _as_cached(self, reply: Reply) -> Reply:
        usage = Usage(cached_calls=1)
        self._meter.add(self._caller.role, usage)
        return Reply(reply.text, reply.finish, usage)

    def _join(
        self, key: str, prompt: Prompt, n_landed: int, *, is_streamed: bool
    ) -> tuple[Flight, bool]:
        work = partial(self._work, key, prompt, n_landed, is_streamed)
        return self._endpoints.flights.join((id(self._cache), key), self._meter, work)

    def _landed(self, flight: Flight, is_mine: bool) -> Reply | None:
        """Return the reply of a call that has ended; None when another run ended it."""
        if flight.error is None and flight.reply is not None:
            return flight.reply if is_mine else self._as_cached(flight.reply)
        if isinstance(flight.error, Paused) and flight.meter is not self._meter:
            return None
        assert flight.error is not None
        raise flight.error

    def _work(
        self, key: str, prompt: Prompt, n_landed: int, is_streamed: bool, flight: Flight
    ) -> Reply:
        """Make the call on its own thread; stored and counted before anybody else may ask again."""
        # This very call may have ended since the cache was looked at.
        if self._endpoints.flights.n_landed != n_landed and (kept := self._kept(key)) is not None:
            return kept
        caller = self._caller
        with self._meter.reserved(caller.most(prompt)):
            reply = caller.call(prompt, flight.emit if is_streamed else None, flight.begin_attempt)
            self._keep(key, reply)
        return reply

    def _keep(self, key: str, reply: Reply) -> None:
        if self._cache is None:
            return
        try:
            self._cache.add_reply(key, pack(reply))
        except StoreError:
            if not self._meter.is_stopped:
                raise
            # The corpus was closed before the reply came.
            _LOG.warning("A reply of %s came too late to be kept.", self._caller.where)
