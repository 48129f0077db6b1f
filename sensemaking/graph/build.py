"""Extractions to a knowledge graph: read, reconcile, choose, associate, describe.

The whole graph stage on one screen. It is recomputed whole: everything that needs the corpus (which
names are one, which phrases characterise it, which ties are more than chance) is decided here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from sensemaking.config import GraphSettings
from sensemaking.graph.associate import SentenceEntities, associate
from sensemaking.graph.choose import choose, inner_keys
from sensemaking.graph.claims import make_claims
from sensemaking.graph.describe import Texts, sentence_quality
from sensemaking.graph.entities import EntityTable, make_entities
from sensemaking.graph.formula import find_formulas
from sensemaking.graph.place import place_entities
from sensemaking.graph.reading import Reading, read
from sensemaking.graph.reconcile import assign_keys
from sensemaking.graph.relationships import make_relationships
from sensemaking.types import (
    Chunk,
    Document,
    Entity,
    Extraction,
    KnowledgeGraph,
    Relationship,
)


def build_graph(
    documents: Sequence[Document],
    chunks: Sequence[Chunk],
    extractions: Sequence[Extraction],
    settings: GraphSettings,
    key: str = "general",
) -> KnowledgeGraph:
    """Return the knowledge graph of the documents, the same for any order of the input.

    Extractions of chunks that are not given are left out. Entities without a tie stay when they
    were mentioned twice or when there are no ties at all.
    """
    reading = read(documents, chunks, extractions)
    keys = assign_keys(reading)
    formulas = find_formulas(reading)
    choice = choose(reading, keys, formulas, settings)
    index = {one: position for position, one in enumerate(sorted(choice.kinds))}
    placed = place_entities(reading, keys, index, inner_keys(keys, choice.kinds))
    counts = [len({entity for _, _, entity in places}) for places in placed]
    texts = Texts(reading)
    quality = sentence_quality(reading, texts, formulas, counts)
    ties = associate(
        _sentences(reading, placed, formulas),
        np.array([choice.kinds[one] != "concept" for one in index], dtype=np.bool_),
        most=settings.max_relationships_per_entity,
        quality=quality,
    )
    table = make_entities(reading, keys, choice, placed, (texts, quality))
    relationships = make_relationships(reading, keys, table, ties, texts)
    entities, relationships = _pruned(table, relationships)
    kept = {one.id for one in entities}
    return KnowledgeGraph(key, entities, relationships, make_claims(reading, keys, table, kept))


def _sentences(
    reading: Reading, placed: Sequence[Sequence[tuple[int, int, int]]], formulas: Sequence[bool]
) -> list[SentenceEntities]:
    """Return the entities of each sentence; none for a formula."""
    found = []
    previous = None
    for row, places, is_formula in zip(reading.sentences, placed, formulas, strict=True):
        entities = () if is_formula else tuple(sorted({entity for _, _, entity in places}))
        continues = (
            previous is not None
            and previous.document == row.document
            and previous.speaker == row.speaker
            and row.chunk - previous.chunk <= 1
        )
        found.append(SentenceEntities(row.document, entities, continues))
        previous = row
    return found


def _pruned(
    table: EntityTable, relationships: Sequence[Relationship]
) -> tuple[tuple[Entity, ...], tuple[Relationship, ...]]:
    """Drop entities of a single mention without a tie, where there are ties at all."""
    degrees: Counter[str] = Counter()
    for one in relationships:
        degrees.update((one.source_id, one.target_id))
    entities = tuple(
        entity
        for entity in table.entities
        if degrees[entity.id] or len(entity.spans) > 1 or not relationships
    )
    return tuple(sorted(entities, key=lambda one: one.id)), tuple(
        sorted(relationships, key=lambda one: one.id)
    )
