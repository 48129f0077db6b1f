"""A small real corpus, built once, and visits to the pages over it without a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages import _session as session
from sensemaking.config import AskSettings
from sensemaking.workspace import Corpus, Workspace
from tests import dossier

ROUTER = Path(__file__).resolve().parents[2] / "pages" / "_router.py"
SECONDS = 180
QUESTION = "What is said about the river wall?"
HOSTILE = "<img src=x onerror=alert(1)> & ![p](https://example.invalid/p.png) :material/bolt:"
DOCUMENTS = dossier.DOCUMENTS | {
    "hostile.txt": (
        f"{HOSTILE} Tomas Veld wrote to Larkmere Council about the Ferry Company. "
        "Larkmere Council did not answer Tomas Veld. The Ferry Company waits for Larkmere Council."
    ),
}

Visit = Callable[..., AppTest]


def fill(corpus: Corpus) -> None:
    corpus.add_files((name, text.encode()) for name, text in DOCUMENTS.items())


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path_factory.mktemp("home"))
    corpus = workspace.create("Larkmere Bridge")
    fill(corpus)
    corpus.add_files([("noise.txt", bytes(range(256)) * 40)])
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    yield workspace
    workspace.close()


@pytest.fixture(scope="session")
def answer_id(built: Workspace) -> str:
    corpus = built.open_corpus("larkmere-bridge")
    key = corpus.start_answer(QUESTION, AskSettings())
    snapshot = corpus.wait_for_answer(key, SECONDS)
    assert snapshot.answer is not None, snapshot.error
    return key


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace.open(tmp_path)
    yield workspace
    workspace.close()


@contextmanager
def kept_from_writing(folder: Path) -> Iterator[None]:
    """Take the right to write away from a folder and what it holds."""
    paths = [folder, *folder.rglob("*")]
    modes = {path: path.stat().st_mode for path in paths}
    for path in paths:
        path.chmod(modes[path] & ~0o222)
    try:
        yield
    finally:
        for path in paths:
            path.chmod(modes[path])


@pytest.fixture
def visit() -> Iterator[Visit]:
    def go(workspace: Workspace, page: str, **params: str | int) -> AppTest:
        session.host(workspace)
        app = AppTest.from_file(ROUTER, default_timeout=60).run()
        if page != "corpora":
            app.switch_page(f"{page}.py")
        for name, value in params.items():
            app.query_params[name] = str(value)
        return looked_at(app.run())

    yield go
    session.host(None)


def looked_at(app: AppTest) -> AppTest:
    """Return the page; a page never shows a Python error."""
    assert not app.exception, app.exception[0].message
    return app


def markup(app: AppTest) -> str:
    """Return all markup of a page but its stylesheets."""
    bodies = [element.body for element in app.get("html")]
    return "\n".join(body for body in bodies if not body.lstrip().startswith("<style"))


def component(app: AppTest, key: str) -> dict[str, Any]:
    """Return what a page hands to one of our components."""
    (found,) = [one for one in app.get("bidi_component") if one.key == key]
    return dict(json.loads(found.proto.json))


def keys(app: AppTest) -> set[str]:
    """Return the keys of the buttons of a page."""
    return {str(one.key) for one in app.button}
