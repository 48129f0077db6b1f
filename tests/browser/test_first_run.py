"""A first visit, in a real browser: sample, build, question, sentence, the marked passage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from sensemaking.config import AskSettings
from sensemaking.types import Evidence
from sensemaking.workspace import Workspace
from tests.browser.serving import IDLE, Server, Watch

pytestmark = pytest.mark.browser

QUESTION = "What could delay the Eastern Docks scheme, and who carries the risk?"
NAME = "varnholm-eastern-docks"
BUILD_MS = 240_000
STEP_MS = 30_000


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def page(chromium: Any, watch: Watch) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(STEP_MS)
    one = context.new_page()
    one.on("request", watch.request)
    one.on("console", watch.console)
    yield one
    context.close()
    assert watch.remote == []
    assert watch.errors == []


def parameter(page: Any, name: str) -> str:
    return parse_qs(urlsplit(page.url).query)[name][0]


def evidence(server: Server, answer: str, sentence: int) -> tuple[Evidence, ...]:
    """Return what the engine says the sentence rests on, read from the same folder."""
    workspace = Workspace.open(server.home)
    try:
        return workspace.open_corpus(NAME).evidence(answer, sentence)
    finally:
        workspace.close()


def build_sample(page: Any, server: Server) -> None:
    page.goto(server.url)
    page.locator(".st-key-go_sample button, .st-key-open_" + NAME + " button").first.click()
    page.locator(".st-key-go_ask button").first.wait_for(timeout=BUILD_MS)


def test_first_run_to_the_marked_passage(page: Any, server: Server) -> None:
    build_sample(page, server)
    page.locator(".st-key-go_ask button").click()
    box = page.locator(".st-key-question textarea")
    box.fill(QUESTION)
    box.press("Control+Enter")
    page.locator(".st-key-panel_drawer").wait_for(timeout=60_000)
    answer = parameter(page, "answer")

    page.locator(".s[data-i='1']").click()
    page.locator(".s.on[data-i='1']").wait_for()
    page.locator(".st-key-panel_drawer").get_by_text("Evidence for sentence 2").wait_for()
    quote = evidence(server, answer, 1)[0].quote
    marked = page.locator(".st-key-panel_drawer mark").first
    assert " ".join(marked.inner_text().split()) == " ".join(quote.split())
    assert parameter(page, "sentence") == "1"

    page.keyboard.press("Tab")
    page.locator(".s[data-i='2']").focus()
    page.keyboard.press("Enter")
    page.locator(".st-key-panel_drawer").get_by_text("Evidence for sentence 3").wait_for()
    first = evidence(server, answer, 2)[0]

    page.locator(".st-key-panel_drawer").get_by_text("Open in document").first.click()
    parts = page.locator(".reader mark")
    in_document = parts.first
    in_document.wait_for()
    assert "".join(parts.all_text_contents()) == first.quote
    assert parameter(page, "start") == str(first.span.start)
    seen, frame = in_document.bounding_box(), page.locator(".reader").bounding_box()
    assert frame["y"] <= seen["y"]
    assert seen["y"] + min(seen["height"], 24) <= frame["y"] + frame["height"]


def test_a_link_to_a_sentence_opens_the_same_evidence_in_a_new_visit(
    page: Any, server: Server, chromium: Any
) -> None:
    build_sample(page, server)
    workspace = Workspace.open(server.home)
    corpus = workspace.open_corpus(NAME)
    key = corpus.start_answer(QUESTION, AskSettings())
    corpus.wait_for_answer(key, BUILD_MS / 1000)
    workspace.close()
    page.goto(f"{server.url}/ask?corpus={NAME}&answer={key}&sentence=0")
    page.locator(".s.on[data-i='0']").wait_for()
    quote = evidence(server, key, 0)[0].quote
    marked = page.locator(".st-key-panel_drawer mark").first
    assert " ".join(marked.inner_text().split()) == " ".join(quote.split())


def test_two_tabs_follow_one_build_and_clicks_keep_the_end_of_the_page(
    page: Any, server: Server
) -> None:
    page.goto(server.url)
    page.locator(".st-key-go_new button, .st-key-new_corpus button").first.click()
    page.locator(".st-key-new_title input").fill("Two tabs")
    page.locator(".st-key-new_title input").press("Tab")
    page.locator(".st-key-go_create button").click()
    page.locator("input[type=file]").first.set_input_files(
        [
            {"name": f"note-{n}.txt", "mimeType": "text/plain", "buffer": note(n).encode()}
            for n in range(60)
        ]
    )
    page.locator(".st-key-go_build button").click()
    page.locator(".st-key-stop button").first.wait_for()
    other = page.context.new_page()
    other.goto(page.url)
    other.locator(".sm-stages").wait_for()
    for turn in range(13):  # ends with all files shown
        if turn % 2:
            page.locator(".st-key-files_show button").last.click()
        else:
            page.locator(".st-key-files_show button").first.click()
        page.locator(IDLE).wait_for()
        page.wait_for_timeout(350)
        table = page.locator("[class*=st-key-files_] [data-testid=stDataFrame]")
        assert table.or_(page.get_by_text("No file of that kind")).count() > 0
        assert page.locator(".st-key-files_find").count() == 1
    for tab in (page, other):
        tab.locator(".st-key-go_ask button").wait_for(timeout=BUILD_MS)
        tab.locator("[class*=st-key-files_] canvas").first.wait_for()
    other.close()


def note(n: int) -> str:
    """Return a short document that shares its names with the others."""
    return (
        f"Note {n}. Ada Penrose of Larkmere Council met Tomas Veld of the Ferry Company about the "
        f"Larkmere Bridge. Item {n} of the list was settled. Northgate Engineering will look at "
        f"pier {n % 7} of the Larkmere Bridge in 20{10 + n % 15}. The council pays {n} million."
    ) * 6
