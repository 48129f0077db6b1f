"""What new corpora and questions of a home start with: one file beside the corpora."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from sensemaking.config import Defaults
from sensemaking.errors import ConfigError, StoreError

FILE = "defaults.json"


def read_defaults(home: Path) -> Defaults:
    """Return what was saved, else the usual.

    Raises
    ------
    ConfigError
        When the file says something that cannot be used.
    """
    path = home / FILE
    try:
        return Defaults.model_validate_json(path.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return Defaults()
    except OSError as error:
        raise ConfigError(
            f"{path} cannot be read ({error.strerror}): make it readable, or remove it."
        ) from error
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = ".".join(map(str, fault["loc"])) or "the whole file"
        raise ConfigError(
            f"{path} cannot be used ({place}: {fault['msg']}). Save the defaults anew under "
            "Settings, or remove that file."
        ) from error


def write_defaults(home: Path, defaults: Defaults) -> None:
    """Write it, whole or not at all; raises `StoreError`."""
    path = home / FILE
    partial = path.with_suffix(".part")
    try:
        home.mkdir(parents=True, exist_ok=True)
        partial.write_text(defaults.model_dump_json(indent=1), encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        raise StoreError(
            f"{path} cannot be written ({error.strerror}): make the folder writable."
        ) from error
