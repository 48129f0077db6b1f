"""Builds a corpus in this process and, asked to, dies by SIGKILL at a moment of the build.

    python -m tests.kill_build HOME NAME FOLDER [EVENT DELAY_MS]

Dies DELAY_MS after event number EVENT, wherever the program then is; without them it builds to the
end and prints, as JSON, how many events each stage had and the digests of all content tables.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from sensemaking.errors import NotFound
from sensemaking.pipeline import build
from sensemaking.types import Progress
from sensemaking.workspace import Workspace

ROOT = Path(__file__).resolve().parents[1]
MAX_DELAY_MS = 40


@dataclass(frozen=True)
class Ended:
    """One run of this program: whether it was killed, and what it printed."""

    was_killed: bool
    output: dict


def run(home: Path, folder: Path, moment: tuple[int, int] | None = None) -> Ended:
    """Build in a process of its own, killed at a moment (event number, milliseconds after it)."""
    command = [sys.executable, "-m", "tests.kill_build", str(home), "killed", str(folder)]
    ended = subprocess.run(
        [*command, *map(str, moment or ())], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if ended.returncode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"the build ended with {ended.returncode}: {ended.stderr}")
    was_killed = ended.returncode != 0
    return Ended(was_killed, {} if was_killed else json.loads(ended.stdout))


def to_the_end(home: Path, folder: Path) -> Ended:
    """Build, or go on with a build that was killed, in this process."""
    return Ended(False, _build(home, "killed", folder))


def moments(n_events: int, n: int, seed: int) -> list[tuple[int, int]]:
    """Return moments of a build of so many events, spread over it; the last event is left out."""
    rng = random.Random(seed)
    events = sorted(rng.sample(range(1, n_events), n))
    return [(event, rng.randrange(0, MAX_DELAY_MS)) for event in events]


def main() -> None:
    home, name, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    kill_at, delay = (int(one) for one in sys.argv[4:6]) if len(sys.argv) > 4 else (-1, 0)
    print(json.dumps(_build(home, name, folder, kill_at, delay)))


def _build(home: Path, name: str, folder: Path, kill_at: int = -1, delay: int = 0) -> dict:
    workspace = Workspace.open(home)
    try:
        corpus = workspace.open_corpus(name)
    except NotFound:
        corpus = workspace.create(name)
        corpus.add_paths([folder])
    stages: list[str] = []
    for event in build(corpus.engine, corpus.settings, corpus.read_original):
        stages.append(event.stage if isinstance(event, Progress) else type(event).__name__)
        if len(stages) == kill_at:
            threading.Thread(target=_die, args=(delay / 1000,), daemon=True).start()
    tables = corpus.content_digests()
    workspace.close()
    return {"events": stages, "tables": tables}


def _die(seconds: float) -> None:
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
