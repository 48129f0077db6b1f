"""Which chunks speak of a topic, told from its words: at once, without a graph of its own.

Notes
-----
Ours; the papers have nothing of the kind. A chunk is as close to a topic as its BM25 score for the
topic's name and description, as a share of what the best chunk has. From `CLOSE` on it speaks of
the topic.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sensemaking.retrieval.lexical import LexicalIndex
from sensemaking.types import Topic

CLOSE = 0.35
"""Share of the best chunk's score."""


def topic_query(topic: Topic) -> str:
    """Return the words that stand for a topic; its names count twice."""
    names = ". ".join(dict.fromkeys((topic.subject, *topic.merged)))
    return f"{names}. {names}. {topic.description}"


def assign_chunks(topics: Sequence[Topic], texts: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the ids of the chunks that speak of each topic, sorted, by the topic's id.

    `texts` are those of all chunks by id. A chunk may speak of several topics, or of none; a topic
    whose words no chunk holds has none.
    """
    index = LexicalIndex(texts)
    found: dict[str, tuple[str, ...]] = {}
    for topic in topics:
        scores = index.scores(topic_query(topic))
        best = float(scores.max(initial=0.0))
        chosen = np.flatnonzero(scores >= CLOSE * best).tolist() if best > 0 else []
        found[topic.id] = tuple(index.ids[number] for number in chosen)
    return found
