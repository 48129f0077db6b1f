"""Where the library is that draws graphs in the browser: the vis-network that pyvis brings.

The app serves it under an address of its own, so that a browser fetches and compiles it once; in
the component's code it would come again with every change of the graph (0.5 MB, measured).
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

VERSION = "9.1.2"
DRAWING = f"/vis-network-{VERSION}.min.js"


def drawing_library() -> Path:
    """Return the file, without importing pyvis.

    Raises
    ------
    ImportError
        When pyvis is not installed.
    """
    found = find_spec("pyvis")
    if found is None or not found.submodule_search_locations:
        message = "the package “pyvis” is not installed"
        raise ImportError(message)
    folder = Path(found.submodule_search_locations[0])
    return folder / "lib" / f"vis-{VERSION}" / "vis-network.min.js"
