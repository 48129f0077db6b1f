"""The menu, in display order: what can fold a graph, and what can answer a question.

Adding a community algorithm is one file in `communities/` and one line here; adding an answer
method is one row here, and one selector where its retrieval is new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from sensemaking.answers.selectors import Selection, select_reports
from sensemaking.communities import Algorithm
from sensemaking.communities.kcore import find_m2hc, find_mrc, find_rkh
from sensemaking.communities.leiden import find_leiden
from sensemaking.types import Hierarchy, KnowledgeGraph, Report

Select = Callable[[Hierarchy, Mapping[str, Report], int | None, KnowledgeGraph, int], Selection]
"""(hierarchy, reports by community, level or None for the leaves, graph, number of chunks) to what
is read."""

COMMUNITIES: dict[str, Algorithm] = {
    "leiden": Algorithm(
        name="leiden",
        label="Leiden",
        sentence="Groups entities that are tied to each other more than to the rest.",
        find=find_leiden,
        default_size=10,
        is_seeded=True,
        package="graspologic-native",
    ),
    "rkh": Algorithm(
        name="rkh",
        label="k-core (RkH)",
        sentence="Peels the graph from its loose rim to its densest cores; nothing is random.",
        find=find_rkh,
        default_size=20,
        is_seeded=False,
    ),
    "m2hc": Algorithm(
        name="m2hc",
        label="k-core, small groups merged (M2hC)",
        sentence="As RkH, but two entities that only share a neighbour join its community.",
        find=find_m2hc,
        default_size=20,
        is_seeded=False,
    ),
    "mrc": Algorithm(
        name="mrc",
        label="k-core, all pairs merged (MRC)",
        sentence="As RkH, but every leftover pair joins the community it touches most.",
        find=find_mrc,
        default_size=20,
        is_seeded=False,
    ),
}


@dataclass(frozen=True, slots=True)
class Method:
    """A way to answer a question: which evidence is selected and read in windows.

    `reads`: reports, which `select` chooses; all texts; or the texts closest to the question.
    """

    name: str
    label: str
    sentence: str
    select: Select | None = None
    reads: Literal["reports", "texts", "closest"] = "reports"


METHODS: dict[str, Method] = {
    "global": Method(
        name="global",
        label="Global",
        sentence="Reads the reports on all communities of one level and answers from all of them.",
        select=select_reports,
    ),
    "text": Method(
        name="text",
        label="Texts",
        sentence="Reads all documents themselves, without graph and reports, and answers from all.",
        reads="texts",
    ),
    "vector": Method(
        name="vector",
        label="Vector search",
        sentence="Reads the passages closest to the question, as many as one window holds.",
        reads="closest",
    ),
}
