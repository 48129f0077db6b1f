"""Vectors from an endpoint that speaks OpenAI's protocol (`ports.Embedder`).

In: texts. Out: unit vectors, (n, dimension), rounded to float16 as the packaged model's are. Texts
are sent in batches; attempts, waits and the gate are those of chat models, and a batch costs money
as a call does.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sensemaking.adapters.loading import load
from sensemaking.adapters.models.clients import OPENAI_URL, endpoint_address, is_hosted
from sensemaking.adapters.models.embeddings_call import Embedded, request_vectors
from sensemaking.adapters.models.endpoints import Endpoints
from sensemaking.adapters.models.meter import RunMeter
from sensemaking.adapters.models.prices import cost
from sensemaking.adapters.models.retrying import SEED, Patience
from sensemaking.adapters.models.translating import (
    MAY_HAVE_COST,
    RETRIED,
    CallFailed,
    explain,
    translating,
)
from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.config import EmbeddingChoice, ModelChoice
from sensemaking.errors import ConfigError, ContextTooLong, SensemakingError
from sensemaking.ports import Tokenizer, Vectors
from sensemaking.types import Usage

ROLE = "embeddings"
MOST_TEXTS = 128
MOST_TOKENS = 100_000
"""In one request."""
_MARGIN = 1.3
_FOREIGN_SHARE = 0.7
"""Share of a window that is used where the model has another vocabulary than ours."""
_ENDS = ("\n\n", "\n", ". ", " ")
"""Where a window ends, best first."""


class EndpointEmbedder:
    """Texts to vectors; any thread may use it."""

    def __init__(
        self,
        choice: EmbeddingChoice,
        *,
        endpoints: Endpoints,
        meter: RunMeter,
        retries: int = 5,
    ) -> None:
        self._choice = choice
        self._as_model = ModelChoice(
            model=choice.model,
            base_url=choice.base_url,
            api_key=choice.api_key,
            concurrency=choice.concurrency,
        )
        self._endpoint = endpoints.endpoint(self._as_model)
        self._connections = endpoints.connections
        self._meter = meter
        self._tokenizer: Tokenizer = BpeTokenizer()
        self._retries = retries
        self._price = meter.prices.price(choice.model, is_hosted=is_hosted(self._as_model))
        self._patience = Patience()
        self._jitter = random.Random(SEED)
        self._making = threading.Lock()
        self._client: Any = None
        self._is_packed = True

    @property
    def key(self) -> str:
        """Return endpoint, model and dimension; no secret."""
        return f"{endpoint_address(self._as_model)}|{self._choice.model}|{self._choice.dimension}"

    @property
    def endpoint_address(self) -> str:
        """Return where the model is."""
        return self._endpoint.address

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        return self._choice.dimension

    @property
    def batch_size(self) -> int:
        """Return how many texts are sent in one request."""
        return MOST_TEXTS

    @property
    def waits(self) -> bool:
        """Return True: it waits for its server."""
        return True

    @property
    def n_parallel(self) -> int:
        """Return how many calls may be under way at once."""
        return self._choice.concurrency

    def prepare(self) -> None:
        """Load and make what a call needs, so that it is not taken for the time of the server."""
        self._made_client()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, (n, dimension), exact to float16.

        Of a text that the model cannot see whole, the first window is embedded.

        Raises
        ------
        ModelError, Paused
            As `ports.ChatModel`.
        ConfigError
            When the model's vectors have another dimension than the settings say.
        """
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        start = 0
        for some in self._batches(texts):
            vectors[start : start + len(some)] = self._embed(some)
            start += len(some)
        return vectors.astype(np.float16).astype(np.float32)

    def windows(self, text: str) -> list[tuple[int, int]]:
        """Return consecutive [start, end) windows that the model can see whole.

        Together they are the whole text. A window ends with a paragraph where one ends in its last
        third, otherwise with a line, a sentence, a word, in this order.
        """
        limit = self._window_tokens
        found = []
        start = 0
        while start < len(text):
            end = self._window_end(text, start, limit)
            found.append((start, end))
            start = end
        return found

    @property
    def _window_tokens(self) -> int:
        is_ours = endpoint_address(self._as_model) == OPENAI_URL
        return max(8, int(self._choice.max_tokens * (1 if is_ours else _FOREIGN_SHARE)))

    def _window_end(self, text: str, start: int, limit: int) -> int:
        # No token is longer than this many characters on average in any real text; a first guess.
        size = min(len(text) - start, limit * 8)
        while True:
            n_tokens = self._tokenizer.count(text[start : start + size])
            if n_tokens <= limit:
                break
            size = max(1, min(size - 1, size * limit // n_tokens))
        end = start + size
        if end == len(text):
            return end
        for mark in _ENDS:
            found = text.rfind(mark, start + size * 2 // 3, end)
            if found >= 0:
                return found + len(mark)
        return end

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        some: list[str] = []
        total = 0
        limit = self._window_tokens + 1
        for text in texts:
            # A token is a byte at least: short texts need no count.
            n_tokens = len(text.encode(errors="replace")) + 1
            if n_tokens > limit or n_tokens * MOST_TEXTS > MOST_TOKENS:
                n_tokens = self._count(text)
            if n_tokens > limit:
                text = text[: self._window_end(text, 0, self._window_tokens)]
                n_tokens = limit
            if some and (len(some) == MOST_TEXTS or total + n_tokens > MOST_TOKENS):
                yield some
                some, total = [], 0
            # An empty text is refused; a space is as good as nothing.
            some.append(text if text.strip() else " ")
            total += n_tokens
        if some:
            yield some

    def _count(self, *texts: str) -> int:
        return sum(self._tokenizer.count(text) + 1 for text in texts)

    def _most(self, texts: list[str]) -> float:
        """Return the most dollars that a request can cost; 0 where nothing limits them."""
        if self._price is None or not self._meter.has_budget:
            return 0.0
        return cost(self._price, _MARGIN * self._count(*texts), 0)

    def _embed(self, texts: list[str]) -> Vectors:
        most = self._most(texts)
        with self._meter.reserved(most):
            n_failed = 0
            while True:
                began, is_packed = time.monotonic(), self._is_packed
                try:
                    embedded = self._once(texts, is_packed=is_packed)
                    vectors = self._rows(embedded.rows)
                except CallFailed as failure:
                    if failure.kind == "parameters" and is_packed:
                        # Not every server knows how to pack numbers.
                        self._is_packed = False
                        continue
                    n_failed += 1
                    if failure.kind in MAY_HAVE_COST:
                        self._meter.add_uncertain(most)
                    if failure.kind not in RETRIED or n_failed > self._retries:
                        raise self._final(failure) from failure
                    wait = self._patience.wait(n_failed, failure.retry_after, self._jitter)
                    self._meter.pause(wait)
                else:
                    sent = embedded.n_tokens or self._count(*texts)
                    usage = Usage(1, 0, sent, 0, 0, cost(self._price, sent, 0))
                    self._meter.add(ROLE, usage, time.monotonic() - began)
                    return vectors

    def _final(self, failure: CallFailed) -> SensemakingError:
        if failure.kind != "context":
            return explain(failure, self.where)
        return ContextTooLong(
            f"{self.where} refuses a text as too long: {failure.detail} It is sent "
            f"{self._window_tokens:,} tokens at most: set max_tokens of the embeddings to what "
            "the model reads (SENSEMAKING_EMBEDDINGS_MAX_TOKENS)."
        )

    def _once(self, texts: list[str], *, is_packed: bool) -> Embedded:
        client = self._made_client()
        with self._endpoint.gate.slot(self._meter.check) as began:
            try:
                with translating(self._choice.api_key.get_secret_value()):
                    embedded = request_vectors(
                        client, self._choice.model, texts, is_packed=is_packed
                    )
            except CallFailed as failure:
                if failure.kind == "busy":
                    self._endpoint.gate.overloaded(began, failure.retry_after)
                raise
        self._endpoint.succeeded()
        return embedded

    def _rows(self, rows: Vectors) -> Vectors:
        """Return rows of unit length."""
        lengths = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise CallFailed("garbled", "a vector holds what is not a number")
        if rows.shape[1] != self.dimension:
            raise ConfigError(
                f"{self.where} makes vectors of {rows.shape[1]} numbers, the settings say "
                f"{self.dimension}: set the dimension to {rows.shape[1]}."
            )
        return np.asarray(rows / np.where(lengths == 0, 1, lengths), dtype=np.float32)

    @property
    def where(self) -> str:
        """Return the model and its endpoint, for messages."""
        return f"The embedding model “{self._choice.model}” at {self._endpoint.address}"

    def _made_client(self) -> Any:  # noqa: ANN401
        with self._making:
            if self._client is None:
                load("openai")
                import openai

                self._client = openai.OpenAI(
                    base_url=self._choice.base_url or OPENAI_URL,
                    api_key=self._choice.api_key.get_secret_value() or "none",
                    timeout=openai.Timeout(
                        self._as_model.read_seconds, connect=self._as_model.connect_seconds
                    ),
                    max_retries=0,
                    http_client=self._connections.client(),
                )
            return self._client
