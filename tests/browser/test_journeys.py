"""The graph, from a circle to the passages of an entity, and the page that is taken away."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sensemaking.workspace import Workspace
from tests.browser.serving import Server, Watch, watched
from tests.dossier import DOCUMENTS, build
from tests.screenshots import stand

pytestmark = pytest.mark.browser

NAME = "larkmere"
STEP_MS = 120_000
AT = """key => {
  const find = root => root.querySelector('.net') ?? [...root.querySelectorAll('*')]
    .map(one => one.shadowRoot && find(one.shadowRoot)).find(Boolean);
  const el = find(document), net = el.__net;
  const [x, y] = [net.getPosition(key).x, net.getPosition(key).y];
  const at = net.canvasToDOM({x, y}), box = el.getBoundingClientRect();
  return [box.x + at.x, box.y + at.y];
}"""


@pytest.fixture(scope="module")
def built(server: Server) -> Server:
    workspace = Workspace.open(server.home)
    build(workspace, NAME, DOCUMENTS)
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


def test_a_circle_opens_in_place_an_entity_is_found_and_its_passages_are_read(
    page: Any, built: Server, tmp_path: Path, chromium: Any
) -> None:
    go(page, built, f"/graph?corpus={NAME}&level=0")
    x, y = page.evaluate(AT, 0)
    page.mouse.click(x, y)
    page.locator("[class*=st-key-close_] button").first.wait_for()
    assert "open=" in page.url
    page.locator(".st-key-close_all button").click()
    page.locator(".st-key-close_all").wait_for(state="detached")
    assert "open=" not in page.url

    box = page.locator(".st-key-graph_search input")
    box.fill("Penr")
    page.locator('[role="option"]:has-text("Ada Penrose")').first.click()
    card = page.locator(".st-key-panel_graph")
    card.get_by_role("heading", name="Ada Penrose").wait_for()
    card.get_by_role("tab", name="Passages").click()
    marked = card.locator("mark").first
    marked.wait_for()
    assert "Penrose" in marked.inner_text()

    page.locator(".st-key-download button").first.click()
    with page.expect_download() as waiting:
        page.locator(".st-key-download_html button").click()
    file = tmp_path / "view.html"
    waiting.value.save_as(file)
    watch, alone = Watch(), chromium.new_page()
    watch.on(alone)
    alone.goto(file.as_uri())
    alone.locator("canvas").wait_for()
    assert alone.evaluate("document.querySelector('canvas').width") > 100
    alone.close()
    assert watch.remote == []
    assert watch.errors == []


def test_the_keyboard_is_seen_on_every_link_and_names_lie_on_no_circle(
    page: Any, built: Server
) -> None:
    go(page, built, f"/graph?corpus={NAME}")
    page.locator('[data-ready]:not([data-ready=""])').wait_for()
    on_circles = page.locator(".net").evaluate(
        """el => [...el.__wanted.shown].filter(([id, {box}]) => el.__wanted.nodes.some(one =>
          one.id !== id && Math.hypot(
            one.x - Math.max(box[0], Math.min(one.x, box[1])),
            one.y - Math.max(box[2], Math.min(one.y, box[3]))) < one.size)).length"""
    )
    assert on_circles == 0
    links = page.locator('[class*="st-key-nav_"] a')
    assert links.count() > 4
    page.locator("body").press("Tab")
    for link in links.all():
        link.focus()
        assert link.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
