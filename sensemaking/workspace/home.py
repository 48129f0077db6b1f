"""All corpora of one person: made, opened, moved to the trash and back."""

from __future__ import annotations

import os
import re
import threading
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import platformdirs

from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.config import Settings
from sensemaking.errors import InputError, NotFound, SensemakingError, StoreError
from sensemaking.types import CorpusSummary, digest
from sensemaking.workspace.corpus import Corpus
from sensemaking.workspace.doctor import Check, check_installation
from sensemaking.workspace.meta import FILE, Meta, write_meta
from sensemaking.workspace.sample import SAMPLE_NAME, SAMPLE_TITLE, sample_files
from sensemaking.workspace.wiring import Workers, extractive_backend, start_workers

MAX_NAME = 60


class Workspace:
    """A folder of corpora. One per program; safe to share between threads."""

    def __init__(self, home: Path, workers: Workers) -> None:
        self.home = home
        self._workers = workers
        self._open: dict[str, Corpus] = {}
        self._lock = threading.RLock()

    @classmethod
    def open(cls, home: Path | None = None) -> Workspace:
        """Open the home: the one given, `SENSEMAKING_HOME`, or the user's data folder.

        Nothing is written until a corpus is made.
        """
        named = os.environ.get("SENSEMAKING_HOME")
        chosen = home or (Path(named) if named else platformdirs.user_data_path("sensemaking"))
        return cls(chosen.expanduser().absolute(), start_workers())

    def names(self) -> tuple[str, ...]:
        """Return the names of all corpora, sorted."""
        return tuple(folder.name for folder in _corpus_folders(self.home / "corpora"))

    def corpora(self) -> tuple[CorpusSummary, ...]:
        """Return all corpora at a glance; one that cannot be opened says why."""
        return tuple(self._summary(name) for name in self.names())

    def create(self, title: str, settings: Settings | None = None) -> Corpus:
        """Make an empty corpus.

        Raises
        ------
        InputError
            When the title is empty or there is a corpus of that name.
        StoreError
            When the folder cannot be written.
        """
        name = slug(title)
        folder = self.home / "corpora" / name
        with self._lock:
            if folder.exists():
                raise InputError(f"There is a corpus “{name}” already: choose another name.")
            try:
                folder.mkdir(parents=True)
            except OSError as error:
                raise StoreError(
                    f"No corpus can be made in {folder.parent}: {error.strerror}. Choose another "
                    "folder with --home (or SENSEMAKING_HOME)."
                ) from error
            now = datetime.now(UTC).isoformat(timespec="seconds")
            write_meta(folder, Meta(title.strip(), settings or Settings(), now))
            return self.open_corpus(name)

    def open_corpus(self, name: str) -> Corpus:
        """Return a corpus by name, or by the title it was made with; the same object every time.

        Raises
        ------
        NotFound
            When there is none; the message names those that exist.
        """
        with self._lock:
            known_names = self.names()
            if name not in known_names and name.strip():
                name = slug(name)
            if name not in self._open:
                if name not in known_names:
                    known = ", ".join(known_names) or "none yet"
                    raise NotFound(f"There is no corpus “{name}”. There are: {known}.")
                self._open[name] = Corpus(self.home / "corpora" / name, self._workers)
            return self._open[name]

    def check(self) -> tuple[Check, ...]:
        """Look at the installation by using each part once."""
        backend = extractive_backend()
        tokenizer = BpeTokenizer()
        return check_installation(self.home, tokenizer, self._workers.embedder, backend.extractor)

    def add_sample(self) -> Corpus:
        """Return the sample corpus, made and filled where it is missing; it is not built yet."""
        with self._lock:
            if SAMPLE_NAME in self.names():
                return self.open_corpus(SAMPLE_NAME)
            corpus = self.create(SAMPLE_TITLE)
            corpus.add_files(sample_files())
            return corpus

    def trash(self, name: str) -> None:
        """Move a corpus to the trash, from where `restore` brings it back."""
        with self._lock:
            corpus = self.open_corpus(name)
            name = corpus.name
            corpus.close()
            del self._open[name]
            self._move(self.home / "corpora" / name, self.home / "trash" / name)

    def trashed(self) -> tuple[str, ...]:
        """Return the names in the trash, sorted."""
        return tuple(folder.name for folder in _corpus_folders(self.home / "trash"))

    def restore(self, name: str) -> None:
        """Bring a corpus back from the trash."""
        with self._lock:
            if name not in self.trashed():
                raise NotFound(f"There is no corpus “{name}” in the trash.")
            self._move(self.home / "trash" / name, self.home / "corpora" / name)

    def close(self) -> None:
        """Stop all work and close all corpora."""
        with self._lock:
            for corpus in self._open.values():
                corpus.close()
            self._open.clear()
            self._workers.close()

    def _move(self, source: Path, target: Path) -> None:
        free, n = target, 1
        while free.exists():
            n += 1
            free = target.with_name(f"{target.name}-{n}")
        try:
            free.parent.mkdir(parents=True, exist_ok=True)
            source.rename(free)
        except OSError as error:
            raise StoreError(f"{source} cannot be moved to {free}: {error.strerror}.") from error

    def _summary(self, name: str) -> CorpusSummary:
        try:
            return self.open_corpus(name).summary()
        except SensemakingError as error:
            return CorpusSummary(name, name, "failed", 0, 0, 0, 0, 0, (), 0, None, str(error))


def slug(title: str) -> str:
    """Return a folder name for a title: lower case, words joined by dashes.

    A title without Latin letters or digits gets a digest. Raises `InputError` when it is empty.
    """
    if not title.strip():
        raise InputError("A corpus needs a name: give it one word or a few.")
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    joined = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-")[:MAX_NAME].strip("-")
    return joined or f"corpus-{digest(title.strip())[:8]}"


def _corpus_folders(folder: Path) -> Iterator[Path]:
    try:
        found = sorted(folder.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error.strerror}.") from error
    yield from (one for one in found if (one / FILE).is_file())
