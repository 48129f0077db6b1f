"""Makes the graphs of all topics of a corpus in this process, until it is killed from outside.

python -m tests.kill_topics HOME NAME
"""

from __future__ import annotations

import sys
from pathlib import Path

from sensemaking.workspace import Workspace


def main() -> None:
    workspace = Workspace.open(Path(sys.argv[1]))
    try:
        topics = workspace.open_corpus(sys.argv[2]).topics
        topics.start_graphs(None)
        topics.wait()
    finally:
        workspace.close()


if __name__ == "__main__":
    main()
