"""A long piece of work in one call, followed from outside: its steps come out as progress."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from sensemaking.communities.steps import Tell
from sensemaking.pipeline.engine import LOOK_SECONDS
from sensemaking.types import Progress

T = TypeVar("T")


class _Left(BaseException):
    """Nobody follows any more: ends the work at its next step."""


def follow(stage: str, work: Callable[[Tell], T]) -> Generator[Progress, None, T]:
    """Do the work in a thread and yield its steps; returns its result, raises what it raises.

    Closed before its end, it lets the work end at its next step and waits for that.
    """
    steps: queue.SimpleQueue[Progress | None] = queue.SimpleQueue()
    left = threading.Event()

    def tell(done: int, total: int, note: str) -> None:
        if left.is_set():
            raise _Left
        steps.put(Progress(stage, done, total, note))

    with ThreadPoolExecutor(1, thread_name_prefix="fold") as threads:
        future = threads.submit(work, tell)
        future.add_done_callback(lambda _: steps.put(None))
        try:
            while True:
                with suppress(queue.Empty):
                    # A wait without an end could not be interrupted on every system.
                    step = steps.get(timeout=LOOK_SECONDS)
                    if step is None:
                        break
                    yield step
        finally:
            left.set()
    return future.result()
