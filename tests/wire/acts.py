"""What the scripted server can do with a request: say something, or fail in a certain way.

A script is a function from the body of a request (a dictionary, as the client sent it) to an act.
It may also return a plain string, or anything else that becomes JSON and is said as the reply.
Scripts are called by many threads at once.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Say:
    """A reply. Without `usage` the server keeps silent about tokens.

    `pieces`: in how many chunks it is streamed; `piece_seconds` between them. `refusal` goes into
    the field of that name.
    """

    text: str
    finish: str = "stop"
    usage: bool = True
    reasoning_tokens: int = 0
    pieces: int = 8
    piece_seconds: float = 0.0
    latency: float | None = None
    refusal: str | None = None


@dataclass(frozen=True)
class Fail:
    """An HTTP error with a body as OpenAI writes it."""

    status: int
    message: str = "scripted failure"
    code: str | None = None
    kind: str = "server_error"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Hang:
    """Take the request and say nothing for so long, then close the connection."""

    seconds: float = 60.0


@dataclass(frozen=True)
class Cut:
    """Begin a reply and cut the connection after so many of its pieces (0: before anything)."""

    text: str = "This reply ends in the middle of its own connection."
    after: int = 3


@dataclass(frozen=True)
class Garble:
    """Send these bytes as the body of a successful response."""

    body: bytes
    content_type: str = "application/json"


Act = Say | Fail | Hang | Cut | Garble
Script = Callable[[dict[str, Any]], Any]


def overloaded(retry_after: float | None = None, status: int = 429) -> Fail:
    """Too many requests; `retry_after` in seconds, sent as OpenAI does, rounded only if whole."""
    headers = {} if retry_after is None else {"Retry-After": f"{retry_after:g}"}
    return Fail(status, "Rate limit reached", "rate_limit_exceeded", "requests", headers)


def wrong_key() -> Fail:
    """A key that is not known."""
    return Fail(
        401,
        "Incorrect API key provided: sk-secr*****. You can find your API key at the provider.",
        "invalid_api_key",
        "invalid_request_error",
    )


def unknown_model(name: str) -> Fail:
    """A model that is not there."""
    return Fail(
        404,
        f"The model `{name}` does not exist or you do not have access to it.",
        "model_not_found",
        "invalid_request_error",
    )


def context_too_long(limit: int = 4096, sent: int = 5000) -> Fail:
    """A prompt that does not fit."""
    return Fail(
        400,
        f"This model's maximum context length is {limit} tokens. However, your messages resulted "
        f"in {sent} tokens. Please reduce the length of the messages.",
        "context_length_exceeded",
        "invalid_request_error",
    )


def content_filter() -> Fail:
    """A prompt that the endpoint refuses."""
    return Fail(
        400,
        "The response was filtered due to the prompt triggering the content management policy.",
        "content_filter",
        "invalid_request_error",
    )


def malformed() -> Garble:
    """A body that is not JSON."""
    return Garble(b'{"id": "x", "choices": [{"message": {"content": "half a')


def empty_choices() -> Garble:
    """A body without any choice."""
    return Garble(
        b'{"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": []}'
    )


def last_user_text(body: Mapping[str, Any]) -> str:
    """Return the text of the last message of the user."""
    for message in reversed(body.get("messages", [])):
        if message.get("role") == "user":
            content = message.get("content") or ""
            if isinstance(content, str):
                return content
            return "".join(part.get("text", "") for part in content)
    return ""


def echo(body: dict[str, Any]) -> str:
    """Say what the user said."""
    return last_user_text(body)


def in_turn(*acts: Any) -> Script:
    """Return a script that plays the acts one after the other; the last one is repeated."""
    turn = itertools.count()
    lock = threading.Lock()

    def play(_: dict[str, Any]) -> Any:
        with lock:
            number = next(turn)
        return acts[min(number, len(acts) - 1)]

    return play
