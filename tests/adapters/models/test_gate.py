"""The gate: how many, who first, halved and grown back."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from sensemaking.adapters.models.gate import Gate
from sensemaking.errors import RunStopped
from tests.adapters.models.conftest import World, ask
from tests.wire import overloaded


def never() -> None:
    """Nothing stops this run."""


def test_the_limit_halves_once_for_all_calls_under_way_and_grows_back() -> None:
    gate = Gate(16)
    began = time.monotonic()
    for _ in range(5):
        gate.overloaded(began, None)
    assert gate.limit == 8
    with gate.slot(never) as later:
        gate.overloaded(later, None)
    assert gate.limit == 4
    for _ in range(4):
        gate.succeeded()
    assert gate.limit == 5
    for _ in range(200):
        gate.succeeded()
    assert gate.limit == 16
    for _ in range(10):
        with gate.slot(never) as now:
            gate.overloaded(now, None)
    assert gate.limit == 1


def test_the_maximum_can_be_changed() -> None:
    gate = Gate(16)
    gate.set_maximum(4)
    assert gate.limit == 4
    gate.set_maximum(8)
    assert gate.limit == 8
    gate.overloaded(time.monotonic(), None)
    gate.set_maximum(16)
    assert gate.limit == 4


def test_whoever_came_first_goes_first() -> None:
    gate = Gate(1)
    order: list[int] = []

    def go(number: int) -> None:
        with gate.slot(never):
            order.append(number)

    threads = []
    with gate.slot(never):
        for number in range(8):
            threads.append(threading.Thread(target=go, args=(number,)))
            threads[-1].start()
            while gate.n_waiting <= number:
                time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert order == list(range(8))


def test_somebody_who_is_stopped_leaves_the_line_and_holds_no_place() -> None:
    gate = Gate(1)
    stopped = threading.Event()

    def check() -> None:
        if stopped.is_set():
            raise RunStopped("stopped")

    def go() -> None:
        with gate.slot(check):
            pytest.fail("it was stopped")

    with ThreadPoolExecutor(1) as pool, gate.slot(never):
        waiting = pool.submit(go)
        while not gate.n_waiting:
            time.sleep(0.001)
        stopped.set()
        assert isinstance(waiting.exception(timeout=1), RunStopped)
    assert gate.n_waiting == 0
    with gate.slot(never):
        pass


def test_nobody_is_let_in_while_the_endpoint_wants_rest() -> None:
    gate = Gate(4)
    gate.overloaded(time.monotonic(), 0.25)
    began = time.monotonic()
    with gate.slot(never):
        assert 0.2 < time.monotonic() - began < 2


def test_an_overloaded_endpoint_gets_fewer_calls_and_then_more_again(world: World) -> None:
    lock = threading.Lock()
    n_refused = [0]

    def script(_: dict) -> object:
        with lock:
            if n_refused[0] < 20 and world.server.under_way > 3:
                n_refused[0] += 1
                return overloaded()
        return "ok"

    world.server.script = script
    world.server.latency = 0.02
    model = world.model(concurrency=16, retries=20)
    gate = model._caller.endpoint.gate
    with ThreadPoolExecutor(16) as pool:
        calls = [pool.submit(model.complete, ask(str(n))) for n in range(150)]
        lowest = 16
        while not all(one.done() for one in calls):
            lowest = min(lowest, gate.limit)
            time.sleep(0.002)
        assert {one.result().text for one in calls} == {"ok"}
    assert n_refused[0] > 0
    assert lowest <= 8
    assert gate.limit > lowest
    assert world.meter.usage.calls == 150
