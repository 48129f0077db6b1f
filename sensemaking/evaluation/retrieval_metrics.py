"""How well a ranking finds what is known to be relevant.

A ranking of ids, best first, and the relevant ids come in; measures of 0-1 come out.

Notes
-----
Capped recall divides the hits among the first k by what k places can hold: min(k, relevant). nDCG
has linear gain (as trec_eval), the discount log2(rank + 1), and an ideal over all relevant ids,
found or not, cut at k. An id that a ranking repeats counts at its first place.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence


def recall(ranking: Sequence[str], relevant: Iterable[str], k: int) -> float:
    """Return the share of all relevant ids among the first k; 0 when nothing is relevant."""
    wanted = set(relevant)
    return _hits(ranking, wanted, k) / len(wanted) if wanted else 0.0


def capped_recall(ranking: Sequence[str], relevant: Iterable[str], k: int) -> float:
    """Return the hits among the first k over min(k, relevant); 0 when nothing is relevant.

    >>> capped_recall(["a", "b"], ["b", "c", "d"], 2)
    0.5
    """
    wanted = set(relevant)
    return _hits(ranking, wanted, k) / min(k, len(wanted)) if wanted else 0.0


def ndcg(ranking: Sequence[str], gains: Mapping[str, float], k: int) -> float:
    """Return the normalised discounted cumulative gain at k; 0 when nothing has a gain.

    >>> round(ndcg(["x", "a"], {"a": 1}, 10), 4)
    0.6309
    """
    ordered = list(dict.fromkeys(ranking))[:k]
    ideal = _discounted(sorted((one for one in gains.values() if one > 0), reverse=True)[:k])
    found = _discounted([max(0.0, gains.get(one, 0.0)) for one in ordered])
    return found / ideal if ideal else 0.0


def _hits(ranking: Sequence[str], wanted: set[str], k: int) -> int:
    return len(wanted & set(list(dict.fromkeys(ranking))[:k]))


def _discounted(gains: Sequence[float]) -> float:
    return math.fsum(gain / math.log2(place + 1) for place, gain in enumerate(gains, start=1))
