"""What a corpus folder says about itself beside its database: title, settings, when it was made.

A folder is a corpus when it has this file, a database or originals. A file that is lost or damaged
is made anew with the defaults, the damaged one is kept beside it: no document depends on it.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from sensemaking.config import Settings
from sensemaking.errors import ConfigError, NotFound, StoreError
from sensemaking.text.reading import whole_characters

logger = logging.getLogger(__name__)

FILE = "corpus.json"
DATABASE = "corpus.db"
_SIGNS = (FILE, DATABASE, "files")


@dataclass(frozen=True, slots=True)
class Meta:
    """Title and settings of a corpus; `created_at` is ISO 8601 in UTC."""

    title: str
    settings: Settings
    created_at: str


def is_corpus(folder: Path) -> bool:
    """Return whether a folder holds a corpus; one that may not be entered is taken for one."""
    try:
        return not folder.name.startswith(".") and any((folder / one).exists() for one in _SIGNS)
    except OSError:
        return True


def read_meta(folder: Path) -> Meta:
    """Return what the folder says about itself; the defaults where that is lost or damaged.

    Raises
    ------
    NotFound
        When the folder is not a corpus.
    ConfigError
        When its settings cannot be used.
    StoreError
        When the folder cannot be read.
    """
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError as error:
        if not is_corpus(folder):
            raise NotFound(f"There is no corpus “{folder.name}” in {folder.parent}.") from error
        return _made_anew(folder, "was missing")
    except OSError as error:
        raise StoreError(
            f"{path} cannot be read: {error.strerror}. Make the folder and its files readable."
        ) from error
    found = _parse(text)
    if found is None:
        _set_aside(path)
        return _made_anew(folder, f"was damaged and is kept as {FILE}.damaged")
    title, settings, created_at = found
    try:
        return Meta(title or folder.name, Settings.model_validate(settings), created_at)
    except ValidationError as error:
        raise ConfigError(
            f"{path} holds a setting that cannot be used: {_first_fault(error)}. Mend it, or "
            "delete that one file: the settings are then the usual ones."
        ) from error


def write_meta(folder: Path, meta: Meta) -> Meta:
    """Write it, whole or not at all; returns it."""
    data = {
        "title": meta.title,
        "settings": meta.settings.model_dump(mode="json"),
        "created_at": meta.created_at,
    }
    partial = folder / f"{FILE}.part"
    try:
        partial.write_text(json.dumps(data, indent=1, ensure_ascii=False), encoding="utf-8")
        partial.replace(folder / FILE)
    except OSError as error:
        raise StoreError(
            f"{folder} cannot be written: {error.strerror}. Free some space, or choose another "
            "folder with --home (or SENSEMAKING_HOME)."
        ) from error
    return meta


def _parse(text: str) -> tuple[str, dict[str, object], str] | None:
    """Return title, settings and time, or None when the text does not say them."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(data, dict) or not isinstance(data.get("settings"), dict):
        return None
    title, created_at = data.get("title"), data.get("created_at")
    if not isinstance(title, str) or not isinstance(created_at, str):
        return None
    return whole_characters(title).strip(), data["settings"], created_at


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False, include_context=False)[0]
    place = ".".join(map(str, fault["loc"])) or "settings"
    return f"{place} is {str(fault['input'])[:60]!r}, {fault['msg']}"


def _made_anew(folder: Path, why: str) -> Meta:
    database = folder / DATABASE
    made = database if database.exists() else folder
    at = datetime.fromtimestamp(made.stat().st_mtime, UTC).isoformat(timespec="seconds")
    meta = Meta(folder.name, Settings(), at)
    logger.warning(
        "%s of the corpus “%s” %s: its title and settings are the usual ones again.",
        FILE,
        folder.name,
        why,
    )
    try:
        write_meta(folder, meta)
    except StoreError as error:
        # A corpus can be read without; what is lost is told again the next time.
        logger.warning("It could not be written anew: %s", error)
    return meta


def _set_aside(path: Path) -> None:
    try:
        path.replace(path.with_name(f"{FILE}.damaged"))
    except OSError as error:
        logger.warning("%s cannot be kept: %s", path, error.strerror)
