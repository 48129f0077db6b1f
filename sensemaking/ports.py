"""What the stages need from outside, one narrow Protocol each.

Language work first (done by a backend), then the outside world (done by adapters). `key` strings
name an implementation and its version: they enter the digests under which results are stored, so
changing what an implementation returns means changing its key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar, TypeVarTuple

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
    Usage,
    Window,
)

R = TypeVar("R")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Vectors = NDArray[np.float32]
"""(n, dimension), rows of unit length."""


UNLIMITED = 10**9
"""Tokens that fit into a backend which has no window."""


# Language work. `waits` says that a task spends its time waiting for a server: its units then run
# in threads, one by one, and not in processes, in batches. `context_tokens` is the most that a task
# can read at once.


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

    def describe(self, name: str, descriptions: Sequence[str]) -> str:
        """Return what all descriptions of one entity or relationship say, said once."""


@dataclass(frozen=True, slots=True)
class TopicDraft:
    """A topic as it was mined: a name of few words, and a sentence on what belongs to it."""

    name: str
    description: str


@dataclass(frozen=True, slots=True)
class TopicChoice:
    """The topic that a question falls in, or None; and the second best, or None."""

    topic: str | None
    reason: str
    runner_up: str | None


class TopicAnalyst(Protocol):
    """Says what a corpus is about, and where a question belongs."""

    @property
    def key(self) -> str:
        """Return the name and version of this analyst."""

    def mine(self, texts: Sequence[str]) -> tuple[TopicDraft, ...]:
        """Return the topics of texts: reports, or sub-answers to the question for topics."""

    def describe(self, texts: Sequence[str]) -> str:
        """Return in two or three sentences what kind of corpus the texts come from."""

    def classify(
        self, question: str, topics: Sequence[TopicDraft], description: str
    ) -> TopicChoice:
        """Return the topic of a question; a reply that names no given topic is None."""

    def expand(self, question: str, description: str) -> tuple[str, ...]:
        """Return keywords that passages which answer the question would hold."""


class TopicExtractor(Protocol):
    """Finds what a chunk says about one topic. Must be picklable unless it waits."""

    @property
    def key(self) -> str:
        """Return the name and version of this extractor, and of the topic all that it reads."""

    @property
    def waits(self) -> bool:
        """Return whether units run in threads."""

    def extract(self, passages: Sequence[Passage], known: Sequence[Extraction]) -> list[Extraction]:
        """Return one extraction per passage, in order.

        `known` is what was extracted from each without a topic: an extractor may choose from it
        instead of reading again.
        """


@dataclass(frozen=True, slots=True)
class TopicBackend:
    """Language work on topics.

    `analyst` makes the analyst of a corpus, given the texts of its reports; `extractor` that of one
    topic. With `reads_reports`, topics are found in the reports of the finest level themselves;
    without it, in the sub-answers to a question for topics, on every level.
    """

    analyst: Callable[[tuple[str, ...]], TopicAnalyst]
    extractor: Callable[[TopicDraft], TopicExtractor]
    reads_reports: bool = False


DISCOURSE_RELATIONS = (
    "Attribution",
    "Background",
    "Cause",
    "Comparison",
    "Condition",
    "Contrast",
    "Elaboration",
    "Enablement",
    "Evaluation",
    "Explanation",
    "Joint",
    "Manner-Means",
    "Summary",
    "Temporal",
    "Topic-Change",
    "Topic-Comment",
    "Textual-Organization",
    "Same-Unit",
)
"""The coarse classes of RST-DT (Carlson, Marcu 2001)."""


@dataclass(frozen=True, slots=True)
class DiscourseUnit:
    """An elementary discourse unit: characters [start, end) of the passage.

    `number` counts from 1; `parent` is the number of the unit it depends on, 0 for the root.
    """

    number: int
    start: int
    end: int
    role: Literal["N", "S"]
    parent: int
    relation: str


@dataclass(frozen=True, slots=True)
class PassageRelation:
    """A directed relation between two passages, by their positions from 1."""

    source: int
    target: int
    relation: str


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of a plan; `units` are "passage.unit" references such as "2.3"."""

    goal: str
    passages: tuple[int, ...]
    units: tuple[str, ...]
    relation: str


class DiscourseParser(Protocol):
    """Reads how texts argue (Disco-RAG: trees, rhetorical graph, plan)."""

    @property
    def key(self) -> str:
        """Return the name and version of this parser."""

    def parse(self, passage: str) -> tuple[DiscourseUnit, ...]:
        """Return the units of a passage in order: they cover it, with one root and no cycle."""

    def relate(
        self, passages: Sequence[str], trees: Sequence[tuple[DiscourseUnit, ...]]
    ) -> tuple[PassageRelation, ...]:
        """Return the related ordered pairs of passages; one passage has none."""

    def plan(
        self,
        question: str,
        passages: Sequence[str],
        trees: Sequence[tuple[DiscourseUnit, ...]],
        relations: Sequence[PassageRelation],
    ) -> tuple[PlanStep, ...]:
        """Return how an answer should go about the question."""


@dataclass(frozen=True, slots=True)
class Criterion:
    """What answers are judged by."""

    name: str
    definition: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """`winner` 1 or 2, or 0 for essentially the same; a reply that cannot be read is not parsed."""

    winner: Literal[0, 1, 2]
    reason: str
    is_parsed: bool = True


class Judge(Protocol):
    """Says which of two answers is better."""

    @property
    def key(self) -> str:
        """Return the name and version of this judge."""

    def judge(
        self, question: str, answers: tuple[str, str], criterion: Criterion, replicate: int = 0
    ) -> Verdict:
        """Compare two answers in the order given; replicates are independent judgements."""


