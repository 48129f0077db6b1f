"""What a complete collection of Chroma looks like on disk, noted beside it when it is written."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

import msgspec

NOTE = ".complete.json"
"""What the names of notes end with, after the name of the collection."""


WRITTEN = "index_metadata.pickle"
"""The file that stands beside an index which holds rows."""


class Note(msgspec.Struct, frozen=True):
    """`count` vectors in `folders`; digests of their files by path below the folder of Chroma."""

    count: int
    folders: tuple[str, ...]
    files: dict[str, str]


def note_path(folder: Path, name: str) -> Path:
    """Return where the note on a collection lies."""
    return folder / f"{name}{NOTE}"


def read_note(folder: Path, name: str) -> Note | None:
    """Return the note on a collection, None when there is none that can be read."""
    try:
        return msgspec.json.decode(note_path(folder, name).read_bytes(), type=Note)
    except (OSError, msgspec.MsgspecError):
        return None


def leave_note(folder: Path, name: str, note: Note) -> None:
    """Write the note on a collection, whole or not at all."""
    path = note_path(folder, name)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(msgspec.json.encode(note))
    os.replace(unfinished, path)


def digest_files(folder: Path, subfolders: Iterable[str]) -> dict[str, str]:
    """Return the digests of all files in subfolders, by path below the folder."""
    found = {}
    for subfolder in sorted(subfolders):
        for path in sorted((folder / subfolder).glob("*")):
            with path.open("rb") as file:
                whole = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=10))
            found[f"{subfolder}/{path.name}"] = whole.hexdigest()
    return found


def is_whole(folder: Path, note: Note) -> bool:
    """Return whether the files are those that the note was written on.

    Chroma writes the index of a small collection when about a thousand rows have come together.
    Before that the rows are in its database alone, and it makes the files of an empty index anew,
    with whatever the memory held, each time that a program opens it: they tell nothing.
    """
    written = {Path(one).parent.name for one in note.files if Path(one).name == WRITTEN}
    wanted = {one: key for one, key in note.files.items() if Path(one).parent.name in written}
    return digest_files(folder, written) == wanted


def tidy(folder: Path, kept: set[str]) -> None:
    """Remove what Chroma leaves behind when a collection is deleted or was never finished."""
    notes = {name: read_note(folder, name) for name in kept}
    needed = {one for note in notes.values() if note is not None for one in note.folders}
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.is_dir() and path.name not in needed:
            shutil.rmtree(path, ignore_errors=True)
    for path in folder.glob(f"*{NOTE}"):
        if path.name.removesuffix(NOTE) not in kept:
            path.unlink(missing_ok=True)
