"""Loads heavy libraries one at a time.

Some of them import each other's halves: two threads that begin with different ones would each meet
a module of which only the beginning is there.
"""

from __future__ import annotations

import importlib
import threading

_LOADING = threading.RLock()


def load(*names: str) -> None:
    """Import modules by name, while no other thread imports what is loaded here."""
    with _LOADING:
        for name in names:
            importlib.import_module(name)
