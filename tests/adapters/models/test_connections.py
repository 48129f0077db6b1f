"""The pool of connections that all models share."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
from sensemaking.adapters.models.connections import Connections
Connections().client()
assert "httpx" in sys.modules
"""


def test_what_the_client_looks_for_with_every_call_is_loaded_before() -> None:
    # Chroma loaded httpx in another thread, the client met half of it, and the build ended (#3).
    subprocess.run([sys.executable, "-c", PROGRAM], check=True)
