"""Formulas: sentences that furnish documents and say nothing about what they are about.

Greetings, disclaimers, signatures and the phrases of a moderator recur in much the same words. A
sentence is a formula when most of the four-word sequences outside its names occur in at least five
documents and in a tenth of them, and there at like places: near the beginning or the end in half of
these documents, or as a refrain, twice a document. A sentence that was read before, word for word,
counts as one as well. A document that would consist of formulas for the most part has none: it is
a copy, a version or a note of the same kind as others, and what it shares with them is what it
says. Mentions in formulas stay evidence of occurrence, but do not count for association or for the
choice of concepts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.graph.forms import is_phrase
from sensemaking.graph.reading import Reading, SentenceRow

SEQUENCE = 4
MIN_DOCUMENTS = 5
SHARE_OF_DOCUMENTS = 0.1
SHARE_OF_SENTENCE = 0.5
SHARE_AT_EDGE = 0.5
REFRAIN = 2
MOST_OF_DOCUMENT = 0.5
EDGE = 12
"""Sentences at the beginning, and at the end, of a document that furniture is found in."""

_WORD = re.compile(r"[\w'’]+")

Words = tuple[str, ...]


@dataclass(slots=True)
class _Spread:
    """Where a sequence occurs: in all, in how many documents, at the edge of how many."""

    occurrences: int = 0
    documents: int = 0
    at_edge: int = 0
    last: int = -1
    last_at_edge: int = -1


def find_formulas(reading: Reading) -> list[bool]:
    """Return for each sentence whether it is a formula."""
    rows = reading.sentences
    texts = [_words(reading, row, with_names=True) for row in rows]
    common = _common(reading)
    seen: set[Words] = set()
    found = []
    for row, words in zip(rows, texts, strict=True):
        sequences = _sequences(_words(reading, row, with_names=False))
        n_common = sum(one in common for one in sequences)
        is_formula = bool(sequences) and n_common >= SHARE_OF_SENTENCE * len(sequences)
        found.append(is_formula or (len(words) > 2 and words in seen))
        seen.add(words)
    return _where_they_furnish(reading, texts, found)


def _where_they_furnish(
    reading: Reading, texts: Sequence[Words], found: Sequence[bool]
) -> list[bool]:
    """Return the formulas without those of documents that have hardly anything else."""
    sizes = [0] * len(reading.documents)
    formulas = [0] * len(reading.documents)
    for row, words, is_formula in zip(reading.sentences, texts, found, strict=True):
        sizes[row.document] += len(words)
        formulas[row.document] += len(words) * is_formula
    return [
        is_formula and formulas[row.document] <= MOST_OF_DOCUMENT * sizes[row.document]
        for row, is_formula in zip(reading.sentences, found, strict=True)
    ]


def _common(reading: Reading) -> set[Words]:
    """Return the sequences that are common, at like places."""
    spread: dict[Words, _Spread] = {}
    for row, is_edge in zip(reading.sentences, _at_edge(reading), strict=True):
        for sequence in _sequences(_words(reading, row, with_names=False)):
            one = spread.setdefault(sequence, _Spread())
            one.occurrences += 1
            if one.last != row.document:
                one.documents += 1
                one.last = row.document
            if is_edge and one.last_at_edge != row.document:
                one.at_edge += 1
                one.last_at_edge = row.document
    least = max(MIN_DOCUMENTS, SHARE_OF_DOCUMENTS * len(reading.documents))
    return {
        sequence
        for sequence, one in spread.items()
        if one.documents >= least
        and (
            one.at_edge >= SHARE_AT_EDGE * one.documents
            or one.occurrences >= REFRAIN * one.documents
        )
    }


def _at_edge(reading: Reading) -> list[bool]:
    """Return for each sentence whether it is near the beginning or the end of its document."""
    sizes = [0] * len(reading.documents)
    places = []
    for row in reading.sentences:
        places.append(sizes[row.document])
        sizes[row.document] += 1
    return [
        place < EDGE or place >= sizes[row.document] - EDGE
        for row, place in zip(reading.sentences, places, strict=True)
    ]


def _sequences(words: Words) -> list[Words]:
    return [words[at : at + SEQUENCE] for at in range(len(words) - SEQUENCE + 1)]


def _words(reading: Reading, row: SentenceRow, *, with_names: bool) -> Words:
    """Return the words of a sentence; without names where it is asked how it is put."""
    text = reading.documents[row.document].text
    parts = []
    at = row.span.start
    if not with_names:
        for start, end, form in row.places:
            if start >= at and not is_phrase(reading.forms[form].name):
                parts.append(text[at:start])
                at = max(at, min(end, row.span.end))
    parts.append(text[at : row.span.end])
    return tuple(_WORD.findall(" ".join(parts).casefold()))
