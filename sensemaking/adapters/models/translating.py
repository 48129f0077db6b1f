"""Errors of client libraries as ours: what failed, whether another try may help, what to do.

Libraries differ in classes and agree in two things: an HTTP status, and the names of what goes
wrong with a connection. Only these are looked at, so a provider that nobody thought of is
understood as well.
"""

from __future__ import annotations

import email.utils
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Literal

from sensemaking.errors import (
    ContentRefused,
    ContextTooLong,
    EndpointDown,
    ModelError,
    SensemakingError,
)

Kind = Literal[
    "key",
    "quota",
    "model",
    "address",
    "unreachable",
    "timeout",
    "cut",
    "busy",
    "server",
    "context",
    "filter",
    "parameters",
    "garbled",
    "unknown",
]
RETRIED: frozenset[Kind] = frozenset({"unreachable", "timeout", "cut", "busy", "server", "garbled"})
MAY_HAVE_COST: frozenset[Kind] = frozenset({"timeout", "cut", "garbled"})
"""The endpoint may have written a reply that did not arrive."""
MAY_BE_THIS_PROMPT: frozenset[Kind] = frozenset({"timeout", "cut", "server", "garbled"})
"""The prompt may be the cause: others may work."""

_LONGEST_DETAIL = 300
_CONTEXT = re.compile(
    r"context[ _](length|window|size)|maximum context|too many tokens|prompt (is )?too long|"
    r"exceeds? .{0,40}context|reduce the length|request too large|input tokens exceed",
    re.IGNORECASE,
)
_FILTER = re.compile(
    r"content[ _](filter|management|policy)|responsible ?ai|blocked by .{0,20}safety",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"insufficient_quota|exceeded your current quota|credit balance", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model[^.]{0,80}(does not exist|not found|not loaded|not available)|"
    r"(invalid|unknown|no such) model|model_not_found|DeploymentNotFound",
    re.IGNORECASE,
)
_UNREACHABLE = frozenset({"ConnectError", "ConnectTimeout", "NewConnectionError", "gaierror"})
_TIMEOUT = frozenset({"APITimeoutError", "TimeoutException", "Timeout", "TimeoutError"})
_CUT = frozenset({"APIConnectionError", "NetworkError", "ProtocolError", "ConnectionError"})
_GARBLED = frozenset({"ValueError", "KeyError", "TypeError", "IndexError", "AttributeError"})
_ADDRESS = frozenset({"InvalidURL", "UnsupportedProtocol", "LocalProtocolError"})

_ADVICE: Mapping[Kind, tuple[type[SensemakingError], str]] = {
    "key": (
        EndpointDown,
        "{where} refuses the key: {detail} Set the right one in Settings or in "
        "SENSEMAKING_API_KEY, then press Resume.",
    ),
    "quota": (
        EndpointDown,
        "{where}: the account has no credit left: {detail} Add credit or choose another model, "
        "then press Resume.",
    ),
    "model": (
        EndpointDown,
        "{where} is not there: {detail} Choose a model that the endpoint has, then press Resume.",
    ),
    "address": (
        EndpointDown,
        "{where}: there is no model at this address: {detail} Check the base URL; it "
        "mostly ends in /v1. Then press Resume.",
    ),
    "unreachable": (
        EndpointDown,
        "{where} cannot be reached: {detail} Check that the server runs and that the base URL is "
        "right, then press Resume.",
    ),
    "timeout": (
        EndpointDown,
        "{where} did not answer in time: {detail} Check the server, or allow more seconds for a "
        "reply, then press Resume.",
    ),
    "cut": (
        EndpointDown,
        "{where} cuts the connection before the reply is complete: {detail} Check the server, "
        "then press Resume.",
    ),
    "busy": (
        EndpointDown,
        "{where} takes no more calls now: {detail} Press Resume later, or allow fewer calls at "
        "once.",
    ),
    "server": (
        EndpointDown,
        "{where} fails: {detail} Look into the log of the server, then press Resume.",
    ),
    "context": (
        ContextTooLong,
        "{where}: the prompt is too long: {detail} Set the model's context length in Settings.",
    ),
    "filter": (ContentRefused, "{where} refuses this text: {detail}"),
    "parameters": (ModelError, "{where} does not accept this call: {detail}"),
    "garbled": (
        EndpointDown,
        "{where} answers, but not as a model does: {detail} Check the base URL; it mostly "
        "ends in /v1. Then press Resume.",
    ),
    "unknown": (ModelError, "{where}: the call failed: {detail}"),
}


