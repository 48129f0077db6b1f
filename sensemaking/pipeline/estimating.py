"""What a build or an answer would take: calls, tokens, dollars, seconds, before any of it is spent.

What is done already costs nothing. How many reports a corpus will have is only known once its graph
is: until then it is reckoned from the number of chunks.

Notes
-----
Communities per chunk: "From Local to Global" (Edge et al. 2024) reports, summed over the levels of
Leiden, 1.6 communities a chunk of 600 tokens for its podcasts and 1.4 for its news; smaller and
sparser graphs have fewer. Seconds without a measured call assume `TOKENS_PER_SECOND`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from sensemaking.config import AskSettings, Settings
from sensemaking.errors import NotBuilt
from sensemaking.pipeline import library as stored
from sensemaking.pipeline.ask import fit_to_models
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.extracting import extraction_scope
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.routing import plan
from sensemaking.pipeline.vectors import MADE_OF
from sensemaking.ports import CallShape
from sensemaking.types import Chunk, Estimate, Extraction, StageEstimate
from sensemaking.types.estimates import Range

REPORTS_PER_CHUNK = (0.4, 1.7)
MERGES_PER_CHUNK = (0.0, 0.4)
ALL_MERGES_PER_CHUNK = (0.2, 3.0)
"""Where nothing is joined without a call (`LanguageSettings.joined_tokens` 0)."""
REPORT_TOKENS = (600, 2600)
MERGE_TOKENS = (80, 260)
KINDS_TOKENS = (300, 4000)
ENTITIES_PER_CHUNK, ENTITY_TOKENS = (0.5, 15.0), (5, 120)
SUMMARY_TOKENS = (20, 300)
"""What is embedded of an entity, and of a report."""
WORDS_PER_SECOND = (1500.0, 5000.0)
"""Words of documents that the extractive backend builds in a second (README, Measurements)."""
LOADING_SECONDS = (2.0, 8.0)
"""What it takes to load models and the vector store, however little is built."""
ANSWER_SECONDS = (0.5, 3.0)
BYTES_PER_WORD, TOKENS_PER_WORD = 6.0, 1.35
TOKENS_PER_SECOND = 50.0
CALL_SECONDS = 0.6
"""What a call takes beside the writing of its reply, when none has been measured."""

ASSUMED = "Seconds assume {0:.0f} tokens a second: no call has been measured yet."
RECKONED = (
    "The number of reports is reckoned from the number of chunks: the graph is not there yet."
)
ONLY_TOKENS = "The price of a model is not known: set it in Settings to see dollars."


def estimate_build(engine: Engine, settings: Settings, library: Library) -> Estimate:
    """Return what a build of the corpus would still take; files that wait count by their size."""
    shapes = engine.backend.estimates
    documents = library.documents()
    unread = [one for one in library.files() if stored.waits_for_reading(one)]
    waiting = [one.n_bytes / BYTES_PER_WORD for one in unread]
    if not shapes:
        words = sum(one.n_words for one in documents) + sum(waiting)
        low, high = LOADING_SECONDS if words else (0.0, 0.0)
        seconds = (low + words / WORDS_PER_SECOND[1], high + words / WORDS_PER_SECOND[0])
        nothing = (0.0, 0.0)
        stage = StageEstimate("build", nothing, nothing, nothing, nothing, seconds)
        return Estimate((stage,))
    chunks = library.chunks(documents, stored.chunk_scope(settings))
    missing = _missing_chunks(engine, settings, chunks)
    chunked = {one.document_id for one in chunks}
    waiting += [one.n_words for one in documents if one.id not in chunked]
    step = settings.chunking.size - settings.chunking.overlap
    n_more = sum(math.ceil(words * TOKENS_PER_WORD / step) for words in waiting)
    n_missing, n_chunks = len(missing) + n_more, len(chunks) + n_more
    stages = [
        _stage(
            "extract",
            shapes["extract"],
            (n_missing, n_missing),
            _per_unit(missing) if missing else (settings.chunking.size, settings.chunking.size),
            done=1 - n_missing / max(1, n_chunks),
        )
    ]
    notes = []
    if engine.backend.kinds is not None and n_chunks:
        stages.insert(0, _stage("kinds", shapes["kinds"], (1, 1), KINDS_TOKENS))
    n_reports, share = _reports_left(engine, settings, n_chunks, n_missing > 0)
    if n_missing:
        notes.append(RECKONED)
        joins = settings.language.joined_tokens > 0
        merges = _scaled(MERGES_PER_CHUNK if joins else ALL_MERGES_PER_CHUNK, n_chunks)
        stages.append(_stage("describe", shapes["describe"], merges, MERGE_TOKENS))
    stages.append(_stage("reports", shapes["reports"], n_reports, REPORT_TOKENS, done=share))
    if "vectors" in shapes and (n_missing or n_reports[1] or not engine.store.head(MADE_OF)):
        entities = _scaled(ENTITIES_PER_CHUNK, n_chunks if n_missing else 0)
        read = n_missing * float(settings.chunking.size)
        # A document is embedded in windows, of which one may hold many chunks.
        kinds = [
            ((min(1, n_missing), n_missing), (read / 2, read)),
            (entities, _times(entities, ENTITY_TOKENS)),
            (n_reports, _times(n_reports, SUMMARY_TOKENS)),
        ]
        stages.append(_vectors(shapes["vectors"], engine.embedder.batch_size, kinds))
    return _told(stages, notes, list(shapes.values()))


def estimate_answer(engine: Engine, library: Library, settings: AskSettings) -> Estimate:
    """Return what a question with these settings would take; raises `NotBuilt`."""
    shapes = engine.backend.estimates
    if not shapes:
        nothing = (0.0, 0.0)
        return Estimate(
            (StageEstimate("answer", nothing, nothing, nothing, nothing, ANSWER_SECONDS),)
        )
    fitted, notes = fit_to_models(settings, engine.backend)
    windows = plan(engine, library, fitted).windows
    tokens = sum(one.n_tokens for one in windows) / max(1, len(windows))
    n = float(len(windows))
    stages = [
        _stage("map", shapes["map"], (n, n), (tokens, tokens)),
        _stage("reduce", shapes["reduce"], (1, 1), (400.0, float(fitted.reduce_tokens))),
    ]
    return _told(stages, list(notes), [shapes["map"], shapes["reduce"]])


def _missing_chunks(engine: Engine, settings: Settings, chunks: Sequence[Chunk]) -> list[Chunk]:
    found = set(engine.store.ids(Extraction, extraction_scope(engine, settings)))
    return [one for one in chunks if one.id not in found]


def _reports_left(
    engine: Engine, settings: Settings, n_chunks: int, is_growing: bool
) -> tuple[Range, float]:
    """Return how many reports are to be written, and the share that is there already."""
    n_algorithms = len(settings.hierarchy.algorithms)
    if is_growing:
        return _scaled(REPORTS_PER_CHUNK, n_chunks * n_algorithms), 0.0
    library = Library(engine.store)
    missing = total = 0
    for algorithm in settings.hierarchy.algorithms:
        key = f"general.{algorithm}"
        try:
            communities = len(library.hierarchy(key).communities)
            reports = len(library.reports(key))
        except NotBuilt:
            return _scaled(REPORTS_PER_CHUNK, n_chunks * n_algorithms), 0.0
        missing, total = missing + communities - reports, total + communities
    return (missing, missing), 1 - missing / max(1, total)


def _per_unit(chunks: Sequence[Chunk]) -> Range:
    mean = sum(one.n_tokens for one in chunks) / max(1, len(chunks))
    return mean, mean


def _scaled(share: Range, n: float) -> Range:
    return share[0] * n, share[1] * n


def _stage(
    name: str, shape: CallShape, units: Range, tokens: Range, *, done: float = 0.0
) -> StageEstimate:
    calls = (units[0] * shape.calls[0], units[1] * shape.calls[1])
    prompts = (
        calls[0] * (tokens[0] + shape.overhead_tokens),
        calls[1] * (tokens[1] + shape.overhead_tokens),
    )
    replies = (calls[0] * shape.reply_tokens[0], calls[1] * shape.reply_tokens[1])
    cost = None
    if shape.price is not None:
        low, high = (
            (shape.price[0] * prompt + shape.price[1] * reply) / 1e6
            for prompt, reply in zip(prompts, replies, strict=True)
        )
        cost = (low, high)
    each = [
        shape.seconds or CALL_SECONDS + reply / TOKENS_PER_SECOND for reply in shape.reply_tokens
    ]
    waves = [math.ceil(n / max(1, shape.n_parallel)) for n in calls]
    seconds = (waves[0] * each[0], waves[1] * each[1])
    rounded = (round(calls[0]), round(calls[1]))
    return StageEstimate(name, rounded, prompts, replies, cost, seconds, done)


def _vectors(
    shape: CallShape, batch_size: int, kinds: Sequence[tuple[Range, Range]]
) -> StageEstimate:
    """Return what it takes to embed texts of several kinds: how many, and their tokens together."""
    low, high = (math.ceil(sum(n[end] for n, _ in kinds) / batch_size) for end in (0, 1))
    # Each kind comes at its own time, and what fills no batch is sent as it is.
    high += len(kinds) if high else 0
    tokens = (
        sum(total[0] for _, total in kinds) / max(1, low),
        sum(total[1] for _, total in kinds) / max(1, high),
    )
    return _stage("vectors", shape, (low, high), tokens)


def _times(one: Range, other: Range) -> Range:
    return one[0] * other[0], one[1] * other[1]


def _told(stages: list[StageEstimate], notes: list[str], shapes: Sequence[CallShape]) -> Estimate:
    if any(one.seconds is None for one in shapes):
        notes.append(ASSUMED.format(TOKENS_PER_SECOND))
    if any(one.price is None for one in shapes):
        notes.append(ONLY_TOKENS)
    return Estimate(tuple(stages), tuple(notes))
