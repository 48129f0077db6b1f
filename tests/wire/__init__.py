"""A language-model server that plays a script, for tests and benchmarks over a real connection."""

from tests.wire.acts import (
    Act,
    Cut,
    Fail,
    Garble,
    Hang,
    Say,
    Script,
    content_filter,
    context_too_long,
    echo,
    empty_choices,
    in_turn,
    last_user_text,
    malformed,
    overloaded,
    unknown_model,
    wrong_key,
)
from tests.wire.server import Request, ScriptedServer

__all__ = [
    "Act",
    "Cut",
    "Fail",
    "Garble",
    "Hang",
    "Request",
    "Say",
    "Script",
    "ScriptedServer",
    "content_filter",
    "context_too_long",
    "echo",
    "empty_choices",
    "in_turn",
    "last_user_text",
    "malformed",
    "overloaded",
    "unknown_model",
    "wrong_key",
]
