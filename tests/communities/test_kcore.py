import random

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensemaking.communities import index_graph
from sensemaking.communities.attaching import NOWHERE, attach
from sensemaking.communities.kcore import find_m2hc, find_mrc, find_rkh
from sensemaking.communities.nodesets import NodeSets
from sensemaking.communities.splitting import split, split_two_hop, two_hop_groups
from sensemaking.errors import ConfigError
from tests.communities import plain_kcore
from tests.communities.graphs import LEIDEN, RKH, numbered


def graph_of(edges):
    return index_graph({node for edge in edges for node in edge}, [tuple(edge) for edge in edges])


def random_graph(n, m, seed):
    """Return a graph whose degrees fall off steeply, as those of entities do."""
    rng = random.Random(seed)
    weights = [(i + 1) ** -0.8 for i in range(n)]
    labels = [f"{i:05d}" for i in range(n)]
    ends = zip(rng.choices(labels, weights, k=m), rng.choices(labels, weights, k=m), strict=True)
    return index_graph(labels, ends)


MERGING = {
    find_rkh: (),
    find_m2hc: ("two-hop",),
    find_mrc: ("two-hop", "residual"),
}
ids = {"ids": ["rkh", "m2hc", "mrc"]}


def rows(found, graph=None):
    name = (lambda node: graph.labels[node]) if graph else int
    return [
        [one.level, one.kind, one.core_number, [name(node) for node in one.members]]
        for one in found
    ]


def leaves(graph, found):
    sets = found.members.take(found.leaves).to_lists()
    return sorted("".join(graph.labels[node] for node in one) for one in sets)


@pytest.mark.parametrize("name", RKH)
def test_hand_derived_hierarchies_are_met_exactly(name):
    graph = graph_of(RKH[name]["edges"])
    found = find_rkh(graph, RKH[name]["max_size"])
    assert [[*row[:3], "".join(row[3])] for row in rows(found, graph)] == RKH[name]["communities"]


def test_merged_leaves_of_the_figure_are_met_exactly():
    graph = graph_of(RKH["figure_1"]["edges"])
    assert leaves(graph, find_rkh(graph, 20)) == ["ab", "cd", "efgh", "ij", "kl", "mnop"]
    assert leaves(graph, find_m2hc(graph, 20)) == ["ab", "cdkl", "efgh", "ij", "mnop"]
    assert leaves(graph, find_mrc(graph, 20)) == ["abcdijklmnop", "efgh"]


def test_merged_and_attached_nodes_join_the_ancestors_of_their_leaf():
    graph = graph_of(RKH["figure_1"]["edges"])
    found = list(find_m2hc(graph, 20))
    (above,) = [one for one in found if one.level == 1 and one.kind == "core"]
    assert "".join(graph.labels[node] for node in above.members) == "cdefghijklmnop"


graphs = st.integers(2, 24).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=60),
    )
)


@pytest.mark.parametrize("find", MERGING, **ids)
@settings(max_examples=150, deadline=None)
@given(graphs, st.integers(2, 8))
def test_any_small_graph_is_folded_as_the_plain_definition_says(find, drawn, size):
    n, edges = drawn
    edges = [(u, v) for u, v in edges if u != v]
    labels = [f"{node:02d}" for node in range(n)]
    graph = index_graph(labels, [(labels[u], labels[v]) for u, v in edges])
    expected = plain_kcore.fold(edges, n, size, MERGING[find])
    kinds = ["core", "residual", "two-hop"]
    found = sorted(rows(find(graph, size)), key=lambda row: (row[0], kinds.index(row[1]), row[3]))
    assert found == expected


@pytest.mark.parametrize("find", MERGING, **ids)
@pytest.mark.parametrize(("seed", "size"), [(0, 3), (1, 5), (2, 20), (3, 20), (4, 8)])
def test_graphs_with_hubs_are_folded_as_the_plain_definition_says(find, seed, size):
    # Large enough that hubs have more classes of neighbours than are gone through one by one.
    graph = random_graph(900, 1500, seed)
    edges = [(u, v) for u, v, _ in graph.edges]
    expected = plain_kcore.fold(edges, graph.n, size, MERGING[find])
    kinds = ["core", "residual", "two-hop"]
    found = sorted(rows(find(graph, size)), key=lambda row: (row[0], kinds.index(row[1]), row[3]))
    assert found == expected


