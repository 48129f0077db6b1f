"""The menu, in display order: what can fold a graph, and what can answer a question.

Adding a community algorithm is one file in `communities/` and one line here; adding an answer
method is one row here, and one selector where its retrieval is new.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from sensemaking.answers.selectors import Selection, select_reports
from sensemaking.communities import Algorithm
from sensemaking.communities.kcore import find_m2hc, find_mrc, find_rkh
from sensemaking.communities.leiden import find_leiden
from sensemaking.config import AskSettings
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
    `by_topic`: from the reports of the topic that the question falls in. `retrieves`: from the
    summaries of the reports that fit the question best. `expands`: the query gets keywords.
    `by_window`: a window has one score. Budgets in tokens are defaults of `settings`.
    """

    name: str
    label: str
    sentence: str
    select: Select | None = None
    reads: Literal["reports", "texts", "closest"] = "reports"
    by_topic: bool = False
    retrieves: bool = False
    expands: bool = False
    by_window: bool = False
    window_tokens: int = 8000
    reduce_tokens: int = 8000

    def settings(self, **chosen: Any) -> AskSettings:  # noqa: ANN401 - fields of AskSettings
        """Return settings for this method, with its own budgets where none are chosen."""
        return AskSettings.model_validate({"method": self.name, **self.budgets, **chosen})

    @property
    def budgets(self) -> dict[str, int]:
        """Return the budgets that `AskSettings` has for this method where none are chosen."""
        return {"window_tokens": self.window_tokens, "reduce_tokens": self.reduce_tokens}


_OF_RETAG = partial(
    Method, select=select_reports, by_window=True, window_tokens=4000, reduce_tokens=4000
)
"""What the rows of ReTAG (METHODS section 3) and its ablations have in common."""

METHODS: dict[str, Method] = {
    "global": Method(
        name="global",
        label="Global",
        sentence="Reads the reports on all communities of one level and answers from all of them.",
        select=select_reports,
    ),
    "global+topic": _OF_RETAG(
        name="global+topic",
        label="Topic",
        sentence="As Global, within the topic that the question falls in.",
        by_topic=True,
    ),
    "global+retrieval": _OF_RETAG(
        name="global+retrieval",
        label="Retrieval",
        sentence="Reads the summaries of the reports that fit the question and its keywords best.",
        retrieves=True,
        expands=True,
    ),
    "retag": _OF_RETAG(
        name="retag",
        label="Topic and retrieval (ReTAG)",
        sentence="Reads, within the question's topic, the summaries that fit its keywords best.",
        by_topic=True,
        retrieves=True,
        expands=True,
    ),
    "retag-no-expansion": _OF_RETAG(
        name="retag-no-expansion",
        label="ReTAG without keywords",
        sentence="As ReTAG, but looks for the words of the question alone.",
        by_topic=True,
        retrieves=True,
    ),
    "retrieval-no-expansion": _OF_RETAG(
        name="retrieval-no-expansion",
        label="Retrieval without keywords",
        sentence="As Retrieval, but looks for the words of the question alone.",
        retrieves=True,
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
