import random

import networkx as nx
import pytest

from sensemaking.communities import index_graph
from sensemaking.communities.kcore import find_rkh
from sensemaking.communities.splitting import attach, split, split_two_hop, two_hop_groups
from sensemaking.errors import ConfigError
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


@pytest.mark.parametrize("name", RKH)
def test_hand_derived_hierarchies_are_met_exactly(name):
    graph = graph_of(RKH[name]["edges"])
    found = find_rkh(graph, RKH[name]["max_size"])
    assert [
        [one.level, one.kind, one.core_number, "".join(graph.labels[n] for n in one.members)]
        for one in found
    ] == RKH[name]["communities"]


def test_split_follows_the_hand_derivation():
    graph = graph_of(RKH["split"]["edges"])
    assert split(graph, range(9), 4) == [(0, 1, 2, 3), (4, 5, 7, 8), (6,)]
    assert split(graph, range(6), 4) == [(0, 1, 2, 3), (4, 5)]


def test_two_hop_split_follows_the_hand_derivation():
    graph = graph_of(RKH["split_two_hop"]["edges"])
    assert two_hop_groups(graph, range(4, 9)) == [(4, 5, 6, 7, 8)]
    assert split_two_hop(graph, range(4, 9), 4) == [((4, 5, 6, 7), (0, 1, 2)), ((8,), ())]
    assert split_two_hop(graph, range(4, 9), 3) == [((4, 5, 6), (0, 1)), ((7, 8), (2, 3))]


def test_pairs_merge_in_the_derived_order():
    # The merging of MRC on the paper's figure: the same rule attaches pairs and singles.
    graph = graph_of(RKH["figure_1"]["edges"])
    number = {label: n for n, label in enumerate(graph.labels)}

    def nodes(text):
        return tuple(number[label] for label in text)

    leaves = {0: nodes("mnop"), 1: nodes("efgh")}
    pairs = [nodes("cd"), nodes("ab"), nodes("ij"), nodes("kl")]
    found = attach(graph, leaves, pairs)
    assert list(found.items()) == [(2, 0), (3, 0), (1, 0), (0, 0)]


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
        ("two-hop", (14, 15, 16)),
        ("core", (5, 6, 7, 8, 9)),
        ("two-hop", (17, 18, 19)),
    ]


def test_singles_that_are_adjacent_form_a_group():
    assert two_hop_groups(graph_of([("a", "b"), ("c", "d")]), [0, 1, 2]) == [(0, 1), (2,)]


def test_each_component_is_folded_to_its_own_highest_core():
    edges = [("a", "b"), ("p", "q"), ("p", "r"), ("q", "r")]
    assert [(one.level, one.members) for one in find_rkh(graph_of(edges), 20)] == [
        (0, (2, 3, 4)),
        (1, (2, 3, 4)),
        (0, (0, 1)),
    ]


def test_a_size_below_two_is_refused():
    with pytest.raises(ConfigError, match="at least 2"):
        find_rkh(graph_of([("a", "b")]), 1)


@pytest.mark.parametrize("seed", range(8))
def test_core_numbers_equal_those_of_networkx(seed):
    graph = random_graph(300, 900, seed)
    other = nx.Graph((u, v) for u, v, _ in graph.edges)
    expected = nx.core_number(other)
    assert graph.core_numbers == tuple(expected.get(node, 0) for node in range(graph.n))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("size", [2, 5, 20])
def test_chunks_are_connected_and_keep_to_their_size(seed, size):
    graph = random_graph(400, 700, seed)
    for component in graph.components:
        chunks = split(graph, component, size)
        assert sorted(node for chunk in chunks for node in chunk) == list(component)
        assert all(len(chunk) <= size for chunk in chunks)
        assert all(len(graph.components_within(chunk)) == 1 for chunk in chunks)


@pytest.mark.parametrize("seed", range(8))
def test_two_hop_parts_cover_their_group_once(seed):
    graph = random_graph(400, 900, seed)
    singles = [node for node in range(graph.n) if graph.core_numbers[node] == 1]
    alone = [node for node in singles if not set(graph.neighbours[node]) & set(singles)]
    for group in two_hop_groups(graph, alone):
        parts = split_two_hop(graph, group, 5)
        assert sorted(node for members, _ in parts for node in members) == list(group)
        for members, anchors in parts:
            assert len(members) <= 5
            for anchor in anchors:
                assert len(set(graph.neighbours[anchor]) & set(members)) >= 2
