"""Calls under way: what is being asked, or was just answered, is not asked again."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.adapters.models.conftest import World, ask

SECONDS = 20


class Hesitating:
    """A cache of replies whose first answer, that there is none, takes until `goes_on`."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.looked, self.goes_on = threading.Event(), threading.Event()

    def reply(self, key: str) -> bytes | None:
        found = self.inner.reply(key)
        if not self.looked.is_set():
            self.looked.set()
            assert self.goes_on.wait(SECONDS)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


def test_what_is_being_asked_is_not_asked_again(world: World) -> None:
    world.server.latency = 0.3
    model = world.model()
    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(lambda _: model.complete(ask("x")), range(8)))
    assert len(world.server.chats) == 1
    assert sum(one.usage.calls for one in replies) == 1
    assert world.meter.usage.cached_calls == 7


@pytest.mark.parametrize("is_streamed", [False, True])
def test_a_reply_that_came_since_the_cache_was_looked_at_is_not_paid_again(
    world: World, is_streamed: bool
) -> None:
    cache = Hesitating(world.store)
    world.store = cache  # type: ignore[assignment]  # the real store, but for a pause
    model = world.model()

    def late() -> str:
        return "".join(model.stream(ask("x"))) if is_streamed else model.complete(ask("x")).text

    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(late)
        assert cache.looked.wait(SECONDS)
        first = model.complete(ask("x"))
        cache.goes_on.set()
        assert waiting.result(SECONDS) == first.text
    assert len(world.server.chats) == 1
    assert world.meter.usage.cached_calls == 1
