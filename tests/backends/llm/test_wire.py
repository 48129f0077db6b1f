"""Tasks over a real connection: the client library, the adapter, the scripted server."""

from __future__ import annotations

import json

import pytest

from sensemaking.adapters.models.endpoints import Endpoints
from sensemaking.adapters.models.factory import chat_models, run_meter
from sensemaking.backends.llm.asking import Asker
from sensemaking.backends.llm.extractor import LlmExtractor
from sensemaking.backends.llm.mapper import LlmMapper
from sensemaking.backends.llm.reducer import LlmReducer
from sensemaking.config import LanguageSettings, ModelChoice, ModelSettings
from sensemaking.errors import ContentRefused, ContextTooLong, ModelError, ReplyUnreadable
from sensemaking.types import Point
from tests.backends.llm.replaying import REFUSAL, WordTokenizer, passage, window
from tests.backends.llm.test_extractor import GOOD
from tests.wire import Say, ScriptedServer, content_filter, context_too_long
from tests.wire.conftest import scripted

__all__ = ["scripted"]

NO_GLEANING = LanguageSettings(gleanings=0)
POINTS = (Point("p1", "Cost", "It costs 58 million crowns.", 90, ()),)


def connected(server: ScriptedServer, **choice) -> Asker:
    model = ModelChoice(
        model="m", base_url=server.url, context_tokens=8192, max_tokens=1024, retries=1, **choice
    )
    settings = ModelSettings(default=model)
    models = chat_models(settings, None, run_meter(settings), endpoints=Endpoints())
    return Asker(models["structure"], WordTokenizer())


def test_an_extraction_over_the_wire(scripted):
    scripted.script = lambda _: GOOD
    (found,) = LlmExtractor(connected(scripted), NO_GLEANING).extract([passage()])
    assert [one.name for one in found.mentions] == ["Quay 7", "Hallorsen", "cadmium"]
    (body,) = scripted.chats
    schema = json.dumps(body["response_format"])
    assert "relationships" in schema
    assert body["max_tokens"] if "max_tokens" in body else body["max_completion_tokens"]


@pytest.mark.parametrize("mode", ["json_schema", "json_object", "text"])
def test_every_json_mode_gives_the_same(scripted, mode):
    scripted.json_modes = frozenset({mode, "text"})
    scripted.script = lambda _: "Here:\n```json\n" + json.dumps(GOOD) + "\n```"
    (found,) = LlmExtractor(connected(scripted), NO_GLEANING).extract([passage()])
    assert len(found.mentions) == 3


def test_a_cut_reply_over_the_wire_keeps_what_is_complete(scripted):
    text = json.dumps(GOOD)
    scripted.script = lambda _: Say(text[: text.index('"claims"') + 30], finish="length")
    (found,) = LlmExtractor(connected(scripted), NO_GLEANING).extract([passage()])
    assert (len(found.mentions), len(found.claims)) == (3, 0)


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (content_filter(), ContentRefused),
        (context_too_long(), ContextTooLong),
        (Say("The the the"), ReplyUnreadable),
        (Say(REFUSAL), ContentRefused),
        (Say("x" * 1_000_000), ReplyUnreadable),
        (Say(""), ModelError),
    ],
)
def test_what_goes_wrong_with_one_unit_is_an_error_of_that_unit(scripted, act, error):
    scripted.script = lambda _: act
    read = LlmMapper(connected(scripted)).prepare("What does it cost?", ())
    with pytest.raises(error):
        read(window("It costs much."))


def test_an_answer_streams_over_the_wire(scripted):
    scripted.script = lambda _: Say("It costs 58 million crowns [1]. It is so [4].", pieces=20)
    pieces = list(LlmReducer(connected(scripted)).reduce("What does it cost?", POINTS))
    assert "".join(pieces) == "It costs 58 million crowns [1]. It is so."
    assert len(pieces) == 2
