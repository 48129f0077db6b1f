"""Formulas: sentences that say the same in many places and so say nothing about the corpus.

Greetings, disclaimers and signatures recur word for word. A sentence is a formula when most of its
four-word sequences occur in at least three documents and in a tenth of them; a sentence that was
read before, word for word, counts as one as well. Its mentions stay evidence of occurrence, but do
not count for association or for the choice of concepts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sensemaking.graph.reading import Reading

SEQUENCE = 4
MIN_DOCUMENTS = 3
SHARE_OF_DOCUMENTS = 0.1
SHARE_OF_SENTENCE = 0.5

_WORD = re.compile(r"[\w'’]+")


def find_formulas(reading: Reading) -> list[bool]:
    """Return for each sentence whether it is a formula."""
    texts = [
        tuple(_WORD.findall(_text(reading, index).casefold()))
        for index in range(len(reading.sentences))
    ]
    least = max(MIN_DOCUMENTS, SHARE_OF_DOCUMENTS * len(reading.documents))
    spread = _spread(reading, texts)
    seen: set[tuple[str, ...]] = set()
    found = []
    for words in texts:
        sequences = _sequences(words)
        common = sum(spread[one][0] >= least for one in sequences)
        is_repeated = len(words) > 2 and words in seen
        seen.add(words)
        is_formula = bool(sequences) and common >= SHARE_OF_SENTENCE * len(sequences)
        found.append(is_repeated or is_formula)
    return found


def _spread(
    reading: Reading, texts: Sequence[tuple[str, ...]]
) -> dict[tuple[str, ...], tuple[int, int]]:
    """Return for each sequence (number of documents, last document)."""
    spread: dict[tuple[str, ...], tuple[int, int]] = {}
    for row, words in zip(reading.sentences, texts, strict=True):
        for sequence in _sequences(words):
            count, last = spread.get(sequence, (0, -1))
            if last != row.document:
                spread[sequence] = (count + 1, row.document)
    return spread


def _sequences(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [words[at : at + SEQUENCE] for at in range(len(words) - SEQUENCE + 1)]


def _text(reading: Reading, index: int) -> str:
    row = reading.sentences[index]
    return reading.documents[row.document].text[row.span.start : row.span.end]
