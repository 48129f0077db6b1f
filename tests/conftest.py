"""What all tests share: nothing leaves the machine, the user's own folders are not touched."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.no_network import blocked


@pytest.fixture(autouse=True)
def no_network() -> Iterator[list[str]]:
    """Fail a test that tries to reach anything beyond loopback."""
    with blocked() as attempts:
        yield attempts
    assert attempts == []


@pytest.fixture(autouse=True)
def no_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep corpora of tests out of the user's data folder."""
    if "SENSEMAKING_HOME" not in os.environ:
        monkeypatch.setenv("SENSEMAKING_HOME", str(tmp_path_factory.getbasetemp() / "home"))


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of the shared corpora."""
    named = os.environ.get("SENSEMAKING_TEST_DATA")
    if not named:
        pytest.skip("SENSEMAKING_TEST_DATA is not set: it points to the shared corpora")
    return Path(named)
