"""Loads heavy libraries one at a time.

Some of them import each other's halves: two threads that begin with different ones would each meet
a module of which only the beginning is there.

Notes
-----
A library is there to stay. To walk LangChain, Chroma and what they load whenever Python looks for
garbage takes 0.3 s, in which every thread stands still: they are left out of it for good. So is
what else lives at that moment; it is still freed when nothing refers to it any more.
"""

from __future__ import annotations

import gc
import importlib
import sys
import threading

_LOADING = threading.RLock()


def load(*names: str) -> None:
    """Import modules by name, while no other thread imports what is loaded here."""
    with _LOADING:
        is_new = any(name not in sys.modules for name in names)
        for name in names:
            importlib.import_module(name)
        if is_new:
            gc.freeze()
