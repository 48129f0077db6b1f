"""Long work in the background: start, follow, stop, and find again after a restart."""

from sensemaking.jobs.background import ANSWER, BUILD, Jobs
from sensemaking.jobs.running import MakeEvents

__all__ = ["ANSWER", "BUILD", "Jobs", "MakeEvents"]
