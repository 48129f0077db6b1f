"""Token counts with the real vocabularies of OpenAI models, offline.

The vocabularies come with `bpe-openai`; they are loaded once per process, when first used.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class BpeTokenizer:
    """Counts tokens of one vocabulary; cheap to copy and to pickle."""

    encoding: Literal["o200k_base", "cl100k_base"] = "o200k_base"

    @property
    def key(self) -> str:
        """Return the name of the vocabulary."""
        return self.encoding

    def count(self, text: str) -> int:
        """Return the number of tokens of the text; special tokens count as plain text."""
        return len(_vocabulary(self.encoding).encode_ordinary(text))


@cache
def _vocabulary(encoding: str) -> Any:  # noqa: ANN401 - the package has no types
    import bpe_openai

    return bpe_openai.get_encoding(encoding)
