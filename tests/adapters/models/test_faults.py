"""Every fault of an endpoint: what is tried again, what is said, what stays."""

from __future__ import annotations

import logging
import random
import socket
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor

import pytest

from sensemaking.adapters.models.retrying import Patience
from sensemaking.errors import (
    ContentRefused,
    ContextTooLong,
    EndpointDown,
    ModelError,
    SensemakingError,
)
from sensemaking.ports import ChatModel
from tests.adapters.models.conftest import KEY, World, ask
from tests.wire import (
    Cut,
    Fail,
    Garble,
    Hang,
    Say,
    content_filter,
    context_too_long,
    empty_choices,
    last_user_text,
    malformed,
    overloaded,
    unknown_model,
    wrong_key,
)

PASSING = {
    "429": overloaded(),
    "500": Fail(500),
    "502": Fail(502),
    "503": overloaded(status=503),
    "529": Fail(529, "Overloaded"),
    "cut before the reply": Cut(after=0),
    "cut in the reply": Cut(),
    "not JSON": malformed(),
    "no choices": empty_choices(),
    "null choices": Garble(b'{"id": "x", "choices": null}'),
    "an error with status 200": Garble(b'{"error": {"message": "busy", "code": 502}}'),
    "a page": Garble(b"<html>gateway</html>", "text/html"),
}
FINAL = {
    "wrong key": (wrong_key(), EndpointDown, "refuses the key: Incorrect API key.*SENSEMAKING_API"),
    "forbidden": (Fail(403, "Your region is not supported"), EndpointDown, "region"),
    "no such model": (unknown_model("m"), EndpointDown, "is not there: The model `m` does not"),
    "no such model in Ollama": (
        Fail(404, 'model "m" not found, try pulling it first'),
        EndpointDown,
        "try pulling it first. Choose a model",
    ),
    "wrong path": (Fail(404, "Not Found"), EndpointDown, "base URL; it mostly ends in /v1"),
    "no credit": (
        Fail(429, "You exceeded your current quota", "insufficient_quota", "insufficient_quota"),
        EndpointDown,
        "no credit left",
    ),
    "too long": (
        context_too_long(),
        ContextTooLong,
        "prompt is too long.*4096.*context length in Sett",
    ),
    "too long, said with 500": (
        Fail(500, "Requested tokens (5000) exceed context window of 4096"),
        ContextTooLong,
        "exceed context window",
    ),
    "too long for the rate": (
        Fail(429, "Request too large for m on tokens per min (TPM): Limit 100, Requested 500"),
        ContextTooLong,
        "Request too large",
    ),
    "filtered": (content_filter(), ContentRefused, "refuses this text: The response was filtered"),
    "bad call": (Fail(400, "top_p must be positive"), ModelError, "does not accept this call: top"),
    "asks for an hour": (overloaded(3600), EndpointDown, "takes no more calls now"),
}


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
@pytest.mark.parametrize("is_streamed", [False, True], ids=["whole", "streamed"])
def test_a_passing_fault_is_tried_again(world: World, fault: object, is_streamed: bool) -> None:
    world.server.queue(fault, fault)
    model = world.model()
    if is_streamed:
        if isinstance(fault, Cut):
            fault = Cut("hello", fault.after)
            world.server._queued[:] = [fault, fault]
        assert "".join(model.stream(ask("hello"))) == "hello"
    else:
        assert model.complete(ask("hello")).text == "hello"
    assert len(world.server.requests) == 3
    assert world.meter.usage.calls == 1


@pytest.mark.parametrize(("fault", "error", "said"), FINAL.values(), ids=FINAL)
def test_a_lasting_fault_is_said_at_once(
    world: World, fault: object, error: type[SensemakingError], said: str
) -> None:
    world.server.queue(fault)
    with pytest.raises(error, match=said) as raised:
        world.model().complete(ask("x"))
    assert type(raised.value) is error
    assert "“m” at http://127.0.0.1:" in str(raised.value)
    assert len(world.server.requests) == 1
    assert world.meter.usage.calls == 0


@pytest.mark.parametrize("fault", PASSING.values(), ids=PASSING)
def test_an_endpoint_that_goes_on_failing_ends_the_run(world: World, fault: object) -> None:
    world.server.script = lambda _: fault
    with pytest.raises(EndpointDown, match="Press Resume|press Resume"):
        world.model(retries=2).complete(ask("x"))
    # Three attempts; where the prompt may be the cause, a probe.
    assert len(world.server.requests) in (3, 4)


@pytest.mark.parametrize("fault", [Fail(500, "segfault"), malformed(), Cut(after=0)])
def test_a_prompt_that_always_fails_is_left_out(world: World, fault: object) -> None:
    world.server.script = lambda body: fault if last_user_text(body) == "poison" else "fine"
    model = world.model(retries=1)
    with pytest.raises(ModelError, match="answers other calls but fails with this one"):
        model.complete(ask("poison"))
    assert model.complete(ask("harmless")).text == "fine"


