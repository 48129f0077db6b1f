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

from sensemaking.adapters.models.completions import error_in
from sensemaking.adapters.models.translating import CallFailed
from sensemaking.ports import Vectors

PATH = "/embeddings"


@dataclass(frozen=True, slots=True)
class Embedded:
    """`rows` is (n, dimension); `n_tokens` is 0 where the server does not tell."""

    rows: Vectors
    n_tokens: int


class _Row(msgspec.Struct):
    embedding: str | list[float]
    index: Any = None


class _Body(msgspec.Struct):
    data: list[_Row]
    usage: Any = None


def request_vectors(
    client: Any,  # noqa: ANN401 - the client of OpenAI is loaded late
    model: str,
    texts: Sequence[str],
    *,
    is_packed: bool = True,
) -> Embedded:
    """Return one row per text, in their order; `is_packed` asks for base64, a third as long.

    Raises
    ------
    CallFailed
        When what came is not that. What the client raises is for the caller to translate.
    """
    body: dict[str, Any] = {"model": model, "input": list(texts)}
    if is_packed:
        body["encoding_format"] = "base64"
    found = _read(client.post(PATH, cast_to=str, body=body).encode())
    try:
        rows = np.array([_vector(one.embedding) for one in _in_order(found.data)], dtype=np.float32)
    except ValueError as error:
        raise CallFailed("garbled", f"vectors cannot be read ({error})") from error
    if rows.ndim != 2 or len(rows) != len(texts):
        said = f"{len(texts)} texts were sent, vectors of shape {rows.shape} came"
        raise CallFailed("garbled", said)
    return Embedded(rows, _tokens(found.usage))


def _read(body: bytes) -> _Body:
    try:
        return msgspec.json.decode(body, type=_Body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        # Some servers say that all is well and send an error.
        raise CallFailed("garbled", error_in(body) or f"there are no vectors ({error})") from error


def _in_order(rows: Sequence[_Row]) -> Sequence[_Row]:
    """Return rows in the order of their texts; where they are not numbered, that is theirs."""
    if sorted(one.index for one in rows if type(one.index) is int) != list(range(len(rows))):
        return rows
    return sorted(rows, key=lambda one: one.index)


def _tokens(usage: object) -> int:
    told = usage.get("prompt_tokens") if isinstance(usage, dict) else None
    return int(told) if isinstance(told, int | float) and told > 0 else 0


def _vector(sent: str | list[float]) -> Vectors:
    """Return a vector sent as base64 of little-endian float32, or as numbers."""
    if isinstance(sent, list):
        return np.array(sent, dtype=np.float32)
    return np.frombuffer(base64.b64decode(sent), dtype="<f4")
