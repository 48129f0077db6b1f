"""The originals of a corpus: bytes under the digest of their content, rows by name."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sensemaking.errors import InputError, StoreError
from sensemaking.pipeline.library import FILES, Library
from sensemaking.text.reading import Found, expand, safe_name, walk
from sensemaking.types import SourceFile, digest


class Originals:
    """Adds, removes and gives back the files of one corpus folder."""

    def __init__(self, folder: Path, library: Library) -> None:
        self._folder = folder
        self._library = library

    def add(self, files: Iterable[tuple[str, bytes]]) -> tuple[SourceFile, ...]:
        """Keep the files, those in archives too, and return their rows in order.

        A file whose name and content are known keeps its row; one whose content is new, or whose
        original was damaged, waits to be read again. A file that was removed comes back. What
        cannot be unpacked becomes a failed row.
        """
        known = {file.id: file for file in self._library.files()}
        return tuple(
            self._keep(found, known) for name, data in files for found in expand(name, data)
        )

    def add_paths(self, paths: Sequence[Path]) -> tuple[SourceFile, ...]:
        """Keep files, folders and archives; a file that cannot be opened becomes a failed row.

        Raises
        ------
        InputError
            When a path does not exist, or there is no file at all.
        """
        check_paths(paths)
        known = {file.id: file for file in self._library.files()}
        rows: list[SourceFile] = []
        for name, path, reason in _told_apart(paths):
            rows.extend(self._keep(found, known) for found in _opened(name, path, reason))
        return tuple(rows)

    def remove(self, ids: Sequence[str]) -> None:
        """Take files out of the corpus; they can be restored."""
        self._change(ids, lambda row: replace(row, status="removed"))

    def restore(self, ids: Sequence[str]) -> None:
        """Put removed files back."""
        self._change(ids, _revived)

    def read(self, file: SourceFile) -> bytes:
        """Return the bytes of a file as they were added.

        Raises
        ------
        StoreError
            When they are gone or have changed since.
        """
        path = self._path(file.content_digest)
        try:
            data = path.read_bytes()
        except OSError as error:
            raise StoreError(
                f"The original of “{file.name}” cannot be read from {path}: {error.strerror}. "
                "Add the file again."
            ) from error
        if digest(data) != file.content_digest:
            raise StoreError(
                f"The original of “{file.name}” in {path} is damaged: its bytes are not those "
                "that were added. Add the file again."
            )
        return data

    def rows(self) -> tuple[SourceFile, ...]:
        """Return all rows by name; a file that repeats another's content is marked duplicate.

        Both stay documents of their own: which of them matters is for a person to say.
        """
        first: dict[str, str] = {}
        rows = []
        for row in self._library.files():
            if row.status == "read":
                same = first.setdefault(row.content_digest, row.name)
                if same != row.name:
                    reason = f"Same content as {same}. {row.reason}".strip()
                    row = replace(row, status="duplicate", reason=reason)
            rows.append(row)
        return tuple(rows)

    def _keep(self, found: Found, known: dict[str, SourceFile]) -> SourceFile:
        """Keep one file and return its row; `known` holds the rows there are, and gets this one."""
        if found.reason:
            row = SourceFile(digest(found.name), found.name, "", 0, "", "failed", found.reason)
        else:
            content = digest(found.data)
            row = SourceFile(
                digest(found.name), found.name, "", len(found.data), content, "waiting"
            )
            was_missing = self._write(content, found.data)
            old = known.get(row.id)
            if old is not None and old.content_digest == content:
                old_row = _revived(old)
                row = row if was_missing and not old_row.document_ids else old_row
        if row != known.get(row.id):
            self._library.store.add(FILES, [row])
            known[row.id] = row
        return row

    def _change(self, ids: Sequence[str], change: Callable[[SourceFile], SourceFile]) -> None:
        wanted = set(ids)
        rows = [change(row) for row in self._library.files() if row.id in wanted]
        self._library.store.add(FILES, rows)

    def _write(self, content: str, data: bytes) -> bool:
        """Keep bytes, whole or not at all; returns whether they were missing or damaged."""
        path = self._path(content)
        partial = path.with_name(f"{content}.{os.getpid()}-{threading.get_ident()}.part")
        try:
            if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
                return False
            path.parent.mkdir(parents=True, exist_ok=True)
            with partial.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            partial.replace(path)
        except OSError as error:
            _discard(partial)
            raise StoreError(
                f"A file cannot be kept in {path.parent}: {error.strerror}. Free some space or "
                "choose another folder (SENSEMAKING_HOME); the files added so far are kept."
            ) from error
        return True

    def _path(self, content: str) -> Path:
        return self._folder / "files" / content[:2] / content


def check_paths(paths: Sequence[Path]) -> None:
    """Make sure that there is something to add.

    Raises
    ------
    InputError
        When a path does not exist or is neither a file nor a folder, or there is no file at all.
    """
    missing = [_shown(path) for path in paths if not _is_there(path)]
    if missing:
        raise InputError(
            f"There is no file or folder at {', '.join(missing)}, or it may not be entered."
        )
    odd = [_shown(path) for path in paths if not path.is_file() and not path.is_dir()]
    if odd:
        raise InputError(f"{', '.join(odd)} is neither a file nor a folder: it cannot be read.")
    if not any(True for path in paths for _ in walk(path)):
        raise InputError(
            f"There are no files in {', '.join(map(_shown, paths))}: give a folder with documents "
            "(text, Markdown, HTML, PDF, DOCX, CSV, JSON) or a zip of them."
        )


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False


def _shown(path: Path) -> str:
    return safe_name(str(path))


def _told_apart(paths: Sequence[Path]) -> Iterator[tuple[str, Path, str]]:
    """Yield (name, path, reason) of all files; those that share a name get a longer one.

    The longer name begins below the folder that all the given paths share.
    """
    found = list(dict.fromkeys(one for path in paths for one in walk(path)))
    counts = Counter(name for name, _, _ in found)
    places = {path.absolute() for path in paths}
    shared = Path(os.path.commonpath([place.parent for place in places])) if places else Path()
    for name, path, reason in found:
        if counts[name] > 1:
            name = safe_name(path.absolute().relative_to(shared).as_posix())
        yield name, path, reason


def _opened(name: str, path: Path, reason: str) -> Iterator[Found]:
    if reason:
        yield Found(name, reason=reason)
        return
    try:
        data = path.read_bytes()
    except (OSError, MemoryError) as error:
        why = getattr(error, "strerror", None) or "there is not enough memory"
        yield Found(name, reason=f"It cannot be opened: {why}.")
        return
    yield from expand(name, data)


def _discard(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


def _revived(row: SourceFile) -> SourceFile:
    """Return the row of a file that is in the corpus again, read where it had been read."""
    if row.status != "removed":
        return row
    if not row.content_digest:
        return replace(row, status="failed")
    if row.document_ids:
        return replace(row, status="read")
    return replace(row, status="waiting", reason="")
