"""Opens the database of a corpus, for reading alone where nothing can be written."""

from __future__ import annotations

import logging
from pathlib import Path

from sensemaking.adapters.store import SqliteStore
from sensemaking.errors import NewerStore, StoreError
from sensemaking.workspace.meta import DATABASE

logger = logging.getLogger(__name__)


def open_store(folder: Path) -> SqliteStore:
    """Open the database, for reading alone where the folder cannot be written or is full.

    Raises
    ------
    NewerStore
        When a later version of the program made it.
    StoreError
        When it cannot be opened at all.
    """
    path = folder / DATABASE
    try:
        return SqliteStore(path)
    except NewerStore:
        raise
    except StoreError as error:
        if not path.exists():
            raise
        try:
            store = SqliteStore(path, read_only=True)
        except StoreError:
            raise error from None
        logger.warning("%s is opened for reading alone: %s", folder.name, error)
        return store
