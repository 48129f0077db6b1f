import importlib.util

import pytest

from sensemaking.communities import index_graph
from sensemaking.communities.leiden import find_leiden
from tests.communities.graphs import LEIDEN, numbered

RUNS = [(name, run) for name, graph in LEIDEN.items() for run in graph["leiden"]]


def indexed(name):
    edges = numbered(LEIDEN[name]["edges"])
    return index_graph({node for edge in edges for node in edge}, edges)


@pytest.mark.parametrize(
    ("name", "run"), RUNS, ids=[f"{name}-{run['max_size']}-{run['seed']}" for name, run in RUNS]
)
def test_reference_hierarchies_are_met_exactly(name, run):
    graph = indexed(name)
    largest = graph.subgraph(graph.components[0])
    found = find_leiden(largest, run["max_size"], run["seed"])
    communities = [[one.level, [int(largest.labels[n]) for n in one.members]] for one in found]
    assert sorted(communities) == run["communities"]


def test_weights_decide_between_equal_shapes():
    square = [("a", "b", 9.0), ("b", "c", 1.0), ("c", "d", 9.0), ("a", "d", 1.0)]
    turned = [("a", "b", 1.0), ("b", "c", 9.0), ("c", "d", 1.0), ("a", "d", 9.0)]
    found = [
        [one.members for one in find_leiden(index_graph("abcd", edges), 10, 0)]
        for edges in (square, turned)
    ]
    assert found == [[(0, 1), (2, 3)], [(0, 3), (1, 2)]]


@pytest.mark.skipif(
    importlib.util.find_spec("graspologic") is None,
    reason="graspologic is not installed; the parity test has an environment of its own",
)
@pytest.mark.parametrize("name", LEIDEN)
@pytest.mark.filterwarnings("ignore")
def test_the_full_graspologic_gives_the_same(name):
    import networkx as nx
    from graspologic.partition import hierarchical_leiden

    graph = indexed(name)
    theirs = nx.Graph()
    theirs.add_weighted_edges_from((str(u), str(v), weight) for u, v, weight in graph.edges)
    rows = hierarchical_leiden(theirs, max_cluster_size=10, random_seed=0xDEADBEEF)
    expected: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        expected.setdefault((row.level, row.cluster), []).append(int(row.node))
    found = find_leiden(graph, 10, 0xDEADBEEF)
    assert sorted((one.level, list(one.members)) for one in found) == sorted(
        (level, sorted(nodes)) for (level, _), nodes in expected.items()
    )
