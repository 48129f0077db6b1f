"""Which implementation does what: adapters and backends become an `Engine`."""

from __future__ import annotations

from dataclasses import dataclass

from sensemaking.adapters.embeddings import MiniLmEmbedder
from sensemaking.adapters.executors import (
    DaskExecutor,
    ProcessExecutor,
    ThreadExecutor,
    process_executor,
)
from sensemaking.adapters.store import SqliteStore
from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.adapters.vectors import ChromaIndex
from sensemaking.backends.extractive.extractor import ExtractiveExtractor
from sensemaking.backends.extractive.mapper import ExtractiveMapper
from sensemaking.backends.extractive.reducer import ExtractiveReducer
from sensemaking.backends.extractive.reporter import ExtractiveReporter
from sensemaking.config import Settings
from sensemaking.pipeline import Engine
from sensemaking.ports import Backend

N_CALLS = 32
"""Threads for units that wait for a server; how many calls run at once is for the backend."""


@dataclass(frozen=True)
class Workers:
    """What all corpora of one program share: executors and the embedding model."""

    threads: ThreadExecutor
    processes: ProcessExecutor | DaskExecutor
    calls: ThreadExecutor
    embedder: MiniLmEmbedder

    def close(self) -> None:
        """End the workers."""
        self.processes.close()
        self.calls.close()
        self.threads.close()


def start_workers() -> Workers:
    """Return the shared workers; processes and models start when they are first used."""
    return Workers(ThreadExecutor(), process_executor(), ThreadExecutor(N_CALLS), MiniLmEmbedder())


def extractive_backend() -> Backend:
    """Return the backend that needs no model."""
    return Backend(
        extractor=ExtractiveExtractor(),
        reporter=ExtractiveReporter(),
        mapper=ExtractiveMapper(),
        reducer=ExtractiveReducer(),
    )


def wire_engine(
    store: SqliteStore, index: ChromaIndex, settings: Settings, workers: Workers
) -> Engine:
    """Return the engine of one corpus; it has one index for its life, Chroma allows no second."""
    return Engine(
        store=store,
        vector_cache=store,
        index=index,
        tokenizer=BpeTokenizer(settings.chunking.encoding),
        embedder=workers.embedder,
        backend=extractive_backend(),
        threads=workers.threads,
        processes=workers.processes,
        calls=workers.calls,
    )
