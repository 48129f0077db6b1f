"""The write lock of a corpus: held by the operating system, so that it dies with its holder.

A small file beside the lock names the holder, for the message that others get.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec
from filelock import FileLock, Timeout

from sensemaking.errors import CorpusBusy, StoreError

_PATIENCE = 0.3
"""Seconds to wait for the lock: it may be free in a moment."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock: a process on a machine, what for, since when (seconds since the epoch)."""

    pid: int
    host: str
    what: str
    since: float

    @property
    def since_text(self) -> str:
        """Return when it began, in local time: "14:05:33 on 30 Nov"."""
        return time.strftime("%H:%M:%S on %d %b", time.localtime(self.since))


class WriteLock:
    """The lock of one corpus folder. One thread may take it and another release it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._note = folder / "write.holder.json"
        self._lock = FileLock(folder / "write.lock", thread_local=False)
        self._turn = threading.Lock()

    def acquire(self, what: str) -> None:
        """Take the lock for a purpose, named in one or two words.

        Raises
        ------
        CorpusBusy
            When somebody holds it, this program included; names who, what for and since when.
        StoreError
            When the folder cannot be written.
        """
        with self._turn:
            if self._lock.is_locked:
                raise CorpusBusy(self._explain(self._read()))
            self._take(what)

    def release(self) -> None:
        """Give the lock back; without effect when it is not held."""
        with self._turn:
            if self._lock.is_locked:
                self._note.unlink(missing_ok=True)
                self._lock.release()

    def holder(self) -> Holder | None:
        """Return who is said to hold it, None when nobody is; a note may outlive its writer."""
        return self._read()

    @contextmanager
    def held(self, what: str) -> Iterator[None]:
        """Hold the lock for the length of a block; raises what `acquire` raises."""
        self.acquire(what)
        try:
            yield
        finally:
            self.release()

    def _take(self, what: str) -> None:
        try:
            self._lock.acquire(timeout=_PATIENCE, poll_interval=0.02)
            self._write(Holder(os.getpid(), socket.gethostname(), what, time.time()))
        except Timeout as error:
            raise CorpusBusy(self._explain(self._read())) from error
        except (OSError, NotImplementedError) as error:  # the latter: a file system without locks
            self._lock.release()
            raise StoreError(
                f"{self._folder} cannot be locked for writing ({error}): check that the folder "
                "exists and can be written."
            ) from error

    def _write(self, holder: Holder) -> None:
        unfinished = self._note.with_suffix(".part")
        unfinished.write_bytes(msgspec.json.encode(holder))
        os.replace(unfinished, self._note)

    def _read(self) -> Holder | None:
        try:
            return msgspec.json.decode(self._note.read_bytes(), type=Holder)
        except (OSError, msgspec.MsgspecError):
            return None

    def _explain(self, holder: Holder | None) -> str:
        if holder is None:
            return f"Another program is writing to {self._folder}: wait until it has finished."
        here = holder.host == socket.gethostname()
        who = "this program" if here and holder.pid == os.getpid() else f"process {holder.pid}"
        where = "" if here else f" on {holder.host}"
        return (
            f"The corpus “{self._folder.name}” is busy: {who}{where} has been at work "
            f"({holder.what}) since {holder.since_text}. Wait until it has finished, or stop it "
            "there."
        )
