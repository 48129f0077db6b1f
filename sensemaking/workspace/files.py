"""The originals of a corpus: bytes under the digest of their content, rows by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sensemaking.errors import InputError, StoreError
from sensemaking.pipeline.library import FILES, Library
from sensemaking.text.reading import expand, walk
from sensemaking.types import SourceFile, digest


class Originals:
    """Adds, removes and gives back the files of one corpus folder."""

    def __init__(self, folder: Path, library: Library) -> None:
        self._folder = folder
        self._library = library

    def add(self, files: Iterable[tuple[str, bytes]]) -> tuple[SourceFile, ...]:
        """Keep the files, those in archives too, and return their rows in order.

        A file whose name and content are known keeps its row; one whose content is new waits to be
        read again. A file that was removed comes back.
        """
        known = {file.id: file for file in self._library.files()}
        rows = []
        for name, data in _expanded(files):
            content = digest(data)
            row = SourceFile(digest(name), name, "", len(data), content, "waiting")
            old = known.get(row.id)
            if old is not None and old.content_digest == content:
                row = _revived(old)
            self._write(content, data)
            if row != old:
                self._library.store.add(FILES, [row])
                known[row.id] = row
            rows.append(row)
        return tuple(rows)

    def add_paths(self, paths: Sequence[Path]) -> tuple[SourceFile, ...]:
        """Keep files, folders and archives; a file that cannot be opened becomes a failed row.

        Raises
        ------
        InputError
            When a path does not exist, or there is no file at all.
        """
        missing = [str(path) for path in paths if not path.exists()]
        if missing:
            raise InputError(f"There is no file or folder at {', '.join(missing)}.")
        odd = [str(path) for path in paths if not path.is_file() and not path.is_dir()]
        if odd:
            raise InputError(f"{', '.join(odd)} is neither a file nor a folder: it cannot be read.")
        rows: list[SourceFile] = []
        for name, path in (found for given in paths for found in walk(given)):
            try:
                data = path.read_bytes()
            except OSError as error:
                rows.append(self._add_failed(name, f"It cannot be opened: {error.strerror}."))
                continue
            rows.extend(self.add([(name, data)]))
        if not rows:
            raise InputError(
                f"There are no files in {', '.join(str(path) for path in paths)}: give a folder "
                "with documents (text, Markdown, HTML, PDF, DOCX, CSV, JSON) or a zip of them."
            )
        return tuple(rows)

    def remove(self, ids: Sequence[str]) -> None:
        """Take files out of the corpus; they can be restored."""
        self._change(ids, lambda row: replace(row, status="removed"))

    def restore(self, ids: Sequence[str]) -> None:
        """Put removed files back."""
        self._change(ids, _revived)

    def read(self, file: SourceFile) -> bytes:
        """Return the bytes of a file."""
        path = self._path(file.content_digest)
        try:
            return path.read_bytes()
        except OSError as error:
            raise StoreError(
                f"The original of “{file.name}” cannot be read from {path}: {error.strerror}. "
                "Add the file again."
            ) from error

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
                    row = replace(row, status="duplicate", reason=f"Same content as {same}")
            rows.append(row)
        return tuple(rows)

    def _add_failed(self, name: str, reason: str) -> SourceFile:
        row = SourceFile(digest(name), name, "", 0, "", "failed", reason)
        self._library.store.add(FILES, [row])
        return row

    def _change(self, ids: Sequence[str], change: Callable[[SourceFile], SourceFile]) -> None:
        wanted = set(ids)
        rows = [change(row) for row in self._library.files() if row.id in wanted]
        self._library.store.add(FILES, rows)

    def _write(self, content: str, data: bytes) -> None:
        path = self._path(content)
        if path.exists():
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            partial = path.with_suffix(".part")
            partial.write_bytes(data)
            partial.replace(path)
        except OSError as error:
            raise StoreError(
                f"A file cannot be kept in {path.parent}: {error.strerror}. Free some space or "
                "choose another folder (SENSEMAKING_HOME); the files added so far are kept."
            ) from error

    def _path(self, content: str) -> Path:
        return self._folder / "files" / content[:2] / content


def _expanded(files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    for name, data in files:
        yield from expand(name, data)


def _revived(row: SourceFile) -> SourceFile:
    """Return the row of a file that is in the corpus again, read where it had been read."""
    if row.status != "removed":
        return row
    if not row.content_digest:
        return replace(row, status="failed")
    return replace(row, status="read" if row.document_ids else "waiting")
