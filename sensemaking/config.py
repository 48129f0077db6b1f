"""Settings: small frozen records, checked where they enter, handed down as the least that suffices.

Defaults follow the papers (METHODS of the README, Design): chunks of 600 tokens with 100 overlap,
reports from 8,000 tokens, windows of 8,000 tokens, seed 86.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ChunkingSettings(_Record):
    """How documents are cut. `size` and `overlap` in tokens of `encoding`."""

    encoding: Literal["o200k_base", "cl100k_base"] = "o200k_base"
    size: int = Field(default=600, ge=16, le=100_000)
    overlap: int = Field(default=100, ge=0)

    @model_validator(mode="after")
    def _overlap_fits(self) -> ChunkingSettings:
        if self.overlap * 2 > self.size:
            raise ValueError(
                f"overlap {self.overlap} is more than half of the chunk size {self.size}: "
                f"use at most {self.size // 2}"
            )
        return self


class GraphSettings(_Record):
    """What becomes an entity or a relationship.

    `min_concept_documents` and `min_concept_mentions`: a concept is kept when it occurs in that
    many documents or that many times. `max_relationships_per_entity`: ties kept per entity,
    strongest first; a tie stays when either end keeps it.
    """

    min_concept_documents: int = Field(default=2, ge=1)
    min_concept_mentions: int = Field(default=3, ge=1)
    max_relationships_per_entity: int = Field(default=12, ge=1)


class HierarchySettings(_Record):
    """Which communities are made. `components`: all, or the largest only as in the papers.

    `max_community_size` None is the algorithm's own default: 10 for Leiden, 20 for k-cores.
    """

    algorithms: tuple[str, ...] = ("leiden",)
    max_community_size: int | None = Field(default=None, ge=2)
    components: Literal["all", "largest"] = "all"
    seed: int = 0xDEADBEEF


class ReportSettings(_Record):
    """Token budget of one report's context."""

    context_tokens: int = Field(default=8000, ge=200)


class AskSettings(_Record):
    """How a question is answered. Budgets in tokens; `level` None is the leaf view.

    `max_points` per window; `level` counts from 0, the coarsest.
    """

    method: str = "global"
    hierarchy: str = "general.leiden"
    level: int | None = Field(default=None, ge=0)
    window_tokens: int = Field(default=8000, ge=200)
    reduce_tokens: int = Field(default=8000, ge=200)
    seed: int = 86


class Settings(_Record):
    """Everything that a build of one corpus depends on."""

    backend: Literal["extractive"] = "extractive"
    chunking: ChunkingSettings = ChunkingSettings()
    graph: GraphSettings = GraphSettings()
    hierarchy: HierarchySettings = HierarchySettings()
    reports: ReportSettings = ReportSettings()
