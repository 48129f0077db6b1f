"""Chroma itself: loaded late, opened in a folder or on a server, its failures in our words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sensemaking.adapters.loading import load
from sensemaking.errors import ConfigError, StoreError

SERVER = "SENSEMAKING_CHROMA_URL"


class Unusable(StoreError):
    """Chroma failed: its folder is damaged, or its server is not there."""


def load_chroma() -> None:
    """Load the library, which takes a second; nothing is opened."""
    load("chromadb", "chromadb.errors", "chromadb.api.shared_system_client", "httpx")


def connect(folder: Path, server: str | None) -> Any:  # noqa: ANN401 - a client of Chroma
    """Open the server, or the folder where there is none.

    Raises
    ------
    ConfigError
        When the address of the server is none.
    Unusable
        When it cannot be opened.
    """
    load_chroma()
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False)
    with translated(folder, server):
        if server:
            host, port, is_safe = _parse(server)
            return chromadb.HttpClient(host, port, ssl=is_safe, settings=settings)
        folder.mkdir(parents=True, exist_ok=True)
        return _open_folder(folder, settings)


@contextmanager
def translated(folder: Path, server: str | None) -> Iterator[None]:
    """Raise what Chroma raises as `Unusable`, with what to do about it."""
    load_chroma()
    import httpx
    from chromadb.errors import ChromaError

    # AttributeError: Chroma fails so when it cleans up after a database it could not open.
    failures = (
        *(ChromaError, httpx.HTTPError, OSError, RuntimeError),
        *(ValueError, LookupError, AttributeError),
    )
    try:
        yield
    except (StoreError, ConfigError):
        raise
    except failures as error:
        raise Unusable(explain(folder, server, error)) from error
    except BaseException as error:
        # What the compiled part of Chroma raises when it panics has no importable name.
        if type(error).__name__ != "PanicException":
            raise
        raise Unusable(explain(folder, server, error)) from error


def explain(folder: Path, server: str | None, error: BaseException) -> str:
    """Return what failed and what to do."""
    if server:
        return (
            f"The Chroma server at {server} failed ({error}): start it, or unset "
            f"{SERVER} to keep vectors in the corpus folder."
        )
    return (
        f"The vectors in {folder} cannot be used ({error}): check that the folder can be "
        "written and the disk is not full, then build again."
    )


def _open_folder(folder: Path, settings: Any) -> Any:  # noqa: ANN401 - Chroma's
    import chromadb
    from chromadb.api.shared_system_client import SharedSystemClient

    path = str(folder.absolute())
    try:
        return chromadb.PersistentClient(path, settings=settings)
    except BaseException:
        # Chroma would hand out the half-opened one for this path ever after.
        SharedSystemClient._identifier_to_system.pop(path, None)
        raise


def _parse(address: str) -> tuple[str, int, bool]:
    """Return host, port and whether the connection is encrypted."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or parts.scheme not in ("http", "https"):
        raise ConfigError(f"{SERVER} is “{address}”: write it as http://host:8000.")
    is_safe = parts.scheme == "https"
    return host, port or (443 if is_safe else 8000), is_safe