def test_a_pair_that_nothing_joins_to_a_leaf_stays_and_others_may_join_it():
    # p-q and r-s touch no cluster; the first of them becomes one, and r-s goes there.
    graph = graph_of(["ab", "pq", "qr", "rs"])
    clusters, pairs = NodeSets.of_lists([[0, 1]]), NodeSets.of_lists([[4, 5], [2, 3]])
    assert attach(graph, clusters, pairs).tolist() == [NOWHERE, NOWHERE]
    assert attach(graph, clusters, pairs, found_new=True).tolist() == [2, 2]


def test_split_follows_the_hand_derivation():
    graph = graph_of(RKH["split"]["edges"])
    assert split(graph, range(9), 4) == [(0, 1, 2, 3), (4, 5, 7, 8), (6,)]
    assert split(graph, range(6), 4) == [(0, 1, 2, 3), (4, 5)]


def test_two_hop_split_follows_the_hand_derivation():
    graph = graph_of(RKH["split_two_hop"]["edges"])
    assert two_hop_groups(graph, np.arange(4, 9)).to_lists() == [[4, 5, 6, 7, 8]]
    assert split_two_hop(graph, range(4, 9), 4) == [((4, 5, 6, 7), (0, 1, 2)), ((8,), ())]
    assert split_two_hop(graph, range(4, 9), 3) == [((4, 5, 6), (0, 1)), ((7, 8), (2, 3))]


def test_the_leaves_of_a_star_are_grouped_by_their_hub():
    star = graph_of([("hub", f"l{n:02d}") for n in range(30)])
    sizes = [(one.kind, len(one.members)) for one in find_rkh(star, 20)]
    assert sizes == [("core", 20), ("two-hop", 11)]


def test_groups_around_two_lobes_are_made_once():
    # Each lobe has singles of its own; listing them per level would emit one lobe's group twice.
    graph = graph_of(numbered(LEIDEN["two_lobes"]["edges"]))
    deepest = [(one.kind, one.members) for one in find_rkh(graph, 20) if one.level == 3]
    assert deepest == [
        ("core", (0, 1, 2, 3, 4)),
        ("core", (5, 6, 7, 8, 9)),
        ("two-hop", (14, 15, 16)),
        ("two-hop", (17, 18, 19)),
    ]


def test_singles_that_are_adjacent_form_a_group():
    assert two_hop_groups(graph_of([("a", "b"), ("c", "d")]), np.arange(3)).to_lists() == [
        [0, 1],
        [2],
    ]


def test_each_component_is_folded_to_its_own_highest_core():
    edges = [("a", "b"), ("p", "q"), ("p", "r"), ("q", "r")]
    assert [(one.level, one.members) for one in find_rkh(graph_of(edges), 20)] == [
        (0, (0, 1)),
        (0, (2, 3, 4)),
        (1, (2, 3, 4)),
    ]


def test_a_size_below_two_is_refused():
    with pytest.raises(ConfigError, match="at least 2"):
        find_rkh(graph_of([("a", "b")]), 1)


@pytest.mark.parametrize("seed", range(8))
def test_core_numbers_equal_those_of_networkx(seed):
    graph = random_graph(300, 900, seed)
    other = nx.Graph((u, v) for u, v, _ in graph.edges)
    expected = nx.core_number(other)
    assert graph.core_numbers.tolist() == [expected.get(node, 0) for node in range(graph.n)]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("size", [2, 5, 20])
def test_chunks_are_connected_and_keep_to_their_size(seed, size):
    graph = random_graph(400, 700, seed)
    for component in graph.components:
        chunks = split(graph, component, size)
        assert sorted(node for chunk in chunks for node in chunk) == list(component)
        assert all(len(chunk) <= size for chunk in chunks)
        assert all(len(graph.subgraph(chunk).components) == 1 for chunk in chunks)


@pytest.mark.parametrize("seed", range(8))
def test_two_hop_parts_cover_their_group_once(seed):
    graph = random_graph(400, 900, seed)
    singles = [node for node in range(graph.n) if graph.core_numbers[node] == 1]
    alone = [node for node in singles if not set(graph.neighbours_of(node)) & set(singles)]
    for group in two_hop_groups(graph, np.array(alone)).to_lists():
        parts = split_two_hop(graph, group, 5)
        assert sorted(node for members, _ in parts for node in members) == group
        for members, anchors in parts:
            assert len(members) <= 5
            for anchor in anchors:
                assert len(set(graph.neighbours_of(anchor)) & set(members)) >= 2
