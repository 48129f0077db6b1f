"""What making topic graphs takes, told before it starts."""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.config import Settings
from sensemaking.pipeline import library as lib
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.topics import topic_backend, topic_draft, topic_extraction_scope
from sensemaking.types import Chunk, Extraction, Topic, TopicEstimate, TopicWay

PROMPT_TOKENS = 1500
"""What instructions and examples add to the text of one call."""
CHUNK_REPLY, REPORT_REPLY = (50, 1500), (300, 1500)
"""Tokens of a reply, (low, high): a chunk may say nothing of a topic."""
KEPT = (0.0, 1.0)
"""Share of the general graph's reports that are written for a topic, (low, high).

ReTAG keeps two thirds. A topic of which nothing is said has none, and one that holds all there is
has those that are written already.
"""


def estimate_topics(
    engine: Engine, library: Library, settings: Settings, topics: Sequence[Topic], way: TopicWay
) -> TopicEstimate:
    """Return calls and tokens of making the graphs of the topics; done chunks cost nothing.

    Raises
    ------
    NotBuilt
        When the corpus has no reports.
    """
    chunks = library.chunks(library.documents(), library.store.head(lib.CHUNKS) or "")
    missing: list[Chunk] = []
    waits = engine.backend.reporter.waits
    if way == "extracted":
        for topic in topics:
            extractor = topic_backend(engine).extractor(topic_draft(topic))
            scope = topic_extraction_scope(engine, settings, extractor)
            found = set(library.store.ids(Extraction, scope))
            missing.extend(chunk for chunk in chunks if chunk.id not in found)
            waits = waits or extractor.waits
    n_reports = sum(
        len(library.reports(key)) for key in library.hierarchy_keys() if not lib.is_of_topic(key)
    )
    sentence = _sentence(len(topics), len(missing), len(chunks), way)
    if not waits:
        return TopicEstimate(len(topics), len(missing), (0, 0), (0, 0), (0, 0), sentence)
    most_calls = 1 + 2 * settings.language.gleanings
    read = sum(chunk.n_tokens for chunk in missing) + PROMPT_TOKENS * len(missing)
    reports = [round(len(topics) * n_reports * share) for share in KEPT]
    sizes = (settings.reports.context_tokens // 8, settings.reports.context_tokens)
    return TopicEstimate(
        n_topics=len(topics),
        n_chunks=len(missing),
        calls=(len(missing) + reports[0], len(missing) * most_calls + reports[1]),
        prompt_tokens=(
            read + reports[0] * (sizes[0] + PROMPT_TOKENS),
            read * most_calls + reports[1] * (sizes[1] + PROMPT_TOKENS),
        ),
        completion_tokens=(
            len(missing) * CHUNK_REPLY[0] + reports[0] * REPORT_REPLY[0],
            len(missing) * CHUNK_REPLY[1] * most_calls + reports[1] * REPORT_REPLY[1],
        ),
        sentence=sentence,
    )


def _sentence(n_topics: int, n_missing: int, n_chunks: int, way: TopicWay) -> str:
    if not n_topics:
        return "There are no topics to make graphs of."
    times = n_missing / n_chunks if n_chunks else 0.0
    topics = f"{n_topics:,} {'topic' if n_topics == 1 else 'topics'}"
    if way == "filtered":
        return f"{topics}, cut out of the general graph: nothing is extracted, reports are written."
    if not n_missing:
        return (
            f"{topics}: every chunk was read for each; only reports that are missing are written."
        )
    return (
        f"{topics}: every chunk is read once for each, {n_missing:,} readings are missing, "
        f"{times:.1f} times as many as a build of this corpus."
    )
