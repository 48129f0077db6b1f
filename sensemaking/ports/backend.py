"""One implementation per language task."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sensemaking.ports.language import Describer, Extractor, Mapper, Reducer, Reporter
from sensemaking.ports.models import CallShape
from sensemaking.ports.topics import TopicBackend


@dataclass(frozen=True, slots=True)
class Backend:
    """One implementation per language task; `describer` None keeps the best description as it is.

    `estimates` says what the units of each task ask of a model; empty where none is used. `topics`
    None knows nothing of topics.
    """

    extractor: Extractor
    reporter: Reporter
    mapper: Mapper
    reducer: Reducer
    describer: Describer | None = None
    estimates: Mapping[str, CallShape] = field(default_factory=dict)
    counts: Callable[[], tuple[tuple[str, int], ...]] = tuple
    topics: TopicBackend | None = None
