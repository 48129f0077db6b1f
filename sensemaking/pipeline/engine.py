"""What a run needs: wired by the workspace, handed to every stage."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TypeVar

from sensemaking.errors import RunStopped
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