@pytest.mark.parametrize("fault", [Fail(500), malformed()], ids=["500", "not JSON"])
def test_an_endpoint_that_dies_in_mid_run_takes_no_unit_with_it(
    world: World, fault: object
) -> None:
    lock = threading.Lock()
    n_left = [12]

    def script(_: dict) -> object:
        with lock:
            n_left[0] -= 1
            return "fine" if n_left[0] >= 0 else fault

    world.server.script = script
    model = world.model(retries=1)
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(model.complete, ask(str(n))) for n in range(20)]
    errors = [one.exception() for one in calls]
    assert sum(one is None for one in errors) == 12
    # All end the run; none is said to be the fault of its own prompt.
    assert {type(one) for one in errors} == {type(None), EndpointDown}
    world.server.script = lambda _: "fine"
    again = world.model()
    assert [again.complete(ask(str(n))).text for n in range(20)] == ["fine"] * 20
    assert world.meter.usage.cached_calls == 12


def test_a_server_that_hangs_is_given_up(world: World) -> None:
    world.server.script = lambda _: Hang()
    with pytest.raises(EndpointDown, match="did not answer in time"):
        world.model(read_seconds=0.3).complete(ask("x"))
    # A slow server is not made faster by asking again and again: two attempts and a probe.
    assert len(world.server.requests) == 3


def test_nobody_listens(world: World) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(EndpointDown, match=r"cannot be reached:.*refused.*server runs"):
        world.model(base_url=f"http://127.0.0.1:{port}/v1").complete(ask("x"))


@pytest.mark.parametrize("url", ["localhost:1/v1", "ftp://127.0.0.1/v1", "http://", "nonsense"])
def test_what_is_not_a_url_is_said(world: World, url: str) -> None:
    with pytest.raises(SensemakingError, match="base URL"):
        world.model(base_url=url, retries=0).complete(ask("x"))


def test_a_name_that_is_not_known(world: World, no_network: list[str]) -> None:
    with pytest.raises(EndpointDown, match="cannot be reached"):
        world.model(base_url="http://no-such-host.invalid/v1", retries=0).complete(ask("x"))
    no_network.clear()


def test_retry_after_is_honoured(world: World) -> None:
    world.server.queue(overloaded(0.5))
    began = time.monotonic()
    assert world.model().complete(ask("x")).text == "x"
    assert 0.5 <= time.monotonic() - began < 5


def test_waits_double_and_are_drawn_from_the_whole_range(jitter: random.Random) -> None:
    patience = Patience(first=1, longest=10)
    waits = [[patience.wait(n, None, jitter) for _ in range(300)] for n in range(1, 7)]
    for most, some in zip([1, 2, 4, 8, 10, 10], waits, strict=True):
        assert 0 <= min(some) < 0.05 * most
        assert 0.95 * most < max(some) <= most
    assert 7 <= patience.wait(1, 7, jitter) <= 7.7
    assert patience.is_too_long(121)
    assert not patience.is_too_long(None)


# Streams that break


def test_a_stream_that_breaks_goes_on_where_it_was(world: World) -> None:
    text = "The harbour was closed for three days."
    world.server.queue(Cut(text, after=4), Cut(text, after=2), Say(text, pieces=5))
    pieces = list(world.model().stream(ask("x")))
    assert "".join(pieces) == text
    assert len(pieces) > 1


def test_a_stream_that_comes_back_differently_is_not_mixed(world: World) -> None:
    world.server.queue(Cut("The harbour was closed.", after=4), Say("Nobody knows."))
    model = world.model()
    pieces: list[str] = []
    with pytest.raises(ModelError, match="begins differently. It is kept"):
        pieces.extend(model.stream(ask("x")))
    assert "The harbour was closed.".startswith("".join(pieces))
    assert "".join(pieces)
    assert model.complete(ask("x")).text == "Nobody knows."
    assert len(world.server.requests) == 2


def test_a_stream_that_ends_early_without_an_error_is_cut(world: World) -> None:
    event = b'data: {"id":"x","object":"chat.completion.chunk","created":1,"model":"m",'
    event += b'"choices":[{"index":0,"delta":{"content":"half"},"finish_reason":null}]}\n\n'
    world.server.queue(Garble(event, "text/event-stream"))
    world.server.script = lambda _: "half and half"
    assert "".join(world.model().stream(ask("x"))) == "half and half"


# The key


def everything_said(error: BaseException) -> str:
    return "".join(traceback.format_exception(error)) + repr(error)


@pytest.mark.parametrize(
    "fault",
    [Fail(401, f"Incorrect API key provided: {KEY}."), Fail(500, f"header was Bearer {KEY}")],
)
def test_the_key_is_never_shown(
    world: World, fault: Fail, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    model: ChatModel = world.model(retries=1, roles={"judge": {"api_key": KEY}})
    settings = world.settings(roles={"judge": {"api_key": KEY}})
    model.complete(ask("fine"))
    world.server.script = lambda _: fault
    with pytest.raises(EndpointDown) as raised:
        model.complete(ask("x"))
    assert world.server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    shown = [
        *(everything_said(raised.value), caplog.text, model.key, repr(model)),
        *(
            repr(settings),
            str(settings),
            settings.model_dump_json(),
            repr(settings.choice("judge")),
        ),
        *(repr(vars(model)), repr(vars(model._caller)), repr(vars(model._caller._client))),
        repr(list(model._caller._client._made.values())),
    ]
    assert [one for one in shown if KEY in one] == []
    assert "***" in everything_said(raised.value)
