"""What a run needs, and how it spreads units of work.

`Engine` is wired by the workspace and handed to every stage. `fan_out` keeps a bounded number of
units in flight, so that memory follows the batch size and not the corpus.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Future, wait
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TypeVar, TypeVarTuple

from sensemaking.errors import Paused, RunStopped
from sensemaking.ports import (
    Backend,
    Embedder,
    Executor,
    Meter,
    Store,
    Tokenizer,
    VectorCache,
    VectorIndex,
)
from sensemaking.types import Spent, Usage

E = TypeVar("E")
U = TypeVar("U")
R = TypeVar("R")
Ts = TypeVarTuple("Ts")


@dataclass(frozen=True, slots=True)
class Engine:
    """Everything outside the stages.

    `processes` is for CPU-bound work on many units, `threads` for few, `calls` for units that wait
    for a server. `meter` counts what the run spends.
    `is_stopping` says whether the run was asked to stop.
    """

    store: Store
    vector_cache: VectorCache
    index: VectorIndex
    tokenizer: Tokenizer
    embedder: Embedder
    backend: Backend
    threads: Executor
    processes: Executor
    calls: Executor
    meter: Meter
    is_stopping: Callable[[], bool] = lambda: False


TELL_SECONDS = 1.0
LOOK_SECONDS = 0.2
"""How often a run that waits for its units looks whether it was asked to stop."""


SETTLE_SECONDS = 5.0
"""How long a run that a failure ends waits for the units that are under way."""


class Narrowed:
    """A few units at once on an executor that others need more."""

    n_workers = 2

    def __init__(self, executor: Executor) -> None:
        self.submit = executor.submit


class Graduated:
    """Threads for the first units, processes for the rest: few are not worth starting workers."""

    def __init__(self, threads: Executor, processes: Executor, n_first: int) -> None:
        self._threads = threads
        self._processes = processes
        self._n_left = n_first

    @property
    def n_workers(self) -> int:
        """Return how many units run at once at first."""
        return self._threads.n_workers

    def submit(self, function: Callable[[*Ts], R], /, *args: *Ts) -> Future[R]:
        """Start one unit."""
        self._n_left -= 1
        executor = self._threads if self._n_left >= 0 else self._processes
        return executor.submit(function, *args)


def fan_out(
    engine: Engine, executor: Executor, function: Callable[[U], R], units: Iterable[U]
) -> Iterator[tuple[U, R]]:
    """Yield (unit, result) as units complete, in no particular order.

    As `fan_out_together`, one by one.
    """
    for some in fan_out_together(engine, executor, function, units):
        yield from some


def fan_out_together(
    engine: Engine, executor: Executor, function: Callable[[U], R], units: Iterable[U]
) -> Iterator[list[tuple[U, R]]]:
    """Yield lists of (unit, result): what has come since the last look, in no particular order.

    Stored in one transaction, they cost little more than one of them. Twice as many units as
    workers are in flight. `units` may be an iterator that has nothing to give for now and more once
    results are in: it is asked again after each. When the consumer stops, units that have not begun
    are cancelled. An exception of a unit is raised here.

    Raises
    ------
    RunStopped
        When the run was asked to stop while no unit was done. Those under way are not waited for.
    """
    pending: dict[Future[R], U] = {}
    # Units report here when they are done: looking at all of them each time would cost more than
    # some of them do.
    arrived: SimpleQueue[Future[R]] = SimpleQueue()
    waiting = iter(units)
    try:
        while True:
            while len(pending) < 2 * executor.n_workers:
                unit = next(waiting, None)
                if unit is None:
                    break
                future = executor.submit(function, unit)
                pending[future] = unit
                future.add_done_callback(arrived.put)
            if not pending:
                return
            done = _arrivals(arrived)
            if not done and engine.is_stopping():
                raise RunStopped("Stopped; what is done is kept.")
            results, failure = _results(done, pending)
            if failure is not None:
                # What is under way was paid for: it is handed out before the run ends.
                results += _rest(pending, failure)
            if results:
                yield results
            if failure is not None:
                raise failure
    finally:
        for future in pending:
            future.cancel()


def _arrivals(arrived: SimpleQueue[Future[R]]) -> list[Future[R]]:
    """Return what has arrived, waiting a little for the first."""
    found: list[Future[R]] = []
    with suppress(Empty):
        found.append(arrived.get(timeout=LOOK_SECONDS))
        while True:
            found.append(arrived.get_nowait())
    return found


def _results(
    done: Iterable[Future[R]], pending: dict[Future[R], U]
) -> tuple[list[tuple[U, R]], BaseException | None]:
    """Return what units came to, out of the pending ones, and the first failure among them."""
    results: list[tuple[U, R]] = []
    failure: BaseException | None = None
    for future in done:
        unit = pending.pop(future)
        error = CancelledError() if future.cancelled() else future.exception()
        if error is None:
            results.append((unit, future.result()))
        failure = failure or error
    return results, failure


def _rest(pending: dict[Future[R], U], failure: BaseException) -> list[tuple[U, R]]:
    """Return what still comes of the units under way; those that have not begun are cancelled."""
    begun = {one: unit for one, unit in pending.items() if not one.cancel()}
    pending.clear()
    seconds = SETTLE_SECONDS if isinstance(failure, Paused) else 0.0
    wait(begun, timeout=seconds)
    return [
        (unit, future.result())
        for future, unit in begun.items()
        if future.done() and not future.cancelled() and future.exception() is None
    ]


def streamed(engine: Engine, pieces: Callable[[], Iterator[str]]) -> Iterator[str]:
    """Yield the pieces of something that a server sends, and look in between whether to stop.

    Raises
    ------
    RunStopped
        When the run was asked to stop while nothing came.
    """
    arrived: SimpleQueue[str | None] = SimpleQueue()

    def receive() -> None:
        try:
            for piece in pieces():
                arrived.put(piece)
                if engine.is_stopping():
                    break
        finally:
            arrived.put(None)

    receiving = engine.calls.submit(receive)
    while True:
        try:
            piece = arrived.get(timeout=LOOK_SECONDS)
        except Empty:
            if engine.is_stopping():
                raise RunStopped("Stopped; what is done is kept.") from None
            continue
        if piece is None:
            receiving.result()
            return
        yield piece


def model_notes(engine: Engine) -> tuple[str, ...]:
    """Return what the user should know about the models of a run, and what they got wrong."""
    counted = tuple(f"{n:,} {what}." for what, n in engine.backend.counts())
    return (*engine.meter.notes, *counted)


def metered(engine: Engine, events: Iterable[E]) -> Iterator[E | Spent]:
    """Yield events, and between them what was spent, at most once a second."""
    told, last = Usage(), time.monotonic()
    for event in events:
        yield event
        usage = engine.meter.usage
        if usage != told and time.monotonic() - last >= TELL_SECONDS:
            told, last = usage, time.monotonic()
            yield Spent(usage, engine.meter.calls_per_minute)


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
