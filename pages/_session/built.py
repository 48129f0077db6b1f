"""What a build made: loaded once, shared by all visitors, keyed by folder and build."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages._session.visit import param
from sensemaking.errors import NotBuilt
from sensemaking.types import Hierarchy, KnowledgeGraph, LeafCoverage, Report, Stability
from sensemaking.workspace import Corpus


def build_key(one: Corpus) -> tuple[str, str]:
    """Return the folder and the build: what was loaded for both stays true."""
    return str(one.folder), one.version()


def hierarchy(one: Corpus, key: str) -> Hierarchy:
    """Return a hierarchy of the present build."""
    return _hierarchy(*build_key(one), key, one)


def reports(one: Corpus, key: str) -> dict[str, Report]:
    """Return the reports of a hierarchy by community."""
    return _reports(*build_key(one), key, one)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a report belongs: its community, and the large one above it, with its rank of size."""

    community: str
    top: str
    rank: int


def report_places(one: Corpus, key: str) -> dict[str, Place]:
    """Return the place of each report of a hierarchy, by the report's id."""
    return _report_places(*build_key(one), key, one)


def graph(one: Corpus) -> KnowledgeGraph:
    """Return the graph behind the hierarchy of the address: the general one, or a topic's."""
    return graph_of(one, param("hierarchy") or "")


def graph_of(one: Corpus, key: str) -> KnowledgeGraph:
    """Return the graph that a hierarchy folds; the general one for a key that is not there."""
    return _graph(*build_key(one), _topic_key(key), one)


def entities_by_degree(one: Corpus) -> list[str]:
    """Return the ids of all entities, the best connected first."""
    return _entities_by_degree(*build_key(one), _topic_key(param("hierarchy") or ""), one)


def core_numbers(one: Corpus) -> dict[str, int]:
    """Return the core number of each entity."""
    return _core_numbers(*build_key(one), _topic_key(param("hierarchy") or ""), one)


def homes(one: Corpus, key: str) -> dict[str, str]:
    """Return the leaf in which each entity is at home, for a hierarchy."""
    return _homes(*build_key(one), key, one)


def stability(one: Corpus, key: str) -> Stability | None:
    """Return what was measured of the stability of a hierarchy, or None."""
    job = one.trust.job()
    return _stability(
        *build_key(one), f"{key} {job.n_events if job else 0} {job and job.id}", key, one
    )


def mates(one: Corpus, key: str) -> dict[str, float]:
    """Return for each entity which share of its leaf mates it keeps, where that was measured."""
    found = stability(one, key)
    if found is None:
        return {}
    pairs = zip(found.entity_ids, found.trials[0].mates, strict=True)
    return {entity: kept for entity, kept in pairs if kept is not None}


def leaf_coverage(one: Corpus, key: str) -> LeafCoverage:
    """Return how much of the text the leaves of a hierarchy reach."""
    return _leaf_coverage(*build_key(one), key, one)


def largest_titles(one: Corpus, key: str) -> list[str]:
    """Return the titles of the reports on the largest of the coarsest communities."""
    reports_of = reports(one, key)
    coarsest = sorted(hierarchy(one, key).view(0), key=lambda c: (-len(c.home_ids), c.id))
    return [reports_of[c.id].title for c in coarsest if c.id in reports_of][:2]


def _topic_key(key: str) -> str:
    """Return the key of a topic's hierarchy, "" for any other: they fold the general graph."""
    return key if key.startswith("topic-") else ""


@st.cache_resource(max_entries=16, show_spinner=False)
def _hierarchy(folder: str, version: str, key: str, _one: Corpus) -> Hierarchy:
    return _one.hierarchy(key)


@st.cache_resource(max_entries=16, show_spinner=False)
def _reports(folder: str, version: str, key: str, _one: Corpus) -> dict[str, Report]:
    return _one.reports(key)


@st.cache_resource(max_entries=16, show_spinner=False)
def _report_places(folder: str, version: str, key: str, _one: Corpus) -> dict[str, Place]:
    from sensemaking.figures.hierarchy import color_ranks

    found: dict[str, Place] = {}
    whole, reports_of = _one.hierarchy(key), _one.reports(key)
    ranks = color_ranks(whole)
    for community in whole.communities:
        report = reports_of.get(community.id)
        if report is None or report.id in found:
            continue
        path = whole.path(community.id)
        top = next((one for one in path if ranks[one.id] is not None), path[0])
        rank = ranks[top.id]
        found[report.id] = Place(community.id, top.id, rank if rank is not None else 99)
    return found


@st.cache_resource(max_entries=16, show_spinner=False)
def _graph(folder: str, version: str, key: str, _one: Corpus) -> KnowledgeGraph:
    try:
        return _one.topics.graph_of(key) if key else _one.graph()
    except NotBuilt:
        if not key:
            raise
        return _one.graph()  # the topic was made anew or dropped: pages choose another hierarchy


@st.cache_resource(max_entries=16, show_spinner=False)
def _entities_by_degree(folder: str, version: str, key: str, _one: Corpus) -> list[str]:
    graph = graph_of(_one, key)
    entities = sorted(graph.entities, key=lambda one: (-graph.degrees[one.id], one.name, one.id))
    return [entity.id for entity in entities]


@st.cache_resource(max_entries=16, show_spinner=False)
def _core_numbers(folder: str, version: str, key: str, _one: Corpus) -> dict[str, int]:
    import networkx as nx

    return dict(nx.core_number(graph_of(_one, key).to_networkx()))


@st.cache_resource(max_entries=16, show_spinner=False)
def _homes(folder: str, version: str, key: str, _one: Corpus) -> dict[str, str]:
    return {entity: leaf.id for leaf in _one.hierarchy(key).leaves for entity in leaf.home_ids}


@st.cache_resource(max_entries=16, show_spinner=False)
def _stability(folder: str, version: str, job: str, key: str, _one: Corpus) -> Stability | None:
    return _one.trust.result(key)


@st.cache_resource(max_entries=16, show_spinner=False)
def _leaf_coverage(folder: str, version: str, key: str, _one: Corpus) -> LeafCoverage:
    return _one.trust.coverage(key)
