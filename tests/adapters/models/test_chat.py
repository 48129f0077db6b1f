"""Calls that succeed: replies, usage, JSON modes, the cache, what is shared."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from sensemaking.adapters.models.factory import prices_by_role
from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.config import Price
from sensemaking.errors import ConfigError, ModelError, SensemakingError
from sensemaking.ports import Message
from sensemaking.types import Usage
from tests.adapters.models.conftest import KEY, World, ask
from tests.wire import Fail, Garble, Say

SCHEMA = {
    "type": "object",
    "title": "Points",
    "properties": {
        "points": {"type": "array", "items": {"$ref": "#/$defs/Point"}},
        "title": {"type": "string", "default": ""},
    },
    "required": ["points"],
    "$defs": {"Point": {"type": "object", "properties": {"text": {"type": "string"}}}},
}


def refusal_of(parameter: str) -> Fail:
    return Fail(
        400,
        f"Unsupported parameter: '{parameter}' is not supported with this model.",
        "unsupported_parameter",
        "invalid_request_error",
    )


def test_a_reply_with_its_usage(world: World) -> None:
    world.server.queue(Say("one two three", reasoning_tokens=7))
    model = world.model(prices={"m": {"prompt": 10.0, "completion": 100.0}})
    reply = model.complete(ask("how many words"))
    assert (reply.text, reply.finish) == ("one two three", "stop")
    # 2 + 3 words sent, 3 said, 7 thought.
    assert reply.usage == Usage(1, 0, 5, 3, 7, pytest.approx((5 * 10 + 10 * 100) / 1e6))
    assert world.meter.usage == reply.usage
    assert list(world.meter.usage_by_role()) == ["map"]
    (body,) = world.server.chats
    assert body["messages"] == [
        {"role": "system", "content": "You answer."},
        {"role": "user", "content": "how many words"},
    ]
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("m", 0.0, 4096)
    assert "max_completion_tokens" not in body


def test_a_silent_endpoint_is_counted_for(world: World) -> None:
    world.server.queue(Say("four words of reply", usage=False))
    usage = world.model().complete(ask("Ünï 東京 ok")).usage
    count = BpeTokenizer().count
    assert usage.prompt_tokens == count("You answer.") + count("Ünï 東京 ok") + 8
    assert usage.completion_tokens == count("four words of reply")


@pytest.mark.parametrize(
    ("sent", "finish"),
    [("stop", "stop"), ("length", "length"), ("content_filter", "filter"), ("tool_calls", "stop")],
)
def test_why_a_reply_ended(world: World, sent: str, finish: str) -> None:
    world.server.queue(Say("text", finish=sent), Say("text", finish=sent))
    assert world.model().complete(ask("x")).finish == finish


def test_a_refusal_is_a_filtered_reply(world: World) -> None:
    world.server.queue(Say("", refusal="I cannot help with that."))
    reply = world.model().complete(ask("x"))
    assert (reply.text, reply.finish) == ("I cannot help with that.", "filter")


def test_thoughts_are_kept_apart(world: World) -> None:
    world.server.script = lambda _: Say(
        "<think>\nFirst this, then that.\n</think>\n\nThe reply.", pieces=30, usage=False
    )
    model = world.model()
    reply = model.complete(ask("x"))
    assert reply.text == "The reply."
    assert reply.usage.reasoning_tokens == BpeTokenizer().count("First this, then that.")
    assert "".join(model.stream(ask("y"))) == "The reply."


def test_a_megabyte_is_a_reply_like_others(world: World) -> None:
    text = "word " * 200_000
    world.server.queue(Say(text))
    model = world.model()
    assert model.complete(ask("x")).text == text
    assert model.complete(ask("x")).text == text
    assert len(world.server.chats) == 1


def test_a_stream_that_never_ends_is_ended(world: World) -> None:
    world.server.queue(Say("loop " * 50_000, pieces=400))
    model = world.model()
    said = "".join(model.stream(ask("x"), max_tokens=64))
    assert len(said) < 2_000
    assert model.complete(ask("x"), max_tokens=64).finish == "length"


# JSON modes


def test_a_schema_is_sent_in_strict_form(world: World) -> None:
    world.model().complete(ask("x"), schema=SCHEMA)
    sent = world.server.chats[0]["response_format"]["json_schema"]
    assert sent["strict"] is True
    assert sent["schema"]["required"] == ["points", "title"]
    assert sent["schema"]["additionalProperties"] is False
    assert sent["schema"]["$defs"]["Point"]["required"] == ["text"]
    assert "title" in sent["schema"]["properties"]
    assert "title" not in sent["schema"]


def test_a_schema_with_free_keys_is_sent_as_it_is(world: World) -> None:
    free = {"type": "object", "additionalProperties": {"type": "string"}}
    world.model().complete(ask("x"), schema=free)
    sent = world.server.chats[0]["response_format"]["json_schema"]
    assert sent == {"name": "reply", "schema": free, "strict": False}


@pytest.mark.parametrize("status", [400, 422, 500])
@pytest.mark.parametrize("has", [{"json_object", "text"}, {"text"}])
def test_the_strictest_json_mode_is_found_and_remembered(
    world: World, status: int, has: set[str]
) -> None:
    world.server.json_modes = frozenset(has)
    world.server.refusal_status = status
    model = world.model(is_cached=False)
    model.complete(ask("x"), schema=SCHEMA)
    world.server.forget()
    model.complete(ask("y"), schema=SCHEMA)
    best = "json_object" if "json_object" in has else "text"
    assert [one.mode for one in world.server.requests] == [best]
    # Also for the next run and for other roles.
    world.models(is_cached=False)["judge"].complete(ask("z"), schema=SCHEMA)
    assert [one.mode for one in world.server.requests] == [best, best]


def test_a_json_mode_that_was_set_is_used(world: World) -> None:
    world.model(json_mode="json_object").complete(ask("x"), schema=SCHEMA)
    assert world.server.requests[0].mode == "json_object"


def test_one_schema_that_is_refused_does_not_cost_the_others_their_mode(world: World) -> None:
    other = {"type": "object", "properties": {"a": {"type": "string"}}}
    model = world.model(is_cached=False)
    model.complete(ask("x"), schema=SCHEMA)
    world.server.queue(Fail(400, "Invalid schema for response_format 'reply'", None, "invalid"))
    model.complete(ask("x"), schema=other)
    model.complete(ask("x"), schema=SCHEMA)
    model.complete(ask("x"), schema=other)
    modes = [one.mode for one in world.server.requests]
    assert modes == ["json_schema", "json_schema", "json_object", "json_schema", "json_object"]


@pytest.mark.parametrize("parameter", ["temperature", "max_tokens"])
def test_a_parameter_that_is_refused_is_left_out(world: World, parameter: str) -> None:
    def script(body: dict) -> object:
        return refusal_of(parameter) if parameter in body else "done"

    world.server.script = script
    model = world.model(is_cached=False)
    assert model.complete(ask("x")).text == "done"
    assert model.complete(ask("y")).text == "done"
    assert [parameter in body for body in world.server.chats] == [True, False, False]


def test_a_call_that_fails_in_every_mode_says_nothing_about_modes(world: World) -> None:
    model = world.model(is_cached=False)
    bad = Fail(400, "messages: half a character", None, "invalid_request_error")
    for faults in ([bad] * 3, [Fail(500)] * 9):
        world.server.queue(*faults)
        with pytest.raises(SensemakingError):
            model.complete(ask("x"), schema=SCHEMA)
    world.server._queued.clear()
    world.server.forget()
    model.complete(ask("y"), schema=SCHEMA)
    assert [one.mode for one in world.server.requests] == ["json_schema"]


def test_a_limit_that_is_too_high_keeps_its_name(world: World) -> None:
    world.server.queue(Fail(400, "max_tokens is too large: 4096. At most 2048 are possible."))
    model = world.model()
    with pytest.raises(ModelError, match="max_tokens is too large"):
        model.complete(ask("x"))
    model.complete(ask("x"))
    assert "max_tokens" in world.server.chats[-1]


# Cache


def test_nothing_is_asked_twice(world: World) -> None:
    model = world.model()
    first = model.complete(ask("x"))
    again = model.complete(ask("x"))
    assert (again.text, again.usage) == (first.text, Usage(cached_calls=1))
    # Another run, and another role with the same model.
    assert world.models()["judge"].complete(ask("x")).usage == Usage(cached_calls=1)
    assert len(world.server.chats) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"replicate": 1},
        {"max_tokens": 100},
        {"schema": SCHEMA},
    ],
)
def test_what_a_reply_depends_on_is_asked_anew(world: World, change: dict) -> None:
    model = world.model()
    model.complete(ask("x"))
    model.complete(ask("x"), **change)
    assert len(world.server.chats) == 2


def test_other_parameters_other_replies_and_no_secret_in_the_key(world: World) -> None:
    keys = {
        world.model(**one).key
        for one in ({}, {"model": "n"}, {"temperature": 0.5}, {"max_tokens": 99}, {"seed": 1})
    }
    assert len(keys) == 5
    assert world.model(concurrency=3, retries=1, api_key="other").key in keys
    with_password = world.server.url.replace("//", "//user:password@")
    assert world.model(base_url=with_password).key in keys


def test_a_stream_comes_in_pieces_and_then_from_the_cache(world: World) -> None:
    world.server.queue(Say("a reply in many pieces", pieces=6, piece_seconds=0.03))
    model = world.model()
    times = []
    pieces = []
    for piece in model.stream(ask("x")):
        pieces.append(piece)
        times.append(time.monotonic())
    assert len(pieces) > 2
    assert times[-1] - times[0] > 0.05
    assert "".join(pieces) == "a reply in many pieces"
    assert list(model.stream(ask("x"))) == ["a reply in many pieces"]
    assert model.complete(ask("x")).usage == Usage(cached_calls=1)
    (body,) = world.server.chats
    assert body["stream_options"] == {"include_usage": True}
    assert world.meter.usage.completion_tokens == 5


def test_models_of_one_endpoint_share_its_gate(world: World) -> None:
    # Each waits for two others: with fewer at once nobody would ever get a reply.
    together = threading.Barrier(3)
    world.server.script = lambda _: f"one of {3 + 0 * together.wait(20)}"
    models = world.models(concurrency=3, read_seconds=30, roles={"reduce": {"model": "other"}})
    assert models["reduce"].key != models["map"].key
    work = [(models[("map", "reduce")[n % 2]], n) for n in range(12)]
    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda one: one[0].complete(ask(str(one[1]))), work))
    assert world.server.high_water == 3


# Other things


def test_context_comes_from_settings_server_or_a_guess_with_a_note(world: World) -> None:
    assert world.model(context_tokens=4096).context_tokens == 4096
    world.server.models = {"m": {"max_model_len": 8192}, "n": {"meta": {"n_ctx_train": 2048}}}
    model = world.model(context_tokens=0)
    assert (model.context_tokens, model.context_tokens) == (8192, 8192)
    assert world.model(context_tokens=0, model="n").context_tokens == 2048
    assert world.model(context_tokens=0, model="n").max_tokens == 1024
    assert len([one for one in world.server._requests if one.path == "/v1/models"]) == 2
    guessed = world.model(context_tokens=0, model="unlisted")
    assert guessed.context_tokens == 32_000
    assert "does not tell its context length: 32,000" in world.meter.notes[0]


def test_a_prompt_that_was_cut_by_the_server_is_told(world: World) -> None:
    model = world.model()
    world.server.script = lambda _: Say("ok")
    model.complete([Message("user", "word" * 5000)])
    assert "read 1 tokens of a longer prompt" in world.meter.notes[0]


def test_an_azure_deployment(world: World) -> None:
    model = world.model(provider="azure", base_url=world.server.url.removesuffix("/v1"))
    assert model.complete(ask("hello")).text == "hello"
    (request,) = world.server.requests
    assert request.path.startswith("/openai/deployments/m/chat/completions?api-version=")
    assert request.headers["api-key"] == KEY


def test_a_provider_without_its_package_is_named(world: World) -> None:
    with pytest.raises(ConfigError, match=r"“cohere” needs a package.*langchain-cohere"):
        world.model(provider="cohere", base_url="").complete(ask("x"))


def test_documents_go_nowhere_else(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    # The fixture `no_network` fails the test when anything else is contacted.
    for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(name, "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "k")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://192.0.2.1")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-somebody-elses")
    world.model(api_key="").complete(ask("x"))
    time.sleep(0.3)
    assert world.server.requests[0].headers["authorization"] == "Bearer none"
    assert [one.name for one in threading.enumerate() if "LangSmith" in one.name] == []


def test_nothing_heavy_is_loaded_before_the_first_call() -> None:
    code = (
        "import sys\n"
        "from sensemaking.adapters.models import checking, factory, settings_file\n"
        "from sensemaking.config import ModelSettings\n"
        "s = ModelSettings.model_validate({'default': {'model': 'm'}})\n"
        "m = factory.chat_models(s, None, factory.run_meter(s))['map']\n"
        "assert m.n_parallel == 16\n"
        "loaded = {one.split('.')[0] for one in sys.modules}\n"
        "print(sorted(loaded & {'langchain', 'langchain_core', 'langchain_openai', 'openai'}))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ)
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_prices_of_the_user_come_first(world: World) -> None:
    world.server.queue(Say("said"))
    model = world.model(model="gpt-4o-2024-11-20", prices={"gpt-4o": Price(prompt=0, completion=1)})
    assert model.complete(ask("x")).usage.cost == pytest.approx(1e-6)
    # A server of one's own is not billed at the maker's prices.
    assert world.model(model="gpt-4o").complete(ask("y")).usage.cost == 0


def test_prices_are_told_per_role(world: World) -> None:
    settings = world.settings(prices={"m": {"prompt": 1, "completion": 2}})
    judge = settings.model_copy(update={"roles": {"judge": {"model": "o3", "base_url": ""}}})
    assert prices_by_role(judge)["map"] == Price(prompt=1, completion=2)
    assert prices_by_role(judge)["judge"] == Price(prompt=2, completion=8)
    assert prices_by_role(world.settings())["map"] is None


def test_properties_of_a_schema_are_sent_in_their_order(world: World) -> None:
    # It is the order in which a model writes them: a title before what it is the title of.
    ordered = {"type": "object", "properties": {"z": {"type": "string"}, "a": {"type": "string"}}}
    world.model().complete(ask("x"), schema=ordered)
    sent = world.server.chats[0]["response_format"]["json_schema"]["schema"]
    assert list(sent["properties"]) == sent["required"] == ["z", "a"]


def test_a_reply_in_parts_is_one_text(world: World) -> None:
    part = b'{"type": "text", "text": "half"}'
    message = b'{"role": "assistant", "content": [' + part + b", " + part + b"]}"
    world.server.queue(
        Garble(b'{"choices": [{"message": ' + message + b', "finish_reason": "stop"}]}')
    )
    assert world.model().complete(ask("x")).text == "halfhalf"


@pytest.mark.parametrize(
    "usage",
    [
        b"null",
        b'{"prompt_tokens": "7", "completion_tokens": null}',
        b"[1]",
        b'{"prompt_tokens": -1}',
    ],
)
def test_strange_usage_is_counted_by_ourselves(world: World, usage: bytes) -> None:
    world.server.queue(
        Garble(b'{"choices": [{"message": {"content": "four"}}], "usage": ' + usage + b"}")
    )
    found = world.model().complete(ask("x")).usage
    assert found.prompt_tokens == BpeTokenizer().count("You answer.") + 1 + 8
    assert found.completion_tokens == 1


def test_a_reasoning_model_has_a_developer(world: World) -> None:
    world.model(model="o3-mini").complete(ask("x"))
    assert [one["role"] for one in world.server.chats[0]["messages"]] == ["developer", "user"]
