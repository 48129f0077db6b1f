"""A run that is stopped, or that has a budget."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor, wait

import pytest

from sensemaking.adapters.models.gate import POLL_SECONDS
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.models.retrying import Patience
from sensemaking.errors import BudgetReached, Paused, RunStopped
from sensemaking.types import Usage
from tests.adapters.models.conftest import World, ask
from tests.wire import Fail, Hang, Say, malformed, overloaded


def all_errors(model: object, n: int, pool: ThreadPoolExecutor) -> list:
    return [pool.submit(model.complete, ask(str(one))) for one in range(n)]


def test_a_stopped_run_lets_go_at_once_and_keeps_what_is_under_way(world: World) -> None:
    world.server.latency = 2.0
    model = world.model(concurrency=4)
    with ThreadPoolExecutor(12) as pool:
        calls = all_errors(model, 12, pool)
        while world.server.under_way < 4:
            time.sleep(0.01)
        began = time.monotonic()
        world.meter.stop()
        wait(calls)
        assert time.monotonic() - began < 1
        assert {type(one.exception()) for one in calls} == {RunStopped}
    assert world.meter.is_stopped
    # Those in line leave it a moment later than their callers, and before the server answers.
    time.sleep(2 * POLL_SECONDS)
    assert world.meter.under_way <= 4
    assert world.meter.settle(5)
    assert len(world.server.chats) == 4
    assert world.meter.usage.calls == 4
    # The next run pays for none of the four again.
    again = world.model(concurrency=12)
    with ThreadPoolExecutor(12) as pool:
        assert [one.result().text for one in all_errors(again, 12, pool)] == [
            str(n) for n in range(12)
        ]
    assert len(world.server.chats) == 12
    assert world.meter.usage.cached_calls == 4


@pytest.mark.parametrize("fault", [overloaded(60), Fail(500)], ids=["gate closed", "retry wait"])
def test_waits_end_when_the_run_is_stopped(world: World, fault: Fail) -> None:
    world.server.script = lambda _: fault
    model = world.model()
    model._caller.patience = Patience(first=1000, longest=1000)
    with ThreadPoolExecutor(2) as pool:
        calls = all_errors(model, 2, pool)
        while len(world.server.requests) < 1:
            time.sleep(0.01)
        time.sleep(0.1)
        began = time.monotonic()
        world.meter.stop()
        wait(calls)
        assert time.monotonic() - began < 1
    assert {type(one.exception()) for one in calls} == {RunStopped}
    assert world.meter.settle(2)


def test_nothing_starts_after_a_stop(world: World) -> None:
    model = world.model()
    world.meter.stop()
    with pytest.raises(RunStopped, match="everything done is kept"):
        model.complete(ask("x"))
    with pytest.raises(RunStopped):
        next(model.stream(ask("x")))
    assert world.server.requests == []


def test_a_stream_that_is_stopped_or_left_is_kept_whole(world: World) -> None:
    world.server.script = lambda body: Say("a long reply " * 5, pieces=10, piece_seconds=0.05)
    model = world.model()
    pieces = model.stream(ask("left"))
    next(pieces)
    pieces.close()
    stopped = model.stream(ask("stopped"))
    next(stopped)
    world.meter.stop()
    began = time.monotonic()
    with pytest.raises(RunStopped):
        list(stopped)
    assert time.monotonic() - began < 1
    assert world.meter.settle(5)
    again = world.model()
    for text in ("left", "stopped"):
        assert again.complete(ask(text)).usage == Usage(cached_calls=1)


def test_a_run_that_waits_for_the_call_of_a_stopped_run_makes_it_itself(world: World) -> None:
    world.server.queue(overloaded(1))
    first, first_meter = world.model(), world.meter
    with ThreadPoolExecutor(2) as pool:
        one = pool.submit(first.complete, ask("x"))
        while not world.server.requests:
            time.sleep(0.01)
        second, second_meter = world.model(), world.meter
        two = pool.submit(second.complete, ask("x"))
        time.sleep(0.1)
        first_meter.stop()
        assert isinstance(one.exception(), RunStopped)
        assert two.result().text == "x"
    assert second_meter.usage.calls == 1


def test_a_hanging_server_does_not_hold_up_a_stop(world: World) -> None:
    world.server.script = lambda _: Hang()
    model = world.model(read_seconds=30)
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(model.complete, ask("x"))
        while not world.server.under_way:
            time.sleep(0.01)
        began = time.monotonic()
        world.meter.stop()
        assert isinstance(call.exception(), RunStopped)
        assert time.monotonic() - began < 1


def test_a_reply_that_comes_after_the_corpus_was_closed_harms_nobody(world: World) -> None:
    world.server.latency = 0.4
    model = world.model()
    with ThreadPoolExecutor(1) as pool:
        call = pool.submit(model.complete, ask("x"))
        while not world.server.under_way:
            time.sleep(0.01)
        world.meter.stop()
        assert isinstance(call.exception(), RunStopped)
        world.store.close()
    assert world.meter.settle(3)
    assert world.meter.usage.calls == 1


# Budget

PRICES = {"m": {"prompt": 0.0, "completion": 1_000_000.0}}  # a dollar a token


def test_the_cap_is_never_crossed_by_many_threads(world: World) -> None:
    world.server.script = lambda _: "seven words are what this costs here"
    world.server.latency = 0.02
    model = world.model(prices=PRICES, budget=200.0)
    with ThreadPoolExecutor(16) as pool:
        calls = [pool.submit(model.complete, ask(str(n)), max_tokens=20 + n % 7) for n in range(80)]
        wait(calls)
    errors = [one.exception() for one in calls]
    spent = world.meter.usage.cost
    assert spent <= 200
    # Not stopped long before the cap either: 26 is the most that one call may cost.
    assert spent > 200 - 26 - 7
    assert {type(one) for one in errors} == {type(None), BudgetReached}
    assert sum(one is None for one in errors) * 7 == pytest.approx(spent)
    message = next(str(one) for one in errors if one is not None)
    assert "cross the cap of $200.00" in message
    assert "Raise the cap and press Resume" in message
    # A higher cap goes on from there, and nothing is paid twice.
    done = len(world.server.chats)
    more = world.model(prices=PRICES, budget=10_000.0)
    for n in range(80):
        more.complete(ask(str(n)), max_tokens=20 + n % 7)
    assert len(world.server.chats) == 80
    assert world.meter.usage.cached_calls == done


def test_a_call_that_broke_off_may_have_cost_something(world: World) -> None:
    world.server.script = lambda _: malformed()
    model = world.model(prices=PRICES, budget=250.0)
    with pytest.raises(Paused):
        model.complete(ask("x"), max_tokens=100)
    assert world.meter.usage.cost == 0
    with pytest.raises(BudgetReached):
        model.complete(ask("y"), max_tokens=100)


def test_what_earlier_parts_have_spent_counts() -> None:
    meter = RunMeter(budget=10, spent=9)
    with pytest.raises(BudgetReached, match=r"\$9.0000 are spent"), meter.reserved(2):
        pass
    with meter.reserved(1):
        pass


def test_a_model_without_a_price_is_not_held_by_the_cap_and_it_is_said(world: World) -> None:
    model = world.model(budget=0.01)
    assert model.complete(ask("x")).usage.cost == 0
    assert world.meter.notes == (
        "No price is known for m: its tokens are counted, its cost is not, and the cap does not "
        "hold it. Set a price in Settings.",
    )


def test_a_call_waits_for_what_others_set_aside() -> None:
    meter = RunMeter(budget=10)
    inside, leave = threading.Event(), threading.Event()

    def first() -> None:
        with meter.reserved(8):
            inside.set()
            leave.wait(5)
            meter.add("map", Usage(1, cost=1.0), 0.1)

    thread = threading.Thread(target=first)
    thread.start()
    inside.wait(5)
    threading.Timer(0.2, leave.set).start()
    began = time.monotonic()
    with meter.reserved(8):
        assert time.monotonic() - began > 0.15
    thread.join()
    assert meter.calls_per_minute == 1
    assert meter.seconds_per_call() == {"map": pytest.approx(0.1)}
