"""What people do, from one end to the other: a build over a reload, a question, two tabs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sensemaking.workspace import Workspace
from tests.browser.serving import Server, watched
from tests.dossier import DOCUMENTS, QUESTION, build
from tests.screenshots import stand

pytestmark = pytest.mark.browser

NAME, OTHER = "larkmere", "orchard"
STEP_MS = 120_000
BUILD_MS = 240_000
ORCHARD = (
    "The Orchard Trust met Mabel Quince on 3 May 2021. Mabel Quince sold the Old Press to the "
    "Orchard Trust. The Old Press burnt down in 2022, and Perry Cooper rebuilt the Old Press. "
    "Perry Cooper asked the Orchard Trust for 40,000. Mabel Quince paid Perry Cooper in 2023. "
)


@pytest.fixture(scope="module")
def built(server: Server) -> Server:
    workspace = Workspace.open(server.home)
    build(workspace, NAME, DOCUMENTS)
    build(workspace, OTHER, {"orchard.txt": ORCHARD})
    workspace.close()
    return server


@pytest.fixture
def page(chromium: Any) -> Iterator[Any]:
    with watched(chromium, 1440, 900, STEP_MS) as one:
        yield one


def go(page: Any, server: Server, address: str) -> None:
    page.goto(f"{server.url}{address}")
    page.locator(".st-key-page").first.wait_for()
    stand(page)


def test_a_build_goes_on_over_a_reload(page: Any, server: Server) -> None:
    workspace = Workspace.open(server.home)
    corpus = workspace.create("Reloaded")
    corpus.add_files((f"{n}.txt", note(n).encode()) for n in range(40))
    workspace.close()
    go(page, server, "/documents?corpus=reloaded")
    page.locator(".st-key-go_build button").click()
    page.locator(".st-key-stop button").first.wait_for()
    page.reload()
    page.locator(".sm-stages").first.wait_for()
    page.locator(".st-key-go_ask button").first.wait_for(timeout=BUILD_MS)


def test_a_question_goes_on_while_one_looks_at_another_page(page: Any, built: Server) -> None:
    go(page, built, f"/ask?corpus={NAME}")
    box = page.locator(".st-key-question textarea")
    box.fill(QUESTION)
    box.press("Control+Enter")
    page.locator(".sm-q").wait_for()
    page.locator(".st-key-nav_documents a").first.click()
    page.locator(".st-key-files_show").wait_for()
    page.locator(".st-key-nav_ask a").first.click()
    page.locator("[class*=st-key-history_] button").first.click()
    page.locator(".s[data-i='0']").wait_for()
    assert "answer=" in page.url


def test_two_tabs_on_two_corpora_never_mix(page: Any, built: Server) -> None:
    other = page.context.new_page()
    pairs = (
        (page, NAME, "Larkmere Bridge", "Mabel Quince"),
        (other, OTHER, "Mabel Quince", "Larkmere Bridge"),
    )
    for tab, name, *_ in pairs:
        go(tab, built, f"/graph?corpus={name}&level=entities")
    for target in ("documents", "graph"):
        for tab, *_ in pairs:
            tab.locator(f".st-key-nav_{target} a").first.click()
    for tab, name, mine, theirs in pairs:
        tab.locator(".st-key-graph_search").wait_for()
        stand(tab)
        assert f"corpus={name}" in tab.url
        tab.locator(".st-key-graph_search input").fill(mine)
        tab.locator(f'[role="option"]:has-text("{mine}")').first.wait_for()
        tab.locator(".st-key-graph_search input").fill(theirs)
        known = tab.locator('[role="option"]:not(:has-text("Add"))')
        assert known.filter(has_text=theirs).count() == 0
    other.close()


def note(n: int) -> str:
    """Return a short document that shares its names with the others."""
    return (
        f"Note {n}. Ada Penrose of Larkmere Council met Tomas Veld of the Ferry Company about the "
        f"Larkmere Bridge. Item {n} was settled in 20{10 + n % 15}. The council pays {n} million."
    ) * 6
