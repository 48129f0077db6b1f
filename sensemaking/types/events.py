"""What a run tells while it runs, and the snapshots that jobs fold from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sensemaking.types.answers import Answer, Coverage, Skipped, SubAnswer, Usage

JobStatus = Literal["running", "done", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class Progress:
    """`done` of `total` units of `stage`; `note` is one short line about the last unit."""

    stage: str
    done: int
    total: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run has spent so far."""

    usage: Usage
    calls_per_minute: int


@dataclass(frozen=True, slots=True)
class WindowsPlanned:
    """The windows of a question, before any is read; `trace` as in `Answer`."""

    titles: tuple[tuple[str, ...], ...]
    n_tokens: int
    coverage: Coverage
    trace: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class SubAnswerReady:
    """A window has been read (or has failed)."""

    sub_answer: SubAnswer


@dataclass(frozen=True, slots=True)
class AnswerToken:
    """The next piece of the answer's text."""

    text: str


@dataclass(frozen=True, slots=True)
class AnswerReady:
    """The whole answer."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class HierarchySummary:
    """One hierarchy of a build; `top_sizes` are the coarsest communities' entity counts."""

    key: str
    algorithm: str
    levels: int
    communities: int
    leaves: int
    top_sizes: tuple[int, ...]
    unplaced: int


@dataclass(frozen=True, slots=True)
class BuildReady:
    """What a build made; `digest` covers the content of every record, documents to reports.

    `notes` are what the user should know about the models that were used.
    """

    documents: int
    chunks: int
    entities: int
    relationships: int
    claims: int
    hierarchies: tuple[HierarchySummary, ...]
    reports: int
    skipped: tuple[Skipped, ...]
    usage: Usage
    seconds: float
    digest: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunStarted:
    """The first event of a run: what it is about, and when it began (seconds since the epoch).

    `settings` are sorted (name, value) pairs of what it was started with.
    """

    subject: str
    started_at: float
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class RunEnded:
    """The last event of a run; a run without one was interrupted."""

    status: JobStatus
    error: str = ""


@dataclass(frozen=True, slots=True)
class LoggedEvent:
    """An event as the log keeps it: seconds since the run began, type name, JSON body."""

    seconds: float
    kind: str
    body: str


BuildEvent = Progress | Skipped | Spent | BuildReady
AskEvent = WindowsPlanned | SubAnswerReady | AnswerToken | Skipped | Spent | AnswerReady


@dataclass(frozen=True, slots=True)
class StageSnapshot:
    """How far one stage is; `began` and `seconds` count from the start of the run.

    `done_before` is how much of it was done when the run came to it.
    """

    name: str
    done: int
    total: int
    note: str
    began: float
    seconds: float
    done_before: int = 0

    @property
    def rate(self) -> float:
        """Units a second, 0 while it is not known."""
        fresh = self.done - self.done_before
        return fresh / self.seconds if self.seconds > 0 and fresh > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """About how long the rest takes at this rate, None while that is not known."""
        return (self.total - self.done) / self.rate if self.rate else None


@dataclass(frozen=True, slots=True)
class JobSnapshot:
    """A build as it stands. `n_events` grows; equal numbers mean nothing has changed."""

    id: str
    corpus: str
    status: JobStatus
    stages: tuple[StageSnapshot, ...]
    skipped: tuple[Skipped, ...]
    result: BuildReady | None
    error: str
    seconds: float
    started_at: float
    n_events: int
    usage: Usage = Usage()
    calls_per_minute: int = 0

    @property
    def is_running(self) -> bool:
        """Whether the job is still at work."""
        return self.status == "running"


@dataclass(frozen=True, slots=True)
class AnswerSnapshot:
    """An answer as it stands: windows in their fixed order, the text so far.

    `settings` are the (name, value) pairs that it was asked with.
    """

    id: str
    corpus: str
    question: str
    status: Literal["mapping", "reducing", "done", "failed", "stopped"]
    planned: WindowsPlanned | None
    sub_answers: tuple[SubAnswer, ...]
    text: str
    answer: Answer | None
    error: str
    seconds: float
    n_events: int
    skipped: tuple[Skipped, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()
    started_at: float = 0.0
    usage: Usage = Usage()

    @property
    def is_running(self) -> bool:
        """Whether the answer is still being made."""
        return self.status in ("mapping", "reducing")
