"""The tasks with a real small model: does it understand what it is asked?

Not run by default. Start a server, then (minutes per test):
`SENSEMAKING_LIVE_MODEL="http://127.0.0.1:8089/v1 qwen15" pytest tests/backends/llm/test_live.py`
With a model that misbehaves, add `SENSEMAKING_LIVE_BAD=1`: it may fail, but only with a ModelError.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from sensemaking.adapters.models.endpoints import Endpoints
from sensemaking.adapters.models.factory import chat_models, run_meter
from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.backends.llm.asking import Asker
from sensemaking.backends.llm.extractor import LlmExtractor
from sensemaking.backends.llm.mapper import LlmMapper
from sensemaking.backends.llm.reducer import LlmReducer
from sensemaking.backends.llm.reporter import LlmReporter
from sensemaking.config import GraphSettings, LanguageSettings, ModelChoice, ModelSettings
from sensemaking.errors import ModelError
from sensemaking.graph.build import build_graph
from sensemaking.ports import Passage
from sensemaking.types import Chunk, Document, Point
from tests.backends.llm.replaying import window
from tests.backends.llm.test_reporter import context

WHERE = os.environ.get("SENSEMAKING_LIVE_MODEL", "")
IS_BAD = bool(os.environ.get("SENSEMAKING_LIVE_BAD"))
SAMPLE = Path(__file__).parents[3] / "assets" / "sample" / "documents"
NOTICE = "2024-09-19-inspectorate-notice-quay-7.txt"

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not WHERE, reason="SENSEMAKING_LIVE_MODEL names no model"),
]


@cache
def live() -> Asker:
    url, _, name = WHERE.partition(" ")
    choice = ModelChoice(
        model=name,
        base_url=url,
        context_tokens=8192,
        max_tokens=1500,
        json_mode="text",
        concurrency=1,
        read_seconds=1800,
        retries=0,
    )
    settings = ModelSettings(default=choice)
    models = chat_models(settings, None, run_meter(settings), endpoints=Endpoints())
    return Asker(models["structure"], BpeTokenizer())


@contextmanager
def forgiven() -> Iterator[None]:
    """A model known to be bad may fail with a ModelError, and with nothing else."""
    try:
        yield
    except ModelError as error:
        if not IS_BAD:
            raise
        pytest.skip(f"as it may: {type(error).__name__}: {error}")


def test_a_real_model_finds_entities_and_statements_with_their_places():
    text = (SAMPLE / NOTICE).read_text(encoding="utf-8")[:1300]
    chunk = Chunk("k", "d", 0, 0, len(text), 0, 300)
    passage = Passage(chunk, text, "Notice on Quay 7", "en", (("date", "2024-09-19"),), ())
    with forgiven():
        (found,) = LlmExtractor(live(), LanguageSettings(gleanings=0)).extract([passage])
        names = {one.name for one in found.mentions}
        if IS_BAD:
            return
        assert any("Hallorsen" in name for name in names), names
        assert any("Quay 7" in name for name in names)
        total = len(found.mentions) + len(found.relationships) + len(found.claims)
        assert found.unlocated <= total / 3
        document = Document("d", NOTICE, "Notice", text, "text/plain", "en", 200)
        graph = build_graph([document], [chunk], [found], GraphSettings())
        assert graph.relationships


def test_a_real_model_writes_a_report_with_sources():
    with forgiven():
        draft = LlmReporter(live()).write(context())
        assert draft.findings
        assert all(one.citations for one in draft.findings)


def test_a_real_model_reads_a_window_and_answers_with_sources():
    items = (
        "The survey of 2019 stopped at two metres because the tender paid for no more.",
        "Removing the cadmium from Quay 7 would cost 58 million crowns.",
        "Meridian says that making Quay 7 safe with a cover would cost 31 million crowns.",
        "The ferry of the Ostervik Line employs 188 people.",
    )
    question = "What would it cost to deal with the cadmium at Quay 7?"
    with forgiven():
        drafts = LlmMapper(live()).prepare(question, ())(window(*items))
        points = [
            Point(f"p{at}", one.heading, one.text, one.helpfulness, one.citations)
            for at, one in enumerate(drafts)
            if one.helpfulness > 0
        ]
        if IS_BAD and not points:
            return
        text = "".join(LlmReducer(live()).reduce(question, points))
        assert "[1" in text or "[2" in text
        if not IS_BAD:
            assert "58" in text
