"""A home that cannot be written: every page can be read, and offers nothing that would fail."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from sensemaking.workspace import Workspace
from tests.pages.conftest import SECONDS, Visit, kept_from_writing, keys, looked_at, markup

NAME = "larkmere-bridge"
QUESTIONS = '{"question": "Who pays for the bridge?", "gold": ["minutes"]}'
TABS = {"Models": "save_default", "Prices and budget": "go_prices", "Defaults": "save_defaults"}


@pytest.fixture(scope="module")
def closed(built: Workspace, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A copy of the built corpus with topics, opened where nothing can be written."""
    home = tmp_path_factory.mktemp("closed") / "home"
    shutil.copytree(built.home, home)
    first = Workspace.open(home)
    first.open_corpus(NAME).topics.start_finding()
    job = first.open_corpus(NAME).topics.wait(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    questions = first.open_corpus(NAME).evaluations.questions
    questions.read("asked.jsonl", QUESTIONS.encode())
    first.close()
    with kept_from_writing(home):
        workspace = Workspace.open(home)
        if not workspace.is_read_only:
            workspace.close()
            pytest.skip("This user may write anywhere.")
        yield workspace
        workspace.close()


def test_topics_are_read_and_nothing_is_offered_that_writes(
    closed: Workspace, visit: Visit
) -> None:
    app = visit(closed, "topics", corpus=NAME)
    assert "Read-only" in markup(app)
    for key in ("go_make", "go_find", "say_recall"):
        assert app.button(key=key).disabled, key
    assert not {"go_add", "undo_topic"} & set(keys(app))
    slug = closed.open_corpus(NAME).topics.all()[0].slug
    one = visit(closed, "topics", corpus=NAME, topic=slug)
    assert one.button(key="go_make").disabled
    assert "drop_topic" not in keys(one)


def test_question_sets_are_read_and_nothing_is_begun(closed: Workspace, visit: Visit) -> None:
    app = visit(closed, "evaluate", corpus=NAME)
    assert "Read-only" in markup(app)
    app.multiselect(key="batch_conditions").set_value(["text", "global:leiden:leaf"])
    assert looked_at(app.run()).button(key="go_batch").disabled
    offered = {"go_questions", "go_paste", "go_write", "save_questions", "delete_set", "rename_set"}
    assert not offered & set(keys(app))
    searches = visit(closed, "evaluate", corpus=NAME, view="searches")
    assert searches.button(key="go_retrieval").disabled


def test_communities_are_read_and_not_marked(closed: Workspace, visit: Visit) -> None:
    hierarchy = closed.open_corpus(NAME).hierarchy("general.leiden")
    app = visit(closed, "communities", corpus=NAME, community=hierarchy.view(0)[0].id)
    assert "Read-only" in markup(app)
    assert not {"pin_community", "undo_mark", "name_and_note"} & set(keys(app))


@pytest.mark.parametrize("tab", TABS)
def test_settings_are_shown_and_not_saved(closed: Workspace, visit: Visit, tab: str) -> None:
    app = visit(closed, "settings")
    app.session_state["settings_tabs"] = tab
    app = looked_at(app.run())
    assert "no setting can be kept" in markup(app)
    assert app.button(key=TABS[tab]).disabled
