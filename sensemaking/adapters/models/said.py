"""A reply as it came, and how endpoints name the ways in which one ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Finish = Literal["stop", "length", "filter"]
_FINISHES: Mapping[str, Finish] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
    "refusal": "filter",
    "safety": "filter",
    "prohibited_content": "filter",
    "blocklist": "filter",
}


@dataclass(frozen=True, slots=True)
class Said:
    """A reply as it came.

    Tokens are None where the endpoint is silent; `completion` has no `reasoning` in it. `thoughts`
    is what the model thought aloud.
    """

    text: str
    finish: Finish
    prompt: int | None
    completion: int | None
    reasoning: int
    thoughts: str


def finish_of(reason: object) -> Finish:
    """Return why a reply ended, from the name that its endpoint gives to it."""
    return _FINISHES.get(str(reason or "").lower(), "stop")
