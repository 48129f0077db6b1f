"""Vectors over the wire."""

from __future__ import annotations

import numpy as np
import pytest

from sensemaking.adapters.models.embedding import EndpointEmbedder
from sensemaking.adapters.models.endpoints import Endpoints
from sensemaking.adapters.models.factory import endpoint_embedder
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.models.prices import PriceTable
from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.config import EmbeddingChoice, ModelSettings, Price
from sensemaking.errors import BudgetReached, ConfigError, ContextTooLong, EndpointDown
from tests.adapters.models.conftest import HURRIED, KEY
from tests.wire import Fail, Garble, ScriptedServer, context_too_long
from tests.wire.server import embeddings


def embedder(
    server: ScriptedServer, *, budget: float | None = None, **choice: object
) -> EndpointEmbedder:
    given = {"model": "e", "base_url": server.url, "api_key": KEY, "dimension": 64, **choice}
    meter = RunMeter(PriceTable({"e": Price(prompt=1e6, completion=0)}), budget)
    made = EndpointEmbedder(
        EmbeddingChoice.model_validate(given), endpoints=Endpoints(), meter=meter
    )
    made._patience = HURRIED
    return made


def test_vectors_have_unit_length_and_depend_on_their_text_alone(scripted: ScriptedServer) -> None:
    one = embedder(scripted)
    texts = [f"text number {n} of the harbour" for n in range(300)] + ["", " \n"]
    vectors = one.embed(texts)
    assert vectors.shape == (302, 64)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    assert np.array_equal(vectors, vectors.astype(np.float16).astype(np.float32))
    assert np.array_equal(one.embed(texts[7:8])[0], vectors[7])
    assert [len(request.body["input"]) for request in scripted.requests] == [128, 128, 46, 1]
    assert one._meter.usage.calls == 4
    assert one.embed([]).shape == (0, 64)
    assert KEY not in one.key


def test_a_wrong_dimension_is_named(scripted: ScriptedServer) -> None:
    with pytest.raises(ConfigError, match="vectors of 64 numbers, the settings say 32"):
        embedder(scripted, dimension=32).embed(["x"])


def test_windows_are_the_whole_text_and_fit(scripted: ScriptedServer) -> None:
    one = embedder(scripted, max_tokens=40)
    paragraph = "The harbour of Riga was closed. Nobody knew why, and 東京 is far away!\n\n"
    text = paragraph * 20 + "x" * 900
    windows = one.windows(text)
    assert "".join(text[start:end] for start, end in windows) == text
    counts = [BpeTokenizer().count(text[start:end]) for start, end in windows]
    assert max(counts) <= 28
    assert len(windows) < 2.5 * sum(counts) / 28
    assert text[: windows[0][1]].endswith(("\n", ". "))
    assert one.windows("short") == [(0, 5)]
    assert one.windows("") == []


def test_of_a_text_that_is_too_long_the_first_window_is_embedded(scripted: ScriptedServer) -> None:
    # A long report was sent whole, a server that reads 512 tokens refused it in every build (#3).
    one = embedder(scripted, max_tokens=40)
    long = "The harbour of Riga was closed. " * 30
    start, end = one.windows(long)[0]
    vectors = one.embed([long, long[start:end], "short"])
    assert max(BpeTokenizer().count(text) for text in scripted.requests[0].body["input"]) <= 28
    assert np.array_equal(vectors[0], vectors[1])
    scripted.vector_script = lambda _: context_too_long(512, 600)
    with pytest.raises(ContextTooLong, match="28 tokens at most: set max_tokens of the embedd"):
        one.embed(["another"])


def test_a_budget_holds_for_vectors_too(scripted: ScriptedServer) -> None:
    one = embedder(scripted, budget=30)
    one.embed(["five words are not much"])
    with pytest.raises(BudgetReached):
        one.embed(["word " * 40])
    assert one._meter.usage.cost == pytest.approx(5)


