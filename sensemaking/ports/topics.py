"""What a corpus is about, and where a question belongs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sensemaking.ports.language import Passage
from sensemaking.types import (
    Extraction,
)


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
    topic. With `reads_reports`, topics are found in the reports of all levels themselves;
    without it, in the sub-answers to a question for topics, on every level.
    """

    analyst: Callable[[tuple[str, ...]], TopicAnalyst]
    extractor: Callable[[TopicDraft], TopicExtractor]
    reads_reports: bool = False
