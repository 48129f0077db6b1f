"""The fixture; other folders import it: `from tests.wire.conftest import scripted`."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.wire.server import ScriptedServer


@pytest.fixture
def scripted() -> Iterator[ScriptedServer]:
    """A scripted server that echoes until a test gives it another script."""
    with ScriptedServer() as server:
        yield server