def test_a_server_without_vectors_is_said(scripted: ScriptedServer) -> None:
    scripted.api_key = "another"
    with pytest.raises(EndpointDown, match="embedding model “e” at .* refuses the key"):
        embedder(scripted).embed(["x"])


def test_settings_decide(scripted: ScriptedServer) -> None:
    assert endpoint_embedder(ModelSettings(), RunMeter()) is None
    choice = EmbeddingChoice(model="e", base_url=scripted.url, dimension=64)
    made = endpoint_embedder(ModelSettings(embeddings=choice), RunMeter(), endpoints=Endpoints())
    assert made is not None
    assert made.embed(["x"]).shape == (1, 64)


def test_the_default_key_serves_vectors_at_the_same_endpoint_only(scripted: ScriptedServer) -> None:
    scripted.api_key = KEY
    given = {
        "default": {"model": "m", "base_url": scripted.url, "api_key": KEY},
        "embeddings": {"model": "e", "base_url": scripted.url, "dimension": 64},
    }
    made = endpoint_embedder(ModelSettings.model_validate(given), RunMeter(), endpoints=Endpoints())
    assert made is not None
    assert made.embed(["x"]).shape == (1, 64)
    given["embeddings"]["base_url"] = f"{scripted.url}/"
    made = endpoint_embedder(ModelSettings.model_validate(given), RunMeter(), endpoints=Endpoints())
    assert made is not None
    with pytest.raises(EndpointDown, match="refuses the key"):
        made.embed(["x"])


def test_vectors_come_in_any_order_and_with_any_usage(scripted: ScriptedServer) -> None:
    texts = ["one", "two of them", "three of a kind"]
    expected = embedder(scripted).embed(texts)

    def shuffled(body: dict) -> object:
        found = embeddings(body, 64)
        found["data"].reverse()
        return found

    def unnumbered(body: dict) -> object:
        found = embeddings({**body, "encoding_format": "float"}, 64)
        for one in found["data"]:
            one["index"] = str(one["index"])
        return found

    scripted.vector_script = shuffled
    assert np.array_equal(embedder(scripted).embed(texts), expected)
    scripted.vector_script = unnumbered
    assert np.array_equal(embedder(scripted).embed(texts), expected)
    for usage in (None, "7", {"prompt_tokens": "7"}, {"prompt_tokens": 7.0, "total_tokens": 7.0}):
        scripted.vector_script = lambda body, usage=usage: {**embeddings(body, 64), "usage": usage}
        one = embedder(scripted)
        assert np.array_equal(one.embed(texts), expected)
        assert one._meter.usage.prompt_tokens > 0


def test_a_server_that_packs_no_numbers_is_asked_for_them_plain(scripted: ScriptedServer) -> None:
    expected = embedder(scripted).embed(["one"])

    def script(body: dict) -> object:
        return Fail(422, "encoding_format is not allowed") if "encoding_format" in body else None

    scripted.vector_script = script
    scripted.forget()
    one = embedder(scripted)
    assert np.array_equal(one.embed(["one"]), expected)
    assert np.array_equal(one.embed(["one"]), expected)
    assert ["encoding_format" in request.body for request in scripted.requests] == [1, 0, 0]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"error": {"message": "still loading"}}', "still loading"),
        (b"<html>hello</html>", "there are no vectors"),
        (b'{"data": []}', "1 texts were sent"),
        (b'{"data": [{"embedding": [NaN], "index": 0}]}', "there are no vectors"),
        (b'{"data": [{"embedding": "AAA", "index": 0}]}', "vectors cannot be read"),
    ],
)
def test_what_is_not_vectors_is_said(scripted: ScriptedServer, body: bytes, said: str) -> None:
    scripted.vector_script = lambda _: Garble(body)
    with pytest.raises(EndpointDown, match=f"embedding model .* not as a model does: {said}"):
        embedder(scripted).embed(["x"])
    assert len(scripted.requests) == 6
