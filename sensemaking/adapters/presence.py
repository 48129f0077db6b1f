"""Which programs have a corpus open: each holds a lock of its own, which dies with it."""

from __future__ import annotations

import os
import tempfile
import threading
import time
from pathlib import Path

from filelock import FileLock, Timeout

_LOOK_AGAIN = 0.02
"""Seconds after which a lock that is taken is tried again: it may be another who only looks."""


class ProgramPresence:
    """The programs at one corpus folder (`ports.Presence`).

    A program that never makes a run writes nothing. Only the owner of a name ever holds its lock
    for long, and no name is used twice, so a file whose lock is free belongs to nobody and goes.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "programs"
        self._turn = threading.Lock()
        self._held: FileLock | None = None

    def claim(self) -> str:
        """Return the name of this program, which is present from now until it ends or closes.

        Where the folder cannot be written nobody else can be told of a run either: the name is then
        one that nobody looks for.
        """
        with self._turn:
            if self._held is None:
                try:
                    self._folder.mkdir(exist_ok=True)
                    number, path = tempfile.mkstemp(".lock", f"{os.getpid()}-", self._folder)
                    os.close(number)
                    lock = FileLock(path, thread_local=False)
                    lock.acquire(timeout=1)
                except (OSError, NotImplementedError, Timeout):  # no lock to be had here
                    return f"{os.getpid()}-unseen"
                self._held = lock
            return Path(self._held.lock_file).name

    def is_present(self, name: str) -> bool:
        """Return whether the program of that name is there."""
        path = self._folder / name
        with self._turn:
            if self._held is not None and name == Path(self._held.lock_file).name:
                return True
        if not name or not path.is_file():
            return False
        if _is_taken(path):
            time.sleep(_LOOK_AGAIN)
            return _is_taken(path)
        return False

    def close(self) -> None:
        """Be gone, as far as the others see."""
        with self._turn:
            if self._held is not None:
                self._held.release()
                Path(self._held.lock_file).unlink(missing_ok=True)
                self._held = None


def _is_taken(path: Path) -> bool:
    probe = FileLock(path, thread_local=False)
    try:
        probe.acquire(timeout=0)
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        # In a folder that cannot be written, or on a file system without locks (the latter error),
        # nobody makes a run.
        return False
    path.unlink(missing_ok=True)
    probe.release()
    return False
