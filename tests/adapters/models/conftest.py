"""Models of the real factory over the scripted server, each test with what it knows of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from sensemaking.adapters.models.endpoints import Endpoints
from sensemaking.adapters.models.factory import chat_models, run_meter
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.models.retrying import Patience
from sensemaking.adapters.store import SqliteStore
from sensemaking.config import ModelSettings
from sensemaking.ports import ChatModel, Message
from tests.wire import ScriptedServer
from tests.wire.conftest import scripted

__all__ = ["scripted"]

KEY = "sk-very-secret-0123456789"
HURRIED = Patience(first=0.01, longest=0.02)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(tmp_path / "corpus.db")
    yield made
    made.close()


@dataclass
class World:
    """A model of the role `map`, and everything around it."""

    server: ScriptedServer
    store: SqliteStore
    endpoints: Endpoints = field(default_factory=Endpoints)
    meter: RunMeter = field(default_factory=RunMeter)

    def settings(self, **choice: Any) -> ModelSettings:
        general = {k: choice.pop(k) for k in ("budget", "prices", "roles") if k in choice}
        default = {
            "model": "m",
            "base_url": self.server.url,
            "api_key": KEY,
            "read_seconds": 5.0,
            "context_tokens": 16_000,
            "retries": 3,
            **choice,
        }
        return ModelSettings.model_validate({"default": default, **general})

    def models(self, *, is_cached: bool = True, **choice: Any) -> dict[str, ChatModel]:
        settings = self.settings(**choice)
        self.meter = run_meter(settings)
        cache = self.store if is_cached else None
        made = chat_models(settings, cache, self.meter, endpoints=self.endpoints)
        for one in made.values():
            one._caller.patience = HURRIED
        return made

    def model(self, *, is_cached: bool = True, **choice: Any) -> ChatModel:
        return self.models(is_cached=is_cached, **choice)["map"]


@pytest.fixture
def world(scripted: ScriptedServer, store: SqliteStore) -> World:
    return World(scripted, store)


@pytest.fixture
def jitter() -> random.Random:
    return random.Random(1)


def ask(text: str) -> list[Message]:
    return [Message("system", "You answer."), Message("user", text)]


Ask = Callable[[str], list[Message]]
