"""The Documents page: putting files in, the build, what was not read, one document to read."""

import pytest

from sensemaking.workspace import Workspace
from tests.pages.conftest import (
    DOCUMENTS,
    SECONDS,
    Visit,
    component,
    fill,
    keys,
    looked_at,
    markup,
)

NAME = "larkmere-bridge"


def test_without_a_corpus_it_says_what_to_do(fresh: Workspace, visit: Visit) -> None:
    assert "No corpus is open" in markup(visit(fresh, "documents"))


def test_an_unknown_corpus_is_named(fresh: Workspace, visit: Visit) -> None:
    assert "There is no corpus “nowhere”" in markup(visit(fresh, "documents", corpus="nowhere"))


def test_an_empty_corpus_asks_for_documents(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Larkmere Bridge")
    app = visit(fresh, "documents", corpus=NAME)
    assert "Put documents in" in markup(app)
    assert "go_build" not in keys(app)


def test_uploads_and_pasted_text_become_files(fresh: Workspace, visit: Visit) -> None:
    corpus = fresh.create("Larkmere Bridge")
    app = visit(fresh, "documents", corpus=NAME)
    app.file_uploader[0].upload("minutes.txt", DOCUMENTS["minutes.txt"].encode(), "text/plain")
    looked_at(app.run())
    app.text_area(key="paste_text").set_value(DOCUMENTS["letter.txt"])
    app.text_input(key="paste_name").set_value("letter.txt")
    looked_at(app.button(key="paste_add").click().run())
    assert [one.name for one in corpus.files()] == ["letter.txt", "minutes.txt"]
    assert "go_build" in keys(app)


def test_build_runs_in_the_background_and_ends_built(fresh: Workspace, visit: Visit) -> None:
    corpus = fresh.create("Larkmere Bridge")
    fill(corpus)
    app = visit(fresh, "documents", corpus=NAME)
    looked_at(app.button(key="go_build").click().run())
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    looked_at(app.run())
    assert "go_ask" in keys(app)
    assert "Built" in markup(app)


def test_a_stopped_build_offers_to_resume(fresh: Workspace, visit: Visit) -> None:
    corpus = fresh.create("Larkmere Bridge")
    fill(corpus)
    corpus.start_build()
    corpus.stop_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    if job.status == "done":
        pytest.skip("The build was done before it could be stopped.")
    app = visit(fresh, "documents", corpus=NAME)
    assert app.button(key="go_build").label == "Resume"
    assert "Stopped" in markup(app)


def test_a_build_without_any_text_fails_in_the_engines_words(
    fresh: Workspace, visit: Visit
) -> None:
    corpus = fresh.create("Larkmere Bridge")
    corpus.add_files([("noise.bin", bytes(range(256)) * 40)])
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "failed"
    page = markup(visit(fresh, "documents", corpus=NAME))
    assert "None of the files has any text" in page
    assert "sm-bad" in page


def test_every_file_is_listed_with_state_and_reason(built: Workspace, visit: Visit) -> None:
    frame = visit(built, "documents", corpus=NAME).dataframe[0].value
    assert sorted(frame["File"]) == sorted([*DOCUMENTS, "noise.txt"])
    noise = frame[frame["File"] == "noise.txt"].iloc[0]
    assert noise["State"] != "Read"
    assert noise["Reason"]
    read = frame[frame["State"] == "Read"]
    assert (read["Words"] > 20).all()
    assert (read["Chunks"] >= 1).all()


def test_coverage_shows_each_stage_with_its_loss(built: Workspace, visit: Visit) -> None:
    page = markup(visit(built, "documents", corpus=NAME))
    rows = built.open_corpus(NAME).coverage()
    assert len(rows) >= 4
    for label, _, lost in rows:
        assert label in page
        if lost:
            assert f"{lost} missing" in page


def test_removed_files_can_be_brought_back(fresh: Workspace, visit: Visit) -> None:
    corpus = fresh.create("Larkmere Bridge")
    fill(corpus)
    app = visit(fresh, "documents", corpus=NAME)
    names = list(app.dataframe[0].value["File"])
    table = next(key for key in app.session_state.to_dict() if str(key).startswith("files_all"))
    app.session_state[table] = {"selection": {"rows": [0, 1], "columns": [], "cells": []}}
    app.run()
    looked_at(app.button(key="files_remove").click().run())
    assert [one.name for one in corpus.removed_files()] == names[:2]
    assert "2\u00a0files removed" in markup(app)
    looked_at(app.button(key="files_undo").click().run())
    assert corpus.removed_files() == ()


def test_a_document_opens_with_its_passage_marked(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    row = next(one for one in corpus.documents() if one.name == "letter.txt")
    text = corpus.document(row.id).text
    start = text.index("The bearings are cracked")
    end = text.index(" Northgate Engineering advises")
    app = visit(built, "documents", corpus=NAME, document=row.id, start=start, end=end)
    parts = component(app, "reader")["parts"]
    assert "".join(part for _, part in parts) == text
    assert [part for kind, part in parts if kind == "mark"] == [text[start:end]]


@pytest.mark.parametrize(("start", "end"), [(-3, 5), (9, 4), (0, 10**9), ("x", "y")])
def test_an_impossible_passage_marks_nothing(
    built: Workspace, visit: Visit, start: object, end: object
) -> None:
    row = built.open_corpus(NAME).documents()[0]
    app = visit(built, "documents", corpus=NAME, document=row.id, start=start, end=end)
    assert all(kind != "mark" for kind, _ in component(app, "reader")["parts"])


def test_an_unknown_document_is_said(built: Workspace, visit: Visit) -> None:
    assert "sm-bad" in markup(visit(built, "documents", corpus=NAME, document="none"))
