"""Which implementation does what: adapters and backends become an `Engine`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from sensemaking.adapters.embeddings import MiniLmEmbedder
from sensemaking.adapters.executors import (
    DaskExecutor,
    ProcessExecutor,
    ThreadExecutor,
    process_executor,
)
from sensemaking.adapters.models.factory import (
    chat_models,
    embedding_price,
    endpoint_embedder,
    prices_by_role,
)
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.store import SqliteStore
from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.adapters.vectors import ChromaIndex
from sensemaking.config import ModelSettings, Role, Settings
from sensemaking.pipeline import Engine
from sensemaking.pipeline.extracting import derived_kinds
from sensemaking.ports import (
    Backend,
    CallShape,
    ChatModel,
    Embedder,
    KindBackend,
    ReplyCache,
    TopicBackend,
)
from sensemaking.text.words import stem

N_CALLS = 32
"""Threads for units that wait for a server; how many calls run at once is for the backend."""

if TYPE_CHECKING:
    from sensemaking.backends.llm.asking import Asker

Seconds = Mapping[str, float]
"""Seconds per call by role."""


@dataclass(frozen=True)
class Workers:
    """What all corpora of one program share: executors and the embedding model."""

    threads: ThreadExecutor
    processes: ProcessExecutor | DaskExecutor
    calls: ThreadExecutor
    embedder: MiniLmEmbedder

    def close(self) -> None:
        """End the workers."""
        self.processes.close()
        self.calls.close()
        self.threads.close()


def start_workers() -> Workers:
    """Return the shared workers; processes and models start when they are first used."""
    return Workers(ThreadExecutor(), process_executor(), ThreadExecutor(N_CALLS), MiniLmEmbedder())


def extractive_backend() -> Backend:
    """Return the backend that needs no model."""
    # Imported when first used: the terminal starts without its models of language.
    from sensemaking.backends.extractive.extractor import ExtractiveExtractor
    from sensemaking.backends.extractive.mapper import ExtractiveMapper
    from sensemaking.backends.extractive.reducer import ExtractiveReducer
    from sensemaking.backends.extractive.reporter import ExtractiveReporter
    from sensemaking.backends.extractive.topic_extractor import ExtractiveTopicExtractor
    from sensemaking.backends.extractive.topics import ExtractiveTopicAnalyst

    return Backend(
        extractor=ExtractiveExtractor(),
        reporter=ExtractiveReporter(),
        mapper=ExtractiveMapper(),
        reducer=ExtractiveReducer(),
        topics=TopicBackend(
            analyst=ExtractiveTopicAnalyst,
            extractor=ExtractiveTopicExtractor,
            reads_reports=True,
        ),
    )


def llm_backend(
    settings: Settings,
    models: ModelSettings,
    cache: ReplyCache,
    meter: RunMeter,
    seconds: Seconds,
) -> Backend:
    """Return the backend whose every task is done by the model of its role.

    `seconds` is what a call of each role was measured to take, for estimates.

    Raises
    ------
    ConfigError
        When a role has no model.
    """
    from sensemaking.backends.llm.asking import Asker
    from sensemaking.backends.llm.counting import Tally
    from sensemaking.backends.llm.describer import LlmDescriber
    from sensemaking.backends.llm.extractor import LlmExtractor, LlmTopicExtractor
    from sensemaking.backends.llm.kinds import derive_kinds
    from sensemaking.backends.llm.mapper import LlmMapper
    from sensemaking.backends.llm.reducer import LlmReducer
    from sensemaking.backends.llm.reporter import LlmReporter
    from sensemaking.backends.llm.topics import LlmTopicAnalyst

    tokenizer = BpeTokenizer(settings.chunking.encoding)
    chats = chat_models(models, cache, meter)
    tally = Tally()
    askers = {role: Asker(chat, tokenizer, tally) for role, chat in chats.items()}
    language = settings.language
    kinds = None
    if language.derive_kinds:
        kinds = KindBackend(
            partial(derive_kinds, askers["structure"]),
            lambda named: LlmExtractor(
                askers["structure"], language.model_copy(update={"entity_kinds": named})
            ),
        )
    return Backend(
        extractor=LlmExtractor(askers["structure"], settings.language),
        reporter=LlmReporter(askers["reports"]),
        mapper=LlmMapper(askers["map"], settings.language.scoring),
        reducer=LlmReducer(askers["reduce"]),
        prepare=partial(_prepare, [chats["structure"], chats["reports"]]),
        describer=LlmDescriber(askers["structure"], joined_tokens=settings.language.joined_tokens),
        estimates=_call_shapes(askers, settings, models, seconds),
        counts=tally.counts,
        topics=TopicBackend(
            analyst=lambda texts: LlmTopicAnalyst(askers["structure"]),
            extractor=partial(LlmTopicExtractor, askers["structure"], settings.language),
        ),
        kinds=kinds,
    )


def _prepare(chats: Sequence[ChatModel]) -> None:
    """Load what a build needs first: the clients of its models, and the stems of words."""
    for chat in chats:
        chat.prepare()
    stem("prepare")


def _call_shapes(
    askers: Mapping[Role, Asker], settings: Settings, models: ModelSettings, seconds: Seconds
) -> dict[str, CallShape]:
    """Return what a unit of each task asks of its model."""
    from sensemaking.prompts import template

    prices = prices_by_role(models)
    gleanings = settings.language.gleanings
    # A gleaning asks whether something is missing, and then for it; replies repeat the first.
    tasks: dict[str, tuple[Role, tuple[str, ...], tuple[float, float], tuple[int, int]]] = {
        "extract": (
            "structure",
            ("extract", "extract_passage"),
            (1 + min(1, gleanings), 1 + 2 * gleanings),
            (200, 1200),
        ),
        "kinds": ("structure", ("entity_kinds",), (1, 1), (40, 200)),
        "describe": ("structure", ("describe", "describe_these"), (1, 1), (40, 160)),
        "reports": ("reports", ("report", "report_records"), (1, 1.1), (400, 1200)),
        "map": ("map", ("map", "map_items"), (1, 1.1), (60, 900)),
        "reduce": ("reduce", ("reduce", "reduce_points"), (1, 1), (250, 1500)),
    }
    found = {}
    for task, (role, prompts, calls, reply) in tasks.items():
        asker, choice = askers[role], models.choice(role)
        price = prices[role]
        found[task] = CallShape(
            calls=calls,
            overhead_tokens=sum(
                asker.tokenizer.count(template(one)) for one in (*prompts, "data_rule")
            ),
            reply_tokens=reply,
            price=None if price is None else (price.prompt, price.completion),
            seconds=seconds.get(role),
            n_parallel=choice.concurrency,
        )
    if models.embeddings is not None:
        price_of_vectors = embedding_price(models)
        found["vectors"] = CallShape(
            calls=(1, 1),
            overhead_tokens=0,
            reply_tokens=(0, 0),
            price=None if price_of_vectors is None else (price_of_vectors.prompt, 0.0),
            seconds=seconds.get("embeddings"),
            n_parallel=models.embeddings.concurrency,
        )
    return found


def wire_backend(
    store: SqliteStore, settings: Settings, models: tuple[ModelSettings, RunMeter, Seconds]
) -> Backend:
    """Return the backend of the settings; raises `ConfigError` when a role has no model."""
    chosen, meter, seconds = models
    if settings.backend == "llm":
        return llm_backend(_with_kinds(settings, store), chosen, store, meter, seconds)
    return extractive_backend()


def _with_kinds(settings: Settings, store: SqliteStore) -> Settings:
    """Return settings with the kinds of entities that were derived, where they are wanted."""
    named = derived_kinds(store) if settings.language.derive_kinds else ()
    if not named:
        return settings
    found = {"entity_kinds": named, "derive_kinds": False}
    return settings.model_copy(update={"language": settings.language.model_copy(update=found)})


def wire_engine(
    store: SqliteStore,
    index: ChromaIndex,
    settings: Settings,
    workers: Workers,
    models: tuple[ModelSettings, RunMeter, Seconds],
) -> Engine:
    """Return the engine of one corpus; it has one index for its life, Chroma allows no second.

    `models` are the settings of the language models, the meter of the run they are for, and the
    seconds that a call of each role was measured to take.
    """
    chosen, meter, _ = models
    embedder: Embedder = workers.embedder
    if settings.backend == "llm":
        embedder = endpoint_embedder(chosen, meter) or embedder
    return Engine(
        store=store,
        vector_cache=store,
        index=index,
        tokenizer=BpeTokenizer(settings.chunking.encoding),
        embedder=embedder,
        backend=wire_backend(store, settings, models),
        threads=workers.threads,
        processes=workers.processes,
        calls=workers.calls,
        meter=meter,
    )
