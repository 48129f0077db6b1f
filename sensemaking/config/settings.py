"""What a corpus and a question depend on.

Defaults follow the papers (METHODS of the README, Design): chunks of 600 tokens with 100 overlap,
reports from 8,000 tokens, windows of 8,000 tokens, seed 86.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator, model_validator

from sensemaking.config.record import Record

MOST_KINDS = 40
LONGEST_KIND = 60


class ChunkingSettings(Record):
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


class GraphSettings(Record):
    """What becomes an entity or a relationship.

    `min_concept_documents` and `min_concept_mentions`: a concept is kept when it occurs in that
    many documents or that many times. `max_relationships_per_entity`: ties kept per entity,
    strongest first; a tie stays when either end keeps it.
    """

    min_concept_documents: int = Field(default=2, ge=1)
    min_concept_mentions: int = Field(default=3, ge=1)
    max_relationships_per_entity: int = Field(default=12, ge=1)


class HierarchySettings(Record):
    """Which communities are made. `components`: all, or the largest only as in the papers.

    `max_community_size` None is the algorithm's own default: 10 for Leiden, 20 for k-cores; with
    `community_tokens` it is as many entities as have so many tokens in a report's context.
    """

    algorithms: tuple[str, ...] = ("leiden",)
    max_community_size: int | None = Field(default=None, ge=2)
    community_tokens: int | None = Field(default=None, ge=1)
    components: Literal["all", "largest"] = "all"
    seed: int = 0xDEADBEEF


class RoundRobinSettings(Record):
    """Which relationships leaves may show in their reports (RRTC), dealt out in turn.

    `order` A goes round all leaves, B round those of the highest shell first. The budget is
    `percent` of all relationships of the `base`: the whole graph, or those inside a leaf; or, where
    `tokens` is given, so many tokens of rows.
    """

    order: Literal["A", "B"] = "A"
    percent: int = Field(default=80, ge=0, le=100)
    base: Literal["graph", "eligible"] = "graph"
    tokens: int | None = Field(default=None, ge=0)


class ReportSettings(Record):
    """Token budget of one report's context; `round_robin` None shows all relationships."""

    context_tokens: int = Field(default=8000, ge=200)
    round_robin: RoundRobinSettings | None = None


class AskSettings(Record):
    """How a question is answered. Budgets in tokens; `level` None is the leaf view.

    `level` counts from 0, the coarsest. `topic` is the name of one, "none" for the corpus as a
    whole, or "" where the question decides. Retrieval reads at most `max_reports` reports, ranked
    with the BM25 parameters `k1` and `b`. `within` is the id of a community whose parts alone are
    read, "" for all.
    """

    method: str = "global"
    hierarchy: str = "general.leiden"
    level: int | None = Field(default=None, ge=0)
    window_tokens: int = Field(default=8000, ge=200)
    reduce_tokens: int = Field(default=8000, ge=200)
    seed: int = 86
    topic: str = ""
    max_reports: int = Field(default=200, ge=1)
    k1: float = Field(default=1.5, ge=0, le=10)
    b: float = Field(default=0.75, ge=0, le=1)
    within: str = ""


class LanguageSettings(Record):
    """What a language model is asked for; which model it is, is in `ModelSettings`.

    `gleanings`: how often it is asked whether it missed something, and for that. `entity_kinds`:
    the kinds it looks for; with `derive_kinds` it is asked once which kinds the corpus is about,
    and those given count only until that has worked. `scoring`: helpfulness per point, or one for
    the whole window as in the papers. `joined_tokens`: descriptions of one entity or relationship
    that are together no longer than this are put one after the other, longer ones are merged by the
    model; 0 merges all.
    """

    gleanings: int = Field(default=1, ge=0, le=5)
    entity_kinds: tuple[str, ...] = (
        "person",
        "organisation",
        "place",
        "product",
        "event",
        "work",
        "law",
        "concept",
    )
    derive_kinds: bool = False
    scoring: Literal["point", "window"] = "point"
    joined_tokens: int = Field(default=200, ge=0, le=100_000)

    @field_validator("entity_kinds")
    @classmethod
    def _are_kinds(cls, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Return the kinds, each once, in small letters; there is at least one."""
        named = tuple(dict.fromkeys(" ".join(one.casefold().split()) for one in kinds))
        named = tuple(one for one in named if one)
        if not named:
            raise ValueError("no kind of entity is named: name at least one, such as person")
        if len(named) > MOST_KINDS or max(map(len, named)) > LONGEST_KIND:
            raise ValueError(
                f"at most {MOST_KINDS} kinds of entities of {LONGEST_KIND} characters can be named"
            )
        return named


class Settings(Record):
    """Everything that a build of one corpus depends on."""

    backend: Literal["extractive", "llm"] = "extractive"
    language: LanguageSettings = LanguageSettings()
    chunking: ChunkingSettings = ChunkingSettings()
    graph: GraphSettings = GraphSettings()
    hierarchy: HierarchySettings = HierarchySettings()
    reports: ReportSettings = ReportSettings()


class Defaults(Record):
    """What a new corpus and a question start with; `level` as in `AskSettings`."""

    corpus: Settings = Settings()
    method: str = "global"
    level: int | None = Field(default=None, ge=0)
