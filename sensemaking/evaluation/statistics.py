"""Paired scores to a verdict: signed-rank test, correction for many tests, effect, interval.

Scores of two conditions on the same questions come in. Wilcoxon's signed-rank test asks whether
their differences lie around zero; Holm's step-down method corrects the p-values of a family.

Notes
-----
Wilcoxon (1945): two-sided, differences of zero are dropped, ties share their mean rank, normal
approximation with the correction for ties and without one for continuity. Holm (1979). The effect
is the matched-pairs rank-biserial correlation (Kerby 2014). Intervals are percentile bootstrap.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from sensemaking.types import SignedRank

RESAMPLES = 2000
CHUNK = 2_000_000
"""Numbers drawn at once: memory stays bounded for any number of questions."""
DIGITS = 9
"""Differences are compared to so many decimals: 66.67 - 33.33 is as far from zero as its mirror."""


def signed_rank(first: Sequence[float], second: Sequence[float]) -> SignedRank:
    """Return the signed-rank test of two equally long sequences of scores.

    Without any difference p is 1 and the effect 0.

    Examples
    --------
    >>> signed_rank([100, 50, 0, 100], [0, 50, 100, 0]).statistic
    2.0
    >>> signed_rank([50, 50], [50, 50]).p
    1.0
    """
    differences = [round(one - other, DIGITS) for one, other in zip(first, second, strict=True)]
    found = [one for one in differences if one]
    if not found:
        return SignedRank(len(differences), 0, 0.0, 0.0, 0.0, 1.0, 0.0)
    ranks, ties = rank([abs(one) for one in found])
    w_plus = math.fsum(place for one, place in zip(found, ranks, strict=True) if one > 0)
    n = len(found)
    total = n * (n + 1) / 2
    w_minus = total - w_plus
    variance = n * (n + 1) * (2 * n + 1) / 24 - sum(t**3 - t for t in ties) / 48
    z = (min(w_plus, w_minus) - total / 2) / math.sqrt(variance)
    p = min(1.0, math.erfc(abs(z) / math.sqrt(2)))
    return SignedRank(len(differences), n, w_plus, w_minus, z, p, (w_plus - w_minus) / total)


def rank(values: Sequence[float]) -> tuple[list[float], list[int]]:
    """Return the ranks of values from 1, ties sharing their mean, and the sizes of the ties.

    >>> rank([10, 20, 10])
    ([1.5, 3.0, 1.5], [2, 1])
    """
    order = sorted(range(len(values)), key=lambda at: values[at])
    ranks = [0.0] * len(values)
    ties: list[int] = []
    start = 0
    while start < len(order):
        end = start
        while end < len(order) and values[order[end]] == values[order[start]]:
            end += 1
        for at in order[start:end]:
            ranks[at] = (start + 1 + end) / 2
        ties.append(end - start)
        start = end
    return ranks, ties


def holm(ps: Sequence[float]) -> tuple[float, ...]:
    """Return p-values corrected for their number, in the order given.

    >>> holm([0.01, 0.04, 0.03])
    (0.03, 0.06, 0.06)
    """
    corrected = [0.0] * len(ps)
    highest = 0.0
    for place, at in enumerate(sorted(range(len(ps)), key=lambda at: ps[at])):
        highest = max(highest, min(1.0, (len(ps) - place) * ps[at]))
        corrected[at] = highest
    return tuple(corrected)


def bootstrap_interval(
    values: Sequence[float], seed: int, level: float = 0.95
) -> tuple[float, float] | None:
    """Return the percentile interval of the mean over resampled questions; None under two values.

    `level` is the share of resampled means inside; equal values and seed give equal intervals.
    """
    if len(values) < 2:
        return None
    rng = np.random.default_rng(seed)
    array = np.asarray(values, dtype=np.float64)
    rows = max(1, CHUNK // len(array))
    means: list[float] = []
    while len(means) < RESAMPLES:
        size = min(rows, RESAMPLES - len(means))
        drawn = rng.integers(0, len(array), (size, len(array)))
        means.extend(array[drawn].mean(axis=1).tolist())
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
