"""What a screen or a terminal shows of a corpus: small summaries, made by the workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sensemaking.types.documents import Span

CorpusState = Literal[
    "empty", "ready", "building", "stopped", "failed", "changed", "outdated", "built"
]


@dataclass(frozen=True, slots=True)
class CorpusSummary:
    """One corpus at a glance.

    `state`: ready has documents and was never built; changed has documents that the last build did
    not see; outdated was built with other settings or by another version of the program.
    `top_sizes` are the entity counts of the coarsest communities, largest first. `error` says why a
    corpus cannot be opened. `covered` are the chunks that the leaves of the last build reach, and
    all chunks, where a build has counted them. `n_waiting` files were added since.
    """

    name: str
    title: str
    state: CorpusState
    n_documents: int
    n_words: int
    n_not_read: int
    n_entities: int
    n_reports: int
    top_sizes: tuple[int, ...]
    n_unplaced: int
    built_at: str | None
    error: str = ""
    n_waiting: int = 0
    covered: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class StorageRow:
    """How much room a corpus takes on disk, in bytes."""

    name: str
    n_bytes: int
    is_trash: bool


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One document in a list; `date` is ISO 8601 where one was found."""

    id: str
    name: str
    title: str
    media_type: str
    language: str
    n_words: int
    n_chunks: int
    date: str | None


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One question in the history; `created_at` is ISO 8601 in UTC."""

    id: str
    question: str
    method: str
    created_at: str
    status: str
    n_sentences: int


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One step from a sentence down to its source: point, finding, record, span."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that a sentence rests on, with a little of the text around it."""

    span: Span
    document_name: str
    document_title: str
    before: str
    quote: str
    after: str
    chain: tuple[ChainStep, ...]
