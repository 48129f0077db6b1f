"""What a run needs, and how it spreads units of work.

`Engine` is wired by the workspace and handed to every stage. `fan_out` keeps a bounded number of
units in flight, so that memory follows the batch size and not the corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import TypeVar

from sensemaking.ports import (
    Backend,
    Embedder,
    Executor,
    Store,
    Tokenizer,
    VectorCache,
    VectorIndex,
)

U = TypeVar("U")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Engine:
    """Everything outside the stages. `processes` is for CPU-bound work on many units."""

    store: Store
    vector_cache: VectorCache
    index: VectorIndex
    tokenizer: Tokenizer
    embedder: Embedder
    backend: Backend
    threads: Executor
    processes: Executor


def fan_out(
    executor: Executor, function: Callable[[U], R], units: Iterable[U]
) -> Iterator[tuple[U, R]]:
    """Yield (unit, result) as units complete, in no particular order.

    Twice as many units as workers are in flight. When the consumer stops, units that have not
    begun are cancelled. An exception of a unit is raised here.
    """
    pending: dict[Future[R], U] = {}
    waiting = iter(units)
    try:
        while True:
            while len(pending) < 2 * executor.n_workers:
                unit = next(waiting, None)
                if unit is None:
                    break
                pending[executor.submit(function, unit)] = unit
            if not pending:
                return
            done, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                unit = pending.pop(future)
                yield unit, future.result()
    finally:
        for future in pending:
            future.cancel()


def batches(items: Iterable[U], size: int) -> Iterator[tuple[U, ...]]:
    """Yield the items in tuples of at most `size`."""
    batch: list[U] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield tuple(batch)
            batch.clear()
    if batch:
        yield tuple(batch)
