"""One whole reply from a server of OpenAI's protocol, with the client that LangChain has made.

Messages and options come in, a `Said` comes out. Connections, keys, addresses (Azure's too), time
limits and errors are those of the client of OpenAI; its typed models of requests and replies, and
the messages of LangChain, are gone round.

Notes
-----
Measured with openai 3.57 and langchain-openai 1.7 on a prompt of 900 tokens: `invoke` of LangChain
costs 2.6 ms of CPU a call, `chat.completions.create` of its client 1.5, and this 0.8, of which the
connection 0.5. A corpus takes thousands of calls, many at once, and Python does one thing at a
time.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sensemaking.adapters.models.said import Said, finish_of
from sensemaking.adapters.models.thinking import ThoughtFilter
from sensemaking.adapters.models.translating import CallFailed
from sensemaking.ports import Message

PATH = "/chat/completions"
_REASONS = re.compile(r"o\d")
"""Models that take their instructions from a developer, not from a system."""
_SHOWN = 120


def complete(
    client: Any,  # noqa: ANN401 - the client of OpenAI is loaded late
    model: str,
    messages: Sequence[Message],
    arguments: Mapping[str, Any],
    seconds: float | None,
) -> Said:
    """Return the reply to some messages; `arguments` are fields of the request.

    Raises
    ------
    CallFailed
        When what came is no reply. What the client raises is for the caller to translate.
    """
    body = {"model": model, "messages": _sent(model, messages), **arguments}
    limits = {} if seconds is None else {"timeout": seconds}
    # As text: which library carries it, and with it the class of a response, depends on the version
    # of the client.
    return read_completion(client.post(PATH, cast_to=str, body=body, options=limits).encode())


def _sent(model: str, messages: Sequence[Message]) -> list[dict[str, str]]:
    system = "developer" if _REASONS.match(model) else "system"
    return [
        {"role": system if one.role == "system" else one.role, "content": one.text}
        for one in messages
    ]


def read_completion(body: bytes) -> Said:
    """Return the reply in the body of a response.

    Raises
    ------
    CallFailed
        When there is none; its detail says what there is instead.
    """
    try:
        found = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        begin = " ".join(body[:_SHOWN].decode("utf-8", "replace").split())
        raise CallFailed("garbled", f"what came is not JSON: {begin!r}") from error
    whole = _dict(found)
    choices = whole.get("choices")
    choice = _dict(choices[0]) if isinstance(choices, list) and choices else {}
    if whole.get("error") or not choice:
        # Some servers say that all is well and send an error, or nothing.
        raise CallFailed("garbled", _error_of(whole) or "the response holds no reply")
    message = _dict(choice.get("message"))
    thoughts = ThoughtFilter()
    text = thoughts.feed(_text(message.get("content"))) + thoughts.end()
    tokens = _tokens(_dict(whole.get("usage")))
    if refusal := message.get("refusal"):
        return Said(text or str(refusal), "filter", *tokens, thoughts.thoughts)
    return Said(text, finish_of(choice.get("finish_reason")), *tokens, thoughts.thoughts)


def error_in(body: bytes) -> str:
    """Return the error that a response tells of instead of what was asked for, "" without one."""
    try:
        return _error_of(_dict(msgspec.json.decode(body)))
    except (msgspec.DecodeError, UnicodeDecodeError):
        return ""


def _error_of(whole: Mapping[str, Any]) -> str:
    said = _dict(whole.get("error")).get("message") or whole.get("error")
    return str(said or "")


def _text(content: object) -> str:
    """Return the text of a message, which may come in parts."""
    if isinstance(content, list):
        return "".join(_text(_dict(part).get("text")) for part in content)
    return content if isinstance(content, str) else ""


def _tokens(usage: Mapping[str, object]) -> tuple[int | None, int | None, int]:
    prompt, said = _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))
    if not prompt and not said:
        return None, None, 0
    reasoning = _count(_dict(usage.get("completion_tokens_details")).get("reasoning_tokens"))
    return prompt, max(0, said - reasoning), reasoning


def _count(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
