"""Compare and Evaluate in a real browser: nothing leaves the machine, figures are drawn."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from sensemaking.workspace import Workspace
from tests.browser.serving import Server, Watch
from tests.dossier import DOCUMENTS

pytestmark = pytest.mark.browser

NAME = "bridge"
BUILD_SECONDS = 240
STEP_MS = 30_000
EVIL = "What is said about the river wall? <img src=x onerror=alert(1)>"
SHOTS = os.environ.get("SENSEMAKING_SHOTS")
"""A folder for pictures of the pages, for somebody to look at."""


@pytest.fixture(scope="module")
def built(server: Server) -> Server:
    workspace = Workspace.open(server.home)
    corpus = workspace.create(NAME)
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    corpus.start_build()
    job = corpus.wait_for_build(BUILD_SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    workspace.close()
    return server


@pytest.fixture(params=["light", "dark"] if SHOTS else ["light"])
def page(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    watch = Watch()
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=request.param
    )
    context.set_default_timeout(STEP_MS)
    one = context.new_page()
    one.on("request", watch.request)
    one.on("console", watch.console)
    yield one
    context.close()
    assert watch.remote == []
    assert watch.errors == []


TRIES = 6


def choose(page: Any, key: str, *words: str) -> None:
    box = page.locator(f".st-key-{key} input")
    for word in words:
        option = page.locator(f'[role="option"]:has-text("{word}")').first
        for _ in range(TRIES):
            box.fill("")
            box.fill(word)
            # A run of the page that was still under way closes the list again.
            with suppress(PlaywrightTimeoutError):
                option.click(timeout=STEP_MS / TRIES)
                break
        else:
            pytest.fail(f"{word} cannot be chosen in {key}")
    page.keyboard.press("Escape")


def picture(page: Any, name: str) -> None:
    if SHOTS:
        mode = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        path = Path(SHOTS) / f"{name}-{'dark' if mode else 'light'}.png"
        page.screenshot(path=str(path), full_page=True)


def test_two_methods_are_compared_filtered_and_judged_blind(page: Any, built: Server) -> None:
    page.goto(f"{built.url}/compare?corpus={NAME}")
    page.locator(".st-key-compare_question textarea").fill(EVIL)
    picture(page, "compare-ask")
    page.locator(".st-key-go_compare button").first.click()
    page.locator(".st-key-panel_claims .sm-claim").first.wait_for()
    page.locator(".st-key-panel_verdicts .sm-claim").nth(4).wait_for()
    assert page.locator(".st-key-page img[src=x]").count() == 0
    picture(page, "compare")
    kinds = {"agree": "Both", "conflict": "They differ", "first": "Only A", "second": "Only B"}
    shown = [one for one in kinds if page.locator(f".st-key-panel_claims .sm-claim-{one}").count()]
    page.locator(f'.st-key-claims_shown button:has-text("{kinds[shown[0]]}")').first.click()
    hidden = page.locator(f".st-key-panel_claims .sm-claim-{shown[0]}")
    hidden.first.wait_for(state="detached")

    page.locator(".st-key-blind_start button").first.click()
    page.locator(".st-key-panel_blind").wait_for()
    page.locator(".st-key-panel_answer_0").wait_for(state="detached")
    picture(page, "compare-blind")
    page.locator('.st-key-own_diversity label:has-text("Left")').click()
    page.locator(".st-key-go_reveal button").first.click()
    page.locator('.st-key-panel_verdicts :text("you: ")').wait_for()


def test_a_batch_is_run_and_its_figures_are_drawn(page: Any, built: Server) -> None:
    page.goto(f"{built.url}/evaluate?corpus={NAME}")
    page.locator('.st-key-write_popover button, button:has-text("Write")').first.click()
    page.locator(".st-key-go_write button").first.click()
    page.locator(".st-key-batch_conditions").wait_for()
    choose(page, "batch_conditions", "Texts", "Vector search", "Global, Leiden, leaves")
    limit = page.locator("[class*=st-key-batch_limit] input")
    limit.fill("4")
    limit.press("Enter")
    page.locator('.st-key-panel_plan :text("of 12")').first.wait_for()
    picture(page, "evaluate-plan")
    page.locator(".st-key-go_batch button").first.click()
    page.locator(".st-key-panel_words").wait_for()
    for key in ("chart_heat", "chart_bars", "chart_pareto"):
        page.locator(f".st-key-{key} .main-svg").first.wait_for()
    page.locator('.st-key-criterion button:has-text("Directness")').click()
    page.locator('.st-key-panel_bars :text("directness")').wait_for()
    picture(page, "evaluate")
