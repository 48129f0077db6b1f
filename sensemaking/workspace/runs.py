"""The engine of each run: wired for the present settings, with a meter of the run's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.store import SqliteStore
from sensemaking.adapters.vectors import ChromaIndex
from sensemaking.config import Settings
from sensemaking.errors import InputError
from sensemaking.pipeline import Engine
from sensemaking.workspace.models import Models
from sensemaking.workspace.wiring import Workers, wire_backend, wire_engine


class Runs:
    """Gives engines to the runs of one corpus, and waits for the replies they have paid for."""

    def __init__(
        self,
        store: SqliteStore,
        index: ChromaIndex,
        settings: Callable[[], Settings],
        workers: Workers,
        models: Models,
    ) -> None:
        self._store = store
        self._index = index
        self._settings = settings
        self._workers = workers
        self._models = models
        self._meters: set[RunMeter] = set()

    @property
    def engine(self) -> Engine:
        """Return an engine outside any run; models start when first used."""
        return self._wire(self._models.meter())

    @contextmanager
    def engine_of_run(
        self, is_stopping: Callable[[], bool], budget: float | None = None
    ) -> Iterator[Engine]:
        """Give the engine of one run, with a meter of its own; no call begins after the run."""
        meter = self._models.meter(budget)
        self._meters.add(meter)
        try:
            yield replace(self._wire(meter), is_stopping=is_stopping)
        finally:
            meter.stop()
            self._models.learn(meter)
            if not meter.under_way:
                self._meters.discard(meter)

    def with_backend(self, engine: Engine, name: str) -> Engine:
        """Return an engine whose language work another backend does; vectors stay those there are.

        Raises
        ------
        ConfigError
            When a model is asked for and a role has none.
        InputError
            When there is no backend of that name.
        """
        if name not in ("extractive", "llm"):
            raise InputError(f"There is no backend “{name}”: choose extractive or llm.")
        settings = self._settings().model_copy(update={"backend": name})
        meter = engine.meter if isinstance(engine.meter, RunMeter) else self._models.meter()
        models = (self._models.settings, meter, self._models.seconds_per_call)
        return replace(engine, backend=wire_backend(self._store, settings, models))

    def settle(self, seconds: float) -> None:
        """Wait for replies that are on their way: they were paid for and still reach the cache."""
        for meter in list(self._meters):
            meter.settle(seconds)

    def _wire(self, meter: RunMeter) -> Engine:
        models = (self._models.settings, meter, self._models.seconds_per_call)
        return wire_engine(self._store, self._index, self._settings(), self._workers, models)
