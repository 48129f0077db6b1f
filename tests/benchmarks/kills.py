"""Builds of the whole sample with worker processes, killed at seeded moments, as a table.

    python -m tests.benchmarks.kills [--points 12] [--seed 20241130]

Each build dies by SIGKILL some milliseconds after an event drawn by seed, is run again to its end,
and the digests of all its content tables, documents to reports, are compared with those of a build
that nobody disturbed. Ends with 1 when any differs.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
from pathlib import Path

from tests.kill_build import ROOT, moments, run

SAMPLE = ROOT / "assets" / "sample" / "documents"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=12)
    parser.add_argument("--seed", type=int, default=20241130)
    options = parser.parse_args()
    n_documents = len(list(SAMPLE.iterdir()))
    print(
        f"{n_documents} documents, {os.cpu_count()} cores, {platform.machine()}, Python "
        f"{platform.python_version()}, {time.strftime('%Y-%m-%d')}, load {os.getloadavg()[0]:.1f}\n"
    )
    print("| kill | event | stage | ms later | killed | resumed in s | tables that differ |")
    print("|--:|--:|---|--:|---|--:|---|", flush=True)
    n_different = 0
    with tempfile.TemporaryDirectory() as scratch:
        whole = run(Path(scratch) / "undisturbed", SAMPLE).output
        drawn = moments(len(whole["events"]), options.points, options.seed)
        for number, (event, delay) in enumerate(drawn, 1):
            home = Path(scratch) / str(number)
            was_killed = run(home, SAMPLE, (event, delay)).was_killed
            began = time.monotonic()
            tables = run(home, SAMPLE).output["tables"]
            seconds = time.monotonic() - began
            different = sorted(one for one in tables if tables[one] != whole["tables"][one])
            n_different += bool(different)
            print(
                f"| {number} | {event} of {len(whole['events'])} | {whole['events'][event - 1]} "
                f"| {delay} | {'yes' if was_killed else 'too late'} | {seconds:.0f} "
                f"| {', '.join(different) or 'none'} |",
                flush=True,
            )
    return 1 if n_different else 0


if __name__ == "__main__":
    sys.exit(main())
