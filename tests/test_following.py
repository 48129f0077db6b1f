"""Work that is followed from outside."""

import threading

import numpy as np
import pytest

from sensemaking.communities import fold_graph
from sensemaking.communities.indexed import IndexedGraph
from sensemaking.config import HierarchySettings
from sensemaking.methods import COMMUNITIES
from sensemaking.pipeline.following import follow
from tests.benchmarks.communities import draw_graph

WAIT_SECONDS = 30


def finish(following):
    steps = []
    while True:
        try:
            steps.append(next(following))
        except StopIteration as ended:
            return steps, ended.value


@pytest.mark.parametrize("algorithm", COMMUNITIES)
def test_a_fold_tells_its_steps_in_order_and_gives_what_it_gives_unfollowed(algorithm):
    n, sources, targets = draw_graph(3000)
    graph = IndexedGraph([f"{i:05d}" for i in range(n)], sources, targets, np.ones(len(sources)))
    method, settings = COMMUNITIES[algorithm], HierarchySettings()
    steps, folded = finish(
        follow("fold", lambda tell: fold_graph(graph, "g", method, settings, tell))
    )
    assert len(steps) >= 3
    assert all(0 <= one.done < one.total and one.note for one in steps)
    assert [one.done for one in steps] == sorted(one.done for one in steps)
    assert folded.hierarchy == fold_graph(graph, "g", method, settings).hierarchy


def test_steps_come_out_while_the_work_goes_on():
    seen = threading.Event()

    def work(tell):
        tell(0, 2, "first")
        assert seen.wait(WAIT_SECONDS)
        return "done"

    following = follow("work", work)
    assert next(following).note == "first"
    seen.set()
    assert finish(following) == ([], "done")


def test_work_that_nobody_follows_any_more_ends_at_its_next_step():
    begun, left, passed = threading.Event(), threading.Event(), []

    def work(tell):
        tell(0, 2, "first")
        begun.set()
        assert left.wait(WAIT_SECONDS)
        tell(1, 2, "second")
        passed.append("second")

    following = follow("work", work)
    next(following)
    assert begun.wait(WAIT_SECONDS)
    threading.Timer(0.1, left.set).start()
    following.close()
    assert passed == []


def test_what_the_work_raises_is_raised():
    def work(tell):
        raise ValueError("a bad graph")

    with pytest.raises(ValueError, match="a bad graph"):
        finish(follow("work", work))
