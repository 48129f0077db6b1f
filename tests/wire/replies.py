"""What OpenAI's protocol says in reply: completions, their streams, vectors, tokens.

Tokens are words, so that they differ from every real count.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from tests.wire.acts import Say


def completion(body: Mapping[str, Any], act: Say) -> dict[str, Any]:
    """Return a reply as one object."""
    message: dict[str, Any] = {"role": "assistant", "content": act.text}
    if act.refusal is not None:
        message = {"role": "assistant", "content": None, "refusal": act.refusal}
    choice = {"index": 0, "message": message, "finish_reason": act.finish}
    whole = {**_envelope(body, "chat.completion"), "choices": [choice]}
    return {**whole, "usage": usage(body, act)} if act.usage else whole


def stream_events(body: Mapping[str, Any], act: Say) -> Iterator[dict[str, Any]]:
    """Yield a reply as the objects of a stream."""
    envelope = _envelope(body, "chat.completion.chunk")
    options = body.get("stream_options") or {}
    size = max(1, -(-len(act.text) // act.pieces))
    cut = [act.text[start : start + size] for start in range(0, len(act.text), size)]
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in cut]
    for delta in deltas:
        choice = {"index": 0, "delta": delta, "finish_reason": None}
        yield {**envelope, "choices": [choice]}
    yield {**envelope, "choices": [{"index": 0, "delta": {}, "finish_reason": act.finish}]}
    if options.get("include_usage") and act.usage:
        yield {**envelope, "choices": [], "usage": usage(body, act)}


def usage(body: Mapping[str, Any], act: Say) -> dict[str, Any]:
    """Return the tokens of a call: words."""
    prompt = sum(_words(message.get("content")) for message in body.get("messages", []))
    said = _words(act.text) + act.reasoning_tokens
    return {
        "prompt_tokens": prompt,
        "completion_tokens": said,
        "total_tokens": prompt + said,
        "completion_tokens_details": {"reasoning_tokens": act.reasoning_tokens},
    }


def embeddings(body: Mapping[str, Any], dimension: int) -> dict[str, Any]:
    """Return one vector per input, as floats or base64, whichever was asked for."""
    given = body["input"]
    texts: Iterable[Any] = [given] if isinstance(given, str) else given
    data = []
    for index, text in enumerate(texts):
        found = vector(text if isinstance(text, str) else " ".join(map(str, text)), dimension)
        packed = base64.b64encode(found.tobytes()).decode()
        plain = body.get("encoding_format") != "base64"
        data.append(
            {
                "object": "embedding",
                "index": index,
                "embedding": found.tolist() if plain else packed,
            }
        )
    tokens = sum(_words(text) for text in texts)
    return {
        "object": "list",
        "data": data,
        "model": body.get("model"),
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }


def vector(text: str, dimension: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    """Return a unit vector: the sum of a random direction for each word, the same everywhere."""
    total = np.zeros(dimension)
    for word in text.lower().split() or [""]:
        total += _direction(word, dimension)
    return (total / np.linalg.norm(total)).astype(np.float32)


@lru_cache(maxsize=100_000)
def _direction(word: str, dimension: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    seed = int.from_bytes(hashlib.blake2b(word.encode(), digest_size=8).digest(), "big")
    return np.random.default_rng(seed).standard_normal(dimension)


def _envelope(body: Mapping[str, Any], kind: str) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": body.get("model")}


def _words(content: Any) -> int:
    return len(content.split()) if isinstance(content, str) else 0
