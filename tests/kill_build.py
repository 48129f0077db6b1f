"""Builds a corpus in this process and, asked to, dies by SIGKILL at a moment of the build.

    python -m tests.kill_build HOME NAME FOLDER [EVENT DELAY_MS]

Dies DELAY_MS after event number EVENT, wherever the program then is; without them it builds to the
end and prints the number of events and the digests of all content tables as JSON.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from pathlib import Path

from sensemaking.errors import NotFound
from sensemaking.pipeline import build
from sensemaking.workspace import Workspace


def main() -> None:
    home, name, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    kill_at, delay = (int(one) for one in sys.argv[4:6]) if len(sys.argv) > 4 else (-1, 0)
    workspace = Workspace.open(home)
    try:
        corpus = workspace.open_corpus(name)
    except NotFound:
        corpus = workspace.create(name)
        corpus.add_paths([folder])
    n_events = 0
    for _ in build(corpus.engine, corpus.settings, corpus.read_original):
        n_events += 1
        if n_events == kill_at:
            threading.Thread(target=_die, args=(delay / 1000,), daemon=True).start()
    tables = corpus.content_digests()
    workspace.close()
    print(json.dumps({"events": n_events, "tables": tables}))


def _die(seconds: float) -> None:
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
