"""The two lines of the product, each a generator of events: `build` and `ask`."""

from sensemaking.pipeline.ask import ask
from sensemaking.pipeline.build import build
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.reading import read_files

__all__ = ["Engine", "ask", "build", "read_files"]