class CallFailed(SensemakingError):
    """One attempt failed; what becomes of it is decided by who made it. Never shown as it is."""

    def __init__(
        self,
        kind: Kind,
        detail: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind: Kind = kind
        self.detail = detail
        self.status = status
        self.retry_after = retry_after


def explain(failure: CallFailed, where: str, *, others_work: bool = False) -> SensemakingError:
    """Return the error that the user sees; with `others_work` it concerns this call alone."""
    error_type, advice = _ADVICE[failure.kind]
    detail = failure.detail if failure.detail.endswith((".", "!", "?")) else f"{failure.detail}."
    if others_work and error_type is EndpointDown:
        return ModelError(
            f"{where} answers other calls but fails with this one ({failure.kind}): {detail} "
            "It is left out and can be tried again with Retry."
        )
    return error_type(advice.format(where=where, detail=detail))


class translating:
    """Turn what a client library raises inside the block into `CallFailed`.

    `secret` does not appear in it, also when the endpoint has sent it back.

    Notes
    -----
    A class, not a function with `try`: libraries of providers share no base of their errors, and
    this is the one place where anything that is an error of a call may come.
    """

    def __init__(self, secret: str = "") -> None:
        self._secret = secret

    def __enter__(self) -> translating:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, SensemakingError):
            return
        failure = _failure(error, self._secret)
        if self._secret and any(self._secret in str(one) for one in _chain(error)):
            raise failure from None
        raise failure from error


def _failure(error: Exception, secret: str) -> CallFailed:
    detail = _detail(error, secret)
    status = _status(error)
    if status is None:
        return CallFailed(_kind_of_class(error), detail)
    # The code of an error is not always in its message.
    said = f"{detail} {getattr(error, 'code', '')}"
    return CallFailed(
        _kind_of_status(status, said), detail, status=status, retry_after=_retry_after(error)
    )


def _kind_of_status(status: int, said: str) -> Kind:
    if status in (401, 403):
        return "key"
    if status == 402 or _QUOTA.search(said):
        return "quota"
    if _CONTEXT.search(said) or status == 413:
        return "context"
    if status == 429 or status in (503, 529):
        return "busy"
    if _FILTER.search(said):
        return "filter"
    if _NO_MODEL.search(said):
        return "model"
    if status == 408:
        return "timeout"
    if status in (301, 302, 307, 308, 404, 405):
        return "address"
    return "server" if status >= 500 or status == 409 else "parameters"


def _kind_of_class(error: Exception) -> Kind:
    names = {one.__name__ for each in _chain(error) for one in type(each).__mro__}
    own = {one.__name__ for one in type(error).__mro__}
    kinds: tuple[tuple[Kind, frozenset[str], set[str]], ...] = (
        ("address", _ADDRESS, names),
        ("unreachable", _UNREACHABLE, names),
        ("timeout", _TIMEOUT, names),
        ("cut", _CUT, names),
        ("garbled", _GARBLED, own),
    )
    if "APIError" in own and "APIConnectionError" not in own:
        # An error that came as an event of a stream, without a status.
        return "context" if _CONTEXT.search(str(error)) else "server"
    return next((kind for kind, wanted, found in kinds if wanted & found), "unknown")


def _detail(error: Exception, secret: str) -> str:
    body = getattr(error, "body", None)
    said = body.get("message") if isinstance(body, Mapping) else None
    if not said:
        # The innermost error names the cause: "Connection refused", not "Connection error".
        last = list(_chain(error))[-1] if _status(error) is None else error
        said = str(last) or str(error) or type(error).__name__
    text = " ".join(str(said).split())
    if secret:
        text = text.replace(secret, "***")
    return text if len(text) <= _LONGEST_DETAIL else f"{text[:_LONGEST_DETAIL]}…"


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _status(error: Exception) -> int | None:
    response = getattr(error, "response", None)
    for found in (
        getattr(error, "status_code", None),
        getattr(response, "status_code", None),
        getattr(error, "code", None),
    ):
        if isinstance(found, int) and 300 <= found < 600:
            return found
    return None


def _retry_after(error: Exception) -> float | None:
    headers: Any = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        sent = headers.get(name)
        if sent is None:
            continue
        try:
            return max(0.0, float(sent) * unit)
        except ValueError:
            return _until(sent)
    return None


def _until(date: str) -> float | None:
    parsed = email.utils.parsedate_tz(date)
    return None if parsed is None else max(0.0, email.utils.mktime_tz(parsed) - time.time())


@contextmanager
def shown(where: str) -> Iterator[None]:
    """Raise a failure inside the block as the error that the user sees."""
    try:
        yield
    except CallFailed as failure:
        raise explain(failure, where) from failure.__cause__
