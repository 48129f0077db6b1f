"""Retrieval measures agree with the reference file and behave at the edges."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sensemaking.evaluation.retrieval_metrics import capped_recall, ndcg, recall


@pytest.fixture(scope="module")
def reference(shared_data: Path) -> dict:
    return json.loads((shared_data / "reference" / "retrieval_metrics.json").read_text())


@pytest.mark.shared_data
def test_binary_cases_of_the_reference_are_matched(reference: dict) -> None:
    for one in reference["binary"]:
        ranking, relevant = one["ranking"], one["relevant"]
        gains = dict.fromkeys(relevant, 1.0)
        assert capped_recall(ranking, relevant, 10) == pytest.approx(one["capped_recall@10"])
        assert recall(ranking, relevant, 10) == pytest.approx(one["recall@10"])
        assert ndcg(ranking, gains, 10) == pytest.approx(one["nDCG@10"], abs=1e-12)


@pytest.mark.shared_data
def test_graded_gains_of_the_reference_are_matched(reference: dict) -> None:
    graded = reference["graded_linear_gain"]
    found = ndcg(graded["ranking"], graded["gains"], 10)
    assert found == pytest.approx(graded["nDCG@10"], abs=1e-12)


def test_capped_recall_can_be_full_where_there_are_more_relevant_than_places() -> None:
    relevant = [f"d{n}" for n in range(30)]
    assert capped_recall(relevant, relevant, 10) == 1.0
    assert recall(relevant, relevant, 10) == pytest.approx(1 / 3)


def test_nothing_found_nothing_relevant_and_short_rankings_are_zero_or_partial() -> None:
    assert capped_recall([], ["a"], 10) == 0.0
    assert capped_recall(["a"], [], 10) == 0.0
    assert ndcg([], {"a": 1.0}, 10) == 0.0
    assert ndcg(["a"], {}, 10) == 0.0
    assert ndcg(["a"], {"a": 0.0}, 10) == 0.0
    assert capped_recall(["a"], ["a", "b"], 10) == 0.5


def test_an_id_that_is_ranked_twice_counts_once() -> None:
    assert capped_recall(["a", "a", "b"], ["a", "b"], 2) == 1.0
    assert ndcg(["a", "a"], {"a": 1.0}, 2) == 1.0
