"""The language work of a build and of an answer: extract, report, map, reduce, describe.

`waits` says that a task spends its time waiting for a server: its units then run in threads, one by
one, and not in processes, in batches. `context_tokens` is the most that a task can read at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sensemaking.types import (
    Chunk,
    Citation,
    Claim,
    ContextBlock,
    Entity,
    Extraction,
    Packing,
    Point,
    Relationship,
    Report,
    Section,
    Window,
)

UNLIMITED = 10**9
"""Tokens that fit into a backend which has no window."""


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
    """Finds what a chunk says. Must be picklable unless it waits: it may run in another process."""

    @property
    def key(self) -> str:
        """Return the name and version of this extractor."""

    @property
    def waits(self) -> bool:
        """Return whether units run in threads."""

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
    """Writes the report on one community. Must be picklable unless it waits."""

    @property
    def key(self) -> str:
        """Return the name and version of this reporter."""

    @property
    def waits(self) -> bool:
        """Return whether units run in threads."""

    @property
    def context_tokens(self) -> int:
        """Return the size of the largest context it can read."""

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

    @property
    def waits(self) -> bool:
        """Return whether windows are read in threads that wait for a server."""

    @property
    def context_tokens(self) -> int:
        """Return the size of the largest window it can read."""

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

    @property
    def waits(self) -> bool:
        """Return whether its pieces come from a server."""

    @property
    def context_tokens(self) -> int:
        """Return how many tokens of points it can read."""

    def reduce(self, question: str, points: Sequence[Point]) -> Iterator[str]:
        """Yield the answer piece by piece; point n of `points` is cited as [n], from 1."""


class Describer(Protocol):
    """Makes one description of several."""

    @property
    def key(self) -> str:
        """Return the name and version of this describer."""

    @property
    def waits(self) -> bool:
        """Return whether units run in threads."""

    def join(self, descriptions: Sequence[str]) -> str | None:
        """Return one description where that takes no call, None where `describe` is needed."""

    def describe(self, name: str, descriptions: Sequence[str]) -> str:
        """Return what all descriptions of one entity or relationship say, said once."""
