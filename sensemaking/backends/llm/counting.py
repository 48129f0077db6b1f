"""Counts of what models got wrong and was left out: nothing is dropped in silence."""

from __future__ import annotations

import logging
from collections import Counter
from threading import Lock

_log = logging.getLogger(__name__)


class Tally:
    """Counts by what happened, shared by the threads of a run."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._lock = Lock()

    def add(self, what: str, n: int = 1, *, subject: str = "") -> None:
        """Count `n` more of something; zero is no news."""
        if n > 0:
            _log.info("%s: %d %s", subject, n, what)
            with self._lock:
                self._counts[what] += n

    def counts(self) -> tuple[tuple[str, int], ...]:
        """Return (what happened, how often), in the order of names."""
        with self._lock:
            return tuple(sorted(self._counts.items()))
