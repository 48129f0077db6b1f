"""The engine from a terminal; see `sensemaking --help`."""

from sensemaking.cli import evaluating as evaluating  # adds its commands
from sensemaking.cli import folding as folding  # adds its commands
from sensemaking.cli import shape as shape  # so does this
from sensemaking.cli import topics as topics  # so does this
from sensemaking.cli.commands import main

__all__ = ["main"]
