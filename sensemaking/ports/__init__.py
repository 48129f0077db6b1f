"""What the stages need from outside, one narrow Protocol each.

Language work first (done by a backend), then the outside world (done by adapters). `key` strings
name an implementation and its version: they enter the digests under which results are stored, so
changing what an implementation returns means changing its key.
"""

from sensemaking.ports.backend import Backend, KindBackend
from sensemaking.ports.discourse import (
    DISCOURSE_RELATIONS,
    DiscourseParser,
    DiscourseUnit,
    PassageRelation,
    PlanStep,
)
from sensemaking.ports.judging import (
    ClaimSplitter,
    Criterion,
    Judge,
    PersonaDraft,
    QuestionWriter,
    Verdict,
)
from sensemaking.ports.language import (
    UNLIMITED,
    Describer,
    Extractor,
    FindingDraft,
    Mapper,
    MapWindow,
    Passage,
    PointDraft,
    Reducer,
    ReportContext,
    ReportDraft,
    Reporter,
)
from sensemaking.ports.machine import Embedder, Executor, Tokenizer, VectorIndex, Vectors
from sensemaking.ports.models import CallShape, ChatModel, Message, Meter, Reply, ReplyCache
from sensemaking.ports.storage import EventLog, Presence, RunEntry, Store, VectorCache
from sensemaking.ports.topics import (
    TopicAnalyst,
    TopicBackend,
    TopicChoice,
    TopicDraft,
    TopicExtractor,
)

__all__ = [
    "Backend",
    "CallShape",
    "ChatModel",
    "ClaimSplitter",
    "Criterion",
    "DISCOURSE_RELATIONS",
    "Describer",
    "DiscourseParser",
    "DiscourseUnit",
    "Embedder",
    "EventLog",
    "Executor",
    "Extractor",
    "FindingDraft",
    "Judge",
    "KindBackend",
    "MapWindow",
    "Mapper",
    "Message",
    "Meter",
    "Passage",
    "PassageRelation",
    "PersonaDraft",
    "PlanStep",
    "PointDraft",
    "Presence",
    "QuestionWriter",
    "Reducer",
    "Reply",
    "ReplyCache",
    "ReportContext",
    "ReportDraft",
    "Reporter",
    "RunEntry",
    "Store",
    "Tokenizer",
    "TopicAnalyst",
    "TopicBackend",
    "TopicChoice",
    "TopicDraft",
    "TopicExtractor",
    "UNLIMITED",
    "VectorCache",
    "VectorIndex",
    "Vectors",
    "Verdict",
]
