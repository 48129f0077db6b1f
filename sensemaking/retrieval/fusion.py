"""Several rankings of the same things made one.

Notes
-----
Reciprocal rank fusion: a thing scores the sum of 1 / (k + rank) over the rankings that hold it,
ranks from 1. Scores of different scales need not be compared. Equal sums stand in order of id.

References
----------
Cormack, Clarke, Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank
Learning Methods" (2009), where k = 60.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction

K = 60


def fuse(rankings: Iterable[Sequence[str]], k: int = K) -> list[tuple[str, float]]:
    """Return (id, score), best first; each ranking holds ids, best first.

    >>> fuse([["a", "b"], ["b", "c"]], k=1)
    [('b', 0.8333333333333334), ('a', 0.5), ('c', 0.3333333333333333)]
    """
    # Exact sums: the order of the rankings must not decide a tie.
    sums: defaultdict[str, Fraction] = defaultdict(Fraction)
    for ranking in rankings:
        for rank, key in enumerate(dict.fromkeys(ranking), start=1):
            sums[key] += Fraction(1, k + rank)
    ordered = sorted(sums.items(), key=lambda pair: (-pair[1], pair[0]))
    return [(key, float(score)) for key, score in ordered]
