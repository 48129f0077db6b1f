"""Which keys become entities: names with evidence, and the concepts that characterise the corpus.

Names of a known kind are kept. Concepts compete: those that occur often enough
(`GraphSettings`) are ranked by termhood, and as many are kept as a corpus of that length can carry.

Notes
-----
Termhood is C-value (Frantzi, Ananiadou and Mima, 2000: frequency times the logarithm of the
length, less what longer terms account for), times informativeness: residual idf (Church and Gale,
1995), how much fewer chunks hold the phrase than a Poisson process of the same frequency would
fill. Words of general use are spread evenly and score about 0, topics come in bursts. A phrase of
several words is informative by itself (1 + residual idf); a single word is not, unless it is in
bursts. The number of concepts grows with the 0.62th power of the number of words, as vocabularies
do (Heaps).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.config import GraphSettings
from sensemaking.graph.forms import is_phrase
from sensemaking.graph.persons import settle_persons
from sensemaking.graph.reading import Reading
from sensemaking.graph.reconcile import speaker_keys, vote

CONCEPTS_FACTOR, CONCEPTS_POWER = 0.75, 0.62
MIN_CONCEPTS = 25
MIN_BURST = 0.12
"""Residual idf below which a single word is of general use, in a corpus of 30 chunks or more."""


@dataclass(slots=True)
class Statistics:
    """Counts of one key outside formulas: occurrences, chunks, documents; its longest form."""

    count: int = 0
    chunks: int = 0
    documents: int = 0
    last_chunk: int = -1
    last_document: int = -1


@dataclass(frozen=True, slots=True)
class Choice:
    """The kind of every key that becomes an entity, and the counts of all keys."""

    kinds: dict[str, str]
    counts: dict[str, Statistics]


def choose(
    reading: Reading, keys: Sequence[str], formulas: Sequence[bool], settings: GraphSettings
) -> Choice:
    """Return what becomes an entity."""
    votes: dict[str, Counter[str]] = {}
    explicit = set()
    for form, key in zip(reading.forms, keys, strict=True):
        votes.setdefault(key, Counter())[_vote_of(form.name, form.kind)] += len(form.spans)
        if form.is_explicit:
            explicit.add(key)
    speakers = speaker_keys(reading)
    for key in speakers:
        if key in votes:
            votes[key]["person"] += votes[key].total()
    kinds = {key: _kind(counts) for key, counts in votes.items()}
    kinds |= settle_persons(reading, keys, kinds, votes, speakers)
    statistics, inside = _count(reading, keys, kinds, formulas)
    chosen = {}
    concepts = []
    for key in sorted(kinds):
        if key in explicit:
            chosen[key] = kinds[key]
        elif kinds[key] != "concept":
            if statistics[key].count or len(reading.documents) < 2:
                chosen[key] = kinds[key]
        else:
            concepts.append(key)
    for key in _concepts(reading, concepts, statistics, inside, settings):
        chosen[key] = "concept"
    return Choice(chosen, statistics)


def _vote_of(name: str, kind: str) -> str:
    """Return "phrase" for a concept written as a common noun: that is no guess."""
    return "phrase" if kind == "concept" and is_phrase(name) else kind


def _kind(counts: Counter[str]) -> str:
    named = Counter({kind: count for kind, count in counts.items() if kind != "phrase"})
    if not named or counts["phrase"] >= named.total():
        return "concept"
    return vote(named)


def _count(
    reading: Reading, keys: Sequence[str], kinds: dict[str, str], formulas: Sequence[bool]
) -> tuple[dict[str, Statistics], Counter[str]]:
    """Return counts by key, and how often a key occurs inside longer phrases only."""
    statistics = {key: Statistics() for key in kinds}
    inside: Counter[str] = Counter()
    parts = inner_keys(keys, kinds)
    for row, is_formula in zip(reading.sentences, formulas, strict=True):
        if is_formula:
            continue
        for _, _, form in row.places:
            _add(statistics[keys[form]], row.chunk, row.document)
            for part in parts.get(keys[form], ()):
                _add(statistics[part], row.chunk, row.document)
                inside[part] += 1
    return statistics, inside


def _add(one: Statistics, chunk: int, document: int) -> None:
    one.count += 1
    if one.last_chunk != chunk:
        one.chunks += 1
        one.last_chunk = chunk
    if one.last_document != document:
        one.documents += 1
        one.last_document = document


def inner_keys(keys: Sequence[str], kinds: dict[str, str]) -> dict[str, list[str]]:
    """Return, for each key phrase of several words, the shorter ones that occur by themselves."""
    found = {}
    for key in sorted(set(keys)):
        words = key.split(" ")
        if kinds.get(key, "concept") != "concept" or not 1 < len(words) <= 6:
            continue
        parts = [
            part
            for size in range(len(words) - 1, 0, -1)
            for at in range(len(words) - size + 1)
            if (part := " ".join(words[at : at + size])) in kinds
        ]
        if parts:
            found[key] = list(dict.fromkeys(parts))
    return found


def _concepts(
    reading: Reading,
    candidates: Sequence[str],
    statistics: dict[str, Statistics],
    inside: Counter[str],
    settings: GraphSettings,
) -> list[str]:
    n_documents, n_chunks = len(reading.documents), max(1, len(reading.chunks))
    n_words = sum(document.n_words for document in reading.documents)
    min_documents, min_mentions = _thresholds(n_documents, n_chunks, settings)
    scored = []
    for key in candidates:
        one = statistics[key]
        if not one.count or (one.documents < min_documents and one.count < min_mentions):
            continue
        score = _termhood(key, one, inside[key], n_chunks)
        if score > 0:
            scored.append((-score, key))
    scored.sort()
    most = max(MIN_CONCEPTS, math.ceil(CONCEPTS_FACTOR * n_words**CONCEPTS_POWER))
    return [key for _, key in scored[:most]]


def _thresholds(n_documents: int, n_chunks: int, settings: GraphSettings) -> tuple[int, int]:
    """Return the least documents and mentions of a concept, lower where there is little text.

    One document cannot meet a minimum of two; a handful of chunks repeats little.
    """
    mentions = settings.min_concept_mentions
    if n_chunks < 4:
        mentions = 1
    elif n_chunks < 20:
        mentions = min(mentions, 2)
    documents = settings.min_concept_documents if n_documents > 1 else mentions
    return documents, mentions


def _termhood(key: str, one: Statistics, n_inside: int, n_chunks: int) -> float:
    n_words = key.count(" ") + 1
    alone = one.count - n_inside
    frequency = one.count - 0.5 * n_inside if alone else 0.2 * one.count
    expected = n_chunks * -math.expm1(-one.count / n_chunks)
    burst = math.log2(max(expected, 1.0) / one.chunks) if one.chunks else 0.0
    if n_words == 1:
        if n_chunks >= 30 and burst < MIN_BURST and one.documents > 1:
            return 0.0
        inform = 0.35 + burst if n_chunks >= 30 else 0.6 + burst
    else:
        inform = 1.0 + burst
    return round(math.log2(1 + n_words) * math.log2(1 + frequency) * max(inform, 0.05), 6)
