"""The Corpora page: first run, a card for each corpus, the trash, what cannot be opened."""

import os
from pathlib import Path

import pytest

from sensemaking.errors import InputError
from sensemaking.workspace import Workspace
from tests.pages.conftest import HOSTILE, SECONDS, Visit, fill, keys, looked_at, markup


def test_first_run_offers_the_sample_and_a_new_corpus(fresh: Workspace, visit: Visit) -> None:
    app = visit(fresh, "corpora")
    assert "Start with a body of documents" in markup(app)
    assert {"go_sample", "new_corpus"} <= keys(app)


def test_one_click_opens_the_sample_and_starts_its_build(fresh: Workspace, visit: Visit) -> None:
    app = visit(fresh, "corpora")
    looked_at(app.button(key="go_sample").click().run())
    (row,) = fresh.corpora()
    fresh.open_corpus(row.name).stop_build()
    assert row.state == "building"
    assert app.query_params["corpus"] == row.name
    assert "Building" in markup(app) or "Stopped" in markup(app)


def test_a_new_corpus_is_made_and_opened(fresh: Workspace, visit: Visit) -> None:
    app = visit(fresh, "corpora")
    app.button(key="new_corpus").click().run()
    app.text_input(key="new_title").set_value("Harbour inquiry")
    looked_at(app.button(key="go_create").click().run())
    assert [row.title for row in fresh.corpora()] == ["Harbour inquiry"]
    assert app.query_params["corpus"] == "harbour-inquiry"
    assert "Put documents in" in markup(app)


def test_a_corpus_without_a_name_is_refused_in_the_engines_words(
    fresh: Workspace, visit: Visit
) -> None:
    app = visit(fresh, "corpora")
    app.button(key="new_corpus").click().run()
    looked_at(app.button(key="go_create").click().run())
    assert "This did not work" in markup(app)
    assert fresh.corpora() == ()


def test_a_built_corpus_shows_its_numbers_and_its_fingerprint(
    built: Workspace, visit: Visit
) -> None:
    (row,) = built.corpora()
    page = markup(visit(built, "corpora"))
    assert "Larkmere Bridge" in page
    assert f"<b>{row.n_entities}</b>" in page
    assert "sm-ok" in page
    assert page.count("background:#") >= len(row.top_sizes)
    assert "1\u00a0file not read" in page


def test_a_corpus_goes_to_the_trash_and_comes_back(fresh: Workspace, visit: Visit) -> None:
    fill(fresh.create("Larkmere Bridge"))
    fresh.trash("larkmere-bridge")
    app = visit(fresh, "corpora")
    assert "Start with a body of documents" in markup(app)
    looked_at(app.button(key="restore_larkmere-bridge").click().run())
    assert [row.name for row in fresh.corpora()] == ["larkmere-bridge"]
    assert "Larkmere Bridge" in markup(app)


def test_what_was_put_in_the_trash_can_be_undone_at_once(fresh: Workspace, visit: Visit) -> None:
    for title in ("Larkmere Bridge", "Other"):
        fill(fresh.create(title))
    app = visit(fresh, "corpora")
    app.session_state["just_trashed"] = ("larkmere-bridge", "Larkmere Bridge")
    assert "undo_trash" not in keys(app)
    fresh.trash("larkmere-bridge")
    looked_at(app.run())
    assert "is in the trash" in markup(app)
    looked_at(app.button(key="undo_trash").click().run())
    assert [row.name for row in fresh.corpora()] == ["larkmere-bridge", "other"]
    assert "undo_trash" not in keys(app)


def test_a_card_tells_the_coverage_and_what_was_added_since(fresh: Workspace, visit: Visit) -> None:
    corpus = fresh.create("Larkmere Bridge")
    fill(corpus)
    corpus.start_build()
    corpus.wait_for_build(SECONDS)
    (row,) = fresh.corpora()
    assert row.covered is not None
    reached, whole = row.covered
    assert 0 < reached <= whole == sum(one.n_chunks for one in corpus.documents())
    corpus.add_files([("new.txt", b"A new note about the Larkmere Bridge.")])
    page = markup(visit(fresh, "corpora"))
    assert "sm-cover" in page
    assert "1\u00a0file added since the last build" in page


def test_a_corpus_that_cannot_be_opened_says_why_and_the_rest_is_shown(
    fresh: Workspace, visit: Visit
) -> None:
    fresh.create("Sound")
    broken = fresh.create("Broken").folder / "corpus.db"
    fresh.close()
    broken.write_bytes(b"this is not a database" * 400)
    other = Workspace.open(fresh.home)
    page = markup(visit(other, "corpora"))
    other.close()
    assert "Sound" in page
    assert "sm-bad" in page


def test_a_hostile_title_is_shown_and_not_run(tmp_path: Path, visit: Visit) -> None:
    workspace = Workspace.open(tmp_path)
    workspace.create(HOSTILE)
    app = visit(workspace, "corpora")
    workspace.close()
    assert "<img" not in markup(app)
    assert "&lt;img src=x" in markup(app)


@pytest.mark.parametrize(
    "page", ["corpora", "documents", "graph", "communities", "ask", "settings"]
)
def test_where_nothing_can_be_written_every_page_says_so_and_shows_what_there_is(
    built: Workspace, visit: Visit, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    app = visit(built, page)
    assert "Read-only" in markup(app)
    assert "cannot be written" in markup(app)
    assert not {"sample", "go_new", "restore_larkmere-bridge"} & keys(app)
    assert "This did not work" not in markup(app)


@pytest.mark.parametrize("page", ["documents", "graph", "ask", "topics", "evaluate"])
def test_a_corpus_that_is_not_there_leaves_a_way_out(
    fresh: Workspace, visit: Visit, page: str
) -> None:
    fresh.create("Sound")
    app = visit(fresh, page, corpus="gone")
    assert "no corpus “gone”" in markup(app)
    assert "All corpora" in [one.label for one in app.get("page_link")]


def test_a_document_that_is_not_there_leaves_a_way_to_the_others(
    built: Workspace, visit: Visit
) -> None:
    app = visit(built, "documents", document="gone")
    assert "no document “gone”" in markup(app)
    assert "Documents of Larkmere Bridge" in [one.label for one in app.get("page_link")]


def test_a_corpus_is_renamed_and_keeps_its_address(fresh: Workspace) -> None:
    corpus = fresh.create("Larkmere Bridge")
    fresh.create("Other")
    fresh.rename("larkmere-bridge", "  The bridge\nat Larkmere ")
    assert corpus.name == "larkmere-bridge"
    assert [row.title for row in fresh.corpora()] == ["The bridge at Larkmere", "Other"]
    assert fresh.open_corpus("The bridge at Larkmere") is corpus
    for title, why in (("OTHER", "already"), (" ", "needs a name"), ("x" * 201, "limit is 200")):
        with pytest.raises(InputError, match=why):
            fresh.rename("larkmere-bridge", title)
    fresh.rename("larkmere-bridge", "The bridge at larkmere")
    again = Workspace.open(fresh.home)
    assert again.open_corpus("larkmere-bridge").title == "The bridge at larkmere"
    again.close()
