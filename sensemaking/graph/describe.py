"""What is said of an entity or a tie, in the words of the documents.

A description is a sentence of a document, cleaned of furniture and extra white space: for an entity
the one that defines it ("X is a …", "X, a …,"), else the one that serves best as evidence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from sensemaking.graph.reading import Reading
from sensemaking.types import Document

MAX_DESCRIPTION = 240
_WORD = re.compile(r"\w+")
_DEFINING = re.compile(
    r"\s*(?:\([^)]{1,60}\)\s*)?(?:,\s*(?:a|an|the|our|one of|which is|who is|who was)\s+\w|"
    r"(?:is|was|are|were|means|refers to|became)\s+(?:a|an|the|one|our|designed|used)\s+\w|"
    r"[:–—]\s+(?:a|an|the)\s)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[;:,.]\s|\s[–—-]{1,2}\s")
_WEAK_OPENING = re.compile(
    r"(?:and|but|so|because|which|or|well|yeah|yes|no|right|okay|then|it|this|that|he|she|they|"
    r"these|those)\b",
    re.IGNORECASE,
)


class Texts:
    """The cleaned text of stretches of documents."""

    def __init__(self, reading: Reading) -> None:
        self._documents = reading.documents
        self._furniture = [_furniture(document) for document in reading.documents]
        self._ends = [[end for _, end in stretches] for stretches in self._furniture]

    def clean(self, document: int, start: int, end: int) -> str:
        """Return `[start, end)` of a document without furniture, with single spaces."""
        parts = []
        at = start
        furniture = self._furniture[document]
        for index in range(bisect_right(self._ends[document], start), len(furniture)):
            begin, stop = furniture[index]
            if begin >= end:
                break
            parts.append(self._documents[document].text[at : max(at, begin)])
            at = stop
        parts.append(self._documents[document].text[at : max(at, end)])
        return " ".join(" ".join(parts).split())


def _furniture(document: Document) -> list[tuple[int, int]]:
    """Return the stretches of furniture, in order, those that overlap joined."""
    joined: list[tuple[int, int]] = []
    for one in document.sections:
        if one.kind != "furniture":
            continue
        if joined and one.start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], one.end))
        else:
            joined.append((one.start, one.end))
    return joined


def sentence_quality(
    reading: Reading, texts: Texts, formulas: Sequence[bool], n_entities: Sequence[int]
) -> NDArray[np.float64]:
    """Return how well each sentence serves as evidence, (n_sentences,), 0 to 1.

    Statements of 8 to 40 words about few entities are best; questions, fragments and formulas last.
    """
    found = np.zeros(len(reading.sentences))
    for index, row in enumerate(reading.sentences):
        text = texts.clean(row.document, row.span.start, row.span.end)
        score = _reading_quality(text)
        score /= 1 + 0.15 * max(0, n_entities[index] - 3)
        found[index] = score * (0.2 if formulas[index] else 1.0)
    return np.round(found, 4)


@lru_cache(maxsize=4096)
def _reading_quality(text: str) -> float:
    n_words = len(_WORD.findall(text)) if " " in text else len(text) // 2
    score = 1.0
    if n_words < 8:
        score = n_words / 10
    elif n_words > 40:
        score = max(0.2, 40 / n_words)
    if text.endswith(("?", "？", "؟")):
        score *= 0.4
    if _WEAK_OPENING.match(text):
        score *= 0.75
    if text[-1:].isalnum():
        score *= 0.8
    return score


def shortened(text: str, most: int = MAX_DESCRIPTION) -> str:
    """Return at most `most` characters, cut at the end of a clause or a word."""
    if len(text) <= most:
        return text
    ends = [match.start() for match in _CLAUSE.finditer(text, most // 2, most - 2)]
    cut = ends[-1] if ends else text.rfind(" ", most // 2, most - 2)
    return text[: cut if cut > 0 else most - 2].rstrip(" ,;:–—-") + " …"


def definition_rank(text: str, start: int, end: int) -> float:
    """Return how clearly a sentence defines what it mentions at `[start, end)`: 0, or up to 2."""
    if not _DEFINING.match(text, end):
        return 0.0
    return 2.0 if start <= 6 else 1.0 if start <= 60 else 0.6


def best_definition(
    candidates: Sequence[tuple[str, int, int, float]],
) -> str:
    """Return the best of (sentence, start, end, quality) of mentions, in order of place."""
    best, best_score = "", -1.0
    for text, start, end, quality in candidates:
        score = quality * (1 + definition_rank(text, start, end))
        if score > best_score + 1e-9:
            best, best_score = text, score
    return shortened(best)
