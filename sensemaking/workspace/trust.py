"""How far the hierarchies of a corpus can be trusted, and what of its text they reach."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from sensemaking.communities import fold_graph, index_knowledge_graph
from sensemaking.communities.stability import Effort, measure_stability
from sensemaking.config import HierarchySettings, RoundRobinSettings
from sensemaking.errors import NotFound, SensemakingError
from sensemaking.jobs import Jobs
from sensemaking.methods import COMMUNITIES
from sensemaking.pipeline.library import CHUNKS, Library, hierarchy_head
from sensemaking.ports import Tokenizer
from sensemaking.types import (
    BuildEvent,
    DealtTies,
    Hierarchy,
    JobSnapshot,
    LeafCoverage,
    Stability,
    digest,
)
from sensemaking.workspace.dealing import measure_dealing

VERSION = 1
"""Raised when a stability comes out differently for the same graph."""


class Trust:
    """Measures how stable hierarchies are, as a job; results are kept. Safe to share."""

    def __init__(self, library: Library, jobs: Jobs) -> None:
        self._library = library
        self._jobs = jobs

    def start(self, hierarchy_key: str) -> str:
        """Make a hierarchy again and again; returns the id of the job.

        While one runs its id is returned, whatever hierarchy it is about.

        Raises
        ------
        NotBuilt, NotFound
            When there is no such hierarchy, or its algorithm is not known any more.
        """
        hierarchy = self._library.hierarchy(hierarchy_key)
        method = COMMUNITIES.get(hierarchy.algorithm)
        if method is None:
            raise NotFound(
                f"This program does not know the algorithm “{hierarchy.algorithm}” of "
                f"{hierarchy_key}: build again."
            )
        scope = self._scope(hierarchy)

        def events(is_stopping: Callable[[], bool]) -> Generator[BuildEvent, None, None]:
            graph = index_knowledge_graph(self._library.graph(hierarchy.graph_key))
            folded = fold_graph(graph, hierarchy.graph_key, method, _settings(hierarchy))
            if folded.hierarchy.communities != hierarchy.communities:
                raise SensemakingError(
                    f"{hierarchy_key} comes out otherwise now than when it was built: build again."
                )
            measuring = measure_stability(folded, method, Effort())
            while not is_stopping():
                try:
                    yield next(measuring)
                except StopIteration as ended:
                    self._library.store.replace(scope, {Stability: [ended.value]})
                    return

        return self._jobs.start_build(events)

    def stop(self) -> None:
        """Ask the running measurement to stop; it keeps nothing."""
        self._jobs.stop_build()

    def job(self) -> JobSnapshot | None:
        """Return the latest measurement, or None when there never was one."""
        return self._jobs.build()

    def wait(self, seconds: float | None = None) -> JobSnapshot | None:
        """Wait until the measurement of this program has ended, or for so many seconds."""
        return self._jobs.join_build(seconds)

    def result(self, hierarchy_key: str) -> Stability | None:
        """Return what was measured of a hierarchy as it stands, or None."""
        found = self._library.store.all(
            Stability, self._scope(self._library.hierarchy(hierarchy_key))
        )
        return found[0] if found else None

    def coverage(self, hierarchy_key: str) -> LeafCoverage:
        """Return how much of the text the leaves with a report draw on."""
        hierarchy = self._library.hierarchy(hierarchy_key)
        reports = self._library.reports(hierarchy_key)
        entities = self._library.graph(hierarchy.graph_key).entity_by_id
        reached = {
            chunk
            for leaf in hierarchy.leaves
            if leaf.id in reports
            for one in leaf.entity_ids
            for chunk in entities[one].chunk_ids
        }
        chunks = self._library.chunks(
            self._library.documents(), self._library.store.head(CHUNKS) or ""
        )
        return LeafCoverage(
            leaves=len(hierarchy.leaves),
            tokens=sum(one.n_tokens for one in chunks),
            tokens_reached=sum(one.n_tokens for one in chunks if one.id in reached),
        )

    def dealt(
        self, hierarchy_key: str, ways: Sequence[RoundRobinSettings], tokenizer: Tokenizer
    ) -> tuple[DealtTies, ...]:
        """Return what round-robin selection (RRTC) would leave of the leaves."""
        return measure_dealing(self._library, tokenizer, hierarchy_key, ways)

    def _scope(self, hierarchy: Hierarchy) -> str:
        scope = self._library.store.head(hierarchy_head(hierarchy.key)) or ""
        return digest("stability", VERSION, scope)


def _settings(hierarchy: Hierarchy) -> HierarchySettings:
    params = dict(hierarchy.params)
    return HierarchySettings(
        max_community_size=int(params["max_community_size"]),
        components="largest" if params["components"] == "largest" else "all",
        seed=hierarchy.seed,
    )
