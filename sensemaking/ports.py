"""What the stages need from outside, one narrow Protocol each.

Language work first (done by a backend), then the outside world (done by adapters). `key` strings
name an implementation and its version: they enter the digests under which results are stored, so
changing what an implementation returns means changing its key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, TypeVarTuple

import numpy as np
from numpy.typing import NDArray

from sensemaking.types import (
    Chunk,
    Citation,
    Claim,
    ContextBlock,
    Entity,
    Extraction,
    LoggedEvent,
    Packing,
    Point,
    Relationship,
    Report,
    Section,
    Window,
)

R = TypeVar("R")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Vectors = NDArray[np.float32]
"""(n, dimension), rows of unit length."""


# Language work


@dataclass(frozen=True, slots=True)
class Passage:
    """One chunk handed to an extractor, by value.

    `text` is `Document.text[chunk.start:chunk.end]`; `sections` are those of the document that
    touch the chunk, in offsets of the document.
    """

    chunk: Chunk
    text: str
    title: str
    language: str
    metadata: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]


class Extractor(Protocol):
    """Finds what a chunk says. Must be picklable: it may run in another process."""

    @property
    def key(self) -> str:
        """Return the name and version of this extractor."""

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        """Return one extraction per passage, in order; each depends on its own passage alone."""


@dataclass(frozen=True, slots=True)
class ReportContext:
    """What a report is written from: records, and reports that stand in for sub-communities.

    `text` is what a model reads and `n_tokens` its size; `entities`, `relationships` and `claims`
    are in order of prominence and are exactly those in `text`. `n_entities` and `n_relationships`
    count the whole community, whatever fitted.
    """

    community_id: str
    text: str
    n_tokens: int
    entities: tuple[Entity, ...]
    relationships: tuple[Relationship, ...]
    claims: tuple[Claim, ...]
    reports: tuple[Report, ...]
    packing: Packing
    left_out: int
    n_entities: int
    n_relationships: int
    n_documents: int
    n_chunks: int
    degrees: tuple[int, ...]
    """Degree in the whole graph of each of `entities`."""


@dataclass(frozen=True, slots=True)
class FindingDraft:
    """A finding as a backend writes it; citations name records of the context."""

    heading: str
    text: str
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class ReportDraft:
    """A report as a backend writes it; `rating` 0-10."""

    title: str
    summary: str
    summary_citations: tuple[Citation, ...]
    findings: tuple[FindingDraft, ...]
    rating: float
    rating_reason: str


class Reporter(Protocol):
    """Writes the report on one community. Must be picklable."""

    @property
    def key(self) -> str:
        """Return the name and version of this reporter."""

    def write(self, context: ReportContext) -> ReportDraft:
        """Return a report that cites only records of the context."""


@dataclass(frozen=True, slots=True)
class PointDraft:
    """A point as a mapper gives it: `helpfulness` 0-100, citations from the window's items."""

    heading: str
    text: str
    helpfulness: int
    citations: tuple[Citation, ...]


MapWindow = Callable[[Window], Sequence[PointDraft]]
"""Reads one window; an empty result (or all zeros) means that it does not help."""


class Mapper(Protocol):
    """Reads windows for what answers a question."""

    @property
    def key(self) -> str:
        """Return the name and version of this mapper."""

    def prepare(self, question: str, blocks: Sequence[ContextBlock]) -> MapWindow:
        """Return a function that reads one window; `blocks` is everything that will be read."""


class Reducer(Protocol):
    """Writes the answer from the points that were kept.

    The text is Markdown in a small dialect that `answers.provenance` reads: paragraphs separated by
    blank lines; `## ` headings; each sentence ends with the numbers of its points in brackets,
    "[2]" or "[2, 7]"; a line that begins with "> " is a note about the evidence, not a sentence.
    """

    @property
    def key(self) -> str:
        """Return the name and version of this reducer."""

    def reduce(self, question: str, points: Sequence[Point]) -> Iterator[str]:
        """Yield the answer piece by piece; point n of `points` is cited as [n], from 1."""


# The outside world


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

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, (n, dimension)."""

    def windows(self, text: str) -> list[tuple[int, int]]:
        """Return consecutive [start, end) windows of the text that the model can see whole."""


class VectorIndex(Protocol):
    """Nearest neighbours by cosine. A collection is written once, whole, under a new name."""

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


class Store(Protocol):
    """Records by type and scope. A scope is the digest of everything its records depend on.

    Each call is one transaction. `add` of a record that is already there replaces it with the same
    bytes. Records come back in the order of `ordinal` (the order in which `replace` got them), then
    by id.
    """

    def add(self, scope: str, records: Sequence[Any]) -> None:
        """Store records of one type under their `id`."""

    def replace(self, scope: str, records_by_type: dict[type[Any], Sequence[Any]]) -> None:
        """Store the whole content of a scope, in order, and mark the scope finished."""

    def all(self, record_type: type[T], scope: str) -> list[T]:
        """Return all records of one type in a scope."""

    def get(self, record_type: type[T], scope: str, record_id: str) -> T | None:
        """Return one record, or None."""

    def ids(self, record_type: type[Any], scope: str) -> list[str]:
        """Return the ids of one type in a scope: what is done."""

    def delete(self, record_type: type[Any], scope: str, record_ids: Sequence[str]) -> None:
        """Delete records."""

    def is_finished(self, scope: str) -> bool:
        """Return whether `replace` or `finish` was called for this scope."""

    def finish(self, scope: str) -> None:
        """Mark a scope that was filled with `add` as complete."""

    def point(self, heads: dict[str, str]) -> None:
        """Set what is current, all at once: names to scopes."""

    def head(self, name: str) -> str | None:
        """Return the scope that a name points to."""

    def heads(self) -> dict[str, str]:
        """Return all names and what they point to."""

    def keep_only(self, record_type: type[Any], scopes: Iterable[str]) -> None:
        """Delete the records of one type in all other scopes."""


@dataclass(frozen=True, slots=True)
class Backend:
    """One implementation per language task."""

    extractor: Extractor
    reporter: Reporter
    mapper: Mapper
    reducer: Reducer


class VectorCache(Protocol):
    """Vectors by (embedder, text digest), float16 on disk."""

    def vectors(self, embedder_key: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """Return the known ones, each (dimension,)."""

    def add_vectors(self, embedder_key: str, vectors: dict[str, Vectors]) -> None:
        """Store vectors in one transaction."""


class EventLog(Protocol):
    """Events of builds and answers, numbered from 0, durable when `append` returns."""

    def start_run(self, run_id: str, kind: str) -> None:
        """Begin a run, or begin it anew: its earlier events are dropped, it becomes the latest."""

    def append(self, run_id: str, events: Sequence[LoggedEvent]) -> None:
        """Append events to a run."""

    def events(self, run_id: str) -> list[LoggedEvent]:
        """Return the events of a run in order; empty for an unknown run."""

    def runs(self, kind: str) -> list[str]:
        """Return the ids of all runs of a kind, oldest first."""
