"""The scripted server: OpenAI's protocol over HTTP, on loopback, one thread per connection.

It answers `/v1/chat/completions` (whole or as server-sent events), `/v1/embeddings` and
`/v1/models`, and keeps what it was asked. `/_log` tells another process what happened.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.wire.acts import Act, Cut, Fail, Garble, Hang, Say, Script, echo, unknown_model
from tests.wire.acts import wrong_key as refuse_key
from tests.wire.replies import completion, embeddings, stream_events

ALL_MODES = frozenset({"json_schema", "json_object", "text"})


@dataclass
class Request:
    """A request as it came: names of headers in lower case, times in monotonic seconds.

    `ended` is None until the reply is sent, and for a moment after the client has it.
    """

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]
    began: float
    ended: float | None = None

    @property
    def mode(self) -> str:
        """Return the JSON mode that was asked for."""
        return str((self.body.get("response_format") or {}).get("type", "text"))


class ScriptedServer:
    """A server that plays a script; a context manager. Everything may be changed while it runs.

    `json_modes`: the response formats it takes, others get `refusal_status`. `models`: names to
    additional fields in `/v1/models`, None for any model. `api_key`: the only key it takes.
    `latency` in seconds from a request to its reply, whatever making it takes: another machine's
    model would not share our cores. `queue(...)` puts acts before the script. `vector_script`
    says what becomes of a request for vectors: a `Fail`, a `Garble`, an object; None: vectors.
    """

    def __init__(self, script: Script = echo, *, latency: float = 0.0, port: int = 0) -> None:
        self.script = script
        self.latency = latency
        self.json_modes: frozenset[str] = ALL_MODES
        self.refusal_status = 400
        self.models: dict[str, dict[str, Any]] | None = None
        self.api_key: str | None = None
        self.dimension = 64
        self.vector_script: Script | None = None
        self.high_water = 0
        self._requests: list[Request] = []
        self._queued: list[Any] = []
        self._under_way = 0
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._http = _Http(("127.0.0.1", port), _Handler)
        self._http.owner = self
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )
        self._thread.start()

    def __enter__(self) -> ScriptedServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening, cut what is under way."""
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Return the base URL for a client."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def requests(self) -> list[Request]:
        """Return all requests to models that have come, in order."""
        with self._lock:
            return [one for one in self._requests if not one.path.endswith("/models")]

    @property
    def chats(self) -> list[dict[str, Any]]:
        """Return the bodies of all chat requests that have come."""
        return [one.body for one in self.requests if one.path.endswith("/chat/completions")]

    @property
    def under_way(self) -> int:
        """Return how many chat and embedding requests are being answered now."""
        return self._under_way

    def queue(self, *acts: Any) -> None:
        """Play these acts first, one per chat request."""
        with self._lock:
            self._queued.extend(acts)

    def forget(self) -> None:
        """Forget all requests and the high-water mark."""
        with self._lock:
            self._requests.clear()
            self.high_water = self._under_way

    def act(self, body: dict[str, Any]) -> Act:
        """Return what to do with a chat request."""
        mode = str((body.get("response_format") or {}).get("type", "text"))
        if self.models is not None and body.get("model") not in self.models:
            return unknown_model(str(body.get("model")))
        if mode not in self.json_modes:
            return Fail(
                self.refusal_status,
                f"response_format type {mode} is not supported by this server",
                "unsupported_value",
                "invalid_request_error",
            )
        with self._lock:
            queued = self._queued.pop(0) if self._queued else None
        found = self.script(body) if queued is None else queued
        if isinstance(found, Say | Fail | Hang | Cut | Garble):
            return found
        return Say(found if isinstance(found, str) else json.dumps(found, ensure_ascii=False))

    def wait(self, seconds: float) -> None:
        """Wait; ends early when the server closes."""
        if seconds > 0:
            self._closing.wait(seconds)

    def wait_until(self, moment: float) -> None:
        """Wait for a moment, in monotonic seconds; ends early when the server closes."""
        self.wait(moment - time.monotonic())

    @contextmanager
    def counted(
        self, path: str, headers: Mapping[str, str], body: dict[str, Any]
    ) -> Iterator[None]:
        """Keep a request, and count it while it is under way."""
        request = Request(path, headers, body, time.monotonic())
        with self._lock:
            self._requests.append(request)
            self._under_way += 1
            self.high_water = max(self.high_water, self._under_way)
        try:
            yield
        finally:
            request.ended = time.monotonic()
            with self._lock:
                self._under_way -= 1

    def log(self) -> dict[str, Any]:
        """Return what happened, for another process."""
        with self._lock:
            return {
                "requests": len(self._requests),
                "high_water": self.high_water,
                "began": [one.began for one in self._requests],
                "ended": [one.ended for one in self._requests],
                "paths": [one.path for one in self._requests],
            }


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256
    owner: ScriptedServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that hang up are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1
    server: _Http

    def log_message(self, *_: Any) -> None:
        """Write no log: `requests` is the log."""

    def parse_request(self) -> bool:
        self._began = time.monotonic()
        return super().parse_request()

    def do_GET(self) -> None:
        owner = self.server.owner
        if self.path == "/_log":
            self._send(200, owner.log())
        elif self._key_refused():
            self._fail(refuse_key())
        elif self.path.endswith("/models"):
            now = time.monotonic()
            with owner._lock:
                owner._requests.append(Request(self.path, _lower(self.headers), {}, now, now))
            names = owner.models or {"scripted": {}}
            data = [{"id": name, "object": "model", **more} for name, more in names.items()]
            self._send(200, {"object": "list", "data": data})
        else:
            self._fail(Fail(404, "Not Found", None, "not_found"))

    def do_POST(self) -> None:
        owner = self.server.owner
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.loads(raw)
        if self._key_refused():
            self._fail(refuse_key())
            return
        with owner.counted(self.path, _lower(self.headers), body):
            if self.path.split("?")[0].endswith("/chat/completions"):
                self._chat(body)
            elif self.path.endswith("/embeddings"):
                self._vectors(body)
            else:
                self._fail(Fail(404, "Not Found", None, "not_found"))
            self.wfile.flush()

    def _key_refused(self) -> bool:
        key = self.server.owner.api_key
        sent = (self.headers.get("Authorization", ""), self.headers.get("api-key", ""))
        return key is not None and f"Bearer {key}" != sent[0] and key != sent[1]

    def _chat(self, body: dict[str, Any]) -> None:
        owner = self.server.owner
        act = owner.act(body)
        latency = act.latency if isinstance(act, Say) and act.latency is not None else owner.latency
        if isinstance(act, Say) and not body.get("stream"):
            self._send(200, completion(body, act), at=self._began + latency)
            return
        owner.wait_until(self._began + latency)
        if isinstance(act, Fail):
            self._fail(act)
        elif isinstance(act, Hang):
            owner.wait(act.seconds)
            self.close_connection = True
        elif isinstance(act, Garble):
            self._send_bytes(200, act.body, act.content_type)
        elif isinstance(act, Cut):
            self._cut(body, act)
        else:
            self._stream(body, act)

    def _vectors(self, body: dict[str, Any]) -> None:
        owner = self.server.owner
        act = owner.vector_script(body) if owner.vector_script is not None else None
        if isinstance(act, Fail):
            self._fail(act)
        elif isinstance(act, Garble):
            self._send_bytes(200, act.body, act.content_type)
        else:
            found = act or embeddings(body, owner.dimension)
            self._send(200, found, at=self._began + owner.latency)

    def _stream(self, body: dict[str, Any], act: Say) -> None:
        self._begin_stream()
        for event in stream_events(body, act):
            self._event(event)
            self.server.owner.wait(act.piece_seconds)
        self._chunk(b"data: [DONE]\n\n")
        self.wfile.write(b"0\r\n\r\n")

    def _cut(self, body: dict[str, Any], act: Cut) -> None:
        self.close_connection = True
        if act.after == 0:
            return
        if body.get("stream"):
            self._begin_stream()
            for number, event in enumerate(stream_events(body, Say(act.text))):
                if number >= act.after:
                    break
                self._event(event)
        else:
            whole = json.dumps(completion(body, Say(act.text))).encode()
            self._head(200, "application/json", {"Content-Length": str(len(whole))})
            self.wfile.write(whole[: len(whole) // 2])

    def _begin_stream(self) -> None:
        self._head(200, "text/event-stream", {"Transfer-Encoding": "chunked"})

    def _event(self, event: Mapping[str, Any]) -> None:
        self._chunk(f"data: {json.dumps(event, ensure_ascii=False)}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _fail(self, act: Fail) -> None:
        error = {"message": act.message, "type": act.kind, "param": None, "code": act.code}
        self._send(act.status, {"error": error}, act.headers)

    def _send(
        self,
        status: int,
        body: Mapping[str, Any],
        headers: Mapping[str, str] | None = None,
        at: float = 0.0,
    ) -> None:
        """Send an object, made beforehand, not before the moment `at`."""
        made = json.dumps(body, ensure_ascii=False).encode()
        self._send_bytes(status, made, headers=headers, at=at)

    def _send_bytes(
        self,
        status: int,
        body: bytes,
        content_type: str = "application/json",
        headers: Mapping[str, str] | None = None,
        at: float = 0.0,
    ) -> None:
        self._head(status, content_type, {**(headers or {}), "Content-Length": str(len(body))})
        # The head is still in the buffer.
        self.server.owner.wait_until(at)
        self.wfile.write(body)

    def _head(self, status: int, content_type: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()


def _lower(headers: Mapping[str, str]) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}
