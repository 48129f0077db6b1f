"""Texts ranked by the direction of their vectors, exactly: every cosine is computed.

Unit vectors by id come in; out comes an index that ranks all of them for a query's vector.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sensemaking.ports import Vectors


class DenseIndex:
    """Unit vectors in one matrix; safe to share between threads.

    Parameters
    ----------
    vectors
        Unit vectors by id, each (dimension,).
    """

    def __init__(self, vectors: Mapping[str, Vectors]) -> None:
        self.ids = tuple(sorted(vectors))
        self._rows = (
            np.stack([vectors[key] for key in self.ids]).astype(np.float32)
            if self.ids
            else np.zeros((0, 0), dtype=np.float32)
        )

    def search(self, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """Return the `k` best (id, cosine), best first, equal cosines by id; all where k is more.

        Cosines are rounded to six digits: further ones depend on the machine.
        """
        if not self.ids:
            return []
        cosines = np.round(self._rows.astype(np.float64) @ vector.astype(np.float64), 6)
        order = np.argsort(-cosines, kind="stable")[:k]
        return [(self.ids[int(n)], float(cosines[n])) for n in order]
