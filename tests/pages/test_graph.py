"""The Graph page: circles, what is picked, what was opened, what is filtered."""

import pytest

from pages._graph_choices import find_entities
from sensemaking.workspace import Workspace
from tests.pages.conftest import HOSTILE, Visit, component, keys, looked_at, markup

NAME = "larkmere-bridge"


def test_before_a_build_it_says_what_to_do(fresh: Workspace, visit: Visit) -> None:
    fresh.create("Larkmere Bridge")
    assert "Not built yet" in markup(visit(fresh, "graph", corpus=NAME))


def test_the_communities_of_a_level_are_drawn(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    app = visit(built, "graph", corpus=NAME, level=0)
    drawn = component(app, "network")
    assert len(drawn["nodes"]) == len(hierarchy.view(0))
    assert drawn["picked"] == -1
    assert "Nothing is picked" in markup(app)


def test_a_picked_community_can_be_opened_in_place_and_closed(
    built: Workspace, visit: Visit
) -> None:
    corpus = built.open_corpus(NAME)
    hierarchy = corpus.hierarchy(corpus.hierarchies()[0].key)
    one = hierarchy.view(0)[0]
    app = visit(built, "graph", corpus=NAME, level=0, community=one.id)
    assert component(app, "network")["picked"] >= 0
    before = component(app, "network")["version"]
    looked_at(app.button(key="open_here").click().run())
    assert app.query_params["open"] == one.id
    assert component(app, "network")["version"] != before
    looked_at(app.button(key=f"close_{one.id}").click().run())
    assert "open" not in app.query_params


def test_an_entity_has_a_card_with_its_ties_claims_and_passages(
    built: Workspace, visit: Visit
) -> None:
    corpus = built.open_corpus(NAME)
    graph = corpus.graph()
    entity = max(graph.entities, key=lambda one: (graph.degrees[one.id], one.id))
    app = visit(built, "graph", corpus=NAME, entity=entity.id)
    assert entity.name in markup(app)
    app.session_state[f"entity_tabs_{entity.id}"] = "Passages"
    page = markup(looked_at(app.run()))
    span = entity.spans[0]
    quote = corpus.document(span.document_id).text[span.start : span.end]
    assert f"<mark>{quote}</mark>" in page
    app.session_state[f"entity_tabs_{entity.id}"] = f"Relationships {graph.degrees[entity.id]}"
    looked_at(app.run())
    tied = [key for key in keys(app) if key.startswith("tie_")]
    assert len(tied) == min(12, graph.degrees[entity.id])
    assert len([key for key in keys(app) if key.startswith("more_")]) == (len(tied) == 12)
    looked_at(app.button(key=tied[0]).click().run())
    assert app.query_params["entity"] != entity.id


def test_a_name_that_is_typed_is_looked_for_in_names_and_aliases(built: Workspace) -> None:
    graph = built.open_corpus(NAME).graph()
    named = {
        one.id for one in graph.entities if "larkmere" in f"{one.name} {one.aliases}".casefold()
    }
    assert len(named) > 1
    assert set(find_entities(graph, " LARKMERE ")) == named
    whole = next(one for one in graph.entities if one.name == "Larkmere Council")
    assert find_entities(graph, "larkmere council")[0] == whole.id
    assert find_entities(graph, "no such name") == []


def test_entities_alone_and_a_filter_that_nothing_passes(built: Workspace, visit: Visit) -> None:
    app = visit(built, "graph", corpus=NAME, level="entities")
    n_entities = len(component(app, "network")["nodes"])
    assert n_entities > 3
    app = visit(built, "graph", corpus=NAME, level="entities", degree=4000)
    assert "Nothing passes the filters" in markup(app)
    looked_at(app.button(key="clear_all").click().run())
    assert len(component(app, "network")["nodes"]) == n_entities


@pytest.mark.parametrize(
    "params",
    [
        {"level": 99, "open": "nothing,here", "community": "none", "entity": "none"},
        {"level": "x", "weight": "nan", "degree": "-1", "core": "1e9", "since": "2024-1"},
        {"kinds": "dragon,person", "document": "none", "until": "<b>", "weight": "-5"},
    ],
)
def test_an_address_that_makes_no_sense_falls_back(
    built: Workspace, visit: Visit, params: dict[str, str | int]
) -> None:
    visit(built, "graph", corpus=NAME, **params)


def test_markup_in_documents_stays_text(built: Workspace, visit: Visit) -> None:
    corpus = built.open_corpus(NAME)
    files = {row.id for row in corpus.documents() if row.name == "hostile.txt"}
    entities = corpus.graph().entities
    hostile = [one for one in entities if files & {span.document_id for span in one.spans}]
    assert hostile
    for entity in hostile[:4]:
        app = visit(built, "graph", corpus=NAME, entity=entity.id)
        assert "<img" not in markup(app)
        assert all(HOSTILE not in button.label for button in app.button)


@pytest.mark.parametrize("told", ["2024-99", "2023-02-30", "2024-1", "twenty", "０００１"])
def test_a_date_that_is_in_no_calendar_filters_nothing(
    built: Workspace, visit: Visit, told: str
) -> None:
    app = visit(built, "graph", corpus=NAME, level="entities", since=told)
    assert (
        component(app, "network")["version"]
        == component(visit(built, "graph", corpus=NAME, level="entities"), "network")["version"]
    )
