"""Nearest neighbours by cosine, in Chroma.

Chroma is a cache of what the store holds and is never trusted. A collection counts as complete when
the note that `write` leaves as its last act matches the files on disk; everything else is missing,
and the next `write` makes it anew, together with the whole folder if Chroma cannot open it.

Notes
-----
Why files are checked by digest: with its index files gone or cut short Chroma 1.5 does not always
fail, it may answer with the wrong rows (seen by deleting them). The check reads 1.7 kB per vector,
once per process and collection. On a server, which checks its own disk, the count must do.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import threading
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from sensemaking.adapters.chroma import (
    SERVER,
    Unusable,
    connect,
    explain,
    load_chroma,
    translated,
)
from sensemaking.adapters.collection_notes import (
    Note,
    digest_files,
    is_whole,
    leave_note,
    note_path,
    read_note,
    tidy,
)
from sensemaking.adapters.exact import DECIMALS, check_rows, exact_nearest, missing_message
from sensemaking.errors import StoreError
from sensemaking.ports import Vectors
from sensemaking.types import digest

logger = logging.getLogger(__name__)

BATCH = 5000
"""Vectors per call; Chroma refuses more than 5,461."""
EXACT_ROWS = 50_000
"""Up to so many rows all are looked at: milliseconds, and the same answer after every rebuild."""
KEPT_COLLECTIONS = 4
"""Collections whose rows are kept in memory, 77 MB at most each."""

_VALID_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]{1,400}[a-zA-Z0-9]")
_PROBE = 10
_EXTRA = 20
"""Neighbours asked for beyond k, so that ids decide among equals."""


class ChromaIndex:
    """Collections in a folder, or on the server SENSEMAKING_CHROMA_URL names (`VectorIndex`).

    Nothing is opened before it is needed. Any thread may use it.
    """

    def __init__(
        self, folder: Path, *, server: str | None = None, exact_rows: int = EXACT_ROWS
    ) -> None:
        self._folder = folder
        self._exact_rows = exact_rows
        self._server = server or os.environ.get(SERVER)
        self._lock = threading.RLock()
        self._client: Any = None
        self._file: tuple[int, int] | None = None
        self._sound: dict[str, int] = {}
        self._rows: dict[str, tuple[list[str], Vectors]] = {}

    def prepare(self) -> None:
        """Load Chroma, which takes a second; nothing is opened."""
        load_chroma()

    def write(self, collection: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Write a complete collection; one of that name that is complete is left alone.

        Raises
        ------
        StoreError
            When the folder cannot be written or the server does not answer.
        """
        check_rows(ids, vectors)
        with self._lock:
            if not len(ids) or self.size(collection):
                return
            try:
                self._write(self._name(collection), ids, vectors)
            except Unusable:
                if self._server:
                    raise
                logger.warning("%s is damaged and is made anew", self._folder)
                self._start_anew()
                self._write(self._name(collection), ids, vectors)

    def nearest(self, collection: str, vector: Vectors, k: int) -> list[tuple[str, float]]:
        """Return up to k (id, cosine) pairs, best first, ties by id; exact up to `EXACT_ROWS` rows.

        Raises
        ------
        StoreError
            When the collection is missing or damaged.
        """
        size = self.size(collection)
        if not size:
            raise StoreError(missing_message(collection))
        if size <= self._exact_rows:
            ids, rows = self._read_rows(self._name(collection), size)
            if len(ids) < size:
                raise StoreError(missing_message(collection))
            return exact_nearest(rows, ids, np.asarray(vector, dtype=np.float32), k)
        wanted = min(k + _EXTRA, size)
        found = self._query(self._name(collection), vector, wanted)
        if len(found) < min(k, size):
            # A client that was open while another process wrote does not see the rows.
            self._reopen()
            found = self._query(self._name(collection), vector, wanted)
        return [(name, -score) for score, name in sorted(found)[:k]]

    def size(self, collection: str) -> int:
        """Return how many vectors a collection holds; 0 when it is missing or damaged."""
        name = self._name(collection)
        with self._lock:
            if not self._server and not self._has_files(name):
                self._forget(name)
                return 0
            if name not in self._sound:
                count = self._checked_size(name)
                if count:
                    self._sound[name] = count
            return self._sound.get(name, 0)

    def keep_only(self, collections: Iterable[str]) -> None:
        """Delete all other collections of this corpus."""
        kept = {self._name(one) for one in collections}
        with self._lock:
            if not self._server and not self._folder.is_dir():
                return
            try:
                for name in self._names():
                    if name not in kept and name.startswith(self._prefix):
                        self._delete(name)
            except Unusable:
                if self._server:
                    raise
                self._start_anew()
            if not self._server:
                tidy(self._folder, kept)

    def close(self) -> None:
        """Let go of the folder or server; the next call opens it again."""
        with self._lock:
            client, self._client = self._client, None
            self._file = None
            self._sound.clear()
            self._rows.clear()
            if client is not None:
                with suppress(Unusable), self._translated():
                    client.close()

    # Chroma

    def _connect(self) -> Any:  # noqa: ANN401 - a client of Chroma
        with self._lock:
            if self._client is not None and self._file == self._identify():
                return self._client
            self.close()
            self._client = connect(self._folder, self._server)
            self._file = self._identify()
            return self._client

    def _reopen(self) -> None:
        with self._lock:
            sound = dict(self._sound)
            self.close()
            self._sound = sound

    def _names(self) -> list[str]:
        client = self._connect()
        with self._translated():
            return sorted(str(one.name) for one in client.list_collections())

    def _delete(self, name: str) -> None:
        client = self._connect()
        # First the note: from here on the collection is incomplete, whatever happens.
        note_path(self._folder, name).unlink(missing_ok=True)
        self._forget(name)
        with self._translated():
            client.delete_collection(name)

    def _write(self, name: str, ids: Sequence[str], vectors: Vectors) -> None:
        if name in self._names():
            self._delete(name)
        client, before = self._connect(), set(self._subfolders())
        how = {"space": "cosine", "ef_construction": 200, "ef_search": 200}
        with self._translated():
            collection = client.create_collection(
                name,
                metadata={"expected": len(ids)},
                configuration={"hnsw": how},
                embedding_function=None,
            )
            for start in range(0, len(ids), BATCH):
                rows = np.asarray(vectors[start : start + BATCH], dtype=np.float32)
                collection.add(ids=list(ids[start : start + BATCH]), embeddings=rows)
            count = int(collection.count())
        if count != len(ids):
            raise Unusable(f"Chroma kept {count} of {len(ids)} vectors in {self._folder}.")
        if not self._server:
            with self._translated():
                folders = tuple(sorted(set(self._subfolders()) - before))
                files = digest_files(self._folder, folders)
                leave_note(self._folder, name, Note(count, folders, files))
        self._sound[name] = count

    def _query(self, name: str, vector: Vectors, k: int) -> list[tuple[float, str]]:
        """Return (negative cosine, id) pairs."""
        client = self._connect()
        with self._translated():
            collection = client.get_collection(name, embedding_function=None)
            query = np.asarray(vector, dtype=np.float32)[np.newaxis]
            found = collection.query(query_embeddings=query, n_results=k, include=["distances"])
            pairs = zip(found["distances"][0], found["ids"][0], strict=True)
            return [(round(float(distance) - 1, DECIMALS), str(one)) for distance, one in pairs]

    def _read_rows(self, name: str, size: int) -> tuple[list[str], Vectors]:
        """Return the ids and the rows of a collection, (size, dimension); read once, then kept."""
        with self._lock:
            if name not in self._rows:
                found = self._fetch(name)
                if len(found[0]) < size:
                    # A client that was open while another process wrote does not see the rows.
                    self._reopen()
                    found = self._fetch(name)
                self._rows[name] = found
                while len(self._rows) > KEPT_COLLECTIONS:
                    del self._rows[next(iter(self._rows))]
            return self._rows[name]

    def _fetch(self, name: str) -> tuple[list[str], Vectors]:
        client = self._connect()
        with self._translated():
            collection = client.get_collection(name, embedding_function=None)
            ids: list[str] = []
            parts: list[Vectors] = []
            for start in range(0, collection.count(), BATCH):
                page = collection.get(limit=BATCH, offset=start, include=["embeddings"])
                ids += page["ids"]
                parts.append(np.asarray(page["embeddings"], dtype=np.float32))
            return ids, np.concatenate(parts) if parts else np.zeros((0, 0), dtype=np.float32)

    def _forget(self, name: str) -> None:
        self._sound.pop(name, None)
        self._rows.pop(name, None)

    def _checked_size(self, name: str) -> int:
        try:
            expected = self._expected_size(name)
            if not expected:
                return 0
            client = self._connect()
            with self._translated():
                collection = client.get_collection(name, embedding_function=None)
                if collection.count() != expected:
                    return 0
                first = collection.get(limit=1, include=["embeddings"])["embeddings"][0]
            wanted = min(_PROBE, expected)
            if len(self._query(name, first, wanted)) < wanted:
                self._reopen()
                return expected if len(self._query(name, first, wanted)) == wanted else 0
        except Unusable:
            if self._server:
                raise
            return 0
        return expected

    def _expected_size(self, name: str) -> int:
        if not self._server:
            note = read_note(self._folder, name)
            with self._translated():
                return note.count if note is not None and is_whole(self._folder, note) else 0
        if name not in self._names():
            return 0
        with self._translated():
            metadata = self._connect().get_collection(name, embedding_function=None).metadata
        return int((metadata or {}).get("expected", 0))

    def _translated(self) -> AbstractContextManager[None]:
        return translated(self._folder, self._server)

    # Files

    @property
    def _prefix(self) -> str:
        """What the names of a corpus begin with on a server that several corpora share."""
        return f"{digest(str(self._folder.absolute()))}-" if self._server else ""

    def _name(self, collection: str) -> str:
        is_valid = _VALID_NAME.fullmatch(collection) and ".." not in collection
        return self._prefix + (collection if is_valid else f"c-{digest(collection)}")

    def _identify(self) -> tuple[int, int] | None:
        """Return which file is open: after somebody replaced the folder it is another one."""
        try:
            found = (self._folder / "chroma.sqlite3").stat()
        except OSError:
            return None
        return None if self._server else (found.st_dev, found.st_ino)

    def _has_files(self, name: str) -> bool:
        return (
            note_path(self._folder, name).is_file() and (self._folder / "chroma.sqlite3").is_file()
        )

    def _subfolders(self) -> list[str]:
        if self._server or not self._folder.is_dir():
            return []
        return sorted(one.name for one in self._folder.iterdir() if one.is_dir())

    def _start_anew(self) -> None:
        self.close()
        try:
            if self._folder.is_dir():
                shutil.rmtree(self._folder)
            else:
                self._folder.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(explain(self._folder, self._server, error)) from error
