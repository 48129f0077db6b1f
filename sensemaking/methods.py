"""The menu, in display order: what can fold a graph, and what can answer a question.

Adding a community algorithm is one file in `communities/` and one line here; adding an answer
method is one row here, and one selector where its retrieval is new.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Selection=object
select_reports=None
from sensemaking.communities.hierarchy import Algorithm
from sensemaking.communities.kcore import find_rkh
from sensemaking.communities.leiden import find_leiden

COMMUNITIES: dict[str, Algorithm] = {
    "leiden": Algorithm(
        name="leiden",
        label="Leiden",
        sentence="Groups entities that are tied to each other more than to the rest.",
        find=find_leiden,
        default_size=10,
        is_seeded=True,
    ),
    "rkh": Algorithm(
        name="rkh",
        label="k-core (RkH)",
        sentence="Peels the graph from its loose rim to its densest cores; nothing is random.",
        find=find_rkh,
        default_size=20,
        is_seeded=False,
    ),
}


@dataclass(frozen=True, slots=True)
class Method:
    """A way to answer a question: which evidence is selected, and what is done with it.

    `windows_are_mapped` says whether windows are read one by one (map and reduce) or the answer
    is written from the selection at once.
    """

    name: str
    label: str
    sentence: str
    select: Callable[..., Selection]
    windows_are_mapped: bool


METHODS: dict[str, Method] = {
    "global": Method(
        name="global",
        label="Global",
        sentence="Reads the reports on all communities of one level and answers from all of them.",
        select=select_reports,
        windows_are_mapped=True,
    ),
}
