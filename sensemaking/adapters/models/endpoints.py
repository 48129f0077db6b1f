"""What is known about endpoints, shared by all runs of a program: gates, clients, abilities.

Two runs that use one endpoint at the same time share its gate, and what one has found out about a
model the other knows.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import Any

from sensemaking.adapters.models.abilities import Abilities
from sensemaking.adapters.models.clients import OPENAI_URL, Client, endpoint_address
from sensemaking.adapters.models.connections import Connections
from sensemaking.adapters.models.flights import Flights
from sensemaking.adapters.models.gate import Gate
from sensemaking.adapters.models.prices import known_context
from sensemaking.adapters.models.translating import CallFailed
from sensemaking.config import ModelChoice

CONTEXT_WHEN_UNKNOWN = 32_000
_LIST_SECONDS = 10.0
_CONTEXT_FIELDS = (
    "max_model_len",
    "context_length",
    "context_window",
    "max_context_length",
    "n_ctx",
    "n_ctx_train",
)


@dataclass
class Endpoint:
    """An address with its gate."""

    address: str
    gate: Gate
    contexts: dict[str, int | None] = field(default_factory=dict)
    asking: threading.Lock = field(default_factory=threading.Lock)

    def succeeded(self) -> None:
        """Tell the gate that a call has just succeeded."""
        self.gate.succeeded()


class Endpoints:
    """All endpoints that were used; any thread may use it."""

    def __init__(self) -> None:
        self.flights = Flights()
        self._lock = threading.Lock()
        self._endpoints: dict[str, Endpoint] = {}
        self._clients: dict[ModelChoice, Client] = {}
        self.connections = Connections()
        self._abilities: dict[tuple[str, str], Abilities] = {}

    def endpoint(self, choice: ModelChoice) -> Endpoint:
        """Return the endpoint of a model."""
        address = endpoint_address(choice)
        with self._lock:
            if address not in self._endpoints:
                self._endpoints[address] = Endpoint(address, Gate(choice.concurrency))
            return self._endpoints[address]

    def client(self, choice: ModelChoice) -> Client:
        """Return the client of a model; it is made when it is first called."""
        with self._lock:
            if choice not in self._clients:
                self._clients[choice] = Client(choice, self.connections)
            return self._clients[choice]

    def abilities(self, choice: ModelChoice) -> Abilities:
        """Return what is known of a model."""
        address = endpoint_address(choice)
        with self._lock:
            key = (address, choice.model)
            if key not in self._abilities:
                is_openai = address == OPENAI_URL
                self._abilities[key] = Abilities(choice, is_openai=is_openai)
            return self._abilities[key]

    def context_tokens(self, choice: ModelChoice) -> int | None:
        """Return how much a model reads and writes together: known, or asked once, or None."""
        endpoint = self.endpoint(choice)
        if endpoint.address == OPENAI_URL or choice.provider != "openai":
            return known_context(choice.model)
        with endpoint.asking:
            if choice.model not in endpoint.contexts:
                try:
                    listed = self.client(choice).models(min(choice.read_seconds, _LIST_SECONDS))
                except CallFailed as failure:
                    if failure.kind in ("unreachable", "key"):
                        return None  # it may be put right
                    listed = []
                endpoint.contexts[choice.model] = context_in(listed, choice.model)
            return endpoint.contexts[choice.model]


def context_in(models: list[dict[str, Any]], name: str) -> int | None:
    """Return the context length that a list of models tells about one of them."""
    for model in models:
        if model.get("id") != name:
            continue
        more = model.get("meta")
        for place in (model, more if isinstance(more, dict) else {}):
            for one in _CONTEXT_FIELDS:
                found = place.get(one)
                if isinstance(found, int) and found > 0:
                    return found
    return None
