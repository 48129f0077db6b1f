"""How fast the pages are, in headless Chromium, over a corpus that is built.

    python -m tests.benchmarks.pages --home FOLDER [--corpus NAME] [--times 3]

- from the start of the process: a server is started for each page, and a browser that has nothing
  of it; until the page's heading is painted. The browser itself runs already.
- warm: a new tab, the app's files in the browser's cache; heading painted, and everything there
  (script ended, no placeholder left, graph drawn).
- clicks: from the click until what it asks for stands on the page, of pages that are whole.
- frames: of the graph while it moves, and while it is dragged with the mouse.
- a bare page: the same for a Streamlit script that draws only a heading, the least there is.
- import: seconds of CPU of `import app`, and the heavy libraries that it loads, beyond those of
  Streamlit itself.

The home is copied. Each figure is the median of the times asked for.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensemaking.types import Community
from sensemaking.workspace import Corpus, Workspace
from tests.browser.serving import ROOT, Server, browse, chromium_path, serve

WAIT_MS = 120_000
PAGES = ("", "documents", "graph", "communities", "topics", "ask", "compare", "evaluate")
BARE = """import streamlit as st
with st.container(key="page"):
    st.html("<h1>Bare</h1>")
"""
HEAVY = (
    *("spacy", "onnxruntime", "chromadb", "plotly", "pandas", "pyarrow", "networkx", "pyvis"),
    *("scipy", "openai", "langchain", "langchain_core", "langchain_openai", "tokenizers"),
    *("pypdfium2", "trafilatura", "markitdown", "bm25s", "graspologic_native", "statsmodels"),
)
ALL_PAGES = (*PAGES, "settings")
PROBE = """
window.probe = {};
window.deep = function (selector, root) {
  const here = (root ?? document).querySelector(selector);
  if (here) return here;
  for (const one of (root ?? document).querySelectorAll('*')) {
    const found = one.shadowRoot && window.deep(selector, one.shadowRoot);
    if (found) return found;
  }
  return null;
};
window.whole = function () {
  const app = document.querySelector('[data-testid=stApp]');
  const graph = document.querySelector('.st-key-network');
  return app?.dataset.testScriptState === 'notRunning'
    && document.querySelector('.st-key-page')
    && !document.querySelector('[data-testid=stSkeleton], [data-testid=stAppSkeleton]')
    && (!graph || window.deep('.net[data-ready]', graph));
};
(function look() {
  const now = performance.now();
  if (!window.probe.painted && document.querySelector('.st-key-page h1'))
    requestAnimationFrame(() => { window.probe.painted ??= performance.now(); });
  if (window.probe.painted && !window.probe.whole && window.whole()) window.probe.whole = now;
  if (!window.probe.whole) requestAnimationFrame(look);
})();
"""
CLICK = """([selector, stands]) => new Promise((done, fail) => {
  const target = window.deep(selector), test = new Function('return ' + stands);
  if (!target) { fail(new Error('nothing to click: ' + selector)); return; }
  const began = performance.now();
  target.click();
  (function look() {
    if (test()) requestAnimationFrame(() => done(performance.now() - began));
    else if (performance.now() - began > 60000) fail(new Error('never: ' + stands));
    else requestAnimationFrame(look);
  })();
})"""
SLIDING = """level => {
  window.slid = 0;
  let began = 0;
  addEventListener('keydown', () => { began = performance.now(); }, {once: true, capture: true});
  (function look() {
    const at = new URLSearchParams(location.search).get('level');
    if (began && at === level && window.whole()) {
      requestAnimationFrame(() => { window.slid = performance.now() - began; });
    } else requestAnimationFrame(look);
  })();
}"""
DRAG_SECONDS = 4
COUNT = """() => { window.drawn = 0;
  window.deep('.net').__net.on('afterDrawing', () => { window.drawn += 1; }); }"""
FRAMES = """() => new Promise(done => {
  const net = window.deep('.net').__net, began = performance.now(), at = net.getViewPosition();
  let drawn = 0;
  net.on('afterDrawing', () => { drawn += 1; });
  (function move() {
    const t = performance.now() - began;
    if (t > 4000) { done([1000 * drawn / t, Object.keys(net.body.nodes).length,
                          Object.keys(net.body.edges).length]); return; }
    net.moveTo({position: {x: at.x + 80 * Math.sin(t / 300), y: at.y + 80 * Math.cos(t / 300)}});
    requestAnimationFrame(move);
  })();
})"""


@dataclass(frozen=True, slots=True)
class Click:
    """What is clicked on which page, and what must stand there afterwards (JavaScript)."""

    name: str
    address: str
    selector: str
    stands: str


@dataclass(frozen=True, slots=True)
class Row:
    """One figure with what was asked for."""

    name: str
    got: float
    unit: str
    asked: str = ""


def main() -> int:
    asked = arguments()
    path = chromium_path()
    if path is None:
        print("No chromium is installed.")
        return 1
    rows = imported()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        shutil.copytree(asked.home, home)
        name, clicks = prepare(home, asked.corpus)
        log = Path(folder) / "log.txt"
        with browse(path) as browser:
            rows += bare(browser, home, log, asked.times)
            rows += [cold(browser, home, log, name, page) for page in ALL_PAGES]
            with serve(home, log) as server:
                rows += warm(browser, server, name, asked.times)
                rows += [clicked(browser, server, one, asked.times) for one in clicks]
                rows.append(slid(browser, server, name, asked.times))
                rows += frames(browser, server, name)
    for row in rows:
        print(f"{row.name:<58} {row.got:>8.2f} {row.unit:<4} {row.asked}", flush=True)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.pages")
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--corpus", default="")
    parser.add_argument("--times", type=int, default=3)
    return parser.parse_args()


def imported() -> list[Row]:
    """Measure `import app` in a process of its own."""
    code = (
        "import json, sys, time; import streamlit; own = set(sys.modules); "
        "began = time.process_time(); import app; "
        f"heavy = [one for one in {HEAVY!r} if one in set(sys.modules) - own]; "
        "print(json.dumps([time.process_time() - began, heavy]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    seconds, heavy = json.loads(done.stdout.splitlines()[-1])
    named = f" ({', '.join(heavy)})" if heavy else ""
    return [
        Row("import app, beyond Streamlit's own, CPU", seconds, "s"),
        Row(f"heavy libraries loaded by it{named}", len(heavy), "", "asked 0"),
    ]


def prepare(home: Path, name: str) -> tuple[str, list[Click]]:
    """Return the corpus and the clicks that can be made in it."""
    workspace = Workspace.open(home)
    try:
        name = name or workspace.corpora()[0].name
        return name, clicks_in(workspace.open_corpus(name))
    finally:
        workspace.close()


def clicks_in(corpus: Corpus) -> list[Click]:
    here = f"corpus={corpus.name}"
    hierarchy = corpus.hierarchy(next(one.key for one in corpus.hierarchies() if one.communities))
    graph = corpus.graph()

    def size(one: Community) -> tuple[int, str]:
        return len(one.entity_ids), one.id

    largest = max(hierarchy.view(0), key=size)
    entity = max(graph.entities, key=lambda one: (graph.degrees[one.id], one.id)).id
    in_place = f"/graph?{here}&level=0&community={largest.id}"
    card = f"/graph?{here}&entity={entity}"
    focus = f"/communities?{here}&community={largest.id}"
    changed = "location.search.includes('{}') && window.whole()"
    tab = "[role=tab][aria-selected=true]"
    return [
        Click(
            "Graph: open a community in place",
            in_place,
            ".st-key-open_here button",
            changed.format("open="),
        ),
        Click(
            "Graph: back to the level",
            f"{in_place}&open={largest.id}",
            ".st-key-close_all button",
            "!location.search.includes('open=') && window.whole()",
        ),
        Click(
            "Graph: another level",
            f"/graph?{here}&level=0",
            ".st-key-graph_level button:nth-of-type(2)",
            changed.format("level=1"),
        ),
        Click(
            "Graph: a relationship of the card",
            card,
            "[class*=st-key-tie_] button",
            f"!location.search.includes('{entity}') && window.whole()",
        ),
        Click(
            "Graph: passages of an entity",
            card,
            "[class*=st-key-entity_tabs] [role=tab]:nth-of-type(3)",
            "document.querySelector('[class*=st-key-well_] mark') && window.whole()",
        ),
        Click(
            "Communities: a finding's sources",
            focus,
            ".s[data-i='0']",
            changed.format("finding="),
        ),
        Click(
            "Communities: Shape",
            focus,
            ".st-key-about button",
            "document.querySelector('.st-key-panel_about') && window.whole()",
        ),
        Click(
            "Settings: another tab",
            "/settings",
            "[role=tab]:nth-of-type(4)",
            f"document.querySelector('{tab}')?.textContent.includes('Storage') && window.whole()",
        ),
        *(
            Click(
                f"From Documents to {name.title()}",
                f"/documents?{here}",
                f".st-key-nav_{name} a",
                f"location.pathname.endsWith('/{name}') && "
                f"document.querySelector('.st-key-nav_on a')?.href.includes('/{name}') && "
                "window.whole()",
            )
            for name in ("graph", "communities", "topics", "ask")
        ),
    ]


def bare(browser: Any, home: Path, log: Path, times: int) -> list[Row]:
    """Measure the least there is: a script of Streamlit that draws a heading."""
    script = home.parent / "bare.py"
    script.write_text(BARE, encoding="utf-8")
    with serve(home, log, script) as server:
        rows = [_first_paint(browser, server, "", "bare Streamlit page")]
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.add_init_script(PROBE)
        found = [opened(context, server.url)["painted"] / 1000 for _ in range(times + 1)]
        context.close()
    return [*rows, Row("bare Streamlit page: painted, warm", statistics.median(found[1:]), "s")]


def cold(browser: Any, home: Path, log: Path, name: str, page: str) -> Row:
    """Measure from the start of a process to the heading of a page."""
    with serve(home, log) as server:
        address = f"{page}?corpus={name}"
        row = _first_paint(browser, server, address, page or "corpora")
    return Row(row.name, row.got, row.unit, "asked 4")


def _first_paint(browser: Any, server: Server, address: str, called: str) -> Row:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(PROBE)
    tab = context.new_page()
    tab.goto(f"{server.url}/{address}", wait_until="commit")
    tab.wait_for_function("window.probe.painted", timeout=WAIT_MS)
    seconds = time.monotonic() - server.began
    context.close()
    return Row(f"{called}: painted, from process start", seconds, "s")


def warm(browser: Any, server: Server, name: str, times: int) -> list[Row]:
    """Measure new tabs of a server and a browser that have seen each page."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(PROBE)
    rows = []
    for page in ALL_PAGES:
        found = [opened(context, f"{server.url}/{page}?corpus={name}") for _ in range(times + 1)]
        painted, whole = (
            statistics.median(one[key] for one in found[1:]) / 1000 for key in ("painted", "whole")
        )
        called = page or "corpora"
        rows.append(Row(f"{called}: painted, warm", painted, "s", "asked 1.5"))
        limit = "asked 2" if page == "graph" else ""
        rows.append(Row(f"{called}: everything there, warm", whole, "s", limit))
    context.close()
    return rows


