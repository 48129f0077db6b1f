"""Ties between entities from the sentences that mention both.

Sentences with their entities come in, as integers; out go weighted pairs with their evidence.

Notes
-----
Evidence: 1 for a sentence that mentions both, 0.3 for two neighbouring sentences of one speaker
that mention one each; less for sentences that list many entities, and a share of 1/√n for the n-th
time in one document: a text that keeps to its subject says more than one that names it in passing,
but tables and refrains must not drown everything else. Association: pointwise
mutual information m (natural logarithm), normalised (Bouma, 2009) and times m / (m + 0.4), because
two names that are always together in every sentence have the highest normalised value and say
nothing; discounted for rare pairs (Pantel and Lin, 2002) so that one shared sentence is no proof.
Weight = (0.1 + association) × √evidence: it is positive, larger for more evidence, and small for
two names that are everywhere. A logarithm instead of the
root makes ties with much evidence so like those with little that communities become those of single
documents, whose rare names all stand together.

Pruning: each entity keeps its strongest ties, two in any case and up to `most` when they rest on
enough evidence (a sentence that mentions both where a name is tied, else more than one) and on
association of at least 0.08; a tie stays when either end keeps
it. A maximum spanning forest over all evidence stays too, so that pruning never tears apart what
the texts connect; what no two neighbouring sentences connect is bridged (`bridges`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sensemaking.graph.bridges import Parts, find_bridges

EVERYWHERE = 0.4
"""Mutual information at which a pair counts half: it meets 1.5 times as often as by chance."""
NEIGHBOUR = 0.3
BRIDGE = 0.1
LEAST_KEPT = 2
MIN_EVIDENCE, MIN_EVIDENCE_OF_NAME = 1.5, 0.99
MIN_ASSOCIATION = 0.08
MAX_IN_SENTENCE = 25
"""Entities of a sentence that are paired; a longer list is a table or an index."""

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SentenceEntities:
    """The entities of a sentence, sorted; `continues` if the sentence before is its neighbour."""

    document: int
    entities: tuple[int, ...]
    continues: bool


@dataclass(frozen=True, slots=True)
class Ties:
    """Pairs of entities (source < target), weight, and evidence as rows of sentences.

    `evidence[i]` holds (sentence, reach): `reach` further sentences belong to it; those within one
    sentence come first.
    """

    sources: Integers
    targets: Integers
    weights: Floats
    evidence: list[list[tuple[int, int]]]


def associate(
    sentences: Sequence[SentenceEntities],
    is_name: NDArray[np.bool_],
    *,
    most: int,
    quality: Floats,
) -> Ties:
    """Return the ties that remain after pruning.

    `is_name` (n_entities,) tells names from concepts; `quality` (n_sentences,) says how well a
    sentence serves as evidence, the better first.
    """
    n_entities = len(is_name)
    codes, amounts, rows, reaches = _pairs(sentences, n_entities)
    if not len(codes):
        empty = np.zeros(0, dtype=np.int64)
        return Ties(empty, empty, np.zeros(0), [])
    unique, inverse = np.unique(codes, return_inverse=True)
    homes = np.array([one.document for one in sentences], dtype=np.int64)
    evidence = _evidence_amount(inverse, amounts, rows, homes)
    sources, targets = unique // n_entities, unique % n_entities
    association = _association(sentences, n_entities, sources, targets, evidence)
    weights = np.round((0.1 + association) * np.sqrt(evidence), 6)
    least = np.where(is_name[sources] | is_name[targets], MIN_EVIDENCE_OF_NAME, MIN_EVIDENCE)
    strong = (evidence >= least) & (association >= MIN_ASSOCIATION)
    kept = _strongest(sources, targets, weights, strong, most)
    kept |= _forest(sources, targets, weights, n_entities)
    chosen = np.flatnonzero(kept)
    ranked = _evidence(inverse, rows, reaches, quality, kept)
    return Ties(
        sources[chosen], targets[chosen], weights[chosen], [ranked[int(one)] for one in chosen]
    )


def _pairs(
    sentences: Sequence[SentenceEntities], n_entities: int
) -> tuple[Integers, Floats, Integers, Integers]:
    """Return code, amount, first sentence and reach of each co-occurrence."""
    codes: list[int] = []
    amounts: list[float] = []
    rows: list[int] = []
    reaches: list[int] = []
    previous: tuple[int, ...] = ()
    for row, sentence in enumerate(sentences):
        here = sentence.entities[:MAX_IN_SENTENCE]
        share = min(1.0, 8 / max(1, len(here)))
        for index, left in enumerate(here):
            for right in here[index + 1 :]:
                codes.append(left * n_entities + right)
                amounts.append(share)
                rows.append(row)
                reaches.append(0)
        if sentence.continues and previous and here:
            share = NEIGHBOUR * min(1.0, 8 / (len(here) + len(previous)))
            for left in previous:
                for right in here:
                    if left != right and left not in here and right not in previous:
                        low, high = (left, right) if left < right else (right, left)
                        codes.append(low * n_entities + high)
                        amounts.append(share)
                        rows.append(row - 1)
                        reaches.append(1)
        previous = here
    pairs = ((code // n_entities, code % n_entities) for code in sorted(set(codes)))
    for left, right, row, reach in find_bridges(
        [one.entities for one in sentences], [one.document for one in sentences], pairs, n_entities
    ):
        codes.append(left * n_entities + right)
        amounts.append(BRIDGE)
        rows.append(row)
        reaches.append(reach)
    return (
        np.array(codes, dtype=np.int64),
        np.array(amounts, dtype=np.float64),
        np.array(rows, dtype=np.int64),
        np.array(reaches, dtype=np.int64),
    )


def _evidence_amount(inverse: Integers, amounts: Floats, rows: Integers, homes: Integers) -> Floats:
    """Return the evidence of each pair: the n-th time in one document counts 1/√n.

    `homes` is the document of each sentence.
    """
    documents = homes[rows]
    order = np.lexsort((rows, -amounts, documents, inverse))
    pairs, places = inverse[order], documents[order]
    begins = np.r_[True, (pairs[1:] != pairs[:-1]) | (places[1:] != places[:-1])]
    at = np.arange(len(order))
    rank = at - np.maximum.accumulate(np.where(begins, at, 0))
    return np.bincount(pairs, weights=amounts[order] / np.sqrt(1 + rank)).astype(np.float64)


def _association(
    sentences: Sequence[SentenceEntities],
    n_entities: int,
    sources: Integers,
    targets: Integers,
    evidence: Floats,
) -> Floats:
    counts = np.zeros(n_entities, dtype=np.float64)
    total = 0
    for sentence in sentences:
        if sentence.entities:
            total += 1
            counts[list(sentence.entities)] += 1
    total = max(total, 2)
    left, right = counts[sources], counts[targets]
    together = np.minimum(evidence, np.minimum(left, right))
    probability = np.clip(together / total, 1e-12, 1 - 1e-9)
    mutual = np.log(np.maximum(together * total / (left * right), 1e-12))
    normalised = np.clip(mutual / -np.log(probability), 0.0, 1.0)
    normalised *= np.maximum(mutual, 0.0) / (np.maximum(mutual, 0.0) + EVERYWHERE)
    least = np.minimum(left, right)
    discount = (evidence / (evidence + 1)) * (least / (least + 1))
    # A tiny corpus has no chance level to speak of: every pair is together by half at least.
    floor = 0.5 if total < 8 else 0.0
    return np.asarray(np.maximum(normalised, floor) * discount, dtype=np.float64)


def _strongest(
    sources: Integers, targets: Integers, weights: Floats, strong: NDArray[np.bool_], most: int
) -> NDArray[np.bool_]:
    """Return which ties are among the strongest of either end."""
    n = len(weights)
    ends = np.concatenate([sources, targets])
    others = np.concatenate([targets, sources])
    ties = np.concatenate([np.arange(n), np.arange(n)])
    order = np.lexsort((others, -weights[ties], ends))
    first = np.r_[True, ends[order][1:] != ends[order][:-1]]
    start = np.maximum.accumulate(np.where(first, np.arange(2 * n), 0))
    rank = np.arange(2 * n) - start
    keeps = (rank < min(LEAST_KEPT, most)) | ((rank < most) & strong[ties[order]])
    kept = np.zeros(n, dtype=np.bool_)
    kept[ties[order][keeps]] = True
    return kept


def _forest(
    sources: Integers, targets: Integers, weights: Floats, n_entities: int
) -> NDArray[np.bool_]:
    """Return a maximum spanning forest (Kruskal), ties decided by position."""
    parts = Parts(n_entities)
    kept = np.zeros(len(weights), dtype=np.bool_)
    for index in np.lexsort((targets, sources, -weights)).tolist():
        kept[index] = parts.join(int(sources[index]), int(targets[index]))
    return kept


def _evidence(
    inverse: Integers,
    rows: Integers,
    reaches: Integers,
    quality: Floats,
    kept: NDArray[np.bool_],
) -> dict[int, list[tuple[int, int]]]:
    """Return the evidence of the kept ties, single sentences first, then by quality."""
    inside = np.flatnonzero(kept[inverse])
    order = inside[
        np.lexsort((rows[inside], -quality[rows[inside]], reaches[inside], inverse[inside]))
    ]
    found: dict[int, list[tuple[int, int]]] = {}
    for tie, row, reach in zip(
        inverse[order].tolist(), rows[order].tolist(), reaches[order].tolist(), strict=True
    ):
        found.setdefault(tie, []).append((row, reach))
    return found
