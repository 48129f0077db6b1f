"""The graph view: what is drawn of a graph, where it stands, what passes the filters."""

import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest

from sensemaking.figures.arranging import arrange
from sensemaking.figures.downloads import graph_html, graph_ml
from sensemaking.figures.filtering import Filters, filter_graph
from sensemaking.figures.network import FEW, MOST, Request, make_network
from sensemaking.types import Entity, Hierarchy, KnowledgeGraph
from tests.figures.test_hierarchy import GRAPH, LIGHT, fold

TREE = fold("leiden")


def make(*opened, level=0, graph=GRAPH, hierarchy=TREE, passing=None, **how):
    how = {"most_units": MOST, "all_ties": True, **how}
    return make_network(graph, hierarchy, {}, Request(level, opened, **how), passing)


@pytest.mark.parametrize("level", range(TREE.n_levels))
def test_sizes_add_up_to_all_placed_entities_at_every_level(level):
    placed = sum(len(one.home_ids) for one in TREE.view(0))
    assert sum(unit.size for unit in make(level=level).units) == placed


def test_ties_hold_every_relationship_between_different_circles():
    network = make()
    home = {key: one.id for one in TREE.view(0) for key in one.home_ids}
    across = [
        one
        for one in GRAPH.relationships
        if one.source_id in home
        and one.target_id in home
        and home[one.source_id] != home[one.target_id]
    ]
    assert sum(tie.n for tie in network.ties) == len(across)
    assert sum(tie.weight for tie in network.ties) == pytest.approx(
        sum(one.weight for one in across), rel=1e-5
    )


def test_an_opened_community_is_replaced_by_its_parts_and_a_leaf_by_its_entities():
    parent = next(one for one in TREE.view(0) if TREE.children[one.id])
    parts = {one.id for one in TREE.children[parent.id] if one.home_ids}
    network = make(parent.id)
    inside = {unit.id for unit in network.units if unit.group == parent.id}
    assert inside == parts
    assert parent.id not in {unit.id for unit in network.units}
    assert network.groups == ((parent.id, ""),)
    leaf = next(one for one in TREE.leaves if len(one.home_ids) > 3)
    path = [one.id for one in TREE.path(leaf.id)]
    opened = make(*path)
    assert {unit.id for unit in opened.units if unit.group == leaf.id} == set(leaf.home_ids)
    assert dict(opened.groups) == dict(zip(path, ["", *path], strict=False))


def test_entities_are_drawn_best_connected_first_with_those_in_no_community():
    network = make(level=None)
    degrees = [GRAPH.degrees[unit.id] for unit in network.units]
    assert degrees == sorted(degrees, reverse=True)
    assert {unit.id for unit in network.units} >= set(TREE.unplaced)
    assert len(network.units) == len(GRAPH.entities)
    few = make(level=None, most_units=FEW)
    assert len(few.units) == FEW
    assert few.n_units == len(GRAPH.entities)


def test_of_many_ties_the_strongest_are_drawn_and_one_of_each_circle():
    everything, some = make(level=1), make(level=1, all_ties=False)
    assert some.n_ties == len(everything.ties)
    assert len(some.ties) < len(everything.ties)
    tied = {end for tie in everything.ties for end in (tie.source, tie.target)}
    assert {end for tie in some.ties for end in (tie.source, tie.target)} == tied


@pytest.mark.parametrize("how", [{}, {"level": 1}, {"level": None}, {"level": 0, "open": True}])
def test_no_two_circles_overlap_and_places_are_the_same_every_time(how):
    opened = [one.id for one in TREE.view(0)[:3]] if how.pop("open", False) else []
    network = make(*opened, most_units=90, **how)
    found = arrange(network)
    assert np.array_equal(found.places, arrange(network).places)
    apart = np.hypot(*(found.places[:, None, :] - found.places[None, :, :]).transpose(2, 0, 1))
    need = found.radii[:, None] + found.radii[None, :]
    overlap = (apart < 0.8 * need) & ~np.eye(len(found.radii), dtype=bool)
    assert overlap.sum() / 2 <= 2
    for n, unit in enumerate(network.units):
        if unit.group and unit.group in found.discs:
            x, y, radius = found.discs[unit.group]
            assert np.hypot(*(found.places[n] - (x, y))) <= radius + 1