class ClaimSplitter(Protocol):
    """Cuts an answer into single claims."""

    @property
    def key(self) -> str:
        """Return the name and version of this splitter."""

    def split(self, text: str) -> tuple[str, ...]:
        """Return the claims, each understandable alone, in order."""


@dataclass(frozen=True, slots=True)
class PersonaDraft:
    """Somebody who would use the corpus, with (task, questions) pairs."""

    persona: str
    tasks: tuple[tuple[str, tuple[str, ...]], ...]


class QuestionWriter(Protocol):
    """Invents corpus-wide questions: personas, their tasks, questions for each."""

    @property
    def key(self) -> str:
        """Return the name and version of this writer."""

    def write(self, description: str, counts: tuple[int, int, int]) -> tuple[PersonaDraft, ...]:
        """Return `counts` = (personas, tasks each, questions a task) as far as they came."""


# Language models


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said. `finish` "length" means that the reply was cut by a limit."""

    text: str
    finish: Literal["stop", "length", "filter"]
    usage: Usage


class ChatModel(Protocol):
    """One language model for one role; calls are cached, counted, gated and retried.

    All calls raise `ModelError` for what concerns this call alone and `Paused` for what ends the
    run.
    """

    @property
    def key(self) -> str:
        """Return provider, endpoint, model and parameters: what replies depend on, no secret."""

    @property
    def context_tokens(self) -> int:
        """Return how many tokens prompt and reply may have together."""

    @property
    def max_tokens(self) -> int:
        """Return how long a reply may be."""

    @property
    def n_parallel(self) -> int:
        """Return how many calls may be under way at once."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        replicate: int = 0,
    ) -> Reply:
        """Return the reply; with a JSON schema, in the strictest JSON mode that the server has."""

    def stream(
        self, messages: Sequence[Message], *, max_tokens: int | None = None, replicate: int = 0
    ) -> Iterator[str]:
        """Yield the reply piece by piece; a cached one comes whole."""

    def forget(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None = None,
        max_tokens: int | None = None,
        replicate: int = 0,
    ) -> None:
        """Drop a cached reply that was of no use, so that it is asked for anew next time."""


class Meter(Protocol):
    """What a run has spent, and whether it may go on. A run without models spends nothing."""

    @property
    def usage(self) -> Usage:
        """Return what was spent so far."""

    @property
    def calls_per_minute(self) -> int:
        """Return how many calls ended in the last minute."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Return what the user should know about the models, each thing once."""

    def stop(self) -> None:
        """Let no new call start; those under way end and are kept."""


class ReplyCache(Protocol):
    """Replies of models by the digest of all they depend on; each is durable when stored."""

    def reply(self, key: str) -> bytes | None:
        """Return a stored reply, or None."""

    def add_reply(self, key: str, body: bytes) -> None:
        """Store a reply."""

    def remove_reply(self, key: str) -> None:
        """Drop a stored reply."""


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

    def exchange(self, scope: str, old: Any, new: Any) -> bool:  # noqa: ANN401 - any record
        """Put `new` in the place of `old` where it still stands; return whether it did."""

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
class CallShape:
    """What one unit of a task asks of a model, for estimates.

    `calls` (least, most) per unit; `overhead_tokens` of prompt beside the unit's own text;
    `reply_tokens` (least, most) per call; `price` in US dollars per million (prompt, completion)
    tokens, None when it is not known; `seconds` of one call, None when none was made yet.
    """

    calls: tuple[float, float]
    overhead_tokens: int
    reply_tokens: tuple[int, int]
    price: tuple[float, float] | None
    seconds: float | None
    n_parallel: int


@dataclass(frozen=True, slots=True)
class Backend:
    """One implementation per language task; `describer` None keeps the best description as it is.

    `estimates` says what the units of each task ask of a model; empty where none is used. `topics`
    None knows nothing of topics.
    """

    extractor: Extractor
    reporter: Reporter
    mapper: Mapper
    reducer: Reducer
    describer: Describer | None = None
    estimates: Mapping[str, CallShape] = field(default_factory=dict)
    counts: Callable[[], tuple[tuple[str, int], ...]] = tuple
    topics: TopicBackend | None = None


class VectorCache(Protocol):
    """Vectors by (embedder, text digest), float16 on disk."""

    def vectors(self, embedder_key: str, digests: Sequence[str]) -> dict[str, Vectors]:
        """Return the known ones, each (dimension,)."""

    def add_vectors(self, embedder_key: str, vectors: dict[str, Vectors]) -> None:
        """Store vectors in one transaction."""


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One run in the log: who makes it, and what it came to in short (JSON), "" when not known."""

    id: str
    owner: str
    folded: str = ""


class EventLog(Protocol):
    """Events of builds and answers, numbered from 0, durable when `append` returns."""

    def start_run(self, entry: RunEntry, kind: str, after: RunEntry | None) -> bool:
        """Begin a run, or begin it anew: its earlier events are dropped, it becomes the latest.

        `after` is what `run` said; when that is not so any more, somebody else was faster: nothing
        happens and False is returned.
        """

    def append(self, run_id: str, events: Sequence[LoggedEvent], folded: str | None = None) -> None:
        """Append events to a run and, where it is given, what the run came to in short."""

    def events(self, run_id: str, first: int = 0) -> list[LoggedEvent]:
        """Return the events of a run in order, from number `first`; empty for an unknown run."""

    def run(self, run_id: str) -> RunEntry | None:
        """Return one run, or None."""

    def latest(self, kind: str, limit: int | None = None) -> list[RunEntry]:
        """Return the runs of a kind, latest first."""


class Presence(Protocol):
    """Tells whether a program that makes a run is still there."""

    def claim(self) -> str:
        """Return the name of this program, which is present from now until it ends."""

    def is_present(self, name: str) -> bool:
        """Return whether the program of that name is there."""
