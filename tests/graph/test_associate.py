from itertools import combinations

import numpy as np
import pytest

from sensemaking.graph.associate import SentenceEntities, Ties, associate
from sensemaking.graph.bridges import find_bridges


def tie(sentences: list[tuple[int, ...]], n: int, most: int = 12, documents=None) -> Ties:
    documents = documents or list(range(len(sentences)))
    rows = [
        SentenceEntities(document, one, at > 0 and documents[at - 1] == document)
        for at, (document, one) in enumerate(zip(documents, sentences, strict=True))
    ]
    return associate(rows, np.ones(n, dtype=np.bool_), most=most, quality=np.ones(len(rows)))


def weights(ties: Ties) -> dict[tuple[int, int], float]:
    return {
        (int(a), int(b)): float(w)
        for a, b, w in zip(ties.sources, ties.targets, ties.weights, strict=True)
    }


def test_two_names_that_are_everywhere_are_not_the_strongest_tie():
    sentences = [(0, 1, 4 + n % 6) for n in range(40)]
    sentences += [(n % 2, 4 + n % 6) for n in range(80)] + [(2, 3)] * 5
    found = weights(tie(sentences, 10))
    assert found[(2, 3)] == max(found.values())
    assert found[(2, 3)] > 2 * found.get((0, 1), 0.0)


def test_more_evidence_weighs_more():
    noise = [(n,) for n in range(4, 54)]
    found = weights(tie([*[(0, 1)] * 6, *[(2, 3)] * 2, *noise], 54))
    assert found[(0, 1)] > found[(2, 3)]


def test_repetition_within_a_document_counts_less_than_across_documents():
    noise = [(n,) for n in range(4, 54)]
    sentences = [*[(0, 1)] * 5, *[(2, 3)] * 5, *noise]
    apart = list(range(100, 160))
    found = weights(tie(sentences, 54, documents=[*[0] * 5, *apart[:55]]))
    assert found[(2, 3)] > found[(0, 1)]


def test_neighbouring_sentences_tie_less_than_one_sentence():
    noise = [(n,) for n in range(4, 54)]
    sentences = [(0, 1), (2,), (3,), *noise]
    found = weights(tie(sentences, 54, documents=[0, 1, 1, *range(2, 52)]))
    assert 0 < found[(2, 3)] < found[(0, 1)]


def test_an_entity_keeps_its_strongest_ties_only():
    circles = [range(8 * circle, 8 * circle + 8) for circle in range(10)]
    sentences = [pair for circle in circles for pair in combinations(circle, 2)] * 3
    full, pruned = tie(sentences, 80, most=40), tie(sentences, 80, most=2)
    assert len(full.weights) == 10 * 28
    assert len(pruned.weights) <= 10 * 16
    assert weights(pruned).items() <= weights(full).items()


def test_pruning_never_tears_apart():
    chain = [(n, n + 1) for n in range(40)]
    found = tie(chain, 41, most=1)
    assert len(found.weights) == 40


def test_evidence_names_the_sentences():
    found = tie([(0, 1), (), (0,), (1,)], 2, documents=[0, 0, 1, 1])
    assert found.evidence == [[(0, 0), (2, 1)]]


def test_nothing_mentioned_is_no_tie():
    assert len(tie([(), (0,)], 1).weights) == 0


@pytest.mark.parametrize(("gap", "bridged"), [(2, True), (8, True), (9, False)])
def test_bridges_reach_eight_sentences(gap: int, bridged: bool):
    entities = [(0,), *[()] * (gap - 1), (1,)]
    assert bool(find_bridges(entities, [0] * len(entities), [], 2)) is bridged
    assert not find_bridges(entities, [*[0] * gap, 1], [], 2)
