import itertools
import math
import random

import numpy as np
import pytest

from sensemaking.communities import fold_graph, index_graph
from sensemaking.communities.partitions import compare, modularity
from sensemaking.communities.stability import Effort, measure_stability
from sensemaking.config import HierarchySettings
from sensemaking.errors import ConfigError
from sensemaking.methods import COMMUNITIES
from tests.communities.graphs import LEIDEN, numbered


def run(generator):
    events = []
    while True:
        try:
            events.append(next(generator))
        except StopIteration as ended:
            return events, ended.value


def measure(edges, algorithm, effort):
    graph = index_graph({node for edge in edges for node in edge}, edges)
    method = COMMUNITIES[algorithm]
    folded = fold_graph(graph, "g", method, HierarchySettings())
    return folded, *run(measure_stability(folded, method, effort))


def cliques(n, size=6):
    inside = [
        (f"{c}{u}", f"{c}{v}") for c in range(n) for u, v in itertools.combinations(range(size), 2)
    ]
    return inside + [(f"{c}0", f"{(c + 1) % n}1") for c in range(n)]


def plain_rand(one, other):
    """Adjusted Rand index by counting pairs."""
    pairs = list(itertools.combinations(range(len(one)), 2))
    a = [one[i] == one[j] for i, j in pairs]
    b = [other[i] == other[j] for i, j in pairs]
    both, expected = sum(x and y for x, y in zip(a, b, strict=True)), sum(a) * sum(b) / len(pairs)
    largest = (sum(a) + sum(b)) / 2
    return 1.0 if largest == expected else (both - expected) / (largest - expected)


@pytest.mark.parametrize("seed", range(10))
def test_the_adjusted_rand_index_is_that_of_counted_pairs(seed):
    rng = random.Random(seed)
    one, other = ([rng.randrange(4) for _ in range(25)] for _ in range(2))
    assert compare(np.array(one), np.array(other)).rand == pytest.approx(plain_rand(one, other))
    assert (
        compare(np.array(other), np.array(one)).rand == compare(np.array(one), np.array(other)).rand
    )


def test_mutual_information_of_halves_that_cross_is_nothing():
    one, other = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    assert compare(one, other).information == 0.0
    thirds = compare(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 2]))
    assert thirds.information == pytest.approx(
        math.log(2) / ((math.log(2) + 1.5 * math.log(2)) / 2)
    )


def test_mates_are_shares_of_community_mates_in_both_directions():
    one, other = np.array([0, 0, 0, 1, -1]), np.array([0, 0, 1, 1, 1])
    assert compare(one, other).mates.tolist()[:4] == [0.75, 0.75, 0.0, 0.0]
    assert math.isnan(compare(one, other).mates[4])


def test_modularity_is_that_of_the_definition():
    edges = numbered(LEIDEN["karate"]["edges"])
    graph = index_graph({node for edge in edges for node in edge}, edges)
    labels = np.arange(graph.n) % 3
    labels[5] = -1
    total, expected = graph.m, 0.0
    for u in range(graph.n):
        for v in range(graph.n):
            if u == v or (labels[u] == labels[v] >= 0):
                tied = v in graph.neighbours_of(u)
                expected += tied - graph.degrees[u] * graph.degrees[v] / (2 * total)
    assert modularity(graph, labels) == pytest.approx(expected / (2 * total))


def test_cliques_in_a_ring_are_found_by_every_seed():
    folded, events, found = measure(cliques(8), "leiden", Effort(runs=6, drops=(1.0,)))
    seeds, drops = found.trials
    assert (seeds.drop, seeds.runs, seeds.wanted, drops.drop) == (0.0, 6, 6, 1.0)
    assert [level.rand for level in seeds.levels] == [1.0] * len(seeds.levels)
    assert seeds.levels[0].partitions == 1
    assert set(seeds.kept) == {6}
    assert set(seeds.mates) == {1.0}
    assert [event.done for event in events] == list(range(13))
    assert set(found.community_ids) == set(folded.hierarchy.by_id)


def test_a_sparse_graph_has_many_partitions_of_almost_one_score():
    rng = random.Random(4)
    tree = [(f"{n:03d}", f"{rng.randrange(n):03d}") for n in range(1, 300)]
    _, _, found = measure(tree, "leiden", Effort(runs=8, drops=()))
    (level, *_) = found.trials[0].levels
    assert level.partitions == 8
    assert level.modularity[1] - level.modularity[0] < 0.02
    assert level.lowest_rand <= level.rand < 0.95
    assert min(found.trials[0].kept) < 8


def test_cores_have_no_seed_so_that_only_left_out_edges_are_tried():
    _, _, found = measure(cliques(4), "rkh", Effort(runs=3, drops=(1.0, 5.0)))
    assert [trial.drop for trial in found.trials] == [1.0, 5.0]
    again = measure(cliques(4), "rkh", Effort(runs=3, drops=(1.0, 5.0)))[2]
    assert again == found


def test_when_time_is_up_the_trial_says_how_many_runs_were_made():
    seconds = itertools.count()
    effort = Effort(runs=20, drops=(1.0,), seconds=10, clock=lambda: next(seconds))
    _, _, found = measure(cliques(3), "leiden", effort)
    assert [(trial.runs, trial.wanted) for trial in found.trials] == [(7, 20), (7, 20)]
    assert all(max(trial.kept) <= trial.runs for trial in found.trials)


def test_a_graph_without_edges_is_as_stable_as_can_be():
    graph = index_graph("abc", [])
    for method in COMMUNITIES.values():
        folded = fold_graph(graph, "g", method, HierarchySettings())
        _, found = run(measure_stability(folded, method, Effort(runs=2, drops=(5.0,))))
        assert found.community_ids == ()
        assert all(level.rand == 1.0 for trial in found.trials for level in trial.levels)


@pytest.mark.parametrize(
    "bad", [{"runs": 1}, {"runs": 201}, {"drops": (0.0,)}, {"drops": (100.0,)}]
)
def test_impossible_efforts_are_named_with_their_range(bad):
    with pytest.raises(ConfigError, match="from 2 to 200|above 0 and below 100"):
        Effort(**bad)
