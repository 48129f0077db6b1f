"""How units of work are spread over threads, processes and calls of a server.

A bounded number of units is in flight, so that memory follows the batch size and not the corpus.
`fan_out` spreads units of one kind. Lanes are several kinds at once, of which one may make the
units of the next: a file that was read is cut and extracted while others are still being read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar, TypeVarTuple

from sensemaking.errors import Paused, RunStopped
from sensemaking.pipeline.engine import LOOK_SECONDS, Engine
from sensemaking.ports import Executor
from sensemaking.types import BuildEvent

U = TypeVar("U")
R = TypeVar("R")
Ts = TypeVarTuple("Ts")

TOGETHER = 8
TOGETHER_SIZE = 200_000
"""So many small files or documents are worked on and kept at once; a large one is alone.

The size is that of a file in bytes, or that of a text in characters.
"""
SETTLE_SECONDS = 5.0
"""How long a run that a failure ends waits for the units that are under way."""

Arrivals = SimpleQueue["tuple[Lane[Any, Any], Future[Any]]"]


class Lane(Generic[U, R]):
    """Units of one kind, where they run, and those under way: one a worker, and as many `ahead`.

    `units` may be an iterator that has nothing to give for now and more once results are in: it is
    asked again after each.
    """

    def __init__(
        self,
        executor: Executor,
        function: Callable[[U], R],
        units: Iterable[U],
        ahead: int = 1,
    ) -> None:
        self.executor = executor
        self._ahead = ahead
        self._function = function
        self._units = iter(units)
        self._pending: dict[Future[R], U] = {}

    @property
    def n_pending(self) -> int:
        """Return how many units are under way."""
        return len(self._pending)

    def submit(self, arrivals: Arrivals) -> None:
        """Start as many units as there is room for; they report to `arrivals` when they are done.

        Looking at all of them each time would cost more than some of them do.
        """
        while len(self._pending) < (1 + self._ahead) * self.executor.n_workers:
            unit = next(self._units, None)
            if unit is None:
                return
            future = self.executor.submit(self._function, unit)
            self._pending[future] = unit
            future.add_done_callback(lambda done: arrivals.put((self, done)))

    def results(self, done: Iterable[Future[R]]) -> tuple[list[tuple[U, R]], BaseException | None]:
        """Return what these came to, out of those under way, and the first failure among them."""
        results: list[tuple[U, R]] = []
        failure: BaseException | None = None
        for future in done:
            unit = self._pending.pop(future)
            error = CancelledError() if future.cancelled() else future.exception()
            if error is None:
                results.append((unit, future.result()))
            failure = failure or error
        return results, failure

    def rest(self, failure: BaseException) -> list[tuple[U, R]]:
        """Return what still comes of the units under way; those that have not begun are dropped."""
        begun = {one: unit for one, unit in self._pending.items() if not one.cancel()}
        self._pending.clear()
        wait(begun, timeout=SETTLE_SECONDS if isinstance(failure, Paused) else 0.0)
        return [
            (unit, future.result())
            for future, unit in begun.items()
            if future.done() and not future.cancelled() and future.exception() is None
        ]

    def cancel(self) -> None:
        """Drop the units that have not begun."""
        for future in self._pending:
            future.cancel()


class Work(Protocol):
    """A lane, and what is done with its results."""

    lane: Lane[Any, Any]

    def take(self, results: Sequence[Any]) -> Iterator[BuildEvent]:
        """Keep (unit, result) pairs and tell of them."""


def run_lanes(
    engine: Engine, lanes: Sequence[Lane[Any, Any]]
) -> Iterator[tuple[Lane[Any, Any], list[tuple[Any, Any]]]]:
    """Yield lists of (unit, result) with their lane: what has come since the last look.

    Stored in one transaction, they cost little more than one of them. Ends when nothing is under
    way and no lane has another unit. When the consumer stops, units that have not begun are
    cancelled. An exception of a unit is raised here.

    Raises
    ------
    RunStopped
        When the run was asked to stop while no unit was done. Those under way are not waited for.
    """
    arrivals: Arrivals = SimpleQueue()
    try:
        while True:
            # As often as there are lanes: looking for a unit, one may make units of another.
            for lane in (*lanes,) * len(lanes):
                lane.submit(arrivals)
            if not any(lane.n_pending for lane in lanes):
                return
            arrived = _take(arrivals)
            if not arrived and engine.is_stopping():
                raise RunStopped("Stopped; what is done is kept.")
            yield from _hand_out(lanes, arrived)
    finally:
        for lane in lanes:
            lane.cancel()


def fan_out_together(
    engine: Engine, executor: Executor, function: Callable[[U], R], units: Iterable[U]
) -> Iterator[list[tuple[U, R]]]:
    """Yield lists of (unit, result) of one lane, as `run_lanes` does."""
    for _, some in run_lanes(engine, [Lane(executor, function, units)]):
        yield some


def fan_out(
    engine: Engine, executor: Executor, function: Callable[[U], R], units: Iterable[U]
) -> Iterator[tuple[U, R]]:
    """Yield (unit, result) as units complete, in no particular order, as `run_lanes` does."""
    for some in fan_out_together(engine, executor, function, units):
        yield from some


class Narrowed:
    """A few units at once on an executor that others need more."""

    n_workers = 2

    def __init__(self, executor: Executor) -> None:
        self.submit = executor.submit


class Graduated:
    """Threads for the first units, processes for the rest: few are not worth starting workers.

    One that `is_heavy` goes to a process in any case: in a thread it would keep all others waiting.
    """

    def __init__(
        self,
        threads: Executor,
        processes: Executor,
        n_first: int,
        is_heavy: Callable[[Any], bool] = lambda _: False,
    ) -> None:
        self._threads = threads
        self._processes = processes
        self._n_left = n_first
        self._is_heavy = is_heavy

    @property
    def n_workers(self) -> int:
        """Return how many units run at once at first."""
        return self._threads.n_workers

    def submit(self, function: Callable[[*Ts], R], /, *args: *Ts) -> Future[R]:
        """Start one unit."""
        if self._n_left > 0 and not any(map(self._is_heavy, args)):
            self._n_left -= 1
            return self._threads.submit(function, *args)
        return self._processes.submit(function, *args)


def batches(
    items: Iterable[U],
    size: int,
    weigh: Callable[[U], int] = lambda _: 0,
    most: int = 0,
) -> Iterator[tuple[U, ...]]:
    """Yield the items in tuples of at most `size` that weigh at most `most` together.

    What weighs more alone is alone.
    """
    batch: list[U] = []
    weight = 0
    for item in items:
        heavy = weigh(item)
        if batch and (len(batch) == size or weight + heavy > most):
            yield tuple(batch)
            batch, weight = [], 0
        batch.append(item)
        weight += heavy
    if batch:
        yield tuple(batch)


def _hand_out(
    lanes: Sequence[Lane[Any, Any]], arrived: Sequence[tuple[Lane[Any, Any], Future[Any]]]
) -> Iterator[tuple[Lane[Any, Any], list[tuple[Any, Any]]]]:
    """Yield what has arrived by lane; after a failure also what still comes, then raise it."""
    first: BaseException | None = None
    for lane in lanes:
        done = [future for one, future in arrived if one is lane]
        results, failure = lane.results(done)
        first = first or failure
        if results:
            yield lane, results
    if first is not None:
        # What is under way was paid for: it is handed out before the run ends.
        for lane in lanes:
            if results := lane.rest(first):
                yield lane, results
        raise first


def _take(arrivals: Arrivals) -> list[tuple[Lane[Any, Any], Future[Any]]]:
    """Return what has arrived, waiting a little for the first."""
    found = []
    with suppress(Empty):
        found.append(arrivals.get(timeout=LOOK_SECONDS))
        while True:
            found.append(arrivals.get_nowait())
    return found
