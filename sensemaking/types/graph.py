"""What the documents talk about: extractions, the knowledge graph, its communities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from sensemaking.types.documents import Span

if TYPE_CHECKING:
    import networkx as nx

EntityKind = Literal[
    "person", "organisation", "place", "product", "event", "work", "law", "concept"
]
CommunityKind = Literal["cluster", "core", "residual", "two-hop"]


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity as found in one chunk: all its occurrences there."""

    name: str
    kind: str
    spans: tuple[Span, ...]
    description: str = ""


@dataclass(frozen=True, slots=True)
class MentionedRelationship:
    """A relationship stated in one chunk; `source` and `target` index `Extraction.mentions`."""

    source: int
    target: int
    description: str
    weight: float
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class MentionedClaim:
    """A claim stated in one chunk; `subject` and `object` index `Extraction.mentions`.

    Dates are ISO 8601, as precise as the text is ("2019", "2019-05", "2019-05-03").
    """

    subject: int
    object: int | None
    kind: str
    status: Literal["true", "false", "suspected"]
    description: str
    spans: tuple[Span, ...]
    start_date: str | None = None
    end_date: str | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence, who says it where that is known, and which mentions occur in it (indices)."""

    span: Span
    mentions: tuple[int, ...]
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one chunk says. `id` is the chunk's id.

    `sentences` is filled by extractors that state no relationships of their own; the graph stage
    then derives relationships from co-occurrence. A model that states them leaves it empty.
    `unlocated` counts what a model quoted with words that are not in the chunk: such a record has
    one span, the whole chunk. `dropped` counts what it listed that could not be read or used.
    """

    id: str
    mentions: tuple[Mention, ...] = ()
    relationships: tuple[MentionedRelationship, ...] = ()
    claims: tuple[MentionedClaim, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    unlocated: int = 0
    dropped: int = 0


@dataclass(frozen=True, slots=True)
class Entity:
    """Something the documents talk about. `id` = digest(canonical name, kind).

    `spans` are all its occurrences, sorted; `chunk_ids` the chunks that own them.
    """

    id: str
    name: str
    kind: str
    description: str
    spans: tuple[Span, ...]
    chunk_ids: tuple[str, ...]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Relationship:
    """An undirected tie. `id` = digest of its unordered ends; `source_id` < `target_id`.

    `weight` is positive and grows with evidence and association; `spans` are evidence
    sentences, the best first. `description` may be several of them, one a line: line n is that of
    `spans[n]`. `speaker` says `spans[0]`, where that is known; further lines name their own.
    """

    id: str
    source_id: str
    target_id: str
    description: str
    weight: float
    spans: tuple[Span, ...]
    chunk_ids: tuple[str, ...]
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence that binds an entity to a date, amount, event or change.

    `speaker` says `spans[0]`, where that is known.
    """

    id: str
    subject_id: str
    object_id: str | None
    kind: str
    status: str
    description: str
    spans: tuple[Span, ...]
    chunk_ids: tuple[str, ...]
    start_date: str | None = None
    end_date: str | None = None
    speaker: str = ""


@dataclass(frozen=True)
class KnowledgeGraph:
    """Entities, relationships and claims in canonical order (by id).

    `key` is `general` or `topic-<slug>`.
    """

    key: str
    entities: tuple[Entity, ...]
    relationships: tuple[Relationship, ...]
    claims: tuple[Claim, ...]

    @cached_property
    def entity_by_id(self) -> dict[str, Entity]:
        """Return the entities by id."""
        return {entity.id: entity for entity in self.entities}

    @cached_property
    def degrees(self) -> dict[str, int]:
        """Return how many relationships each entity has; 0 for entities without any."""
        counts = dict.fromkeys((entity.id for entity in self.entities), 0)
        for one in self.relationships:
            counts[one.source_id] += 1
            counts[one.target_id] += 1
        return counts

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """Return the sorted ids of each entity's neighbours."""
        found: dict[str, list[str]] = {entity.id: [] for entity in self.entities}
        for one in self.relationships:
            found[one.source_id].append(one.target_id)
            found[one.target_id].append(one.source_id)
        return {key: tuple(sorted(ids)) for key, ids in found.items()}

    @cached_property
    def components(self) -> tuple[tuple[str, ...], ...]:
        """Return the connected components, largest first, ties by smallest id.

        An entity without a relationship is a component of its own.
        """
        seen: set[str] = set()
        found = []
        for entity in self.entities:
            if entity.id in seen:
                continue
            seen.add(entity.id)
            stack, members = [entity.id], []
            while stack:
                here = stack.pop()
                members.append(here)
                fresh = [other for other in self.neighbours[here] if other not in seen]
                seen.update(fresh)
                stack.extend(fresh)
            found.append(tuple(sorted(members)))
        return tuple(sorted(found, key=lambda members: (-len(members), members[0])))

    def to_networkx(self) -> nx.Graph[str]:
        """Return a networkx graph: nodes are entity ids, edges carry `weight` and `id`."""
        import networkx as nx

        graph: nx.Graph[str] = nx.Graph()
        for entity in self.entities:
            graph.add_node(entity.id, name=entity.name, kind=entity.kind)
        for one in self.relationships:
            graph.add_edge(one.source_id, one.target_id, weight=one.weight, id=one.id)
        return graph


@dataclass(frozen=True, slots=True)
class Community:
    """A set of entities at one level of one hierarchy.

    `id` = digest(hierarchy key, level, sorted members); `member_key` = digest(sorted members).
    `home_ids` are the members whose home leaf lies in this community (all of them unless leaves
    overlap). `core_number` is k for k-core hierarchies. `parent_id` is on `level - 1`.
    """

    id: str
    member_key: str
    level: int
    parent_id: str | None
    entity_ids: tuple[str, ...]
    home_ids: tuple[str, ...]
    kind: CommunityKind = "cluster"
    core_number: int | None = None


@dataclass(frozen=True, slots=True)
class HierarchyHead:
    """What a stored hierarchy says about itself; `id` is its key. The communities lie beside it."""

    id: str
    graph_key: str
    algorithm: str
    params: tuple[tuple[str, str], ...]
    seed: int
    unplaced: tuple[str, ...]


@dataclass(frozen=True)
class Hierarchy:
    """Communities at several levels, 0 the coarsest, in order of (level, id).

    `key` is `<graph>.<algorithm>[.<digest of non-default parameters>]`; `params` holds sorted
    (name, value) pairs. `unplaced` are the entities without a place: those without a relationship,
    or outside the chosen components.
    """

    key: str
    graph_key: str
    algorithm: str
    params: tuple[tuple[str, str], ...]
    seed: int
    communities: tuple[Community, ...]
    unplaced: tuple[str, ...]

    @cached_property
    def by_id(self) -> dict[str, Community]:
        """Return the communities by id."""
        return {community.id: community for community in self.communities}

    @cached_property
    def children(self) -> dict[str | None, tuple[Community, ...]]:
        """Return the children of each community; the coarsest ones are the children of None."""
        found: dict[str | None, list[Community]] = {None: []}
        for community in self.communities:
            found.setdefault(community.id, [])
            found.setdefault(community.parent_id, []).append(community)
        return {key: tuple(ones) for key, ones in found.items()}

    @property
    def n_levels(self) -> int:
        """Return the number of levels; 0 when there are no communities."""
        return 1 + max((community.level for community in self.communities), default=-1)

    @property
    def leaves(self) -> tuple[Community, ...]:
        """Return the communities without children."""
        return self.view(self.n_levels - 1)

    def view(self, level: int) -> tuple[Community, ...]:
        """Return the communities with level <= `level` that have no child with level <= `level`.

        Every placed entity is in a view at every level. Beyond the deepest: the leaves.
        """
        return tuple(
            community
            for community in self.communities
            if community.level <= level
            and (community.level == level or not self.children[community.id])
        )

    def path(self, community_id: str) -> tuple[Community, ...]:
        """Return the community and its ancestors, coarsest first."""
        found = []
        here: str | None = community_id
        while here is not None:
            found.append(self.by_id[here])
            here = self.by_id[here].parent_id
        return tuple(reversed(found))

    def descendants(self, community_id: str) -> Iterator[Community]:
        """Yield all communities below one, parents before children."""
        for child in self.children[community_id]:
            yield child
            yield from self.descendants(child.id)
