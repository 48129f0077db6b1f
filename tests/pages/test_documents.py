"""The Documents page: putting files in, the build, what was not read, one document to read."""

from pathlib import Path

import pytest

from sensemaking.workspace import Workspace
from tests.pages.conftest import (
    DOCUMENTS,
    HOSTILE,
    SECONDS,
    Visit,
    component,
    fill,
    kept_from_writing,
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
    sizes = {one.name: one.n_bytes for one in built.open_corpus(NAME).files()}
    assert dict(zip(frame["File"], frame["Size"], strict=True)) == sizes


def test_coverage_shows_each_stage_with_its_loss(built: Workspace, visit: Visit) -> None:
    shown = component(visit(built, "documents", corpus=NAME), "ledger")["rows"]
    rows = built.open_corpus(NAME).coverage()
    assert len(rows) >= 4
    for (label, kept, lost), row in zip(rows, shown, strict=True):
        assert (row["label"], row["kept"]) == (label, f"{kept:,}")
        assert row["lost"].split(" ")[0] == (f"{lost:,}" if lost else "")


def test_each_loss_of_the_coverage_opens_its_list(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    for label, _, lost in corpus.coverage():
        listed = corpus.losses(label)
        assert len(listed) == lost, label
        assert all(one.name and one.reason for one in listed)
        if lost:
            app = visit(built, "documents", corpus=NAME, lost=label)
            table = next(one for one in app.dataframe if list(one.value) == ["What", "Why"])
            assert list(table.value["What"]) == [one.name[:300] for one in listed]
            looked_at(app.button(key="close_lost").click().run())
            assert "lost" not in app.query_params
    assert corpus.losses("Read")[0].name == "noise.txt"


def test_a_list_of_losses_that_is_none_is_not_drawn(built: Workspace, visit: Visit) -> None:
    app = visit(built, "documents", corpus=NAME, lost="<script>")
    assert "close_lost" not in keys(app)


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
    assert "".join(part for _, part, _, _ in parts) == text
    assert "".join(part for _, part, _, seen in parts if seen) == text[start:end]


@pytest.mark.parametrize(("start", "end"), [(-3, 5), (9, 4), (0, 10**9), ("x", "y")])
def test_an_impossible_passage_marks_nothing(
    built: Workspace, visit: Visit, start: object, end: object
) -> None:
    row = built.open_corpus(NAME).documents()[0]
    app = visit(built, "documents", corpus=NAME, document=row.id, start=start, end=end)
    assert not any(seen for *_, seen in component(app, "reader")["parts"])


def test_each_entity_is_marked_where_it_stands_and_opens_its_card(
    built: Workspace, visit: Visit
) -> None:
    corpus = built.open_corpus(NAME)
    row = next(one for one in corpus.documents() if one.name == "letter.txt")
    reader = component(visit(built, "documents", corpus=NAME, document=row.id), "reader")
    graph = corpus.graph()
    marked = {reader["entities"][n]["id"] for _, _, n, _ in reader["parts"] if n >= 0}
    there = {one.id for one in graph.entities if any(s.document_id == row.id for s in one.spans)}
    assert marked
    assert marked <= there
    one = graph.entity_by_id[sorted(marked)[0]]
    app = visit(built, "documents", corpus=NAME, document=row.id, entity=one.id)
    assert one.name in markup(app)
    assert "Mentions" in markup(app)
    assert component(app, "reader")["picked"] == one.id
    looked_at(app.button(key="close_entity").click().run())
    assert "Named here" in markup(app)


def test_kinds_can_be_left_unmarked(built: Workspace, visit: Visit) -> None:
    row = next(one for one in built.open_corpus(NAME).documents() if one.name == "letter.txt")
    app = visit(built, "documents", corpus=NAME, document=row.id)
    app.session_state["mark_kinds"] = []
    looked_at(app.run())
    assert all(n < 0 for _, _, n, _ in component(app, "reader")["parts"])


def test_a_long_document_is_read_page_by_page(fresh: Workspace, visit: Visit) -> None:
    corpus = fresh.create("Larkmere Bridge")
    text = "".join(f"Paragraph {n}. The bridge of Larkmere stays shut.\n\n" for n in range(900))
    corpus.add_files([("long.txt", text.encode())])
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    (row,) = corpus.documents()
    whole = corpus.document(row.id).text
    shown = []
    for page in (1, 2, 3):
        app = visit(fresh, "documents", corpus=NAME, document=row.id)
        app.query_params["page"] = str(page)
        looked_at(app.run())
        shown.append("".join(part for _, part, _, _ in component(app, "reader")["parts"]))
    assert whole.startswith("".join(shown))
    assert all(len(one) < 20_000 for one in shown)
    start = whole.index("Paragraph 800.")
    app = visit(fresh, "documents", corpus=NAME, document=row.id, start=start, end=start + 14)
    parts = component(app, "reader")["parts"]
    assert "".join(part for _, part, _, seen in parts if seen) == "Paragraph 800."


def test_hostile_text_of_a_document_is_handed_over_as_text(built: Workspace, visit: Visit) -> None:
    row = next(one for one in built.open_corpus(NAME).documents() if one.name == "hostile.txt")
    app = visit(built, "documents", corpus=NAME, document=row.id)
    assert HOSTILE in "".join(part for _, part, _, _ in component(app, "reader")["parts"])
    assert "<img" not in markup(app)


def test_topics_are_looked_for_after_a_build_that_was_asked_to(
    fresh: Workspace, visit: Visit
) -> None:
    corpus = fresh.create("Larkmere Bridge")
    fill(corpus)
    app = visit(fresh, "documents", corpus=NAME)
    app.checkbox(key="build_topics").check()
    looked_at(app.button(key="go_build").click().run())
    corpus.wait_for_build(SECONDS)
    assert corpus.topics.job() is not None
    corpus.topics.wait(SECONDS)
    looked_at(app.run())
    assert corpus.topics.is_found


def test_a_folder_that_cannot_be_written_is_shown_and_says_what_still_works(
    tmp_path: Path, visit: Visit
) -> None:
    first = Workspace.open(tmp_path)
    fill(first.create("Larkmere Bridge"))
    first.close()
    folder = tmp_path / "corpora" / NAME
    with kept_from_writing(folder):
        other = Workspace.open(tmp_path)
        if not other.open_corpus(NAME).is_read_only:
            other.close()
            pytest.skip("This user may write anywhere.")
        app = visit(other, "documents", corpus=NAME)
        page = markup(app)
        other.close()
    assert "Read-only" in page
    assert "go_build" not in keys(app)


def test_an_unknown_document_is_said(built: Workspace, visit: Visit) -> None:
    assert "sm-bad" in markup(visit(built, "documents", corpus=NAME, document="none"))
