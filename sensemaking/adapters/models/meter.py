"""What a run has spent, what it may still spend, and whether it may go on.

One meter per run (a build, an answer), shared by the models of all roles. Before a call the most
that it can cost is set aside; a call for which the budget is too small is not made. Setting aside
happens under a lock, so that calls on many threads together do not cross the cap either.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sensemaking.adapters.models.gate import POLL_SECONDS
from sensemaking.adapters.models.prices import PriceTable
from sensemaking.errors import BudgetReached, RunStopped
from sensemaking.types import Usage

MINUTE = 60.0


class RunMeter:
    """Counts, limits and stops the calls of one run (`ports.Meter`); any thread may use it.

    `budget` in US dollars, None for no cap; `spent` is what earlier parts of the run have cost.
    """

    def __init__(
        self, prices: PriceTable | None = None, budget: float | None = None, spent: float = 0.0
    ) -> None:
        self.prices = prices or PriceTable()
        self._budget = budget
        self._changed = threading.Condition()
        self._stopped = threading.Event()
        self._usage: dict[str, Usage] = {}
        self._before = spent
        # Set aside for calls under way, and what calls that broke off may have cost.
        self._reserved = 0.0
        self._uncertain = 0.0
        self._under_way = 0
        self._ends: deque[float] = deque()
        self._seconds: dict[str, tuple[int, float]] = {}
        self._notes: list[str] = []
        self._wakers: list[Callable[[], None]] = []

    @property
    def usage(self) -> Usage:
        """Return what was spent so far, by all roles."""
        return sum(self.usage_by_role().values(), Usage())

    def usage_by_role(self) -> dict[str, Usage]:
        """Return what was spent so far, by role."""
        with self._changed:
            return dict(sorted(self._usage.items()))

    @property
    def is_stopped(self) -> bool:
        """Return whether the run was stopped."""
        return self._stopped.is_set()

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the user should know about the models, each thing once."""
        with self._changed:
            return tuple(self._notes)

    @property
    def under_way(self) -> int:
        """Return how many calls have begun and not ended."""
        return self._under_way

    @property
    def calls_per_minute(self) -> int:
        """Return how many calls ended in the last minute."""
        with self._changed:
            self._forget_old_ends()
            return len(self._ends)

    def seconds_per_call(self) -> dict[str, float]:
        """Return the mean time of a call in seconds, by role; cached ones do not count."""
        with self._changed:
            return {role: total / n for role, (n, total) in sorted(self._seconds.items())}

    def stop(self) -> None:
        """Let no new call start; those under way end and are kept."""
        self._stopped.set()
        with self._changed:
            self._changed.notify_all()
            wakers = list(self._wakers)
        for wake in wakers:
            wake()

    @contextmanager
    def waking(self, wake: Callable[[], None]) -> Iterator[None]:
        """Call `wake` when the run is stopped while the block goes on."""
        with self._changed:
            self._wakers.append(wake)
        try:
            yield
        finally:
            with self._changed:
                self._wakers.remove(wake)

    def check(self) -> None:
        """Raise `RunStopped` when the run was stopped."""
        if self._stopped.is_set():
            raise RunStopped("The run was stopped; everything done is kept. Press Resume to go on.")

    def pause(self, seconds: float) -> None:
        """Wait; raises `RunStopped` as soon as the run is stopped."""
        self._stopped.wait(seconds)
        self.check()

    def settle(self, seconds: float) -> bool:
        """Wait until no call is under way, at most so long; return whether that came true.

        Replies that arrive meanwhile reach the cache: call this after `stop`, before the store is
        closed.
        """
        with self._changed:
            return self._changed.wait_for(lambda: self._under_way == 0, seconds)

    def note(self, text: str) -> None:
        """Keep what the user should know."""
        with self._changed:
            if text not in self._notes:
                self._notes.append(text)

    @property
    def has_budget(self) -> bool:
        """Return whether there is a cap."""
        return self._budget is not None

    @contextmanager
    def reserved(self, dollars: float) -> Iterator[None]:
        """Set the most that a call can cost aside while it is under way.

        Where only calls under way stand between this one and the cap, it waits for them: they
        mostly cost less than the most.

        Raises
        ------
        BudgetReached
            When the call might cross the cap.
        RunStopped
            When the run is stopped before the call begins.
        """
        with self._changed:
            self.check()
            while not self._fits(dollars):
                self._changed.wait(POLL_SECONDS)
                self.check()
            self._reserved += dollars
            self._under_way += 1
        try:
            yield
        finally:
            with self._changed:
                self._under_way -= 1
                # Rests of floating-point sums must not set anything aside for good.
                self._reserved = max(0.0, self._reserved - dollars) if self._under_way else 0.0
                self._changed.notify_all()

    def add(self, role: str, usage: Usage, seconds: float | None = None) -> None:
        """Add what a call has cost, and how many seconds it took."""
        with self._changed:
            self._usage[role] = self._usage.get(role, Usage()) + usage
            if seconds is not None:
                n, total = self._seconds.get(role, (0, 0.0))
                self._seconds[role] = (n + 1, total + seconds)
                self._forget_old_ends()
                self._ends.append(time.monotonic())

    def add_uncertain(self, dollars: float) -> None:
        """Count against the cap what a call that broke off may have cost."""
        with self._changed:
            self._uncertain += dollars

    def _fits(self, dollars: float) -> bool:
        """Return whether a call fits now; raises when it never will."""
        if self._budget is None or dollars == 0:
            return True
        spent = self._before + self._uncertain + sum(one.cost for one in self._usage.values())
        if spent + dollars > self._budget:
            raise BudgetReached(
                f"The next call might cost ${dollars:.4f} and cross the cap of "
                f"${self._budget:.2f}: ${spent:.4f} are spent. Raise the cap and press Resume; "
                "everything done is kept."
            )
        return spent + self._reserved + dollars <= self._budget

    def _forget_old_ends(self) -> None:
        limit = time.monotonic() - MINUTE
        while self._ends and self._ends[0] < limit:
            self._ends.popleft()
