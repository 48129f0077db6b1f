"""Comparing answers: judges, claims, and the questions to compare them on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol


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
