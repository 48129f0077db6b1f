"""ROUGE-L, clusters of claims, and whether a count agrees with the judges."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from sensemaking.evaluation.claims import (
    agree,
    attach_claims,
    cluster_claims,
    readable_import,
    readable_text,
)
from sensemaking.text.rouge import count_clusters, distances, lcs_length, rouge_l
from sensemaking.types import (
    Answer,
    AnswerSentence,
    Coverage,
    EvaluatedAnswer,
    PairScore,
    Paragraph,
    Usage,
)

WORDS = [
    "harbour",
    "council",
    "approved",
    "dredging",
    "basin",
    "in",
    "2024",
    "although",
    "residents",
    "object",
]


def table_lcs(first: list[str], second: list[str]) -> int:
    rows = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, one in enumerate(first, start=1):
        for j, other in enumerate(second, start=1):
            same = rows[i - 1][j - 1] + 1 if one == other else 0
            rows[i][j] = max(same, rows[i - 1][j], rows[i][j - 1])
    return rows[-1][-1]


def test_the_bit_parallel_subsequence_is_the_one_of_the_table() -> None:
    rng = random.Random(1)
    for _ in range(400):
        first = rng.choices(WORDS, k=rng.randint(0, 90))
        second = rng.choices(WORDS, k=rng.randint(0, 90))
        assert lcs_length(first, second) == table_lcs(first, second)


def test_rouge_is_symmetric_one_for_equal_and_zero_for_disjoint_texts() -> None:
    assert rouge_l("Work stops.", "work STOPS") == 1.0
    assert rouge_l("Work stops.", "It rains.") == 0.0
    assert rouge_l("a b c d", "b d") == rouge_l("b d", "a b c d") == pytest.approx(2 / 3)
    assert rouge_l("", "It rains.") == 0.0


def naive_clusters(texts: list[str], threshold: float) -> int:
    """Complete linkage by definition: join the two clusters whose farthest pair is closest."""
    clusters = [{at} for at in range(len(texts))]

    def apart(one: set[int], other: set[int]) -> float:
        return max(1 - rouge_l(texts[i], texts[j]) for i in one for j in other)

    while len(clusters) > 1:
        pairs = [
            (apart(one, other), i, j)
            for i, one in enumerate(clusters)
            for j, other in enumerate(clusters[:i])
        ]
        distance, i, j = min(pairs)
        if distance > threshold:
            break
        clusters[j] |= clusters.pop(i)
    return len(clusters)


def test_clusters_are_those_of_complete_linkage() -> None:
    rng = random.Random(2)
    for _ in range(25):
        # Distinct lengths, so that no two distances are equal and the clusters are unique.
        texts = [" ".join(rng.sample(WORDS, k=rng.randint(3, 9))) for _ in range(8)]
        if len(set(distances(texts))) < len(distances(texts)):
            continue
        for threshold in (0.3, 0.5, 0.8):
            assert count_clusters(texts, [threshold]) == (naive_clusters(texts, threshold),)


def test_more_distance_means_fewer_clusters_and_repeats_are_one() -> None:
    claims = [" ".join(random.Random(n).sample(WORDS, 6)) for n in range(30)]
    counts = [n for _, n in cluster_claims(claims)]
    assert all(one >= other for one, other in pairwise(counts))
    assert count_clusters(["It rains."] * 5, [0.0]) == (1,)
    assert [n for _, n in cluster_claims([])] == [0, 0, 0, 0]
    assert [n for _, n in cluster_claims(["one"])] == [1, 1, 1, 1]


def answer(*paragraphs: Paragraph) -> Answer:
    return Answer(
        id="a", question="q", method="global", settings=(), text="## X\n\nA [1]. > note",
        paragraphs=paragraphs, notes=("No passage.",), sub_answers=(),
        coverage=Coverage(0, 0, 0, 0, 0), skipped=(), usage=Usage(), seconds=0.0,
        seconds_to_first=0.0, n_tokens=0,
    )  # fmt: skip


def test_what_a_judge_reads_has_no_numbers_and_no_notes() -> None:
    made = answer(
        Paragraph("Costs", (AnswerSentence("It costs 3.", 90, ()), AnswerSentence("So.", 0, ()))),
        Paragraph("", (AnswerSentence("It rains.", 90, ()),)),
    )
    assert readable_text(made) == "## Costs\n\nIt costs 3. So.\n\nIt rains."
    imported = "# Costs\n\nIt costs 3 [Data: Reports (1, 2)]. It rains [2, 3].\n\n> A note\n"
    assert readable_import(imported) == "## Costs\n\nIt costs 3. It rains."


def test_claims_are_attached_to_the_sentence_they_come_from() -> None:
    sentences = ["The docks close in May.", "Residents object to dredging, and the council pays."]
    claims = ["The council pays.", "The docks close.", "Zebras graze."]
    assert attach_claims(claims, sentences) == (1, 0, -1)
    assert attach_claims(["A claim"], []) == (-1,)


def evaluated(condition: str, n_claims: int) -> EvaluatedAnswer:
    claims = tuple(f"claim {number}" for number in range(n_claims))
    return EvaluatedAnswer(
        id=condition, question_id="q", condition=condition, answer_id="", status="done",
        claims=claims, n_words=10 * n_claims,
    )  # fmt: skip


def test_agreement_counts_pairs_in_which_measure_and_winner_are_decided() -> None:
    answers = {("q", "A"): evaluated("A", 5), ("q", "B"): evaluated("B", 2)}

    def score(winner: int | None) -> PairScore:
        return PairScore("q", "diversity", "A", "B", None, winner, 2, 2, 0)

    found = {one.measure: one for one in agree([score(1), score(2), score(0)], answers)}
    assert (found["claims"].n, found["claims"].n_agree) == (2, 1)
    assert found["claims"].share == 0.5
    assert "documents" not in found
    assert agree([score(None)], answers) == ()
