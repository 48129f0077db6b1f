"""Refuses every socket that would leave the machine, and counts who tried.

`block()` cuts off the process for good; `blocked()` does so for a block of code and hands out the
list of attempts. Loopback and Unix sockets work as ever. Only what goes through Python's `socket`
is seen: compiled code that opens sockets by itself is not (`tests.benchmarks.offline` sees it).
"""

from __future__ import annotations

import functools
import ipaddress
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_LOCAL_NAMES = frozenset({"localhost", "localhost.localdomain", "", "0.0.0.0", "::"})


class NetworkBlocked(OSError):
    """Something tried to leave the machine."""


def block() -> list[str]:
    """Refuse sockets outside loopback from now on; returns the list that attempts are added to."""
    attempts: list[str] = []
    _guard_all(attempts.append)
    return attempts


def block_into(path: Path) -> None:
    """Refuse sockets outside loopback from now on; attempts are appended to a file, one a line."""

    def note(attempt: str) -> None:
        with path.open("a") as file:
            file.write(f"process {os.getpid()}: {attempt}\n")

    _guard_all(note)


def _guard_all(note: Callable[[str], object]) -> None:
    for owner, name, position in (
        (socket.socket, "connect", 1),
        (socket.socket, "connect_ex", 1),
        (socket.socket, "sendto", -1),
        (socket, "getaddrinfo", 0),
        (socket, "gethostbyname", 0),
    ):
        original = getattr(owner, name)
        setattr(owner, name, _guard(original, position, note))


@contextmanager
def blocked() -> Iterator[list[str]]:
    """Refuse sockets outside loopback inside the block; yields the attempts."""
    methods = {name: getattr(socket.socket, name) for name in ("connect", "connect_ex", "sendto")}
    functions = {name: getattr(socket, name) for name in ("getaddrinfo", "gethostbyname")}
    attempts = block()
    try:
        yield attempts
    finally:
        for name, original in methods.items():
            setattr(socket.socket, name, original)
        for name, original in functions.items():
            setattr(socket, name, original)


def _guard(
    original: Callable[..., Any], position: int, note: Callable[[str], object]
) -> Callable[..., Any]:
    @functools.wraps(original)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        address = args[position] if args else kwargs.get("host")
        if not _is_local(address):
            note(f"{original.__name__} {address!r}")
            raise NetworkBlocked(f"the network is blocked: {original.__name__} {address!r}")
        return original(*args, **kwargs)

    return guarded


def _is_local(address: object) -> bool:
    if isinstance(address, tuple):
        address = address[0]
    if address is None or isinstance(address, bytes | int):
        return True
    name = str(address)
    # A path is a Unix socket.
    if name in _LOCAL_NAMES or name.startswith(("/", "\0")):
        return True
    try:
        return ipaddress.ip_address(name.split("%")[0]).is_loopback
    except ValueError:
        return False
