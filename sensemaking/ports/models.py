"""Language models behind endpoints, what they cost, and their replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from sensemaking.types import (
    Usage,
)


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. `finish` "length" means that the reply was cut by a limit."""

    text: str
    finish: Literal["stop", "length", "filter"]
    usage: Usage


class ChatModel(Protocol):
    """One language model for one role; calls are cached, counted, gated and retried.

    All calls raise `ModelError` for what concerns this call alone and `Paused` for what ends the
    run.
    """

    @property
    def key(self) -> str:
        """Return provider, endpoint, model and parameters: what replies depend on, no secret."""

    @property
    def context_tokens(self) -> int:
        """Return how many tokens prompt and reply may have together."""

    @property
    def max_tokens(self) -> int:
        """Return how long a reply may be."""

    @property
    def n_parallel(self) -> int:
        """Return how many calls may be under way at once."""

    def prepare(self) -> None:
        """Load and make what a call needs, which may take a second; nothing is called."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        replicate: int = 0,
    ) -> Reply:
        """Return the reply; with a JSON schema, in the strictest JSON mode that the server has."""

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None, replicate: int = 0
    ) -> Iterator[str]:
        """Yield the reply piece by piece; a cached one comes whole."""

    def forget(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        replicate: int = 0,
    ) -> None:
        """Drop a cached reply that was of no use, so that it is asked for anew next time."""


class Meter(Protocol):
    """What a run has spent, and whether it may go on. A run without models spends nothing."""

    @property
    def usage(self) -> Usage:
        """Return what was spent so far."""

    @property
    def calls_per_minute(self) -> int:
        """Return how many calls ended in the last minute."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the user should know about the models, each thing once."""

    def stop(self) -> None:
        """Let no new call start; those under way end and are kept."""


class ReplyCache(Protocol):
    """Replies of models by the digest of all they depend on; each is durable when stored."""

    def reply(self, key: str) -> bytes | None:
        """Return a stored reply, or None."""

    def add_reply(self, key: str, body: bytes) -> None:
        """Store a reply."""

    def remove_reply(self, key: str) -> None:
        """Drop a stored reply."""


@dataclass(frozen=True, slots=True)
class CallShape:
    """What one unit of a task asks of a model, for estimates.

    `calls` (least, most) per unit; `overhead_tokens` of prompt beside the unit's own text;
    `reply_tokens` (least, most) per call; `price` in US dollars per million (prompt, completion)
    tokens, None when it is not known; `seconds` of one call, None when none was made yet.
    """

    calls: tuple[float, float]
    overhead_tokens: int
    reply_tokens: tuple[int, int]
    price: tuple[float, float] | None
    seconds: float | None
    n_parallel: int
