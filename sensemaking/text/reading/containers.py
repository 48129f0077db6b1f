"""Folders and zip archives to files, in a fixed order."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

MAX_FILES = 20_000
MAX_BYTES = 2_000_000_000
MAX_RATIO = 200
"""An archive that unpacks to more than so many times its size is taken for a trap."""

_OFFICE = ("[Content_Types].xml", "mimetype")
_HIDDEN = ("__MACOSX", "Thumbs.db", "desktop.ini")


def walk(path: Path) -> Iterator[tuple[str, Path]]:
    """Yield (name, path) of a file, or of all files below a folder, by name.

    Names are relative to the folder; hidden files and editors' lock files are passed over.
    """
    if not path.is_dir():
        yield path.name, path
        return
    for one in sorted(path.rglob("*")):
        relative = one.relative_to(path)
        if one.is_file() and not _is_hidden(relative.as_posix()):
            yield relative.as_posix(), one


def expand(name: str, data: bytes, depth: int = 1) -> Iterator[tuple[str, bytes]]:
    """Yield the file itself, or the files of a zip archive as "archive.zip/inner name".

    Archives inside archives are opened one level deep. What cannot or must not be unpacked comes
    back as it is, and reading it says why.
    """
    if depth < 0 or not _is_archive(data):
        yield name, data
        return
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [one for one in archive.infolist() if _is_wanted(one)]
            total = sum(one.file_size for one in entries)
            if len(entries) > MAX_FILES or total > MAX_BYTES or total > MAX_RATIO * len(data):
                yield name, data
                return
            found = [
                (f"{name}/{_inner_name(one.filename)}", archive.read(one))
                for one in sorted(entries, key=lambda one: one.filename)
            ]
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError, zlib.error, OSError, EOFError):
        yield name, data
        return
    if not found:
        yield name, data
    for inner, content in found:
        yield from expand(inner, content, depth - 1)


def is_zip(data: bytes) -> bool:
    """Return whether the bytes begin like a zip archive."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def _is_archive(data: bytes) -> bool:
    """Return whether the bytes are a zip of files, not an office document."""
    if not is_zip(data):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return not any(name in _OFFICE for name in archive.namelist())
    except (zipfile.BadZipFile, OSError):
        return False


def _is_wanted(entry: zipfile.ZipInfo) -> bool:
    return not entry.is_dir() and not _is_hidden(entry.filename)


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(
        (part.startswith((".", "~$")) and part not in (".", "..")) or part in _HIDDEN
        for part in parts
    )


def _inner_name(name: str) -> str:
    """Return the name without anything that would lead out of the archive."""
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return (
        "/".join(part for part in parts if part not in ("/", "..", ".") and ":" not in part)
        or "file"
    )
