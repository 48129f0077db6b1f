"""Where units of work run: threads, processes, one after the other, or a Dask cluster.

All have the shape of `ports.Executor`. Workers start with the first unit, and `close` stops them.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import connection, resource_tracker
from multiprocessing.context import SpawnContext, SpawnProcess
from types import ModuleType
from typing import Any, TypeVar, TypeVarTuple

from sensemaking.adapters.machine import default_processes, usable_cores
from sensemaking.errors import ConfigError, SensemakingError

R = TypeVar("R")
Ts = TypeVarTuple("Ts")

SCHEDULER = "SENSEMAKING_SCHEDULER"
_LOST = (
    "A worker process ended unexpectedly, most often because memory ran out. Everything done so "
    "far is kept: close other programs and press Resume."
)


def process_executor(n_workers: int | None = None) -> ProcessExecutor | DaskExecutor:
    """Return processes on this machine, or the cluster that SENSEMAKING_SCHEDULER names."""
    address = os.environ.get(SCHEDULER)
    return DaskExecutor(address) if address else ProcessExecutor(n_workers)


class SerialExecutor:
    """Runs a unit to its end before `submit` returns; for tests and for tiny work."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="unit")

    @property
    def n_workers(self) -> int:
        """Return 1."""
        return 1

    def submit(self, function: Callable[[*Ts], R], /, *args: *Ts) -> Future[R]:
        """Run one unit; its exception, too, waits in the future."""
        future = self._thread.submit(function, *args)
        wait([future])
        return future

    def close(self) -> None:
        """Stop the thread."""
        self._thread.shutdown()


class ThreadExecutor:
    """Threads of this process, one per usable core unless told otherwise."""

    def __init__(self, n_workers: int | None = None) -> None:
        self._n_workers = n_workers or usable_cores()
        self._pool = ThreadPoolExecutor(self._n_workers, thread_name_prefix="unit")

    @property
    def n_workers(self) -> int:
        """Return how many units run at once."""
        return self._n_workers

    def submit(self, function: Callable[[*Ts], R], /, *args: *Ts) -> Future[R]:
        """Start one unit, or put it in line."""
        return self._pool.submit(function, *args)

    def close(self) -> None:
        """Drop units that have not begun and wait for those that have."""
        self._pool.shutdown(cancel_futures=True)


class ProcessExecutor:
    """Fresh processes on this machine, started with the first unit.

    A worker ignores Ctrl-C, which is for the parent to handle, and ends with its parent however
    that ends. When a worker dies, the units under way fail with a `SensemakingError` that says what
    to do, and the next unit gets new workers.
    """

    def __init__(self, n_workers: int | None = None) -> None:
        self._wanted = n_workers
        self._lock = threading.Lock()
        self._pool: ProcessPoolExecutor | None = None
        self._size: int | None = None

    @property
    def n_workers(self) -> int:
        """Return how many units run at once; looked up when first asked, as memory allows."""
        if self._size is None:
            self._size = self._wanted or default_processes()
        return self._size

    def submit(self, function: Callable[[*Ts], R], /, *args: *Ts) -> Future[R]:
        """Start one unit; function, arguments and result must be picklable."""
        with self._lock:
            try:
                inner = self._submit(function, *args)
            except BrokenProcessPool:
                self._drop()
                inner = self._submit(function, *args)
        return _Unit(inner)

    def close(self) -> None:
        """Drop units that have not begun and wait for those that have."""
        with self._lock:
            self._drop()

    def _submit(self, function: Callable[[*Ts], R], *args: *Ts) -> Future[R]:
        if self._pool is not None:
            return self._pool.submit(function, *args)
        self._pool = ProcessPoolExecutor(
            self.n_workers, _WorkerContext(), initializer=_prepare_worker
        )
        with _interrupts_blocked():
            # All workers start here and inherit that Ctrl-C is blocked, until they ignore it. The
            # pool starts one with each unit and watches it from the next result on: without the
            # last of these units it would not notice when a worker that began late dies.
            for _ in range(self.n_workers + 1):
                self._pool.submit(_begin)
            return self._pool.submit(function, *args)

    def _drop(self) -> None:
        pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(cancel_futures=True)


class DaskExecutor:
    """The workers of a Dask cluster; the address is that of its scheduler, "tcp://host:8786".

    Raises
    ------
    ConfigError
        When the package `distributed` is missing or the scheduler does not answer.
    """

    def __init__(self, address: str) -> None:
        try:
            distributed = importlib.import_module("distributed")
        except ImportError as error:
            raise ConfigError(
                f"{SCHEDULER} is {address}, but the package “distributed” is not installed: "
                f"`pip install distributed`, or unset {SCHEDULER}."
            ) from error
        try:
            self._client = distributed.Client(address, timeout="10s")
        except (OSError, ValueError) as error:
            raise ConfigError(
                f"The scheduler at {address} does not answer ({error}): start it, or unset "
                f"{SCHEDULER}."
            ) from error
        self._pool = self._client.get_executor(pure=False)

    @property
    def n_workers(self) -> int:
        """Return how many units run at once now; workers may come and go."""
        return max(1, sum(int(one) for one in self._client.nthreads().values()))

    def submit(self, function: Callable[[*Ts], R], /, *args: *Ts) -> Future[R]:
        """Send one unit to the cluster."""
        future: Future[R] = self._pool.submit(function, *args)
        return future

    def close(self) -> None:
        """Let go of the cluster; it goes on running."""
        self._client.close()


class _Unit(Future[Any]):
    """A unit in a worker process, in whose place the loss of the worker is explained."""

    def __init__(self, inner: Future[Any]) -> None:
        super().__init__()
        self._inner = inner
        inner.add_done_callback(self._settle)

    def cancel(self) -> bool:
        """Take the unit out of the line; False when it has begun."""
        return self._inner.cancel() and super().cancel()

    def running(self) -> bool:
        """Return whether the unit has begun and not ended."""
        return self._inner.running()

    def _settle(self, inner: Future[Any]) -> None:
        if inner.cancelled():
            super().cancel()
        # Whoever waits is told of a cancelled future by this call, too.
        if not self.set_running_or_notify_cancel():
            return
        error = inner.exception()
        if isinstance(error, BrokenProcessPool):
            lost = SensemakingError(_LOST)
            lost.__cause__ = error
            error = lost
        if error is not None:
            self.set_exception(error)
        else:
            self.set_result(inner.result())


class _Worker(SpawnProcess):
    """A process that does not begin by running the parent's main script again.

    Workers need nothing from it. Under Streamlit it is the page that ran last, whose second run in
    a worker would fail, and the unit with it.
    """

    def start(self) -> None:
        """Start the process as the child of a program without a main script."""
        main = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            super().start()
        finally:
            sys.modules["__main__"] = main


class _WorkerContext(SpawnContext):
    Process = _Worker


def _begin() -> None:
    """Do nothing, in a worker."""


def _prepare_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, name="end-with-parent", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # Started first, as its start unblocks the signal.
    with suppress(AttributeError):
        resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
