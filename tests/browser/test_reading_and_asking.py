"""Reading with entities marked, losses as lists, follow-ups and changes, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from sensemaking.config import AskSettings
from sensemaking.workspace import Workspace
from tests.browser.serving import Server, watched
from tests.dossier import DOCUMENTS

pytestmark = pytest.mark.browser

NAME = "bridge"
BUILD_SECONDS = 240
STEP_MS = 60_000
QUESTION = "What is said about the river wall?"
EVIL = "<img src=x onerror=alert(1)> ![p](https://example.invalid/p.png) of Larkmere Council. "


@pytest.fixture(scope="module")
def built(server: Server) -> tuple[Server, str, str]:
    """Return the server, a document's id and an answer's id."""
    workspace = Workspace.open(server.home)
    corpus = workspace.create(NAME)
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    corpus.add_files(
        [
            ("evil.txt", (EVIL + "Tomas Veld wrote to Larkmere Council. " * 3).encode()),
            ("noise.txt", bytes(range(256)) * 40),
        ]
    )
    corpus.start_build()
    job = corpus.wait_for_build(BUILD_SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    key = corpus.start_answer(QUESTION, AskSettings())
    assert corpus.wait_for_answer(key, BUILD_SECONDS).status == "done"
    document = next(one.id for one in corpus.documents() if one.name == "evil.txt")
    workspace.close()
    return server, document, key


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    with watched(chromium, 1280, 800, STEP_MS) as one:
        yield one


def parameter(page: Any, name: str) -> str:
    return parse_qs(urlsplit(page.url).query).get(name, [""])[0]


def test_a_marked_entity_opens_its_card_by_mouse_and_by_keyboard(
    page: Any, built: tuple[Server, str, str]
) -> None:
    server, document, _ = built
    page.goto(f"{server.url}/documents?corpus={NAME}&document={document}")
    reader = page.locator(".reader")
    reader.locator(".e").first.wait_for()
    assert EVIL.strip() in reader.text_content()
    assert reader.locator("img").count() == 0
    reader.locator(".e").last.click()
    page.wait_for_url("**entity=**")
    page.locator(".st-key-panel_beside").get_by_text("Mentions").wait_for()
    first = parameter(page, "entity")
    page.locator(".st-key-close_entity button").click()
    page.locator(".st-key-panel_beside").get_by_text("Named here").wait_for()
    reader.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.wait_for_url("**entity=**")
    assert parameter(page, "entity")
    assert first


def test_a_loss_of_the_coverage_opens_its_list_and_closes_it(
    page: Any, built: tuple[Server, str, str]
) -> None:
    server, _, _ = built
    page.goto(f"{server.url}/documents?corpus={NAME}")
    loss = page.locator(".ledger .x").first
    loss.click()
    page.locator(".st-key-panel_lost").get_by_text("Files that were not read").wait_for()
    assert parameter(page, "lost") == "Read"
    page.locator(".ledger .row.on .x").click()
    page.locator(".st-key-panel_lost").wait_for(state="detached")


def test_a_follow_up_inside_a_community_is_answered_and_survives_another_page(
    page: Any, built: tuple[Server, str, str]
) -> None:
    server, _, answer = built
    page.goto(f"{server.url}/ask?corpus={NAME}&answer={answer}")
    page.locator(".st-key-follow_up button").first.click()
    box = page.locator(".st-key-follow_question textarea")
    box.fill("And who pays for it?")
    box.press("Tab")
    page.locator(".st-key-follow_ask button").click()
    page.wait_for_url(lambda url: answer not in url and "answer=" in url)
    key = parameter(page, "answer")
    page.locator(".st-key-nav_documents a").click()
    page.locator(".ledger").wait_for()
    page.goto(f"{server.url}/ask?corpus={NAME}&answer={key}")
    page.locator(".st-key-panel_windows").get_by_text("Inside").wait_for()


def test_another_level_shows_only_what_changed(page: Any, built: tuple[Server, str, str]) -> None:
    server, _, answer = built
    page.goto(f"{server.url}/ask?corpus={NAME}&answer={answer}")
    page.locator(".st-key-other_way button").first.click()
    page.locator(".st-key-other_level input").first.click()
    page.get_by_role("option", name="Level 0").click()
    page.locator(".st-key-other_ask button").click()
    page.locator(".st-key-panel_changed").get_by_text("the same").wait_for()
    assert parameter(page, "before") == answer
    told = page.locator(".st-key-panel_changed b").all_inner_texts()  # way, same, ..., new, gone
    page.locator(".st-key-changed_view").get_by_text("Only what changed").click()
    differ = int(told[2]) if len(told) == 5 else 0
    expect(page.locator(".prose .s")).to_have_count(int(told[-2]) + differ, timeout=STEP_MS)
    page.locator(".st-key-close_changed button").first.click()
    page.locator(".st-key-panel_changed").wait_for(state="detached")


def test_an_answer_is_copied_with_the_numbers_of_its_sources(
    page: Any, built: tuple[Server, str, str]
) -> None:
    server, _, answer = built
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{server.url}/ask?corpus={NAME}&answer={answer}")
    page.locator(".st-key-copy button").click()
    page.locator(".st-key-copy").get_by_text("Copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith(QUESTION)
    assert "[1" in copied
