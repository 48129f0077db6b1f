"""What a corpus folder says about itself beside its database: title, settings, when it was made."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from sensemaking.config import Settings
from sensemaking.errors import ConfigError, NotFound, StoreError

FILE = "corpus.json"


@dataclass(frozen=True, slots=True)
class Meta:
    """Title and settings of a corpus; `created_at` is ISO 8601 in UTC."""

    title: str
    settings: Settings
    created_at: str


def read_meta(folder: Path) -> Meta:
    """Return what the folder says about itself.

    Raises
    ------
    NotFound
        When the folder is not a corpus.
    ConfigError
        When its settings cannot be used.
    """
    path = folder / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Meta(str(data["title"]), Settings(**data["settings"]), str(data["created_at"]))
    except FileNotFoundError as error:
        raise NotFound(f"There is no corpus “{folder.name}” in {folder.parent}.") from error
    except (ValidationError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(
            f"{path} is damaged: {error}. Mend it or delete that one file."
        ) from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}.") from error


def write_meta(folder: Path, meta: Meta) -> None:
    """Write it, whole or not at all."""
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
