"""Hostile documents and a hostile model, on every page: shown as text, the layout as it is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from sensemaking.config import AskSettings, LanguageSettings, Settings
from sensemaking.workspace import Corpus, Workspace
from tests.browser.attacks import HOST, NAMES, PLAIN, QUESTION, TITLE, documents, speak
from tests.browser.serving import Server, Watch
from tests.screenshots import WIDER, stand
from tests.wire import ScriptedServer

pytestmark = pytest.mark.browser

NAME = "attacks"
LLM = Settings(backend="llm", language=LanguageSettings(gleanings=0))
SECONDS = 120
STEP_MS = 120_000
INERT = """() => {
  const all = root => [root, ...[...root.querySelectorAll('*')]
    .flatMap(one => one.shadowRoot ? all(one.shadowRoot) : [])];
  const found = all(document).flatMap(root => [...root.querySelectorAll(
    'img[src="x"], [onerror], a[href*="evil"], a[href^="javascript"], img[src*="evil"]')]);
  return [window.hit ?? 0, found.map(one => one.outerHTML.slice(0, 200))];
}"""


@pytest.fixture(scope="module")
def addresses(server: Server) -> list[str]:
    """Build the hostile corpus and answer in it; the addresses of all that it shows."""
    with pytest.MonkeyPatch.context() as patch, ScriptedServer(speak) as model:
        patch.setenv("SENSEMAKING_MODEL", "reader")
        patch.setenv("SENSEMAKING_BASE_URL", model.url)
        patch.setenv("SENSEMAKING_CONTEXT_TOKENS", "32000")
        workspace = Workspace.open(server.home)
        try:
            return make(workspace)
        finally:
            workspace.close()


def make(workspace: Workspace) -> list[str]:
    corpus = workspace.create(NAME, LLM)
    corpus.add_files((name, text.encode()) for name, text in documents().items())
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    answers = []
    for level in (None, 0):
        answers.append(corpus.start_answer(QUESTION, AskSettings(level=level)))
        snapshot = corpus.wait_for_answer(answers[-1], SECONDS)
        assert snapshot.answer is not None, snapshot.error
    assert corpus.evaluations.questions.read("set.txt", QUESTION.encode()).questions
    return list(every_address(corpus, answers))


def every_address(corpus: Corpus, answers: list[str]) -> Iterator[str]:
    here = f"corpus={corpus.name}"
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    one = hierarchy.view(0)[0]
    assert corpus.reports(hierarchy.key)[one.id].title.startswith(NAMES["image"])
    known = {entity.name: entity.id for entity in corpus.graph().entities}
    # The reader of replies strips marks off the ends of some names: what is left is hostile too.
    assert {NAMES["picture"], NAMES["formula"], NAMES["directive"]} <= set(known)
    hostile = [known[name] for name in sorted(set(known) - set(PLAIN))]
    assert len(hostile) >= 8
    yield "/"
    yield f"/documents?{here}"
    yield f"/documents?{here}&document={corpus.documents()[0].id}"
    yield f"/graph?{here}&level=0&open={one.id}&community={one.id}"
    yield f"/graph?{here}&find={TITLE.replace('#', '')}"
    for entity in hostile[:7]:
        yield f"/graph?{here}&level=entities&entity={entity}"
    yield f"/communities?{here}"
    yield f"/communities?{here}&community={one.id}&finding=0"
    yield f"/topics?{here}"
    yield f"/ask?{here}"
    yield f"/ask?{here}&answer={answers[0]}&sentence=0"
    yield f"/compare?{here}&answers={','.join(answers)}"
    yield f"/evaluate?{here}"
    yield "/settings"


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def page(chromium: Any, watch: Watch) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(STEP_MS)
    one = context.new_page()
    watch.on(one)
    yield one
    context.close()


def test_on_every_page_hostile_text_stays_text_and_the_layout_holds(
    page: Any, watch: Watch, server: Server, addresses: list[str]
) -> None:
    wrong = []
    for address in addresses:
        page.goto(f"{server.url}{address}")
        page.locator(".st-key-page").first.wait_for()
        stand(page)
        hits, found = page.evaluate(INERT)
        wide = page.evaluate(WIDER)
        page.set_viewport_size({"width": 768, "height": 800})
        # Tables follow a narrower window late.
        with suppress(PlaywrightTimeoutError):
            page.wait_for_function(f"() => !({WIDER})", timeout=5_000)
        narrow = page.evaluate(WIDER)
        page.set_viewport_size({"width": 1280, "height": 800})
        if hits or found or wide or narrow:
            wrong.append((address, hits, found, wide, narrow))
    assert wrong == []
    assert watch.remote == []
    assert watch.errors == []
    assert HOST not in page.url


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("/graph?corpus=no-such-corpus", "no-such-corpus"),
        ("/documents?corpus=..%2F..%2Fetc", "etc"),
        (f"/communities?corpus={NAME}&community=no-such-community", "Communities"),
        (f"/documents?corpus={NAME}&document=no-such-document", "no-such-document"),
        (f"/ask?corpus={NAME}&answer=%3Cimg%20src%3Dx%3E", "<img src=x>"),
    ],
)
def test_an_address_of_something_that_is_not_there_says_so(
    page: Any, watch: Watch, server: Server, addresses: list[str], address: str, told: str
) -> None:
    page.goto(f"{server.url}{address}")
    page.locator(".st-key-page").get_by_text(told).first.wait_for()
    stand(page)
    assert page.get_by_text("Traceback").count() == 0
    assert page.evaluate(INERT) == [0, []]
    assert watch.remote == []


def test_a_file_whose_name_climbs_stays_in_its_corpus(
    page: Any, server: Server, addresses: list[str]
) -> None:
    before = {path.relative_to(server.home) for path in server.home.rglob("*") if path.is_file()}
    page.goto(f"{server.url}/documents?corpus={NAME}")
    page.locator(".st-key-add button").first.click()
    page.locator("input[type=file]").first.set_input_files(
        [{"name": "../../x", "mimeType": "text/plain", "buffer": b"Ada Penrose met Tomas Veld."}]
    )
    page.locator(".st-key-files_show").get_by_text("Not read yet 1").wait_for()
    after = {path.relative_to(server.home) for path in server.home.rglob("*") if path.is_file()}
    inside = Path("corpora") / NAME / "files"
    new = {path for path in after - before if "x" in path.name.split(".")[0]}
    assert all(path.is_relative_to(inside) for path in new)
    assert not (server.home / "x").exists()
    assert not (server.home / "corpora" / "x").exists()
