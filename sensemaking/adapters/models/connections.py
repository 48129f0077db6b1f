"""The connections to all endpoints of OpenAI's protocol, kept open between calls."""

from __future__ import annotations

import threading
import weakref
from typing import Any

from sensemaking.adapters.loading import load


class Connections:
    """One pool of connections; any thread may use it. It is closed when nobody holds it any more.

    To make one takes 25 ms, most of them for the certificates.
    """

    def __init__(self) -> None:
        self._making = threading.Lock()
        self._client: Any = None

    def client(self) -> Any:  # noqa: ANN401 - which library it is of depends on OpenAI's client
        """Return the client that carries requests; addresses and time limits come with each."""
        with self._making:
            if self._client is None:
                # With every call the client looks for httpx among the loaded modules. Were it being
                # loaded then, by Chroma in another thread, the call would meet half of it and fail.
                load("httpx", "openai")
                import openai

                self._client = openai.DefaultHttpxClient()
                weakref.finalize(self, self._client.close)
            return self._client
