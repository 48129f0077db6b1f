"""Shapes that are cheap to say and expensive to get wrong: nothing here may cost the square."""

import time

import numpy as np
import pytest

from sensemaking.communities.indexed import IndexedGraph
from sensemaking.methods import COMMUNITIES

N = 100_000
CPU_SECONDS = 30


def graph_of(sources, targets, n):
    sources, targets = np.minimum(sources, targets), np.maximum(sources, targets)
    order = np.lexsort((targets, sources))
    return IndexedGraph(range(n), sources[order], targets[order], np.ones(len(order)))


def star():
    return graph_of(np.zeros(N - 1, dtype=np.int64), np.arange(1, N), N)


def path():
    return graph_of(np.arange(N - 1), np.arange(1, N), N)


def clique():
    sources, targets = np.triu_indices(400, 1)
    return graph_of(sources, targets, 400)


def hub_of_many_kinds():
    # A ring of 300, each tied to the next eight, around a hub; 10,000 nodes tied to the hub and to
    # a pair of the ring of their own: one group of two hops in which hardly two are alike.
    ring = np.arange(1, 301)
    step = np.arange(1, 9)[:, None]
    circle = np.tile(ring, 8), ((ring - 1 + step) % 300 + 1).ravel()
    outer = np.arange(301, 301 + N // 10)
    left, right = (outer - 301) % 300 + 1, (outer - 301) // 300 + 1
    sources = [circle[0], ring, outer, outer, outer]
    targets = [circle[1], ring * 0, outer * 0, left, np.where(left == right, 300, right)]
    pairs = np.sort(np.stack([np.concatenate(sources), np.concatenate(targets)], axis=1), axis=1)
    return graph_of(*np.unique(pairs, axis=0).T, 301 + N // 10)


@pytest.mark.parametrize("algorithm", COMMUNITIES.values(), ids=lambda one: one.name)
@pytest.mark.parametrize("make", [star, path, clique, hub_of_many_kinds])
def test_large_simple_shapes_take_seconds_and_lose_nothing(algorithm, make):
    graph = make()
    began = time.process_time()
    found = algorithm.find(graph, algorithm.default_size, 0)
    assert time.process_time() - began < CPU_SECONDS
    for level in (0, found.n_levels - 1):
        placed = found.members.take(found.view(level)).nodes
        assert len(np.unique(placed)) == graph.n
    if make is star and algorithm.name != "leiden":
        assert found.members.sizes[found.leaves].max() == algorithm.default_size + 1
