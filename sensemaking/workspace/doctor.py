"""Whether this installation can work: models, vocabularies, folder, backend."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile

from sensemaking import __version__
from sensemaking.errors import SensemakingError, StoreError
from sensemaking.ports import Embedder, Extractor, Passage, Tokenizer
from sensemaking.types import Chunk

LITTLE_SPACE = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at; `detail` says what was found, or what to do."""

    name: str
    is_good: bool
    detail: str


def check_installation(
    home: Path, tokenizer: Tokenizer, embedder: Embedder, extractor: Extractor
) -> tuple[Check, ...]:
    """Return what was found, by really using each part once."""
    python = f"{platform.python_version()} at {sys.executable}"
    return (
        Check("sensemaking", True, f"{__version__}, Python {python}"),
        _try("vocabulary", lambda: f"{tokenizer.key}: {tokenizer.count('one two')} tokens"),
        _try("embeddings", lambda: f"{embedder.key}: {embedder.embed(['one']).shape[1]} numbers"),
        _try("language analysis", lambda: _extract(extractor)),
        Check("backend", True, "extractive: no model is configured and none is needed"),
        _try("folder", lambda: _write(home)),
    )


def _try(name: str, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, look())
    except SensemakingError as error:
        return Check(name, False, str(error))
    except OSError as error:
        return Check(name, False, f"{error.strerror or error}: install the program anew")


def _extract(extractor: Extractor) -> str:
    text = "Ada Lovelace wrote to Charles Babbage in London."
    chunk = Chunk("check", "check", 0, 0, len(text), 0, 12)
    found = extractor.extract([Passage(chunk, text, "check", "en", (), ())])
    return f"{extractor.key}: {len(found[0].mentions)} mentions in a test sentence"


def _write(home: Path) -> str:
    there = next(one for one in (home, *home.parents) if _is_there(one))
    try:
        with TemporaryFile(dir=there) as probe:
            probe.write(b"x" * 4096)
            probe.flush()
        free = shutil.disk_usage(there).free
    except OSError as error:
        raise StoreError(
            f"{home} cannot be written ({error.strerror}): free some space there, or choose "
            "another folder with --home or SENSEMAKING_HOME. What is there can still be read."
        ) from error
    if free < LITTLE_SPACE:
        return f"{home} can be written, but only {free / 1e6:.0f} MB are free"
    return f"{home} can be written, {free / 1e9:.0f} GB are free"


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
