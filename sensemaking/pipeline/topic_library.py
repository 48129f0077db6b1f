"""What is known of the topics of a corpus: found, edited, with or without a graph of their own.

What was found lies under the scope that the head `topics` names, edits under a fixed scope that no
build touches. Beside the heads of a topic's graph stands one that holds the way it was made and the
digest of the topic, so that a topic whose description was changed counts as not made.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from sensemaking.errors import InputError, NotBuilt, NotFound
from sensemaking.pipeline.library import (
    CHUNKS,
    Library,
    count_reports,
    hierarchy_head,
    reports_head,
    topic_head,
)
from sensemaking.topics import (
    apply_edits,
    assign_chunks,
    compare_graphs,
    document_trend,
    group_similar,
    idle_edits,
    overlap_matrix,
    unite,
)
from sensemaking.topics.edits import find_topic
from sensemaking.topics.statistics import GraphCounts
from sensemaking.types import (
    Chunk,
    FoundTopics,
    KnowledgeGraph,
    Topic,
    TopicAction,
    TopicEdit,
    TopicRow,
    TopicStatistics,
    TopicTrend,
    TopicWay,
    digest,
)

TOPICS = "topics"
"""Head that names the scope of what was found."""
EDITS = "topic-edits"
NAMED = 12
"""Topics that a message names."""

NOT_FOUND_YET = (
    "The topics of this corpus are not known yet: press Find topics on the Topics page (or run "
    "`sensemaking topics NAME`)."
)


def topic_digest(topic: Topic) -> str:
    """Return the digest of all that a topic's graph depends on; a new name changes nothing."""
    return digest("topic", topic.subject, topic.merged, topic.description)


def _subject(topics: tuple[Topic, ...], name: str) -> str:
    topic = find_topic(topics, name)
    return topic.subject if topic is not None else name


