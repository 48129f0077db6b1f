"""How long to wait before a call is made again.

"Full jitter" (Brooker 2015): a random part of a wait that doubles each time, so that calls which
failed together do not come back together. A server that names a time is believed.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

SEED = 86


@dataclass(frozen=True, slots=True)
class Patience:
    """Waits in seconds: `first` at most before the first retry, then doubling up to `longest`.

    A server that asks for more than `most_asked` seconds is not waited for.
    """

    first: float = 0.5
    longest: float = 30.0
    most_asked: float = 120.0

    def is_too_long(self, retry_after: float | None) -> bool:
        """Return whether the server asks for more than is waited."""
        return retry_after is not None and retry_after > self.most_asked

    def wait(self, n_failed: int, retry_after: float | None, jitter: random.Random) -> float:
        """Return how many seconds to wait after so many failed attempts (from 1).

        With `retry_after` never less than that, and up to a tenth more.
        """
        if retry_after is not None:
            return retry_after + jitter.uniform(0, 0.1 * retry_after)
        return jitter.uniform(0, min(self.longest, self.first * 2 ** (n_failed - 1)))
