import numpy as np

from sensemaking.retrieval.dense import DenseIndex
from sensemaking.retrieval.fusion import fuse


def test_what_two_rankings_agree_on_comes_first():
    fused = fuse([["a", "b", "c"], ["c", "b", "d"]])
    assert [key for key, _ in fused] == ["c", "b", "a", "d"]
    assert dict(fused)["b"] == 1 / 62 + 1 / 62


def test_the_order_of_the_rankings_does_not_decide_ties():
    one, two, three = ["a", "b"], ["b", "a"], ["x"]
    assert fuse([one, two, three]) == fuse([three, two, one])
    assert fuse([]) == []


def test_a_ranking_that_repeats_a_thing_counts_it_once():
    assert fuse([["a", "a", "b"]]) == fuse([["a", "b"]])


def test_dense_ranking_is_exact_and_ties_go_by_id():
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(40, 8)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    vectors = {f"v{n:02d}": row for n, row in enumerate(rows)}
    vectors["a"] = vectors["z"] = rows[7]
    found = DenseIndex(vectors).search(rows[7], 3)
    assert [key for key, _ in found] == ["a", "v07", "z"]
    assert found[0][1] == 1.0
    everything = DenseIndex(vectors).search(rows[0], 1000)
    assert len(everything) == 42
    assert [c for _, c in everything] == sorted((c for _, c in everything), reverse=True)


def test_an_index_without_vectors_finds_nothing():
    assert DenseIndex({}).search(np.ones(4, dtype=np.float32), 5) == []