def test_what_stood_somewhere_stays_about_there_when_a_community_is_opened():
    closed = make(level=0)
    before = arrange(closed)
    one = max(closed.units, key=lambda unit: unit.size)
    opened = make(one.id)
    after = arrange(opened, (closed, before))
    assert opened.outlined == {one.id}
    old = {unit.id: before.places[n] for n, unit in enumerate(closed.units)}
    new = {unit.id: after.places[n] for n, unit in enumerate(opened.units)}
    rest = [key for key in old if key in new]
    assert len(rest) == len(closed.units) - 1
    turned = [np.dot(old[a] - old[b], new[a] - new[b]) > 0 for a in rest for b in rest if a < b]
    assert np.mean(turned) > 0.9


def test_many_units_are_arranged_near_their_kin_and_no_group_of_that_is_outlined():
    network = make(level=None)
    assert not network.outlined
    assert len(network.groups) > 4
    groups = dict(network.groups)
    kin = {key: one.id for one in TREE.communities if one.id in groups for key in one.home_ids}
    assert all(kin.get(unit.id, "") == unit.group for unit in network.units)


def test_nothing_to_draw_is_arranged_as_nothing():
    graph = KnowledgeGraph("general", (), (), ())
    empty = Hierarchy("general.leiden", "general", "leiden", (), 0, (), ())
    for level in (0, None):
        network = make(level=level, graph=graph, hierarchy=empty)
        assert not network.units
        assert arrange(network).places.shape == (0, 2)


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        (Filters(), 600),
        (Filters(kinds=("person",)), 0),
        (Filters(kinds=("concept",)), 600),
        (Filters(min_core=3), 100),
        (Filters(since="2024", until="2024"), None),
        (Filters(since="2026"), 0),
    ],
)
def test_filters_pass_what_they_say(filters, expected):
    cores = {one.id: 3 if n < 100 else 1 for n, one in enumerate(GRAPH.entities)}
    dates = {"d0": "2024-03-05", "d1": "2023"}
    graph, passing = filter_graph(GRAPH, filters, dates=dates, core_numbers=cores)
    if expected is None:
        assert passing == {
            one.id for one in GRAPH.entities if any(s.document_id == "d0" for s in one.spans)
        }
        expected = len(passing)
    assert len(passing) == expected
    assert filters.is_set == (filters != Filters())
    drawn = make_network(graph, TREE, {}, Request(0, most_units=MOST), passing)
    assert sum(unit.size for unit in drawn.units) <= expected


def test_a_tie_must_weigh_enough_and_an_entity_have_degree():
    graph, passing = filter_graph(
        GRAPH, Filters(min_weight=1.5, min_degree=4), dates={}, core_numbers={}
    )
    assert all(one.weight >= 1.5 for one in graph.relationships)
    assert len(graph.relationships) < len(GRAPH.relationships)
    assert all(GRAPH.degrees[one] >= 4 for one in passing)


def test_a_downloaded_page_fetches_nothing_and_shows_names_as_they_are():
    name = "</script><img src=x onerror=alert(1)>"
    entity = Entity("e", name, "concept", "href", (), ())
    graph = KnowledgeGraph("general", (entity,), (), ())
    nothing = Hierarchy("general.leiden", "general", "leiden", (), 0, (), ("e",))
    network = make(level=None, graph=graph, hierarchy=nothing)
    page = graph_html(network, arrange(network), LIGHT).decode()
    assert "default-src 'none'" in page
    assert not re.search(r"<(?:script|link)[^>]+(?:src|href)=", page)
    data = page.split("const data = ", 1)[1].split(";\n", 1)[0]
    assert "<" not in data
    assert json.loads(data)["nodes"][0]["label"].startswith("</script>")


def test_graphml_holds_every_entity_and_relationship():
    root = ElementTree.fromstring(graph_ml(GRAPH, TREE))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    assert len(root.findall(".//g:node", space)) == len(GRAPH.entities)
    assert len(root.findall(".//g:edge", space)) == len(GRAPH.relationships)
