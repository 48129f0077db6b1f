"""One request for vectors to a server of OpenAI's protocol, with the client of OpenAI.

Texts come in, a `Embedded` comes out: rows as the server made them. As in `completions`, the
client's typed models of a reply are gone round: they cost more than reading it.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from sensemaking.ports import Vectors

PATH = "/embeddings"


@dataclass(frozen=True, slots=True)
class Embedded:
    """`rows` is (n, dimension); `n_tokens` is 0 where the server does not tell."""

    rows: Vectors
    n_tokens: int


class _Row(msgspec.Struct):
    embedding: str | list[float]
    index: int | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None


class _Body(msgspec.Struct):
    data: list[_Row]
    usage: _Usage | None = None


def request_vectors(client: Any, model: str, texts: Sequence[str]) -> Embedded:  # noqa: ANN401
    """Return one row per text, in their order.

    Raises
    ------
    ValueError
        When what came is not that; and whatever the client raises.
    """
    body = {"model": model, "input": list(texts), "encoding_format": "base64"}
    found = msgspec.json.decode(client.post(PATH, cast_to=str, body=body), type=_Body)
    places = range(len(found.data))
    order = sorted(places, key=lambda at: (found.data[at].index or 0, at))
    rows = np.array([_vector(found.data[at].embedding) for at in order], dtype=np.float32)
    if rows.ndim != 2 or len(rows) != len(texts):
        raise ValueError(f"{len(texts)} texts were sent, vectors of shape {rows.shape} came")
    told = found.usage.prompt_tokens if found.usage is not None else None
    return Embedded(rows, told or 0)


def _vector(sent: str | list[float]) -> Vectors:
    """Return a vector sent as base64 of little-endian float32, or as numbers."""
    if isinstance(sent, list):
        return np.array(sent, dtype=np.float32)
    return np.frombuffer(base64.b64decode(sent), dtype="<f4")
