"""Communities in a real browser: drill down, roll up, search, name, deal; nothing leaves it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sensemaking.config import HierarchySettings, Settings
from sensemaking.types import Hierarchy
from sensemaking.workspace import Workspace
from tests.browser.serving import Server, watched
from tests.dossier import DOCUMENTS

pytestmark = pytest.mark.browser

NAME = "bridge"
BUILD_SECONDS = 240
STEP_MS = 40_000
EVIL = "Wall <img src=x onerror=alert(1)> ![p](https://example.invalid/p.png)"


@pytest.fixture(scope="module")
def built(server: Server) -> tuple[Server, Hierarchy]:
    workspace = Workspace.open(server.home)
    corpus = workspace.create(NAME, Settings(hierarchy=HierarchySettings(max_community_size=3)))
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    corpus.start_build()
    job = corpus.wait_for_build(BUILD_SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    workspace.close()
    return server, hierarchy


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    with watched(chromium, 1280, 800, STEP_MS) as one:
        yield one


def test_the_tree_drills_down_and_the_breadcrumb_rolls_up(
    page: Any, built: tuple[Server, Hierarchy]
) -> None:
    server, hierarchy = built
    parent = next(one for one in hierarchy.view(0) if hierarchy.children[one.id])
    page.goto(f"{server.url}/communities?corpus={NAME}&as=tree")
    page.locator(f'.row[data-id="{parent.id}"]').click()
    page.wait_for_url(f"**community={parent.id}**")
    child = hierarchy.children[parent.id][0]
    row = page.locator(f'.row[data-id="{child.id}"]')
    row.focus()
    row.press("Enter")
    page.wait_for_url(f"**community={child.id}**")
    page.locator(f".st-key-crumb_{parent.id} button").click()
    page.wait_for_url(f"**community={parent.id}**")
    page.locator(".st-key-crumb_all button").click()
    page.locator(".st-key-crumb_all").wait_for(state="detached")
    assert "community=" not in page.url


def test_a_report_is_found_by_a_word_named_and_named_so_everywhere(
    page: Any, built: tuple[Server, Hierarchy]
) -> None:
    server, _ = built
    page.goto(f"{server.url}/communities?corpus={NAME}")
    box = page.locator(".st-key-search_reports input")
    box.fill("river wall")
    box.press("Enter")
    page.locator('[class*="st-key-found_"] button').first.click()
    page.locator(".st-key-back_to_found").wait_for()
    page.locator(".st-key-name_and_note button").first.click()
    page.get_by_label("Name", exact=True).fill(EVIL)
    page.get_by_label("Note", exact=True).fill("Who pays?")
    page.get_by_role("button", name="Keep").click()
    page.locator(".st-key-panel_report h2", has_text="Wall <img").wait_for()
    page.locator(".st-key-pin_community button").click()
    page.locator(".st-key-pin_community", has_text="Unpin").wait_for()
    page.goto(f"{server.url}/communities?corpus={NAME}")
    page.locator(".st-key-panel_report", has_text="Wall <img").wait_for()
    assert page.locator(".st-key-page img[src=x]").count() == 0


@pytest.mark.parametrize("width", [768, 1280, 1920])
def test_nothing_is_wider_than_the_window(
    page: Any, built: tuple[Server, Hierarchy], width: int
) -> None:
    server, hierarchy = built
    page.set_viewport_size({"width": width, "height": 1080})
    leaf = hierarchy.leaves[0].id
    page.goto(f"{server.url}/communities?corpus={NAME}&community={leaf}&about=shape&list=ties")
    page.locator(".st-key-deal_80").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