class TopicLibrary:
    """Reads the current topics of one corpus.

    Made for one use: it reads each thing once, and notices neither a build nor an edit.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._store = library.store

    @property
    def is_found(self) -> bool:
        """Return whether topics were looked for, with any result."""
        return bool(self._store.head(TOPICS))

    def found(self) -> tuple[FoundTopics, ...]:
        """Return what was found on each level, coarsest first; raises `NotBuilt`."""
        scope = self._store.head(TOPICS)
        if not scope:
            raise NotBuilt(NOT_FOUND_YET)
        levels = self._store.all(FoundTopics, scope)
        return tuple(sorted(levels, key=lambda one: one.level))

    def description(self) -> str:
        """Return what kind of corpus this is, as told on the coarsest level that says anything."""
        return next((one.description for one in self.found() if one.description), "")

    def edits(self) -> tuple[TopicEdit, ...]:
        """Return the edits of the user, in order."""
        return tuple(self._store.all(TopicEdit, EDITS))

    def topics(self) -> tuple[Topic, ...]:
        """Return all topics as the user wants them; raises `NotBuilt` before any were found."""
        return self._topics

    @cached_property
    def _topics(self) -> tuple[Topic, ...]:
        return apply_edits(unite(self.found()), self.edits())

    def idle_edits(self) -> tuple[TopicEdit, ...]:
        """Return the edits that wait for a topic which was not found again."""
        return idle_edits(unite(self.found()), self.edits())

    def topic(self, name: str) -> Topic:
        """Return the topic with that name, slug or id; raises `NotFound`, naming some."""
        topics = self.topics()
        topic = find_topic(topics, name)
        if topic is None:
            known = ", ".join(f"“{one.name}”" for one in topics[:NAMED])
            more = f" and {len(topics) - NAMED:,} more" if len(topics) > NAMED else ""
            raise NotFound(f"There is no topic “{name}”; there are: {known or 'none'}{more}.")
        return topic

    def groups(self) -> tuple[tuple[Topic, ...], ...]:
        """Return the topics, near-duplicates together."""
        return group_similar(self.topics())

    def add_edit(self, action: TopicAction, topic: str, value: str = "") -> None:
        """Keep an edit of the user.

        Raises
        ------
        InputError
            When it would change nothing: the topic is not there, or the name is taken or empty.
        """
        before = self.topics()
        edits = self.edits()
        # Kept by the name that a topic was found under: what it is called now may change.
        subject = topic if action == "add" else _subject(before, topic)
        value = _subject(before, value) if action == "merge" else value
        edit = TopicEdit(f"{len(edits):06d}", action, subject, value)
        named = () if action == "add" else (topic, *([value] if action == "merge" else []))
        is_known = all(find_topic(before, one) is not None for one in named)
        if not is_known or apply_edits(before, [edit]) == before:
            raise InputError(
                f"“{action} {topic}” changes nothing: is there such a topic, and is the new name "
                "free and not empty?"
            )
        self._store.replace(EDITS, {TopicEdit: [*edits, edit]})

    def undo_edit(self) -> None:
        """Forget the last edit, if there is one."""
        self._store.replace(EDITS, {TopicEdit: self.edits()[:-1]})

    # Graphs

    def way(self, topic: Topic) -> TopicWay | None:
        """Return how the topic's present graph was made, None when it has none."""
        told = self._heads.get(topic_head(topic.graph_key), "")
        way, _, about = told.partition(":")
        if not told or about != topic_digest(topic):
            return None
        return "filtered" if way == "filtered" else "extracted"

    def graph(self, topic: Topic) -> KnowledgeGraph | None:
        """Return the topic's present graph, None when it has none."""
        return self._library.graph(topic.graph_key) if self.way(topic) is not None else None

    @cached_property
    def _heads(self) -> dict[str, str]:
        return self._store.heads()

    def n_reports(self, topic: Topic, algorithm: str) -> int:
        """Return how many reports the topic has; `algorithm` ends the key of its hierarchy."""
        scope = self._heads.get(reports_head(f"{topic.graph_key}.{algorithm}"))
        if self.way(topic) is None or not scope:
            return 0
        return count_reports(self._store, scope)

    def state(self) -> str:
        """Return a digest of all that an answer by topics may depend on."""
        heads = self._heads
        names = sorted(name for name in heads if ":topic-" in name or name == TOPICS)
        edits = [f"{one.id} {one.action} {one.topic} {one.value}" for one in self.edits()]
        return digest([f"{name} {heads[name]}" for name in names], edits)

    # At a glance

    @cached_property
    def _chunk_ids(self) -> dict[str, tuple[str, ...]]:
        """The chunks of each topic by its id: of its graph, or told from its words."""
        told = self.chunk_ids_by_words()
        found = {}
        for topic in self.topics():
            graph = self.graph(topic)
            if graph is None:
                found[topic.id] = told[topic.id]
            else:
                ids = {one for entity in graph.entities for one in entity.chunk_ids}
                found[topic.id] = tuple(sorted(ids))
        return found

    @cached_property
    def _document_ids(self) -> dict[str, frozenset[str]]:
        chunks = self._chunks
        return {
            key: frozenset(chunks[one].document_id for one in ids if one in chunks)
            for key, ids in self._chunk_ids.items()
        }

    def document_ids(self) -> dict[str, frozenset[str]]:
        """Return the documents of each topic by its id."""
        return self._document_ids

    @cached_property
    def _entity_ids(self) -> dict[str, frozenset[str]]:
        """The entities of each topic by its id: of its graph, or of its chunks."""
        by_chunk: dict[str, list[str]] = {}
        for entity in self._library.graph().entities:
            for chunk_id in entity.chunk_ids:
                by_chunk.setdefault(chunk_id, []).append(entity.id)
        found = {}
        for topic in self.topics():
            graph = self.graph(topic)
            if graph is not None:
                found[topic.id] = frozenset(one.id for one in graph.entities)
            else:
                ids = self._chunk_ids[topic.id]
                found[topic.id] = frozenset[str]().union(*(by_chunk.get(key, ()) for key in ids))
        return found

    def rows(self, algorithm: str) -> tuple[TopicRow, ...]:
        """Return all topics at a glance; reports are those of one community algorithm."""
        n_documents = len({chunk.document_id for chunk in self._chunks.values()})
        known = {one.id for one in self._library.graph().entities}
        chunk_ids, documents, entities = self._chunk_ids, self._document_ids, self._entity_ids
        return tuple(
            self._row(
                topic,
                algorithm,
                (len(chunk_ids[topic.id]), len(documents[topic.id]), n_documents),
                (len(entities[topic.id]), len(entities[topic.id] & known), len(known)),
            )
            for topic in self.topics()
        )

    def _row(
        self,
        topic: Topic,
        algorithm: str,
        texts: tuple[int, int, int],
        entities: tuple[int, int, int],
    ) -> TopicRow:
        graph = self.graph(topic)
        n_reports = self.n_reports(topic, algorithm)
        return TopicRow(
            topic=topic,
            way=self.way(topic),
            is_empty=graph is not None and not n_reports,
            n_entities=entities[0],
            n_relationships=len(graph.relationships) if graph is not None else 0,
            n_documents=texts[1],
            n_chunks=texts[0],
            n_reports=n_reports,
            document_share=round(texts[1] / texts[2], 4) if texts[2] else 0.0,
            entity_share=round(entities[1] / entities[2], 4) if entities[2] else 0.0,
        )

    def overlap(self) -> list[list[float]]:
        """Return the share of common entities of each two topics, in order of `topics`."""
        entities = self._entity_ids
        shares: list[list[float]] = overlap_matrix(
            [entities[one.id] for one in self.topics()]
        ).tolist()
        return shares

    def trend(self) -> tuple[TopicTrend, ...]:
        """Return in how many dated documents of each period each topic is spoken of."""
        dates = {one.id: dict(one.metadata).get("date") for one in self._library.documents()}
        return document_trend(self.document_ids(), dates)

    def statistics(self, algorithm: str) -> TopicStatistics:
        """Return what topic graphs keep of the general one; raises `NotBuilt`."""
        counts = [
            self._counts(topic.graph_key, algorithm) for topic in self.topics() if self.way(topic)
        ]
        return compare_graphs(self._counts("general", algorithm), counts)

    def _counts(self, graph_key: str, algorithm: str) -> GraphCounts:
        graph = self._library.graph(graph_key)
        key = f"{graph_key}.{algorithm}"
        if not self._store.head(hierarchy_head(key)):
            return GraphCounts(len(graph.entities), len(graph.relationships), ())
        hierarchy = self._library.hierarchy(key)
        views = tuple(len(hierarchy.view(level)) for level in range(hierarchy.n_levels))
        return GraphCounts(len(graph.entities), len(graph.relationships), views)

    # Chunks

    @cached_property
    def _chunks(self) -> dict[str, Chunk]:
        scope = self._store.head(CHUNKS) or ""
        chunks = self._library.chunks(self._library.documents(), scope)
        return {chunk.id: chunk for chunk in chunks}

    def chunk_ids_by_words(self) -> Mapping[str, tuple[str, ...]]:
        """Return the chunks that speak of each topic, told from words alone, by the topic's id."""
        topics = self.topics()
        scope = digest(
            self._store.head(CHUNKS) or "", sorted(self._chunks), *map(topic_digest, topics)
        )

        def make() -> dict[str, tuple[str, ...]]:
            texts = {
                chunk.id: self._library.text_of(chunk.document_id)[chunk.start : chunk.end]
                for chunk in self._chunks.values()
            }
            return assign_chunks(topics, texts)

        return self._library.keep("topic chunks", scope, make)
