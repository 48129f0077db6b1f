"""A corpus file that is not there yet, and an opened one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sensemaking.adapters.store import SqliteStore


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "corpus" / "corpus.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(path)
    yield made
    made.close()
