"""What a corpus is about: topics as found, as a user edited them, as a screen shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sensemaking.types.answers import Usage

TopicOrigin = Literal["found", "added"]
TopicAction = Literal["add", "rename", "describe", "merge", "drop"]
TopicWay = Literal["extracted", "filtered"]
"""How a topic's graph is made: by extraction that asks for the topic, or from the general graph."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic. `id` = digest of the name it was found or added under, `subject`, case-folded.

    `name` is what a user calls it, and changes nothing but what is shown. `merged` are the
    subjects of topics that were merged into it. `level` is the coarsest level it was found on, None
    for one that a user added. `slug` ends the keys of its graph and hierarchies.
    """

    id: str
    name: str
    description: str
    slug: str
    subject: str
    level: int | None = None
    origin: TopicOrigin = "found"
    merged: tuple[str, ...] = ()

    @property
    def graph_key(self) -> str:
        """Return the key of its graph."""
        return f"topic-{self.slug}"


@dataclass(frozen=True, slots=True)
class FoundTopics:
    """What was found on one level: `topics` are (name, description) pairs. `id` is the level."""

    id: str
    level: int
    description: str
    topics: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class TopicEdit:
    """One edit of a user, by the subject or name of a topic; `id` is its place in the order.

    rename: `value` is the new name. describe: the new description. merge: the name of the topic
    that takes it in. add: `topic` is the new name, `value` its description. drop: no value.
    """

    id: str
    action: TopicAction
    topic: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic at a glance. `way` is None until its graph is made: then counts are by words.

    Shares are 0-1 of the corpus. `is_empty` says that its graph was made and holds nothing: no
    question goes there.
    """

    topic: Topic
    way: TopicWay | None
    is_empty: bool
    n_entities: int
    n_relationships: int
    n_documents: int
    n_chunks: int
    n_reports: int
    document_share: float
    entity_share: float


@dataclass(frozen=True, slots=True)
class TopicTrend:
    """In how many documents of each period a topic is spoken of; `counts[n]` is of `periods[n]`."""

    topic_id: str
    periods: tuple[str, ...]
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TopicStatistics:
    """How much of the corpus topic graphs keep (ReTAG, Tables 1 and 2).

    Each row is (what, in the general graph, mean over topics, share kept 0-1); reports are counted
    by level. `n_topics` have a graph that is not empty.
    """

    n_topics: int
    rows: tuple[tuple[str, int, float, float], ...]


@dataclass(frozen=True, slots=True)
class TopicEstimate:
    """What making topic graphs takes, before it starts. Ranges are (low, high).

    `n_chunks` are the extractions that are still missing, over all topics. A backend without a
    model makes no calls: its range is (0, 0).
    """

    n_topics: int
    n_chunks: int
    calls: tuple[int, int]
    prompt_tokens: tuple[int, int]
    completion_tokens: tuple[int, int]
    sentence: str


@dataclass(frozen=True, slots=True)
class TopicRoute:
    """Where a question goes: a topic or None, why, the second best, and keywords for retrieval."""

    topic: Topic | None
    reason: str
    runner_up: str
    keywords: tuple[str, ...] = ()
    usage: Usage = Usage()
