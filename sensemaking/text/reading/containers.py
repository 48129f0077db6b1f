"""Folders and zip archives to files, in a fixed order; what cannot be read says why.

Links are followed only within the folder that was given: a link to a file inside it is read as a
file, one that leads out of it is named and left alone.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sensemaking.text.reading.naming import safe_name

MAX_FILES = 20_000
MAX_BYTES = 2_000_000_000
MAX_FILE_BYTES = 500_000_000
MAX_RATIO = 200
"""An archive that unpacks to more than so many times its size is taken for a trap."""
HARMLESS_BYTES = 10_000_000
"""What unpacks to no more than this is no trap, whatever its ratio."""
MAX_MARKUP_BYTES = 60_000_000
"""XML that an office document may hold: parsing takes some twenty times as much memory."""

_OFFICE = ("[Content_Types].xml", "mimetype")
_HIDDEN = ("__MACOSX", "Thumbs.db", "desktop.ini")
ZIP_ERRORS = (
    zipfile.BadZipFile, zlib.error, struct.error, OSError, EOFError, RuntimeError, ValueError,
    NotImplementedError, OverflowError,
)  # fmt: skip
"""What the standard library raises for archives that are damaged, locked or made to mislead.

`NotImplementedError` stands for a way of packing that it does not know.
"""
_DAMAGED = "It is damaged and cannot be unpacked: make it anew, or add the files themselves."
_DEEP = "It is an archive inside an archive inside an archive: unpack it and add the files."


@dataclass(frozen=True, slots=True)
class Found:
    """A file that was found: its bytes, or the reason why it cannot be read (then no bytes)."""

    name: str
    data: bytes = b""
    reason: str = ""


def walk(path: Path) -> Iterator[tuple[str, Path, str]]:
    """Yield (name, path, reason) of a file, or of all below a folder, by name.

    Names are relative to the folder. The reason is "" for what can be opened as a file; links that
    lead out, pipes, sockets, devices and folders that may not be entered have one. Hidden files and
    editors' lock files are passed over.
    """
    if not path.is_dir():
        yield safe_name(path.name), path, _too_large(path)
        return
    found = sorted(_below(path, path.resolve()), key=lambda one: one[0].parts)
    for relative, reason in found:
        yield safe_name(relative.as_posix()), path / relative, reason


def expand(name: str, data: bytes) -> Iterator[Found]:
    """Yield the file itself, or the files of a zip archive as "archive.zip/inner name".

    Archives inside archives are opened one level deep. What cannot or must not be unpacked has a
    reason; the other files of its archive come out all the same.
    """
    yield from _expand(safe_name(name), data, depth=1, room=[MAX_BYTES])


def is_zip(data: bytes) -> bool:
    """Return whether the bytes begin like a zip archive."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def packing_fault(data: bytes) -> str:
    """Return why an office document (a zip of XML) must not be unpacked, "" when it may."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except ZIP_ERRORS:
        return "The file is damaged: open it in the program that made it and save it anew."
    markup = sum(one.file_size for one in entries if one.filename.endswith((".xml", ".rels")))
    if markup > MAX_MARKUP_BYTES:
        return (
            f"It holds {markup / 1e6:,.0f} MB of XML, the limit is {MAX_MARKUP_BYTES / 1e6:.0f} MB:"
            " divide the document, or save it as PDF or text."
        )
    return _trap(entries, len(data), MAX_BYTES)


def _below(root: Path, resolved: Path) -> Iterator[tuple[Path, str]]:
    """Yield (relative path, reason) of everything below a folder that is not hidden, unsorted."""
    failures: list[OSError] = []
    for folder, names, files in os.walk(root, onerror=failures.append, followlinks=False):
        here = Path(folder)
        names[:] = [one for one in names if not _is_hidden(one)]
        links = [one for one in names if (here / one).is_symlink()]
        for name in (*(one for one in files if not _is_hidden(one)), *links):
            path = here / name
            yield path.relative_to(root), _why_not(path, resolved)
    for failure in failures:
        place = Path(os.fsdecode(failure.filename)) if failure.filename else root
        yield place.relative_to(root), f"The folder cannot be opened: {failure.strerror}."


def _why_not(path: Path, root: Path) -> str:
    """Return why something in a folder is not to be opened, "" when it is a file to read."""
    try:
        if path.is_symlink():
            target = path.resolve(strict=True)
            if not target.is_relative_to(root):
                return "It is a link that leads out of the folder: add what it points to itself."
            if target.is_dir():
                return "It is a link to a folder whose files are read under their own names."
        kind = path.stat().st_mode
    except (OSError, RuntimeError) as error:
        what = "It is a link to nothing" if path.is_symlink() else "It cannot be opened"
        return f"{what}: {getattr(error, 'strerror', None) or 'it leads in a circle'}."
    if not stat.S_ISREG(kind):
        return "It is no file but a pipe, a socket or a device: it cannot be read."
    return _too_large(path)


def _too_large(path: Path) -> str:
    try:
        size = path.stat().st_size
    except OSError:
        return ""
    if size <= MAX_FILE_BYTES:
        return ""
    return (
        f"It has {size / 1e6:,.0f} MB, the limit is {MAX_FILE_BYTES / 1e6:.0f} MB: divide it, and "
        "add the parts."
    )


def _expand(name: str, data: bytes, *, depth: int, room: list[int]) -> Iterator[Found]:
    if not _is_archive(data):
        yield Found(name, data)
        return
    if depth < 0:
        yield Found(name, reason=_DEEP)
        return
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except ZIP_ERRORS:
        yield Found(name, reason=_DAMAGED)
        return
    with archive:
        entries = sorted(filter(_is_wanted, archive.infolist()), key=lambda one: one.filename)
        reason = _why_packed(entries, len(data), room[0])
        if reason:
            yield Found(name, reason=reason)
            return
        taken: set[str] = set()
        for entry in entries:
            found = _unpack(archive, entry, _free_name(name, entry.filename, taken))
            room[0] -= len(found.data)
            if found.reason:
                yield found
            else:
                yield from _expand(found.name, found.data, depth=depth - 1, room=room)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> Found:
    if stat.S_ISLNK(entry.external_attr >> 16):
        return Found(name, reason="It is a link, and an archive does not hold what it points to.")
    if _is_locked(entry):
        return Found(name, reason="It is locked with a password: unpack it and add the file.")
    try:
        return Found(name, archive.read(entry))
    except NotImplementedError:
        return Found(name, reason="It is packed in a rare way: unpack it and add the file.")
    except ZIP_ERRORS:
        return Found(name, reason="It is damaged in the archive: add the file itself.")


def _why_packed(entries: list[zipfile.ZipInfo], packed: int, room: int) -> str:
    """Return why a whole archive stays packed, "" when it may be opened."""
    if not entries:
        return "There is no file in the archive."
    if all(map(_is_locked, entries)):
        return "The archive is locked with a password: unpack it and add the files."
    return _trap(entries, packed, room)


def _trap(entries: list[zipfile.ZipInfo], packed: int, room: int) -> str:
    total = sum(one.file_size for one in entries)
    if len(entries) > MAX_FILES:
        return (
            f"It holds {len(entries):,} files, the limit is {MAX_FILES:,}: divide it, or unpack it "
            "and add the folder."
        )
    if total > room:
        return f"It unpacks to {total / 1e9:,.1f} GB: unpack it and add what you need."
    if total > HARMLESS_BYTES and total > MAX_RATIO * packed:
        return (
            f"It unpacks to {total / 1e6:,.0f} MB, {total // packed:,} times its size, as a trap "
            "does: if you trust it, unpack it and add the files."
        )
    return ""


def _is_archive(data: bytes) -> bool:
    """Return whether the bytes are a zip of files, not an office document."""
    if not is_zip(data):
        return False
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return not any(name in _OFFICE for name in archive.namelist())
    except ZIP_ERRORS:
        return True


def _is_locked(entry: zipfile.ZipInfo) -> bool:
    return bool(entry.flag_bits & 0x1)


def _is_wanted(entry: zipfile.ZipInfo) -> bool:
    return not entry.is_dir() and not _is_hidden(entry.filename)


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name.replace("\\", "/")).parts
    return any(
        (part.startswith((".", "~$")) and part not in (".", "..")) or part in _HIDDEN
        for part in parts
    )


def _free_name(archive: str, inner: str, taken: set[str]) -> str:
    """Return the name of a file of an archive: none leads out of it, none stands twice."""
    parts = PurePosixPath(inner.replace("\\", "/")).parts
    kept = [part for part in parts if part not in ("/", "..", ".") and not part.endswith(":")]
    name = free = f"{archive}/{safe_name('/'.join(kept) or 'file')}"
    number = 1
    while free in taken:
        number += 1
        path = PurePosixPath(name)
        free = str(path.with_name(f"{path.stem} ({number}){path.suffix}"))
    taken.add(free)
    return free
