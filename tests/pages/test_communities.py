"""The Communities page: the hierarchy, the way down and up, a report with its sources."""

import json
from collections.abc import Iterator
from html import escape

import pytest

from sensemaking.errors import NotBuilt
from sensemaking.workspace import Workspace
from tests.pages.conftest import (
    HOSTILE,
    SECONDS,
    Visit,
    component,
    fill,
    keys,
    looked_at,
    markup,
)

NAME = "larkmere-bridge"


def test_before_a_build_it_says_what_to_do(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Larkmere Bridge")
    assert "Not built yet" in markup(visit(fresh, "communities", corpus=NAME))


@pytest.mark.parametrize("page", ["communities", "ask"])
def test_a_corpus_in_which_nothing_is_tied_says_so(
    fresh: Workspace, visit: Visit, page: str
) -> None:
    corpus = fresh.create("Larkmere Bridge")
    corpus.add_files([("one.txt", b"It is so and was not so before.")])
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    app = visit(fresh, page, corpus=NAME)
    assert "No two things in the documents are tied" in markup(app)
    assert "go_ask" not in keys(app)


def test_the_coarsest_communities_are_listed_and_drawn(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    app = visit(built, "communities", corpus=NAME)
    assert len(app.get("plotly_chart")) == 1
    frame = app.dataframe[0].value
    assert list(frame["Entities"]) == sorted(
        (len(one.entity_ids) for one in hierarchy.view(0)), reverse=True
    )


def test_a_report_is_shown_and_its_finding_opens_its_passages(
    built: Workspace, visit: Visit
) -> None:
    corpus = built.open_corpus(NAME)
    key = corpus.hierarchies()[0].key
    community, report = next((c, r) for c, r in sorted(corpus.reports(key).items()) if r.findings)
    app = visit(built, "communities", corpus=NAME, community=community, finding=0)
    prose = component(app, f"report_{community}")
    headings = [one["heading"] for one in prose["paragraphs"]]
    assert headings[-len(report.findings) :] == [one.heading for one in report.findings]
    assert prose["selected"] == 0
    quotes = [one.quote for one in corpus.report_evidence(key, community, 0)]
    assert quotes
    assert f"<mark>{escape(quotes[0])}</mark>" in markup(app)


def test_the_breadcrumb_leads_back_up(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    deepest = hierarchy.leaves[-1]
    app = visit(built, "communities", corpus=NAME, community=deepest.id)
    for one in hierarchy.path(deepest.id)[:-1]:
        assert f"crumb_{one.id}" in keys(app)
    looked_at(app.button(key="crumb_all").click().run())
    assert "community" not in app.query_params


def test_a_community_without_parts_lists_its_entities(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    leaf = hierarchy.leaves[0]
    frame = visit(built, "communities", corpus=NAME, community=leaf.id).dataframe[0].value
    names = {one.id: one.name for one in corpus.graph().entities}
    assert sorted(frame["Entity"]) == sorted(names[key] for key in leaf.entity_ids)


def test_an_unknown_community_or_finding_falls_back_to_the_whole(
    built: Workspace, visit: Visit
) -> None:
    page = markup(visit(built, "communities", corpus=NAME, community="none", finding=99))
    assert "Highest rated" in page


def test_markup_in_documents_stays_text(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    for one in hierarchy.view(0):
        app = visit(built, "communities", corpus=NAME, community=one.id, finding=0)
        assert "<img" not in markup(app)
        assert all(HOSTILE not in button.label for button in app.button)


@pytest.mark.parametrize("figure", ["treemap", "icicle", "sunburst"])
def test_the_figure_can_be_chosen_and_is_kept_in_the_address(
    built: Workspace, visit: Visit, figure: str
) -> None:
    app = visit(built, "communities", corpus=NAME, **{"as": figure})
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert spec["data"][0]["type"] == figure


def test_the_tree_shows_the_way_down_to_the_focus(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    deepest = max(hierarchy.communities, key=lambda one: (one.level, one.id))
    app = visit(built, "communities", corpus=NAME, community=deepest.id, **{"as": "tree"})
    rows = component(app, f"outline_{hierarchy.key}")["rows"]
    opened = [row["id"] for row in rows if row["is_open"] and row["id"] != "corpus"]
    assert opened == [one.id for one in hierarchy.path(deepest.id)]
    assert [row["id"] for row in rows if row["is_focus"]] == [deepest.id]
    assert all(
        row["depth"] == hierarchy.by_id[row["id"]].level + 1
        for row in rows
        if row["id"] in hierarchy.by_id and not row["is_more"]
    )
    assert not app.get("plotly_chart")


def test_the_slider_rolls_figure_and_list_down_to_a_level(
    folded_twice: Workspace, visit: Visit
) -> None:
    key = "general.mrc"
    hierarchy = folded_twice.open_corpus(NAME).hierarchy(key)
    deepest = hierarchy.n_levels - 1
    app = visit(
        folded_twice, "communities", corpus=NAME, hierarchy=key, list="level", level=deepest
    )
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)["data"][0]["ids"]
    assert {one.id for one in hierarchy.view(deepest)} & set(drawn)
    if not deepest:
        assert not app.select_slider
        return
    looked_at(app.select_slider(key="communities_level").set_value(0).run())
    assert app.query_params["level"] in ("0", ["0"])


def test_the_figure_opens_where_no_community_is_most_of_the_whole(
    folded_twice: Workspace, visit: Visit
) -> None:
    for key in ("general.leiden", "general.mrc"):
        hierarchy = folded_twice.open_corpus(NAME).hierarchy(key)
        app = visit(folded_twice, "communities", corpus=NAME, hierarchy=key)
        deepest = hierarchy.n_levels - 1
        placed = sum(len(one.entity_ids) for one in hierarchy.leaves)
        telling = [
            level
            for level in range(1, deepest)
            if 2 * max(len(one.entity_ids) for one in hierarchy.view(level)) <= placed
        ]
        drawn = set(json.loads(app.get("plotly_chart")[0].proto.spec)["data"][0]["ids"])
        wanted = min([*telling, deepest])
        assert {one.id for one in hierarchy.view(wanted)} & drawn
        deeper = {one.id for one in hierarchy.communities if one.level > wanted}
        assert not deeper & drawn


def test_relationships_inside_are_a_table(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy, graph = corpus.hierarchy(corpus.hierarchies()[0].key), corpus.graph()
    largest = max(hierarchy.view(0), key=lambda one: (len(one.entity_ids), one.id))
    members = set(largest.entity_ids)
    inside = [
        one for one in graph.relationships if one.source_id in members and one.target_id in members
    ]
    app = visit(built, "communities", corpus=NAME, community=largest.id, list="ties")
    frame = app.dataframe[0].value
    assert len(frame) == min(50, len(inside))
    assert list(frame["Weight"]) == sorted((one.weight for one in inside), reverse=True)[:50]


def test_long_lists_come_fifty_at_a_time(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    largest = max(hierarchy.view(0), key=lambda one: (len(one.entity_ids), one.id))
    size = len(largest.entity_ids)
    app = visit(built, "communities", corpus=NAME, community=largest.id, list="entities")
    assert len(app.dataframe[0].value) == min(50, size)
    if size > 50:
        app = visit(built, "communities", corpus=NAME, community=largest.id, page=2)
        assert f"51 to {size} of {size}" in markup(app)


def test_reports_are_found_by_their_words(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    key = corpus.hierarchies()[0].key
    found = corpus.notebook.search(key, "river wall")
    assert found
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    app = visit(built, "communities", corpus=NAME, find="river wall")
    assert f"found_{found[0].community_id}" in keys(app)
    looked_at(app.button(key=f"found_{found[0].community_id}").click().run())
    assert app.query_params["community"] in (found[0].community_id, [found[0].community_id])
    looked_at(app.button(key="back_to_found").click().run())
    assert "community" not in app.query_params
    assert "No report has a word of" in markup(
        visit(built, "communities", corpus=NAME, find="zyzzyva")
    )


@pytest.fixture(scope="module")
def folded_twice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A corpus with two hierarchies, the first of them measured."""
    workspace = Workspace.open(tmp_path_factory.mktemp("twice"))
    corpus = workspace.create("Larkmere Bridge")
    fill(corpus)
    chosen = corpus.settings.hierarchy.model_copy(update={"algorithms": ("leiden", "mrc")})
    corpus.change_settings(corpus.settings.model_copy(update={"hierarchy": chosen}))
    corpus.start_build()
    job = corpus.wait_for_build(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    corpus.trust.start("general.leiden")
    job = corpus.trust.wait(SECONDS)
    assert job is not None
    assert job.status == "done", job.error
    yield workspace
    workspace.close()


def test_a_measured_hierarchy_says_in_how_many_runs_a_community_was_kept(
    folded_twice: Workspace, visit: Visit
) -> None:
    corpus = folded_twice.open_corpus(NAME)
    found = corpus.trust.result("general.leiden")
    assert found is not None
    assert found.trials[0].runs == 20
    for community, kept in zip(found.community_ids, found.trials[0].kept, strict=True):
        page = markup(visit(folded_twice, "communities", corpus=NAME, community=community))
        assert f"kept in {kept} of 20 runs" in page
    leaf = corpus.hierarchy("general.leiden").leaves[0]
    app = visit(folded_twice, "communities", corpus=NAME, community=leaf.id)
    assert {"Core", "Mates kept"} <= set(app.dataframe[0].value.columns)


def test_trust_tells_all_trials_and_offers_to_measure(
    folded_twice: Workspace, visit: Visit
) -> None:
    corpus = folded_twice.open_corpus(NAME)
    app = visit(folded_twice, "communities", corpus=NAME, about="trust")
    found = corpus.trust.result("general.leiden")
    assert found is not None
    assert len(app.dataframe[-1].value) == sum(len(trial.levels) for trial in found.trials)
    assert corpus.trust.result("general.mrc") is None
    app = visit(folded_twice, "communities", corpus=NAME, hierarchy="general.mrc", about="trust")
    assert "Not measured yet" in markup(app)
    assert "measure_trust" in keys(app)


def test_the_shape_of_a_hierarchy_is_told_in_numbers(folded_twice: Workspace, visit: Visit) -> None:
    corpus = folded_twice.open_corpus(NAME)
    covered = corpus.trust.coverage("general.leiden")
    assert 0 < covered.tokens_reached <= covered.tokens
    page = markup(visit(folded_twice, "communities", corpus=NAME, about="shape"))
    assert "Source text reached" in page
    assert f"<b>{covered.leaves}</b>" in page


def test_a_second_hierarchy_stands_beside_the_first(
    folded_twice: Workspace, built: Workspace, visit: Visit
) -> None:
    app = visit(folded_twice, "communities", corpus=NAME, about="beside", beside="general.mrc")
    assert "Entities that moved" in markup(app)
    assert len(app.get("plotly_chart")) == 3
    assert len(app.dataframe) >= 3
    app = visit(built, "communities", corpus=NAME, about="beside")
    assert "There is one hierarchy only" in markup(app)


def test_a_pin_a_name_and_a_note_are_shown_and_taken_back(
    folded_twice: Workspace, visit: Visit
) -> None:
    corpus = folded_twice.open_corpus(NAME)
    key = "general.leiden"
    hierarchy = corpus.hierarchy(key)
    one = next(c for c in hierarchy.view(0) if c.id in corpus.reports(key))
    written = corpus.reports(key)[one.id].title
    app = visit(folded_twice, "communities", corpus=NAME, community=one.id)
    looked_at(app.button(key="pin_community").click().run())
    app.text_input(key=f"name_{one.member_key}").input("The wall & <b>those</b> who pay")
    app.text_area(key=f"note_{one.member_key}").input(HOSTILE)
    app.button(key=f"FormSubmitter:form_{one.member_key}-Keep").click()
    looked_at(app.run())
    assert escape("The wall & <b>those</b> who pay") in markup(app)
    assert escape(HOSTILE) in markup(app)
    top = visit(folded_twice, "communities", corpus=NAME)
    assert f"marked_{one.member_key}" in keys(top)
    assert any("The wall & <b>" in str(name) for name in top.dataframe[0].value["At level 0"])
    ask = visit(folded_twice, "graph", corpus=NAME)
    assert "Graph" in markup(ask)
    for _ in range(3):
        app = visit(folded_twice, "communities", corpus=NAME, community=one.id)
        looked_at(app.button(key="undo_mark").click().run())
    assert corpus.notebook.marks() == {}
    assert corpus.reports(key)[one.id].title == written


def test_a_hierarchy_that_is_not_there_cannot_be_measured(fresh: Workspace) -> None:
    corpus = fresh.create("Larkmere Bridge")
    with pytest.raises(NotBuilt):
        corpus.trust.start("general.leiden")


def test_names_and_notes_cannot_turn_the_line_around(built: Workspace) -> None:
    corpus = built.open_corpus(NAME)
    corpus.notebook.rename("turned", "a \u202e b")
    corpus.notebook.write("turned", "first \u2066 line\n\nsecond\tline")
    mark = corpus.notebook.marks()["turned"]
    assert mark.name == "a \\u202e b"
    assert mark.note == "first \\u2066 line\n\nsecond line"
    corpus.notebook.rename("turned", "")
    corpus.notebook.write("turned", "")
    assert "turned" not in corpus.notebook.marks()
