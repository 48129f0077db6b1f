"""Texts ranked by the words they share with a query (Okapi BM25).

Texts by id come in; out comes an index that ranks all of them for any query. What counts as a word
is decided in `text.words`: lower case, function words left out, English stems, and pairs of
characters in scripts that put no spaces between words.

Notes
-----
BM25 has many variants. Ours weighs a term by ln(1 + (N - n + 0.5) / (n + 0.5)), which is never
negative, and a text by tf (k1 + 1) / (tf + k1 (1 - b + b length / mean length)). A term that a
query repeats counts each time. Equal scores stand in order of id. Counting and scoring are bm25s's.

References
----------
Robertson, Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sensemaking.text.words import content_words, words

K1 = 1.5
B = 0.75

Scores = NDArray[np.float64]


def tokens(text: str) -> list[str]:
    """Return the words by which a text is found, in order, repeats included.

    A single character of a script without spaces is a word.

    >>> tokens("The engineers of Quay 7")
    ['engin', 'quay', '7']
    >>> tokens("水と東京都")
    ['水と', 'と東', '東京', '京都']
    """
    found = content_words(text)
    return found or [word for word in words(text) if not word.isascii()]


class LexicalIndex:
    """All texts, counted once; safe to share between threads.

    Parameters
    ----------
    texts
        Text by id.
    k1, b
        Saturation of repeated terms (0 counts a term once); weight of a text's length (0-1).
    """

    def __init__(self, texts: Mapping[str, str], *, k1: float = K1, b: float = B) -> None:
        self.ids = tuple(sorted(texts))
        counted = [tokens(texts[key]) for key in self.ids]
        self._vocabulary: dict[str, int] = {}
        rows = [
            [self._vocabulary.setdefault(word, len(self._vocabulary)) for word in row]
            for row in counted
        ]
        self._model = None
        if self._vocabulary:
            import bm25s

            self._model = bm25s.BM25(
                k1=k1, b=b, method="atire", idf_method="lucene", dtype="float64", backend="numpy"
            )
            self._model.index((rows, self._vocabulary), show_progress=False)

    def scores(self, query: str) -> Scores:
        """Return the score of every text, (n_texts,), in order of `ids`; 0 shares no word."""
        known = [self._vocabulary[word] for word in tokens(query) if word in self._vocabulary]
        if self._model is None or not known:
            return np.zeros(len(self.ids))
        found: Scores = np.asarray(self._model.get_scores_from_ids(known), dtype=np.float64)
        return found

    def search(self, query: str, k: int) -> list[tuple[str, float]]:
        """Return the `k` best (id, score), best first, equal scores by id; all where k is more.

        Texts that share no word with the query come last, with score 0.
        """
        scores = self.scores(query)
        order = np.argsort(-scores, kind="stable")[:k]
        return [(self.ids[int(n)], float(scores[n])) for n in order]
