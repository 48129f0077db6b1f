"""What something would take, before it is begun."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Range = tuple[float, float]
"""Least, most."""


@dataclass(frozen=True, slots=True)
class StageEstimate:
    """One stage: calls of a model and their tokens; `done` is the share that needs nothing more."""

    name: str
    calls: Range
    prompt_tokens: Range
    completion_tokens: Range
    cost: Range | None
    seconds: Range
    done: float = 0.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a build or an answer would take. `cost` is None when a price is not known.

    `notes` say what the numbers rest on.
    """

    stages: tuple[StageEstimate, ...]
    notes: tuple[str, ...] = ()

    @property
    def calls(self) -> Range:
        """Return the number of calls, least and most."""
        return _sum(one.calls for one in self.stages)

    @property
    def prompt_tokens(self) -> Range:
        """Return the tokens of all prompts."""
        return _sum(one.prompt_tokens for one in self.stages)

    @property
    def completion_tokens(self) -> Range:
        """Return the tokens of all replies."""
        return _sum(one.completion_tokens for one in self.stages)

    @property
    def seconds(self) -> Range:
        """Return the time, stage after stage."""
        return _sum(one.seconds for one in self.stages)

    @property
    def cost(self) -> Range | None:
        """Return US dollars; None when the price of some call is not known."""
        costs = [one.cost for one in self.stages if one.calls[1]]
        if any(one is None for one in costs):
            return None
        return _sum(one for one in costs if one is not None)


def _sum(ranges: Iterable[Range]) -> Range:
    low, high = 0.0, 0.0
    for one in ranges:
        low, high = low + one[0], high + one[1]
    return low, high
