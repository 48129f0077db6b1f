"""The scripted server itself, asked by the real client library."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import openai
import pytest

from tests.wire import (
    Cut,
    Garble,
    Say,
    ScriptedServer,
    context_too_long,
    empty_choices,
    in_turn,
    overloaded,
)

ASKED = [{"role": "user", "content": "good morning to you"}]


@pytest.fixture
def client(scripted: ScriptedServer) -> openai.OpenAI:
    return openai.OpenAI(base_url=scripted.url, api_key="k", max_retries=0, timeout=5)


def ask(client: openai.OpenAI, **more: object) -> object:
    return client.chat.completions.create(model="m", messages=ASKED, **more)


def test_it_replies_with_usage_and_keeps_the_request(scripted, client) -> None:
    scripted.queue(Say("one two", reasoning_tokens=5, finish="length"))
    reply = ask(client)
    assert reply.choices[0].message.content == "one two"
    assert reply.choices[0].finish_reason == "length"
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (4, 7)
    assert reply.usage.completion_tokens_details.reasoning_tokens == 5
    assert ask(client).choices[0].message.content == "good morning to you"
    assert [body["messages"] for body in scripted.chats] == [ASKED, ASKED]


def test_it_streams_and_is_cut(scripted, client) -> None:
    scripted.queue(Say("a longer text in pieces"), Cut(after=3))
    options = {"stream": True, "stream_options": {"include_usage": True}}
    events = list(ask(client, **options))
    assert "".join(e.choices[0].delta.content or "" for e in events if e.choices) == (
        "a longer text in pieces"
    )
    assert events[-1].usage.completion_tokens == 5
    with pytest.raises(openai.APIConnectionError):
        list(ask(client, **options))


def test_faults_come_as_scripted(scripted, client) -> None:
    scripted.script = in_turn(
        overloaded(2), context_too_long(), Cut(after=0), Cut(), Garble(b"<html>"), empty_choices()
    )
    with pytest.raises(openai.RateLimitError) as limited:
        ask(client)
    assert limited.value.response.headers["retry-after"] == "2"
    with pytest.raises(openai.BadRequestError, match="maximum context length"):
        ask(client)
    for _ in range(2):
        with pytest.raises(openai.APIConnectionError):
            ask(client)
    with pytest.raises(ValueError, match="Expecting value"):
        ask(client)
    assert ask(client).choices == []


def test_modes_models_and_keys_are_refused_one_by_one(scripted, client) -> None:
    scripted.json_modes = frozenset({"text"})
    with pytest.raises(openai.BadRequestError, match="json_object is not supported"):
        ask(client, response_format={"type": "json_object"})
    scripted.models = {"other": {"max_model_len": 4096}}
    with pytest.raises(openai.NotFoundError, match="`m` does not exist"):
        ask(client)
    assert client.models.list().data[0].max_model_len == 4096
    scripted.api_key = "right"
    with pytest.raises(openai.AuthenticationError):
        ask(client)


def test_vectors_are_the_same_every_time(scripted, client) -> None:
    texts = ["the harbour of Riga", "the harbour of Riga today", "something else"]
    found = client.embeddings.create(model="e", input=texts).data
    plain = client.embeddings.create(model="e", input=texts, encoding_format="float").data
    vectors = np.array([one.embedding for one in found])
    assert vectors.shape == (3, 64)
    assert np.allclose(vectors, [one.embedding for one in plain])
    assert vectors[0] @ vectors[1] > 0.7 > abs(vectors[0] @ vectors[2])


def test_it_counts_what_runs_at_once(scripted, client) -> None:
    together = threading.Barrier(6)
    scripted.script = lambda _: f"one of {6 + 0 * together.wait(20)}"
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: ask(client, timeout=30), range(6)))
    assert scripted.high_water == 6
    assert scripted.log()["requests"] == 6
