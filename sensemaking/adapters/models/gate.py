"""How many calls an endpoint gets at once.

The limit begins at its maximum, is halved when the endpoint says that it is overloaded, and grows
back by one per round of successful calls (additive increase, multiplicative decrease, as in TCP:
Chiu, Jain 1989). Whoever came first goes first.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

POLL_SECONDS = 0.5
"""How often somebody who waits looks whether the run was stopped."""


class Gate:
    """Lets at most `limit` calls through at once; any thread may use it."""

    def __init__(self, maximum: int) -> None:
        self._lock = threading.Lock()
        self._maximum = maximum
        self._limit = float(maximum)
        self._inside = 0
        self._line: deque[threading.Event] = deque()
        self._halved_at = float("-inf")
        self._closed_until = float("-inf")

    @property
    def limit(self) -> int:
        """Return how many calls may be under way now."""
        return int(self._limit)

    @property
    def n_waiting(self) -> int:
        """Return how many calls stand in line."""
        return len(self._line)

    def set_maximum(self, maximum: int) -> None:
        """Change the most calls at once; a limit that was not lowered follows."""
        with self._lock:
            if self._limit >= self._maximum or self._limit > maximum:
                self._limit = float(maximum)
            self._maximum = maximum
            self._admit()

    @contextmanager
    def slot(self, check: Callable[[], None]) -> Iterator[float]:
        """Wait for a place and hold it inside the block; yields when it began, monotonic seconds.

        `check` is called before and while waiting, and raises when the run must not go on.
        """
        check()
        place = threading.Event()
        with self._lock:
            self._line.append(place)
            self._admit()
        try:
            while not place.wait(self._patience()):
                check()
                with self._lock:
                    self._admit()
            check()
        except BaseException:
            self._leave_line(place)
            raise
        try:
            yield time.monotonic()
        finally:
            with self._lock:
                self._inside -= 1
                self._admit()

    def overloaded(self, began: float, pause: float | None) -> None:
        """Halve the limit, once for all calls that were under way; let nobody in for `pause` s."""
        now = time.monotonic()
        with self._lock:
            if pause is not None:
                self._closed_until = max(self._closed_until, now + pause)
            if began > self._halved_at:
                self._halved_at = now
                self._limit = max(1.0, self._limit / 2)

    def succeeded(self) -> None:
        """Let the limit grow: by one when as many calls as it allows have succeeded."""
        with self._lock:
            if self._limit < self._maximum:
                # Without the small addition four times 1/4 would not quite make one.
                grown = self._limit + 1 / int(self._limit) + 1e-9
                self._limit = min(float(self._maximum), grown)
                self._admit()

    def _admit(self) -> None:
        if time.monotonic() < self._closed_until:
            return
        while self._line and self._inside < int(self._limit):
            self._inside += 1
            self._line.popleft().set()

    def _leave_line(self, place: threading.Event) -> None:
        with self._lock:
            if place.is_set():
                self._inside -= 1
                self._admit()
            else:
                self._line.remove(place)

    def _patience(self) -> float:
        until_open = self._closed_until - time.monotonic()
        return min(POLL_SECONDS, until_open) if until_open > 0 else POLL_SECONDS
