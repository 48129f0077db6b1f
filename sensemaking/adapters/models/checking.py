"""“Check connection”: whether the models of the settings can be used, found out by using them.

At most three requests per model: a tiny call in the strictest JSON mode, weaker modes where that is
refused, and the list of models for the context length and, when the model is not there, for what
is. Roles that share a model are checked once.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from typing import Any

from sensemaking.adapters.models.abilities import Mode
from sensemaking.adapters.models.clients import endpoint_address
from sensemaking.adapters.models.embedding import EndpointEmbedder
from sensemaking.adapters.models.endpoints import Endpoints, context_in
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.models.prices import known_context
from sensemaking.adapters.models.translating import CallFailed, explain
from sensemaking.config import ROLES, EmbeddingChoice, ModelChoice, ModelSettings
from sensemaking.errors import ConfigError, ModelError, Paused
from sensemaking.ports import Message

MOST_REQUESTS = 3
_SCHEMA = {
    "type": "object",
    "properties": {"ready": {"type": "boolean"}},
    "required": ["ready"],
    "additionalProperties": False,
}
_ASKED = (Message("user", 'Reply with this JSON object and nothing else: {"ready": true}'),)
_REPLY_TOKENS = 256
"""Enough for the reply after a short thought, and soon over with a model that loops."""
_MOST_NAMES = 8


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What was found out about the model of some roles.

    `problem` is empty when it can be used, else says what is wrong and what to do; `seconds` is how
    long the tiny call took; `context_tokens` is None where nobody tells it.
    """

    roles: tuple[str, ...]
    provider: str
    model: str
    endpoint: str
    problem: str = ""
    notes: tuple[str, ...] = ()
    json_mode: Mode | None = None
    seconds: float | None = None
    context_tokens: int | None = None
    n_requests: int = 0

    @property
    def is_good(self) -> bool:
        """Return whether the model can be used."""
        return not self.problem


def check_models(
    settings: ModelSettings, *, endpoints: Endpoints | None = None
) -> list[ModelCheck]:
    """Return one check per model, in the order of the roles that use it first.

    What is found out about JSON modes is remembered in `endpoints`.
    """
    known = endpoints or Endpoints()
    by_choice: dict[ModelChoice, list[str]] = {}
    for role in ROLES:
        by_choice.setdefault(settings.choice(role), []).append(role)
    return [check_model(choice, tuple(roles), known) for choice, roles in by_choice.items()]


def check_model(
    choice: ModelChoice, roles: tuple[str, ...], endpoints: Endpoints | None = None
) -> ModelCheck:
    """Return whether one model can be used."""
    started = ModelCheck(roles, choice.provider, choice.model, endpoint_address(choice))
    if not choice.model:
        return replace(
            started, problem="No model is chosen: choose one in Settings or set SENSEMAKING_MODEL."
        )
    try:
        return _Checking(choice, endpoints or Endpoints(), started).run()
    except ConfigError as error:
        return replace(started, problem=str(error))


def check_embeddings(choice: EmbeddingChoice, endpoints: Endpoints | None = None) -> ModelCheck:
    """Return whether an embedding model can be used, with one request."""
    known = endpoints or Endpoints()
    embedder = EndpointEmbedder(choice, endpoints=known, meter=RunMeter(), retries=0)
    started = ModelCheck(
        ("embeddings",), "openai", choice.model, embedder.endpoint_address, n_requests=1
    )
    embedder.prepare()
    began = time.monotonic()
    try:
        embedder.embed(["one"])
    except (ConfigError, ModelError, Paused) as error:
        return replace(started, problem=_without_resume(str(error)))
    seconds = time.monotonic() - began
    return replace(started, seconds=seconds, context_tokens=choice.max_tokens)


class _Checking:
    """The requests of one check, counted."""

    def __init__(self, choice: ModelChoice, endpoints: Endpoints, started: ModelCheck) -> None:
        self._choice = choice
        self._client = endpoints.client(choice)
        self._abilities = endpoints.abilities(choice)
        self._endpoint = endpoints.endpoint(choice)
        self._started = started
        self._where = f"The model “{choice.model}” at {started.endpoint}"
        self._n_requests = 0
        self._notes: list[str] = []

    def run(self) -> ModelCheck:
        try:
            mode, seconds = self._try_modes()
        except CallFailed as failure:
            problem = _without_resume(str(explain(failure, self._where)))
            if failure.kind == "model":
                problem += self._names()
            return self._result(problem=problem)
        context = self._choice.context_tokens or self._context()
        if context is None:
            self._notes.append(
                "The server does not tell how much the model reads at once: 32,000 tokens are "
                "assumed. Set the right number."
            )
        return self._result(json_mode=mode, seconds=seconds, context_tokens=context)

    def _result(self, **found: Any) -> ModelCheck:  # noqa: ANN401 - fields of the record
        return replace(
            self._started, notes=tuple(self._notes), n_requests=self._n_requests, **found
        )

    def _try_modes(self) -> tuple[Mode, float]:
        is_repeated = False
        while True:
            options = self._abilities.options(_SCHEMA, _REPLY_TOKENS, self._choice.json_mode)
            self._client.prepare(options)
            began = time.monotonic()
            self._n_requests += 1
            try:
                said = self._client.call(_ASKED, options)
            except CallFailed as failure:
                # No request is left for a second failure: a server that fails in a JSON mode is
                # asked in the next one.
                is_repeated = failure.kind == "server"
                if self._n_requests == MOST_REQUESTS or not self._abilities.adapt(
                    failure, options, is_repeated=is_repeated
                ):
                    raise
                continue
            seconds = time.monotonic() - began
            self._endpoint.succeeded()
            if said.finish == "length":
                self._notes.append(
                    f"The model was cut at {_REPLY_TOKENS} tokens where it needs ten: it thinks "
                    "long before it speaks, or does not follow instructions."
                )
                self._abilities.worked(options)
                return options.mode, seconds
            return self._settled(options.mode, said.text), seconds

    def _settled(self, mode: Mode, text: str) -> Mode:
        """Return the mode that can be relied on, after a look at the reply."""
        try:
            json.loads(text)
        except ValueError:
            if mode != "text":
                self._notes.append(
                    f"The server takes the JSON mode {mode} and then ignores it: replies are read "
                    "as plain text."
                )
                self._abilities.has_no("json_schema")
                self._abilities.has_no("json_object")
            return "text"
        options = self._abilities.options(_SCHEMA, _REPLY_TOKENS, self._choice.json_mode)
        self._abilities.worked(replace(options, mode=mode))
        return mode

    def _context(self) -> int | None:
        return context_in(self._list(), self._choice.model) or known_context(self._choice.model)

    def _names(self) -> str:
        names = sorted(str(one.get("id")) for one in self._list())
        if not names:
            return ""
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        return f" The endpoint has: {', '.join(names[:_MOST_NAMES])}{more}."

    def _list(self) -> list[dict[str, Any]]:
        if self._n_requests >= MOST_REQUESTS or not self._client.is_openai_family:
            return []
        self._n_requests += 1
        try:
            return self._client.models(min(self._choice.read_seconds, 10.0))
        except CallFailed:
            return []


def _without_resume(said: str) -> str:
    """Return what is wrong without the advice for a run that is under way."""
    return said.replace(", then press Resume", "").replace(" Then press Resume.", "")
