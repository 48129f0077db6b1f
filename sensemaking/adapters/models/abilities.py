"""What a model behind an endpoint understands, found out by trying and then remembered.

Servers that speak OpenAI's protocol differ in the JSON modes they have, in the name of the limit of
a reply, and in whether they take a temperature. What is refused is left out of all further calls.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from sensemaking.adapters.models.schemas import schema_text
from sensemaking.adapters.models.translating import CallFailed
from sensemaking.config.models import JsonMode, ModelChoice

Mode = Literal["json_schema", "json_object", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "json_object", "text")
_UNKNOWN = re.compile(
    r"unsupported|not support|unknown|unrecogni[sz]ed|not permitted|instead|extra"
)
MOST_CHANGES = 6
"""Changes of options within one call: each mode, the limit's name, temperature, seed, usage."""


@dataclass(frozen=True, slots=True)
class Options:
    """How one attempt is made. `seconds` bounds the wait for a reply, None as in the settings."""

    max_tokens: int
    mode: Mode = "text"
    schema: Mapping[str, Any] | None = None
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    has_temperature: bool = True
    has_seed: bool = True
    has_stream_usage: bool = True
    seconds: float | None = None


class Abilities:
    """What one model takes. Threads may change it at once: every change is a step down."""

    def __init__(self, choice: ModelChoice, *, is_openai: bool) -> None:
        self._limit_name: Literal["max_tokens", "max_completion_tokens"] = (
            "max_completion_tokens" if is_openai else "max_tokens"
        )
        self._has_other_limit_name = True
        self._has_temperature = True
        self._has_seed = True
        self._has_stream_usage = True
        self._refused: set[Mode] = set()
        # Refused by guess: a call in a weaker mode has yet to succeed.
        self._doubtful: set[Mode] = set()
        self._refused_schemas: set[str] = set()
        self._works: set[Mode] = set()

    def options(
        self, schema: Mapping[str, Any] | None, max_tokens: int, wanted: JsonMode
    ) -> Options:
        """Return how to make a call now."""
        return Options(
            max_tokens=max_tokens,
            mode=self._mode(schema, wanted),
            schema=schema,
            limit_name=self._limit_name,
            has_temperature=self._has_temperature,
            has_seed=self._has_seed,
            has_stream_usage=self._has_stream_usage,
        )

    @property
    def json_mode(self) -> Mode | None:
        """Return the strictest mode that has worked, or None when none has been tried."""
        return next((mode for mode in MODES if mode in self._works), None)

    def worked(self, options: Options) -> None:
        """Remember that a call with these options succeeded."""
        if options.schema is not None:
            self._works.add(options.mode)
            self._doubtful.clear()

    def gave_up(self) -> None:
        """Take back what a call suggested that failed in every mode: its cause was another."""
        while self._doubtful:
            self._refused.discard(self._doubtful.pop())

    def has_no(self, mode: Mode) -> None:
        """Remember that a mode is taken and then ignored."""
        self._refused.add(mode)
        self._works.discard(mode)

    def adapt(self, failure: CallFailed, options: Options, *, is_repeated: bool) -> bool:
        """Learn from a refusal; returns whether another try with new options makes sense.

        `is_repeated`: the call has failed before. Some servers answer 500 to a mode that they do
        not have, but so does a server in trouble: only the second failure counts.
        """
        if failure.kind == "parameters":
            return self._without_parameter(failure.detail.lower(), options) or self._step_down(
                failure, options
            )
        if failure.kind == "server" and is_repeated and options.mode not in self._works:
            return self._step_down(failure, options)
        return False

    def _mode(self, schema: Mapping[str, Any] | None, wanted: JsonMode) -> Mode:
        if schema is None:
            return "text"
        if wanted != "auto":
            return wanted
        refused = self._refused
        if self._refused_schemas and schema_text(schema) in self._refused_schemas:
            refused = refused | {"json_schema"}
        return next((mode for mode in MODES if mode not in refused), "text")

    def _without_parameter(self, said: str, options: Options) -> bool:
        if _UNKNOWN.search(said) and ("max_tokens" in said or "max_completion_tokens" in said):
            if options.limit_name != self._limit_name:
                return True  # another thread was faster
            if self._has_other_limit_name:
                self._has_other_limit_name = False
                is_old = self._limit_name == "max_tokens"
                self._limit_name = "max_completion_tokens" if is_old else "max_tokens"
                return True
        if "temperature" in said and options.has_temperature:
            self._has_temperature = False
            return True
        if "stream_options" in said and options.has_stream_usage:
            self._has_stream_usage = False
            return True
        if "seed" in said.split() and options.has_seed:
            self._has_seed = False
            return True
        return False

    def _step_down(self, failure: CallFailed, options: Options) -> bool:
        if options.schema is None or options.mode == "text":
            return False
        if options.mode in self._refused:
            return True  # another thread was faster
        if "invalid schema" in failure.detail.lower() or options.mode in self._works:
            # The mode is there; this schema is not taken.
            if (
                options.mode != "json_schema"
                or schema_text(options.schema) in self._refused_schemas
            ):
                return False
            self._refused_schemas.add(schema_text(options.schema))
            return True
        self._refused.add(options.mode)
        self._doubtful.add(options.mode)
        return True
