"""Replies kept by all they depend on: the model with its parameters, the messages, the replicate.

The key is the digest of these; the body is the reply as JSON, compressed when it is long.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from sensemaking.adapters.models.schemas import schema_text
from sensemaking.errors import StoreError
from sensemaking.ports import Message, Reply
from sensemaking.types import digest

_LONG = 1000
_ZLIB_FIRST_BYTE = b"\x78"  # no JSON text begins with "x"


def reply_key(
    model_key: str,
    messages: Sequence[Message],
    schema: Mapping[str, Any] | None,
    max_tokens: int,
    replicate: int,
) -> str:
    """Return the digest under which a reply is kept."""
    return digest(
        "reply/1",
        model_key,
        [part for message in messages for part in (message.role, message.text)],
        "" if schema is None else schema_text(schema),
        max_tokens,
        replicate,
    )


def pack(reply: Reply) -> bytes:
    """Return the stored form of a reply; half a surrogate pair becomes a replacement mark."""
    try:
        body = msgspec.json.encode(reply)
    except UnicodeEncodeError:
        text = reply.text.encode("utf-8", "replace").decode()
        body = msgspec.json.encode(Reply(text, reply.finish, reply.usage))
    return zlib.compress(body, 1) if len(body) > _LONG else body


def unpack(body: bytes) -> Reply:
    """Return the reply of a stored form.

    Raises
    ------
    StoreError
        When the bytes are not a reply.
    """
    try:
        text = zlib.decompress(body) if body[:1] == _ZLIB_FIRST_BYTE else body
        return msgspec.json.decode(text, type=Reply)
    except (msgspec.MsgspecError, zlib.error) as error:
        raise StoreError(
            f"The corpus holds a reply of a model that cannot be read ({error}). Put back a copy "
            "of the folder, or make the corpus anew from its files."
        ) from error
