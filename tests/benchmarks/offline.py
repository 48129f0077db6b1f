"""The command line with every socket outside loopback refused.

Used as `python -m tests.benchmarks.offline`, in place of `sensemaking`.
Worker processes import this module again, so they are cut off as well.
"""

from tests.no_network import block

block()

from sensemaking.cli import main  # noqa: E402 (nothing may open a socket before the block)

if __name__ == "__main__":
    main()
