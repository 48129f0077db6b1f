import math

import numpy as np
import pytest

from sensemaking.communities import index_graph
from sensemaking.communities.nodesets import NodeSets, label_components
from sensemaking.errors import InputError


@pytest.mark.parametrize("weight", [math.nan, -1.0, 0.0, math.inf, 1e101])
def test_a_weight_out_of_range_is_named_with_the_range(weight):
    with pytest.raises(InputError, match=r"“a” - “b”.*above 0 and at most 1e\+100"):
        index_graph("ab", [("a", "b", weight)])


def test_parallel_edges_add_up_the_same_in_any_order():
    edges = [("a", "b", 0.1), ("b", "a", 0.7), ("a", "b", 1e-17), ("b", "c", 2.0)]
    expected = index_graph("abc", edges).edges
    assert [edge[:2] for edge in expected] == [(0, 1), (1, 2)]
    for turned in (edges[::-1], edges[2:] + edges[:2]):
        assert index_graph("abc", turned).edges == expected


def test_neighbours_are_sorted():
    graph = index_graph("abcd", [("d", "a"), ("c", "a"), ("a", "b"), ("c", "d")])
    assert [graph.neighbours_of(node) for node in range(4)] == [[1, 2, 3], [0], [0, 3], [0, 2]]
    assert graph.degrees.tolist() == [3, 1, 2, 2]


def test_subgraphs_keep_labels_and_weights():
    graph = index_graph("abcd", [("a", "b", 2.0), ("b", "d", 3.0), ("c", "d", 4.0)])
    part = graph.subgraph([3, 1])
    assert (part.labels, part.edges) == (("b", "d"), [(0, 1, 3.0)])
    assert graph.without_edges(np.array([1])).edges == [(0, 1, 2.0), (2, 3, 4.0)]


def test_components_are_numbered_by_their_smallest_node():
    labels = label_components(6, np.array([4, 1]), np.array([5, 4]))
    assert labels.tolist() == [0, 1, 2, 3, 1, 1]
    assert [one.tolist() for one in NodeSets.of_labels(labels)] == [[0], [1, 4, 5], [2], [3]]


def test_sets_from_pairs_are_sorted_and_hold_nothing_twice():
    sets = NodeSets.of_pairs(3, np.array([2, 0, 2, 2]), np.array([5, 1, 3, 5]))
    assert sets.to_lists() == [[1], [], [3, 5]]
