"""What tokens cost: the prices of the user, then a small table of our own.

Prices change; the table says when it was written, and every price can be set in the settings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sensemaking.config import Price

WRITTEN = "2025-06"
"""When the table below was looked up (list prices, US dollars per million tokens)."""


class _Known(NamedTuple):
    prompt: float
    completion: float
    context_tokens: int


_KNOWN: Mapping[str, _Known] = {
    "gpt-4.1": _Known(2.0, 8.0, 1_047_576),
    "gpt-4.1-mini": _Known(0.4, 1.6, 1_047_576),
    "gpt-4.1-nano": _Known(0.1, 0.4, 1_047_576),
    "gpt-4o": _Known(2.5, 10.0, 128_000),
    "gpt-4o-mini": _Known(0.15, 0.6, 128_000),
    "gpt-4-turbo": _Known(10.0, 30.0, 128_000),
    "gpt-3.5-turbo": _Known(0.5, 1.5, 16_385),
    "o3": _Known(2.0, 8.0, 200_000),
    "o3-mini": _Known(1.1, 4.4, 200_000),
    "o4-mini": _Known(1.1, 4.4, 200_000),
    "claude-3-5-haiku": _Known(0.8, 4.0, 200_000),
    "claude-3-5-sonnet": _Known(3.0, 15.0, 200_000),
    "claude-3-7-sonnet": _Known(3.0, 15.0, 200_000),
    "claude-sonnet-4": _Known(3.0, 15.0, 200_000),
    "claude-opus-4": _Known(15.0, 75.0, 200_000),
    "text-embedding-3-small": _Known(0.02, 0.0, 8_191),
    "text-embedding-3-large": _Known(0.13, 0.0, 8_191),
}
_DATE = re.compile(r"-(\d{4}-\d{2}-\d{2}|\d{8}|latest)$")


@dataclass(frozen=True)
class PriceTable:
    """Prices by model name; those of the user come first. A dated version costs as its model."""

    own: Mapping[str, Price] = field(default_factory=dict)

    def price(self, model: str, *, is_hosted: bool = True) -> Price | None:
        """Return the price of a model, or None when it is not known.

        Our own table is about the makers' endpoints alone: elsewhere (`is_hosted` False) a model of
        that name may cost anything.
        """
        plain = _DATE.sub("", model)
        for name in (model, plain):
            if name in self.own:
                return self.own[name]
        known = _KNOWN.get(plain) if is_hosted else None
        return None if known is None else Price(prompt=known.prompt, completion=known.completion)


def known_context(model: str) -> int | None:
    """Return how many tokens a well-known model reads and writes together."""
    known = _KNOWN.get(_DATE.sub("", model))
    return None if known is None else known.context_tokens


def cost(price: Price | None, prompt_tokens: float, completion_tokens: float) -> float:
    """Return US dollars; 0 without a price."""
    if price is None:
        return 0.0
    return (price.prompt * prompt_tokens + price.completion * completion_tokens) / 1e6
