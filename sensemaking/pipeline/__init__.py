"""The two lines of the product, each a generator of events: `build` and `ask`."""

from sensemaking.pipeline.ask import ask
from sensemaking.pipeline.build import build, read_files
from sensemaking.pipeline.engine import Engine

__all__ = ["Engine", "ask", "build", "read_files"]
