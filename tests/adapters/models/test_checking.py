"""Check connection: what is found out with three requests."""

from __future__ import annotations

import socket

import pytest

from sensemaking.adapters.models.checking import check_embeddings, check_models
from sensemaking.adapters.models.endpoints import Endpoints
from sensemaking.config import EmbeddingChoice, ModelSettings
from tests.adapters.models.conftest import KEY
from tests.wire import Fail, Garble, Say, ScriptedServer


def settings(server: ScriptedServer, **choice: object) -> ModelSettings:
    given = {"model": "m", "base_url": server.url, "api_key": KEY, "read_seconds": 2.0, **choice}
    return ModelSettings.model_validate({"default": given})


def test_a_good_model_is_described(scripted: ScriptedServer) -> None:
    scripted.script = lambda _: {"ready": True}
    scripted.latency = 0.05
    scripted.models = {"m": {"max_model_len": 4096}, "n": {}}
    (check,) = check_models(settings(scripted))
    assert check.is_good
    assert check.roles == ("structure", "reports", "map", "reduce", "judge")
    assert (check.json_mode, check.context_tokens, check.n_requests) == ("json_schema", 4096, 2)
    assert check.seconds is not None
    # Without what it takes to load the client library.
    assert 0.05 <= check.seconds < 2
    assert check.endpoint == scripted.url
    assert check.notes == ()


@pytest.mark.parametrize("status", [400, 500])
def test_the_json_mode_is_found_with_three_requests(scripted: ScriptedServer, status: int) -> None:
    scripted.script = lambda _: {"ready": True}
    scripted.refusal_status = status
    known = Endpoints()
    scripted.json_modes = frozenset({"json_object", "text"})
    (check,) = check_models(settings(scripted), endpoints=known)
    assert (check.json_mode, check.n_requests) == ("json_object", 3)
    assert known.abilities(settings(scripted).default).json_mode == "json_object"
    scripted.json_modes = frozenset({"text"})
    (check,) = check_models(settings(scripted))
    assert (check.json_mode, check.n_requests) == ("text", 3)
    assert "32,000 tokens are assumed" in check.notes[0]


def test_a_mode_that_is_taken_and_ignored_is_found_out(scripted: ScriptedServer) -> None:
    scripted.script = lambda _: "Sure! I am ready."
    known = Endpoints()
    (check,) = check_models(settings(scripted), endpoints=known)
    assert check.is_good
    assert check.json_mode == "text"
    assert "takes the JSON mode json_schema and then ignores it" in check.notes[0]
    abilities = known.abilities(settings(scripted).default)
    assert abilities.options({"type": "object"}, 100, "auto").mode == "text"


def test_a_model_that_does_not_come_to_an_end_is_noted(scripted: ScriptedServer) -> None:
    scripted.script = lambda _: Say("and and and", finish="length")
    (check,) = check_models(settings(scripted))
    assert check.is_good
    assert check.json_mode == "json_schema"
    assert "was cut at 256 tokens" in check.notes[0]
    assert scripted.chats[0]["max_tokens"] == 256


def test_what_is_wrong_is_said(scripted: ScriptedServer) -> None:
    scripted.models = {f"model-{n}": {} for n in range(10)}
    (check,) = check_models(settings(scripted))
    assert "is not there: The model `m` does not exist" in check.problem
    assert "The endpoint has: model-0, model-1" in check.problem
    assert check.problem.endswith("and 2 more.")
    assert "Resume" not in check.problem
    scripted.models = None
    scripted.api_key = "another"
    (check,) = check_models(settings(scripted))
    assert "refuses the key" in check.problem
    assert check.n_requests == 1
    scripted.api_key = None
    scripted.script = lambda _: Garble(b"<html>hello</html>", "text/html")
    (check,) = check_models(settings(scripted))
    assert "not as a model does" in check.problem
    scripted.script = lambda _: Fail(503, "loading the model")
    (check,) = check_models(settings(scripted))
    assert "takes no more calls now: loading the model" in check.problem


def test_nobody_listens_and_no_model(scripted: ScriptedServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    (check,) = check_models(settings(scripted, base_url=f"http://127.0.0.1:{port}/v1"))
    assert "cannot be reached" in check.problem
    (check,) = check_models(ModelSettings())
    assert check.problem.startswith("No model is chosen")
    (check,) = check_models(settings(scripted, provider="cohere"))
    assert "langchain-cohere" in check.problem


def test_each_model_is_checked_once(scripted: ScriptedServer) -> None:
    scripted.script = lambda _: {"ready": True}
    given = settings(scripted).model_dump()
    given["default"]["api_key"] = KEY
    given["roles"] = {"reduce": {"model": "strong"}, "judge": {"model": "strong"}}
    checks = check_models(ModelSettings.model_validate(given))
    assert [(one.model, one.roles) for one in checks] == [
        ("m", ("structure", "reports", "map")),
        ("strong", ("reduce", "judge")),
    ]


def test_vectors_are_checked_with_one_request(scripted: ScriptedServer) -> None:
    choice = EmbeddingChoice(model="e", base_url=scripted.url, dimension=64)
    check = check_embeddings(choice)
    assert check.is_good
    assert (check.roles, check.model, check.endpoint) == (("embeddings",), "e", scripted.url)
    other = check_embeddings(choice.model_copy(update={"dimension": 3}))
    assert other.problem.endswith("set the dimension to 64.")
    scripted.api_key = "another"
    assert "refuses the key" in check_embeddings(choice).problem
    assert "Resume" not in check_embeddings(choice).problem
    assert len(scripted.requests) == 2
