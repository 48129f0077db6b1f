"""What this machine lets the program use: cores and memory, as limited by a container."""

from __future__ import annotations

import os
from pathlib import Path

MAX_PROCESSES = 8
PROCESS_BYTES = 700_000_000
"""What one worker process needs with the language models it loads."""

_GROUP = Path("/sys/fs/cgroup")


def usable_cores() -> int:
    """Return how many cores this process may keep busy, at least 1."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS and Windows
        cores = os.cpu_count() or 1
    quota = _read(_GROUP / "cpu.max").split()
    if len(quota) == 2 and quota[0].isdigit():
        cores = min(cores, -(-int(quota[0]) // int(quota[1])))
    return max(1, cores)


def free_memory() -> int | None:
    """Return the bytes that new processes may use, or None where the system does not tell."""
    found = []
    for line in _read(Path("/proc/meminfo")).splitlines():
        if line.startswith("MemAvailable:"):
            found.append(int(line.split()[1]) * 1024)
    limit, used = _read(_GROUP / "memory.max"), _read(_GROUP / "memory.current")
    if limit.isdigit() and used.isdigit():
        found.append(max(0, int(limit) - int(used)))
    return min(found, default=None)


def default_processes() -> int:
    """Return how many worker processes fit: one per core, at most 8, as memory allows."""
    wanted = min(usable_cores(), MAX_PROCESSES)
    memory = free_memory()
    return wanted if memory is None else max(1, min(wanted, memory // PROCESS_BYTES))


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
