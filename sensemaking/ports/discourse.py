"""How texts argue: discourse trees, the rhetorical graph, plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

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
