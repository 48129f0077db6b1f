"""Which records are stored where, and how they become bytes.

A record is kept as the JSON of its dataclass, compressed when it is long: extractions repeat
their document ids so often that they shrink to a tenth. JSON rather than a binary format, so that a
corpus can be read with any tool, years later.
"""

from __future__ import annotations

import zlib
from collections.abc import Hashable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import msgspec
from pydantic import ValidationError

from sensemaking.config import Settings
from sensemaking.errors import StoreError
from sensemaking.types import (
    Answer,
    Batch,
    BuildReady,
    Chunk,
    Claim,
    Community,
    CommunityEdit,
    Document,
    Entity,
    EvaluatedAnswer,
    Extraction,
    FoundTopics,
    HierarchyHead,
    Judgement,
    QuestionSet,
    Relationship,
    Report,
    ReportLink,
    RetrievalRow,
    RetrievalRun,
    SourceFile,
    Stability,
    TopicEdit,
)

T = TypeVar("T")

RECORD_TABLES: dict[type[Any], str] = {
    SourceFile: "files",
    Document: "documents",
    Chunk: "chunks",
    Extraction: "extractions",
    Entity: "entities",
    Relationship: "relationships",
    Claim: "claims",
    HierarchyHead: "hierarchies",
    Community: "communities",
    Report: "reports",
    ReportLink: "report_links",
    Answer: "answers",
    BuildReady: "manifests",
    Stability: "manifests",
    Settings: "settings",
    QuestionSet: "question_sets",
    Batch: "batches",
    RetrievalRun: "batches",
    EvaluatedAnswer: "evaluated_answers",
    RetrievalRow: "evaluated_answers",
    Judgement: "judgements",
    FoundTopics: "topics",
    TopicEdit: "topic_edits",
    CommunityEdit: "topic_edits",
}

CONTENT_TABLES = (
    "documents",
    "chunks",
    "extractions",
    "entities",
    "relationships",
    "claims",
    "hierarchies",
    "communities",
    "reports",
    "report_links",
)
"""What a build makes from the files: equal for equal input, however often it was interrupted."""

_LONG = 1000
_ZLIB_FIRST_BYTE = b"\x78"  # no JSON text begins with "x"


def table_of(record_type: type[Any]) -> str:
    """Return the table of a record type.

    Raises
    ------
    TypeError
        When records of that type are not stored: a mistake in the program, not in the data.
    """
    table = RECORD_TABLES.get(record_type)
    if table is None:
        raise TypeError(f"{record_type.__name__} is not a stored record")
    return table


def record_id(record: Any) -> str:  # noqa: ANN401 - any of RECORD_TABLES
    """Return the id under which a record is stored; settings have one place in their scope."""
    if isinstance(record, Settings):
        return "settings"
    name = record.digest if isinstance(record, BuildReady) else record.id
    return str(name)


def encode(record: Any) -> bytes:  # noqa: ANN401 - any of RECORD_TABLES
    """Return the stored form of a record.

    Raises
    ------
    StoreError
        When its text holds half of a surrogate pair, which no file can hold.
    """
    if isinstance(record, Settings):
        return record.model_dump_json().encode()
    try:
        body = msgspec.json.encode(record)
    except UnicodeEncodeError as error:
        raise StoreError(
            f"{type(record).__name__} {record_id(record)} holds a broken character at position "
            f"{error.start}: remove it from the source document."
        ) from error
    return zlib.compress(body, 1) if len(body) > _LONG else body


def decompress(body: bytes) -> bytes:
    """Return the JSON of a stored form."""
    return zlib.decompress(body) if body[:1] == _ZLIB_FIRST_BYTE else body


def decode(record_type: type[T], body: bytes, *, path: Path) -> T:
    """Return the record of a stored form; `path` names the file in the error.

    Raises
    ------
    StoreError
        When the bytes are not such a record.
    """
    try:
        text = decompress(body)
        if issubclass(record_type, Settings):
            return record_type.model_validate_json(text)
        return cast(T, _decoder(cast(Hashable, record_type)).decode(text))
    except (msgspec.MsgspecError, ValidationError, zlib.error) as error:
        raise StoreError(
            f"{path} holds a {record_type.__name__} that cannot be read ({error}). Put back a "
            "copy of the folder, or make the corpus anew from its files."
        ) from error


@cache
def _decoder(record_type: Hashable) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(record_type)
