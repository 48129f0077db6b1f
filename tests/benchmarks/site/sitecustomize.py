"""Imported by every Python that starts while this folder is on its path: refuses the network.

Attempts are appended to the file that SENSEMAKING_ATTEMPTS names, one a line.
"""

import os
from pathlib import Path

if "SENSEMAKING_ATTEMPTS" in os.environ:
    from tests.no_network import block_into

    block_into(Path(os.environ["SENSEMAKING_ATTEMPTS"]))
