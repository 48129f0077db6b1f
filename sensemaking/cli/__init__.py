"""The engine from a terminal; see `sensemaking --help`."""

from sensemaking.cli.commands import main

__all__ = ["main"]
