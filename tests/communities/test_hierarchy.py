from sensemaking.communities import find_communities, index_graph
from sensemaking.communities.hierarchy import home_leaves
from sensemaking.communities.nodesets import NodeSets
from sensemaking.config import HierarchySettings
from sensemaking.methods import COMMUNITIES
from tests.communities.graphs import GRAPHS, make_graph

STAR = GRAPHS["star and triangle"]


def fold(algorithm, **settings):
    return find_communities(
        make_graph(*STAR), algorithm=COMMUNITIES[algorithm], settings=HierarchySettings(**settings)
    )


def test_default_parameters_leave_the_key_bare():
    assert fold("leiden").key == "general.leiden"
    assert fold("rkh", max_community_size=20).key == "general.rkh"
    assert fold("leiden").params == (
        ("components", "all"),
        ("max_community_size", "10"),
        ("seed", str(0xDEADBEEF)),
    )


def test_other_parameters_give_keys_of_their_own():
    keys = [
        fold("leiden").key,
        fold("leiden", max_community_size=5).key,
        fold("leiden", components="largest").key,
        fold("leiden", seed=7).key,
    ]
    assert len(set(keys)) == 4
    assert all(key.startswith("general.leiden") for key in keys)


def test_a_seed_that_is_not_used_does_not_change_the_key():
    assert fold("rkh", seed=7).key == "general.rkh"


def test_the_largest_component_alone_leaves_the_rest_unplaced():
    assert fold("leiden").unplaced == ("z",)
    assert fold("leiden", components="largest").unplaced == ("a", "b", "c", "z")


def test_the_largest_component_of_an_edgeless_graph_is_no_community():
    for nodes in ([], ["a", "b"]):
        found = find_communities(
            make_graph(nodes, []),
            algorithm=COMMUNITIES["rkh"],
            settings=HierarchySettings(components="largest"),
        )
        assert (found.communities, found.unplaced, found.n_levels) == ((), tuple(nodes), 0)


def test_home_is_where_most_neighbours_are_then_the_smaller_leaf_then_the_first():
    graph = index_graph("abcdefg", [("a", "b"), ("a", "c"), ("a", "d"), ("d", "e")])
    for leaves, home in (
        ([[0, 3, 4], [0, 1, 2]], 1),
        ([[0, 1, 5], [0, 3]], 1),
        ([[0, 3], [0, 1]], 1),
    ):
        assert home_leaves(graph, NodeSets.of_lists(leaves))[0] == home
