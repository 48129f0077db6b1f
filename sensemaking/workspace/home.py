"""All corpora of one person: made, opened, moved to the trash and back."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import threading
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import platformdirs

from sensemaking.adapters.tokenizer import BpeTokenizer
from sensemaking.config import Defaults, Settings
from sensemaking.errors import InputError, NotFound, SensemakingError, StoreError
from sensemaking.text.reading import safe_name
from sensemaking.types import CorpusSummary, Estimate, StorageRow, digest
from sensemaking.workspace.corpus import Corpus
from sensemaking.workspace.defaults import read_defaults, write_defaults
from sensemaking.workspace.doctor import Check, check_installation
from sensemaking.workspace.meta import FILE, Meta, is_corpus, read_meta, write_meta
from sensemaking.workspace.models import Models
from sensemaking.workspace.sample import SAMPLE_NAME, SAMPLE_TITLE, sample_files
from sensemaking.workspace.wiring import Workers, extractive_backend, start_workers

logger = logging.getLogger(__name__)

MAX_NAME = 60
MAX_TITLE = 200
_OTHER_FOLDER = (
    "Choose another folder with --home, or with the environment variable SENSEMAKING_HOME."
)
_RESERVED = re.compile(r"con|prn|aux|nul|com\d|lpt\d")
"""Names that Windows keeps for devices."""


class Workspace:
    """A folder of corpora. One per program; safe to share between threads."""

    def __init__(self, home: Path, workers: Workers, models: Models) -> None:
        self.home = home
        self.models = models
        self._workers = workers
        self._open: dict[str, Corpus] = {}
        self._lock = threading.RLock()

    @classmethod
    def open(cls, home: Path | None = None, secrets: Mapping[str, Any] | None = None) -> Workspace:
        """Open the home: the one given, `SENSEMAKING_HOME`, or the user's data folder.

        `secrets` is the section `models` of the app's secrets. Nothing is written until a corpus is
        made.
        """
        named = os.environ.get("SENSEMAKING_HOME")
        chosen = home or (Path(named) if named else platformdirs.user_data_path("sensemaking"))
        try:
            chosen = chosen.expanduser()
        except RuntimeError as error:
            raise InputError(f"There is no user as in {chosen}. {_OTHER_FOLDER}") from error
        chosen = chosen.absolute()
        return cls(chosen, start_workers(), Models(chosen, secrets))

    def names(self) -> tuple[str, ...]:
        """Return the names of all corpora, sorted."""
        return tuple(folder.name for folder in _corpus_folders(self.home / "corpora"))

    def corpora(self) -> tuple[CorpusSummary, ...]:
        """Return all corpora at a glance; one that cannot be opened says why."""
        return tuple(self._summary(name) for name in self.names())

    @property
    def defaults(self) -> Defaults:
        """Return what new corpora and questions start with; raises `ConfigError`."""
        return read_defaults(self.home)

    def save_defaults(self, defaults: Defaults) -> None:
        """Keep what new corpora and questions start with; raises `StoreError`."""
        write_defaults(self.home, defaults)

    def create(self, title: str, settings: Settings | None = None) -> Corpus:
        """Make an empty corpus; without settings it has the defaults of this home.

        Raises
        ------
        InputError
            When the title is empty or too long, or there is a corpus of that name.
        ConfigError
            When the defaults of this home are needed and cannot be used.
        StoreError
            When the folder cannot be written.
        """
        name = slug(title)
        chosen = settings or self.defaults.corpus
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with self._lock:
            if name in self.names():
                raise InputError(f"There is a corpus “{name}” already: choose another name.")
            self._make_folder(name, Meta(_clean(title), chosen, now))
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
                name = self._name_of(name, known_names)
            if name not in self._open:
                if name not in known_names:
                    known = ", ".join(known_names) or "none yet"
                    shown = safe_name(name)[:MAX_TITLE]
                    raise NotFound(f"There is no corpus “{shown}”. There are: {known}.")
                self._open[name] = Corpus(self.home / "corpora" / name, self._workers, self.models)
            return self._open[name]

    def has(self, name: str) -> bool:
        """Whether there is a corpus of that name or title."""
        names = self.names()
        return name in names or (bool(name.strip()) and self._name_of(name, names) in names)

    def estimate_files(
        self, paths: Sequence[Path], backend: Literal["extractive", "llm"]
    ) -> Estimate:
        """Return what a build of files would take, without making a corpus of them."""
        with TemporaryDirectory() as folder:
            aside = Workspace(Path(folder), self._workers, self.models)
            corpus = aside.create(
                "estimate", self.defaults.corpus.model_copy(update={"backend": backend})
            )
            try:
                corpus.add_paths(paths)
                return corpus.estimate_build()
            finally:
                corpus.close()

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
            corpus = self.create(SAMPLE_TITLE, Settings())
            corpus.add_files(sample_files())
            return corpus

    @property
    def is_read_only(self) -> bool:
        """Whether no corpus can be made or moved here."""
        folder = self.home / "corpora"
        found = next(one for one in (folder, *folder.parents) if one.exists())
        return not os.access(found, os.W_OK)

    def rename(self, name: str, title: str) -> None:
        """Give a corpus another title; its folder, and with it every address, stays as it is.

        Raises
        ------
        InputError
            When the title is empty or too long, or another corpus has it.
        StoreError
            When the folder cannot be written.
        """
        with self._lock:
            corpus, cleaned = self.open_corpus(name), _clean(title)
            slug(title)  # refuses what is no title
            others = [one for one in self.names() if one != corpus.name]
            if self._name_of(title, tuple(others)) in others:
                raise InputError(f"There is a corpus “{cleaned}” already: choose another name.")
            corpus.rename(cleaned)

    def trash(self, name: str) -> None:
        """Move a corpus to the trash, from where `restore` brings it back.

        Raises
        ------
        CorpusBusy
            When another program builds it.
        """
        with self._lock:
            try:
                corpus = self.open_corpus(name)
            except NotFound:
                raise
            except SensemakingError:
                # What cannot be opened can be put away.
                logger.warning("%s goes to the trash though it cannot be opened", name)
                self._move_to_trash(name)
                return
            name = corpus.name
            with corpus.kept_still("move to the trash"):
                corpus.close()
                del self._open[name]
                self._move_to_trash(name)

    def trashed(self) -> tuple[str, ...]:
        """Return the names in the trash, sorted."""
        return tuple(folder.name for folder in _corpus_folders(self.home / "trash"))

    def empty_trash(self) -> None:
        """Delete what lies in the trash for good; raises `StoreError`."""
        with self._lock:
            for name in self.trashed():
                try:
                    shutil.rmtree(self.home / "trash" / name)
                except OSError as error:
                    raise StoreError(
                        f"{name} cannot be deleted from the trash: {error.strerror}."
                    ) from error

    def storage(self) -> tuple[StorageRow, ...]:
        """Return how much room each corpus takes, those in the trash too, largest first."""
        rows = [
            StorageRow(folder.name, _size(folder), place == "trash")
            for place in ("corpora", "trash")
            for folder in _corpus_folders(self.home / place)
        ]
        return tuple(sorted(rows, key=lambda row: (-row.n_bytes, row.name, row.is_trash)))

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

    def _name_of(self, title: str, names: tuple[str, ...]) -> str:
        """Return the name of the corpus with that title, or the name that it would have."""
        wanted = slug(title) if len(title) <= MAX_TITLE else title
        if wanted in names:
            return wanted
        for name in names:
            with contextlib.suppress(SensemakingError):
                if read_meta(self.home / "corpora" / name).title == _clean(title):
                    return name
        return title

    def _make_folder(self, name: str, meta: Meta) -> None:
        """Make the folder of a corpus, whole or not at all: aside, then under its name."""
        folder = self.home / "corpora" / name
        aside = folder.with_name(f".new-{name}-{os.getpid()}")
        try:
            aside.mkdir(parents=True, exist_ok=True)
            write_meta(aside, meta)
            _clear(folder)
            aside.rename(folder)
        except OSError as error:
            raise StoreError(
                f"No corpus can be made in {folder.parent}: {error.strerror}. {_OTHER_FOLDER}"
            ) from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)

    def _move_to_trash(self, name: str) -> None:
        self._move(self.home / "corpora" / name, self.home / "trash" / name)

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

    Where letters, marks, digits or signs are lost on the way, a short digest of the title follows:
    two titles share a name only when they differ in case, spaces and punctuation alone. Raises
    `InputError` when the title is empty or longer than `MAX_TITLE` characters.

    Examples
    --------
    >>> slug("Larkmere Bridge")
    'larkmere-bridge'
    >>> slug("서울 2021") == slug("부산 2021")
    False
    """
    cleaned = _clean(title)
    if not cleaned:
        raise InputError("A corpus needs a name: give it one word or a few.")
    if len(cleaned) > MAX_TITLE:
        raise InputError(
            f"The name has {len(cleaned):,} characters, the limit is {MAX_TITLE}: shorten it."
        )
    parts = unicodedata.normalize("NFKD", cleaned)
    plain = parts.encode("ascii", "ignore").decode().lower()
    whole = re.sub(r"[^a-z0-9_]+", "-", plain).strip("-")
    joined = whole[:MAX_NAME].strip("-")
    is_lossy = any(
        unicodedata.category(one)[0] in "LMNS" and not (one.isascii() and one.isalnum())
        for one in parts
    )
    if not is_lossy and joined == whole and joined and not _RESERVED.fullmatch(joined):
        return joined
    same = " ".join(unicodedata.normalize("NFKC", cleaned).casefold().split())
    return f"{joined or 'corpus'}-{digest(same)[:8]}"


def _clean(title: str) -> str:
    """Return a title on one line, without what cannot be stored or printed."""
    return safe_name(" ".join(title.split()))


def _clear(folder: Path) -> None:
    """Take away what an interrupted start has left under a name; nothing that holds anything."""
    if not folder.exists():
        return
    try:
        (folder / f"{FILE}.part").unlink(missing_ok=True)
        folder.rmdir()
    except OSError as error:
        raise InputError(
            f"{folder} is in the way and is no corpus: move it elsewhere, or choose another name."
        ) from error


def _size(folder: Path) -> int:
    """Return the bytes of all files below a folder; what vanishes meanwhile counts nothing."""
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(OSError):
            total += path.lstat().st_size
    return total


def _corpus_folders(folder: Path) -> Iterator[Path]:
    try:
        found = sorted(folder.iterdir())
    except FileNotFoundError:
        return
    except OSError as error:
        raise StoreError(f"{folder} cannot be read: {error.strerror}. {_OTHER_FOLDER}") from error
    yield from (one for one in found if is_corpus(one))