def opened(context: Any, url: str) -> dict[str, float]:
    """Open a tab; milliseconds until its heading is painted and until everything is there."""
    tab = context.new_page()
    tab.goto(url, wait_until="commit")
    tab.wait_for_function("window.probe.whole", timeout=WAIT_MS)
    found: dict[str, float] = tab.evaluate("window.probe")
    tab.close()
    return found


def clicked(browser: Any, server: Server, click: Click, times: int) -> Row:
    """Measure a click on a page that is whole; the first time does not count."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(PROBE)
    found = []
    for _ in range(times + 1):
        tab = context.new_page()
        tab.goto(f"{server.url}{click.address}", wait_until="commit")
        tab.wait_for_function("window.probe.whole", timeout=WAIT_MS)
        tab.wait_for_timeout(400)
        found.append(tab.evaluate(CLICK, [click.selector, click.stands]))
        tab.close()
    context.close()
    limit = "asked 500" if "level" in click.name else "asked 300"
    return Row(click.name, statistics.median(found[1:]), "ms", limit)


def slid(browser: Any, server: Server, name: str, times: int) -> Row:
    """Measure a step of the level slider on Communities, by key; charts are loaded."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(PROBE)
    tab = context.new_page()
    tab.goto(f"{server.url}/communities?corpus={name}&level=0", wait_until="commit")
    tab.wait_for_function("window.probe.whole", timeout=WAIT_MS)
    found = []
    for turn in range(times + 1):
        tab.wait_for_timeout(600)
        tab.locator(
            ".st-key-communities_level input, .st-key-communities_level [role=slider]"
        ).first.focus()
        tab.evaluate(SLIDING, str((turn + 1) % 2))
        tab.keyboard.press("ArrowRight" if turn % 2 == 0 else "ArrowLeft")
        tab.wait_for_function("window.slid > 0", timeout=WAIT_MS)
        found.append(tab.evaluate("window.slid"))
    context.close()
    return Row("Communities: the level slider", statistics.median(found[1:]), "ms", "asked 500")


