"""Runs a command without a network and counts the attempts to reach one, those of workers too.

    python -m tests.benchmarks.offline [--python] ARGUMENTS…

In place of `sensemaking` (or of `python`, with --python). Two nets lie one behind the other:

- Every Python process below refuses sockets outside loopback and notes who tried
  (`site/sitecustomize.py`, which Python imports at its start, in spawned workers as well).
- Where the system lets us (`unshare`, Linux), the whole tree runs in a network namespace that has
  nothing but loopback. There the kernel counts what found no route, whoever sent it: compiled code
  that opens sockets by itself is seen too.

Ends with the exit code of the command, or with 70 when anything tried to leave. The last line on
standard error says what was counted.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INSIDE = "SENSEMAKING_INSIDE_NAMESPACE"
ATTEMPTED = 70
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 0x1


def main() -> int:
    if INSIDE in os.environ:
        return _run(sys.argv[1:], is_isolated=True)
    command = [sys.executable, "-m", "tests.benchmarks.offline", *sys.argv[1:]]
    if _can_isolate():
        env = {**os.environ, INSIDE: "1"}
        return subprocess.run(["unshare", "-rn", *command], env=env, check=False).returncode
    return _run(sys.argv[1:], is_isolated=False)


def _can_isolate() -> bool:
    unshare = shutil.which("unshare")
    if unshare is None:
        return False
    tried = subprocess.run([unshare, "-rn", "true"], capture_output=True, check=False)
    return tried.returncode == 0


def _run(arguments: list[str], *, is_isolated: bool) -> int:
    if is_isolated:
        _raise_loopback()
    command = [sys.executable]
    if arguments[:1] == ["--python"]:
        command += arguments[1:]
    else:
        command += ["-m", "sensemaking", *arguments]
    with tempfile.TemporaryDirectory() as scratch:
        attempts = Path(scratch) / "attempts"
        attempts.touch()
        paths = [str(ROOT / "tests/benchmarks/site"), str(ROOT), os.environ.get("PYTHONPATH", "")]
        env = {name: value for name, value in os.environ.items() if name != INSIDE}
        env["PYTHONPATH"] = os.pathsep.join(one for one in paths if one)
        env["SENSEMAKING_ATTEMPTS"] = str(attempts)
        before = _without_route() if is_isolated else 0
        code = subprocess.run(command, env=env, check=False).returncode
        tried = attempts.read_text().splitlines()
        lost = _without_route() - before if is_isolated else 0
    for one in tried:
        print(f"network: {one}", file=sys.stderr)
    kernel = (
        f"{lost} packets without a route, counted by the kernel for all processes"
        if is_isolated
        else "no network namespace here, so compiled code was not watched"
    )
    print(f"network: {len(tried)} attempts by Python, {kernel}", file=sys.stderr)
    return code or (ATTEMPTED if tried or lost else 0)


def _raise_loopback() -> None:
    """Bring up the loopback interface of a fresh namespace."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, _SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", _IFF_UP))


def _without_route() -> int:
    """Return how many packets the kernel could not send for want of a route, IPv4 and IPv6."""
    names, numbers = (
        line.split()
        for line in Path("/proc/net/snmp").read_text().splitlines()
        if line.startswith("Ip:")
    )
    found = int(dict(zip(names, numbers, strict=True))["OutNoRoutes"])
    six = Path("/proc/net/snmp6")
    lines = six.read_text().splitlines() if six.exists() else []
    return found + sum(int(one.split()[1]) for one in lines if one.startswith("Ip6OutNoRoutes"))


if __name__ == "__main__":
    sys.exit(main())
