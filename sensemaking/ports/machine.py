"""Counting tokens, embedding texts, finding neighbours, running units of work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future
from typing import Protocol, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

R = TypeVar("R")
Ts = TypeVarTuple("Ts")
Vectors = NDArray[np.float32]
"""(n, dimension), rows of unit length."""


class Tokenizer(Protocol):
    """Counts tokens with a real vocabulary."""

    @property
    def key(self) -> str:
        """Return the name of the vocabulary."""

    def count(self, text: str) -> int:
        """Return the number of tokens of the text."""


class Embedder(Protocol):
    """Turns texts into unit vectors; a vector depends on its own text alone."""

    @property
    def key(self) -> str:
        """Return the name and version of the model."""

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""

    @property
    def batch_size(self) -> int:
        """Return how many texts make one unit of work."""

    @property
    def waits(self) -> bool:
        """Return whether units run in threads that wait for a server."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, (n, dimension)."""

    def windows(self, text: str) -> list[tuple[int, int]]:
        """Return consecutive [start, end) windows of the text that the model can see whole."""


class VectorIndex(Protocol):
    """Nearest neighbours by cosine. A collection is written once, whole, under a new name."""

    def prepare(self) -> None:
        """Load what writing takes, so that it is there when it is needed."""

    def write(self, collection: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Write a complete collection; one of that name that is complete is left alone."""

    def nearest(self, collection: str, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """Return up to k (id, cosine) pairs, best first."""

    def size(self, collection: str) -> int:
        """Return how many vectors a collection holds; 0 when it is missing or damaged."""

    def keep_only(self, collections: Iterable[str]) -> None:
        """Delete all other collections."""


class Executor(Protocol):
    """Where units of work run; shaped like concurrent.futures."""

    @property
    def n_workers(self) -> int:
        """Return how many units run at once."""

    def submit(self, function: Callable[[*Ts], R], /, *args: *Ts) -> Future[R]:
        """Start one unit."""
