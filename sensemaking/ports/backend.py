"""One implementation per language task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sensemaking.ports.language import Describer, Extractor, Mapper, Reducer, Reporter
from sensemaking.ports.models import CallShape
from sensemaking.ports.topics import TopicBackend


@dataclass(frozen=True, slots=True)
class KindBackend:
    """Names the kinds of entities that a corpus is about, and extracts by them.

    `derive` reads passages from all over the corpus, and raises `ModelError`.
    """

    derive: Callable[[Sequence[str]], tuple[str, ...]]
    extractor: Callable[[tuple[str, ...]], Extractor]


@dataclass(frozen=True, slots=True)
class Backend:
    """One implementation per language task; `describer` None keeps the best description as it is.

    `prepare` loads what the first calls need, ahead of them. `estimates` says what the units of
    each task ask of a model; empty where none is used. `topics` None knows nothing of topics.
    `kinds` is there when kinds of entities are yet to be derived.
    """

    extractor: Extractor
    reporter: Reporter
    mapper: Mapper
    reducer: Reducer
    describer: Describer | None = None
    prepare: Callable[[], None] = lambda: None
    estimates: Mapping[str, CallShape] = field(default_factory=dict)
    counts: Callable[[], tuple[tuple[str, int], ...]] = tuple
    topics: TopicBackend | None = None
    kinds: KindBackend | None = None
