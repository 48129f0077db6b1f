"""How topics cover a corpus, overlap, and come and go over time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sensemaking.types import TopicTrend

MAX_PERIODS = 40
"""More periods than this are counted by the next larger unit."""

_DATE = re.compile(r"(\d{4})(?:-(\d{2}))?")


def overlap_matrix(members: Sequence[Collection[str]]) -> NDArray[np.float64]:
    """Return the share of common members of each two topics, (n_topics, n_topics), 0-1.

    The share is of the members of both together (Jaccard); two empty topics share nothing.
    """
    from scipy import sparse

    known = {one: at for at, one in enumerate(sorted({one for row in members for one in row}))}
    rows = [sorted({known[one] for one in row}) for row in members]
    starts = np.cumsum([0, *map(len, rows)])
    columns = [at for row in rows for at in row]
    shape = (len(rows), len(known))
    held = sparse.csr_matrix((np.ones(len(columns)), columns, starts), shape=shape)
    common = np.asarray((held @ held.T).toarray(), dtype=np.float64)
    sizes = np.diff(starts)
    together = sizes[:, None] + sizes[None, :] - common
    shares: NDArray[np.float64] = np.divide(
        common, together, out=np.zeros_like(common), where=together > 0
    )
    return shares


def document_trend(
    members: Mapping[str, Collection[str]], dates: Mapping[str, str | None]
) -> tuple[TopicTrend, ...]:
    """Return in how many dated documents of each period each topic is spoken of.

    `members` are document ids by topic id, `dates` ISO 8601 dates by document id, None where there
    is none. Periods are months, or quarters, years, decades where there would be more than
    `MAX_PERIODS`; none are left out between the first and the last. Without dates there is no
    trend.
    """
    dated = {key: found for key, date in dates.items() if (found := _month(date)) is not None}
    if not dated:
        return ()
    size = next(
        (
            size
            for size in (1, 3, 12, 120)
            if max(dated.values()) // size - min(dated.values()) // size < MAX_PERIODS
        ),
        1200,
    )
    first, last = min(dated.values()) // size, max(dated.values()) // size
    periods = tuple(_period(number * size, size) for number in range(first, last + 1))
    trends = []
    for topic_id, documents in members.items():
        counts = Counter(dated[key] // size - first for key in set(documents) if key in dated)
        trends.append(TopicTrend(topic_id, periods, tuple(counts[n] for n in range(len(periods)))))
    return tuple(trends)


def _month(date: str | None) -> int | None:
    """Return the months since year 0 of a date; a year alone counts as its January."""
    found = _DATE.match(date or "")
    if found is None or not 1 <= int(found[2] or 1) <= 12:
        return None
    return 12 * int(found[1]) + int(found[2] or 1) - 1


def _period(month: int, size: int) -> str:
    year, inside = divmod(month, 12)
    if size == 1:
        return f"{year:04d}-{inside + 1:02d}"
    if size == 3:
        return f"{year:04d} Q{inside // 3 + 1}"
    return f"{year:04d}" if size == 12 else f"{year:04d}s"
