"""Takes pictures of every page in its states, light and dark, for somebody to look at.

    python -m tests.screenshots OUT [--home FOLDER] [--corpus NAME] [--only WORD] [--size 1280x800]

Without `--home` the sample is built first. A home is copied, so that nothing in it changes. Says
what a page wrote on its console, what it asked of other hosts, where it is wider than the screen
and what text is below AA contrast, and ends with 1 when there was any of it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensemaking.config import AskSettings
from sensemaking.workspace import Corpus, Workspace
from tests.browser.contrast import low_contrast
from tests.browser.serving import IDLE, Server, Watch, browse, chromium_path, serve

SECONDS = 600
SETTLE_MS = 900
STEP_MS = 60_000
QUESTION = "What could delay the Eastern Docks scheme, and who carries the risk?"
SIZES = ("1440x900", "1280x800", "768x1024")
PLACEHOLDER = "[data-testid=stSkeleton], [data-testid=stAppSkeleton]"
MODES = ("light", "dark")
WIDER = """[document.documentElement, ...document.querySelectorAll('[data-testid=stMain]')]
    .some(one => one.scrollWidth > one.clientWidth + 1)"""


@dataclass(frozen=True, slots=True)
class Shot:
    """A state of a page: its name, its address, what is clicked before the picture."""

    name: str
    address: str
    clicks: tuple[str, ...] = ()


def main() -> int:
    asked = arguments()
    asked.out.mkdir(parents=True, exist_ok=True)
    path = chromium_path()
    if path is None:
        sys.stderr.write("No chromium is installed.\n")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        if asked.home:
            shutil.copytree(asked.home, home)
        shots = prepare(home, asked.corpus)
        chosen = [one for one in shots if not asked.only or asked.only in one.name]
        empty = Path(folder) / "empty"
        complaints = []
        with browse(path) as browser:
            with serve(home, Path(folder) / "log.txt") as server:
                complaints += take(browser, server, chosen, asked)
            if not asked.only or asked.only in "corpora-first-run":
                with serve(empty, Path(folder) / "empty.txt") as server:
                    complaints += take(browser, server, [Shot("corpora-first-run", "/")], asked)
    sys.stdout.write("".join(f"{one}\n" for one in complaints))
    return 1 if complaints else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=_AsWritten)
    parser.add_argument("out", type=Path)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--corpus", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--size", action="append")
    parser.add_argument("--mode", action="append", choices=MODES)
    return parser.parse_args()


class _AsWritten(argparse.RawDescriptionHelpFormatter):
    """Keeps the lines of the module's docstring."""


def prepare(home: Path, name: str) -> list[Shot]:
    """Build what is not there yet; return the states to take pictures of."""
    workspace = Workspace.open(home)
    try:
        names = [row.name for row in workspace.corpora()]
        if not names:
            corpus = workspace.add_sample()
            corpus.start_build()
            corpus.wait_for_build(SECONDS)
        else:
            corpus = workspace.open_corpus(name or names[0])
        if not corpus.topics.is_found:
            corpus.topics.start_finding()
            corpus.topics.wait(SECONDS)
        answers = [ask(corpus, level) for level in (None, 0)]
        return states(corpus, answers)
    finally:
        workspace.close()


def ask(corpus: Corpus, level: int | None) -> str:
    head = next(one for one in corpus.hierarchies() if one.communities)
    answer = corpus.start_answer(QUESTION, AskSettings(hierarchy=head.key, level=level))
    corpus.wait_for_answer(answer, SECONDS)
    return answer


def states(corpus: Corpus, answers: list[str]) -> list[Shot]:
    """Return the states of a built corpus."""
    here = f"corpus={corpus.name}"
    key = next(one.key for one in corpus.hierarchies() if one.communities)
    hierarchy, graph = corpus.hierarchy(key), corpus.graph()
    largest = max(hierarchy.view(0), key=lambda one: (len(one.entity_ids), one.id))
    best = max(graph.entities, key=lambda one: (graph.degrees[one.id], one.id))
    document = max(corpus.documents(), key=lambda one: (one.n_words, one.id))
    topic = next(iter(corpus.topics.all()), None)
    opened = f"{here}&level=0&open={largest.id}&community={largest.id}"
    return [
        Shot("corpora", "/"),
        Shot("documents", f"/documents?{here}"),
        Shot("documents-reading", f"/documents?{here}&document={document.id}"),
        Shot("graph", f"/graph?{here}"),
        Shot("graph-community", f"/graph?{here}&level=0&community={largest.id}"),
        Shot("graph-opened", f"/graph?{opened}"),
        Shot("graph-entity", f"/graph?{here}&entity={best.id}"),
        Shot("graph-entities", f"/graph?{here}&level=entities"),
        Shot("graph-filters", f"/graph?{here}", (".st-key-graph_filters button",)),
        Shot("communities", f"/communities?{here}"),
        Shot("communities-one", f"/communities?{here}&community={largest.id}"),
        Shot("communities-finding", f"/communities?{here}&community={largest.id}&finding=0"),
        Shot("communities-shape", f"/communities?{here}&about=shape"),
        Shot("communities-beside", f"/communities?{here}&about=beside"),
        Shot("topics", f"/topics?{here}"),
        *([Shot("topics-one", f"/topics?{here}&topic={topic.slug}")] if topic else []),
        Shot("ask", f"/ask?{here}"),
        Shot("ask-answer", f"/ask?{here}&answer={answers[0]}"),
        Shot("ask-evidence", f"/ask?{here}&answer={answers[0]}&sentence=0"),
        Shot("compare", f"/compare?{here}"),
        Shot("compare-pair", f"/compare?{here}&answers={','.join(answers)}"),
        Shot("evaluate", f"/evaluate?{here}"),
        *(
            Shot(f"settings-{n}", "/settings", (f'[role="tab"] >> nth={n}',) if n else ())
            for n in range(5)
        ),
        Shot("unknown-corpus", "/graph?corpus=no-such-corpus"),
    ]


def take(browser: Any, server: Server, shots: list[Shot], asked: argparse.Namespace) -> list[str]:
    """Take the pictures; return what there is to complain of."""
    complaints = []
    for size in asked.size or SIZES[:2]:
        width, height = (int(part) for part in size.split("x"))
        for mode in asked.mode or MODES:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=mode
            )
            context.set_default_timeout(STEP_MS)
            for shot in shots:
                watch, page = Watch(), context.new_page()
                watch.on(page)
                show(page, f"{server.url}{shot.address}", shot.clicks)
                name = f"{shot.name}-{mode}-{width}"
                page.screenshot(path=str(asked.out / f"{name}.png"))
                if page.evaluate(WIDER):
                    complaints.append(f"{name}: wider than the screen")
                complaints += [
                    f"{name}: {one}" for one in (*watch.errors, *watch.remote, *low_contrast(page))
                ]
                page.close()
            context.close()
    return complaints


def show(page: Any, url: str, clicks: tuple[str, ...]) -> None:
    """Open a page, click through it, and wait until all of it stands."""
    page.goto(url)
    page.locator(".st-key-page").first.wait_for()
    stand(page)
    for one in clicks:
        page.locator(one).first.click()
        stand(page)
    page.wait_for_timeout(SETTLE_MS)


def stand(page: Any) -> None:
    """Wait until the script has ended, no placeholder is left, and a graph is drawn."""
    page.locator(IDLE).wait_for()
    page.locator(PLACEHOLDER).first.wait_for(state="detached")
    if page.locator(".st-key-network, .st-key-topic_network").count():
        page.locator(".net[data-ready]").wait_for()


if __name__ == "__main__":
    sys.exit(main())
