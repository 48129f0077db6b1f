"""The composition root: opens corpus folders, wires the engine, hands both out.

A home holds `corpora/<name>/` (one folder per corpus) and `trash/`. Nothing here knows a screen.
"""

from sensemaking.adapters.models.checking import ModelCheck
from sensemaking.workspace.corpus import Corpus
from sensemaking.workspace.differing import Change, compare_sentences
from sensemaking.workspace.doctor import Check
from sensemaking.workspace.files import check_paths
from sensemaking.workspace.home import Workspace
from sensemaking.workspace.losses import Loss

__all__ = [
    "Change",
    "Check",
    "Corpus",
    "Loss",
    "ModelCheck",
    "Workspace",
    "check_paths",
    "compare_sentences",
]