def frames(browser: Any, server: Server, name: str) -> list[Row]:
    """Measure how often the graph is drawn a second while it moves."""
    views: Sequence[tuple[str, str]] = (
        ("first view", ""),
        ("most entities", "&level=entities&all=1"),
        ("most entities, all ties", "&level=entities&all=1&ties=all"),
    )
    return [
        row
        for what, how in views
        for row in _frames(browser, server, f"/graph?corpus={name}{how}", what)
    ]


def _frames(browser: Any, server: Server, address: str, what: str) -> list[Row]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(PROBE)
    tab = context.new_page()
    tab.goto(f"{server.url}{address}", wait_until="commit")
    tab.wait_for_function("window.probe.whole", timeout=WAIT_MS)
    a_second, circles, ties = tab.evaluate(FRAMES)
    dragged = _dragged(tab)
    context.close()
    name = f"Graph, {what}: {circles:,} circles, {ties:,} ties"
    return [Row(name, a_second, "/s", "asked 15"), Row("  dragged", dragged, "/s", "asked 15")]


def _dragged(tab: Any) -> float:
    """Return how often a second the graph is drawn while the mouse drags its ground."""
    box = tab.locator(".net canvas").bounding_box()
    tab.evaluate(COUNT)
    tab.mouse.move(box["x"] + 5, box["y"] + 5)
    tab.mouse.down()
    began = time.monotonic()
    turn = 0
    while (seconds := time.monotonic() - began) < DRAG_SECONDS:
        turn += 1
        tab.mouse.move(box["x"] + 5 + 3 * (turn % 60), box["y"] + 5 + 2 * (turn % 60))
    drawn: int = tab.evaluate("window.drawn")
    tab.mouse.up()
    return drawn / seconds


if __name__ == "__main__":
    sys.exit(main())
