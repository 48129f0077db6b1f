"""Run the scripted server in a process of its own: `python -m tests.wire module:function`.

Prints its base URL, then serves until its input is closed. For measurements, in which the server's
work must not be counted as the client's.
"""

from __future__ import annotations

import argparse
import importlib
import sys

from tests.wire.server import ScriptedServer

SWITCH_SECONDS = 0.0005


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.wire")
    parser.add_argument("script", nargs="?", default="tests.wire.acts:echo")
    parser.add_argument(
        "--latency", type=float, default=0.0, help="seconds from a request to its reply"
    )
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--dimension", type=int, default=64)
    arguments = parser.parse_args()
    # Requests come by the dozen at once, and the latency is to be what it is said to be.
    sys.setswitchinterval(SWITCH_SECONDS)
    module, _, name = arguments.script.partition(":")
    script = getattr(importlib.import_module(module), name)
    with ScriptedServer(script, latency=arguments.latency, port=arguments.port) as server:
        server.dimension = arguments.dimension
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
