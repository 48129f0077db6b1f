"""Calls under way, each on a thread of its own, so that whoever waits can be let go.

When a run is stopped its callers return at once; the call itself ends, and its reply reaches the
cache. Whoever asks for what is already being asked waits for that instead of asking again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from types import TracebackType

from sensemaking.adapters.models.meter import RunMeter
from sensemaking.ports import Reply


class Flight:
    """One call, from its beginning to its reply or error; pieces of a streamed one come between.

    Attempts after the first stream the same reply again: what was shown is not shown twice, and a
    reply that turns out differently is not mixed with it (`has_diverged`).
    """

    def __init__(self, meter: RunMeter) -> None:
        self.meter = meter
        self.reply: Reply | None = None
        self.error: BaseException | None = None
        self.has_diverged = False
        self._changed = threading.Condition()
        self._is_done = False
        self._shown = ""
        self._cursor = 0

    def begin_attempt(self) -> None:
        """Say that the reply begins anew."""
        self._cursor = 0

    def emit(self, piece: str) -> None:
        """Show a piece of the reply, as far as it is new."""
        with self._changed:
            again = self._shown[self._cursor : self._cursor + len(piece)]
            if not piece.startswith(again):
                self.has_diverged = True
            self._cursor += len(piece)
            if not self.has_diverged and len(again) < len(piece):
                self._shown += piece[len(again) :]
                self._changed.notify_all()

    def wait(self, meter: RunMeter) -> None:
        """Wait for the end; raises `RunStopped` when the run of the meter is stopped before."""
        with meter.waking(self._wake), self._changed:
            while not self._is_done:
                meter.check()
                self._changed.wait()

    def pieces(self, meter: RunMeter) -> Iterator[str]:
        """Yield what is shown until the end; raises `RunStopped` as `wait` does."""
        given = 0
        while True:
            with meter.waking(self._wake), self._changed:
                while len(self._shown) == given and not self._is_done:
                    meter.check()
                    self._changed.wait()
                new, is_done = self._shown[given:], self._is_done
            if new:
                given += len(new)
                yield new
            elif is_done:
                return

    def land(self, reply: Reply | None, error: BaseException | None) -> None:
        """Set the outcome."""
        with self._changed:
            self.reply, self.error = reply, error
            self._is_done = True
            self._changed.notify_all()

    @property
    def shown(self) -> str:
        """Return everything that was shown."""
        return self._shown

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()


class Flights:
    """All calls under way by what they ask; `n_landed` counts those that have ended."""

    def __init__(self) -> None:
        self.n_landed = 0
        self._lock = threading.Lock()
        self._flights: dict[Hashable, Flight] = {}

    def join(
        self, key: Hashable, meter: RunMeter, work: Callable[[Flight], Reply]
    ) -> tuple[Flight, bool]:
        """Return the call under way for a key, and whether it was started now.

        `work` makes the call and stores the reply; the key is free again only after that.
        """
        with self._lock:
            flight = self._flights.get(key)
            if flight is not None:
                return flight, False
            flight = self._flights[key] = Flight(meter)
        threading.Thread(
            target=self._fly, args=(key, flight, work), name="model-call", daemon=True
        ).start()
        return flight, True

    def _fly(self, key: Hashable, flight: Flight, work: Callable[[Flight], Reply]) -> None:
        outcome = _Outcome()
        with outcome:
            outcome.reply = work(flight)
        with self._lock:
            del self._flights[key]
            self.n_landed += 1
        flight.land(outcome.reply, outcome.error)


class _Outcome:
    """Keeps whatever its block raises, for the thread that waits for it."""

    def __init__(self) -> None:
        self.reply: Reply | None = None
        self.error: BaseException | None = None

    def __enter__(self) -> _Outcome:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        self.error = error
        return True
