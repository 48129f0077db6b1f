"""What the figures draw, arranged once for each build and choice."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from pages._session.built import build_key, core_numbers, graph_of
from sensemaking.figures.arranging import Arrangement, arrange
from sensemaking.figures.beside import Matching, match_leaves
from sensemaking.figures.filtering import Filters, filter_graph
from sensemaking.figures.marking import Mark, index_marks
from sensemaking.figures.network import Network, Request, make_network
from sensemaking.types import HierarchySummary, Topic, TopicRow, TopicTrend
from sensemaking.workspace import Corpus


def matching(one: Corpus, first: str, second: str) -> Matching:
    """Return the leaves of two hierarchies in pairs."""
    return _matching(*build_key(one), first, second, one)


def drawn(one: Corpus, key: str, request: Request, filters: Filters) -> tuple[Network, Arrangement]:
    """Return what the graph view draws, and where."""
    return _drawn(*build_key(one), key, str(request), str(filters), request, filters, one)


@dataclass(frozen=True, slots=True)
class TopicView:
    """All topics at a glance: rows, shares of common entities, documents over time.

    `similar` are the groups of those that may be one, of two topics and more.
    """

    rows: tuple[TopicRow, ...]
    overlap: list[list[float]]
    trend: tuple[TopicTrend, ...]
    similar: tuple[tuple[Topic, ...], ...]


def topics(one: Corpus) -> TopicView:
    """Return the topics as they stand, with the user's edits."""
    folder, version = build_key(one)
    return _topics(folder, f"{version} {one.topics.state()}", one)


def topic_hierarchies(one: Corpus) -> tuple[tuple[str, HierarchySummary], ...]:
    """Return the hierarchies of topics whose graph is made, each with the topic's name."""
    folder, version = build_key(one)
    return _topic_hierarchies(folder, f"{version} {one.topics.state()}", one)


def topic_drawn(one: Corpus, topic: str, key: str) -> tuple[Network, Arrangement]:
    """Return the picture of a topic's graph by one of its hierarchies."""
    return _topic_drawn(*build_key(one), topic, key, one)


def marks(one: Corpus) -> dict[str, tuple[Mark, ...]]:
    """Return where entities stand in each document."""
    return _marks(*build_key(one), one)


@st.cache_resource(max_entries=8, show_spinner=False)
def _marks(folder: str, version: str, _one: Corpus) -> dict[str, tuple[Mark, ...]]:
    return index_marks(_one.graph())


@st.cache_resource(max_entries=16, show_spinner=False)
def _matching(folder: str, version: str, first: str, second: str, _one: Corpus) -> Matching:
    return match_leaves(_one.hierarchy(first), _one.hierarchy(second))


@st.cache_resource(max_entries=64, show_spinner="Arranging the graph")
def _drawn(
    folder: str,
    version: str,
    key: str,
    asked: str,
    how: str,
    _request: Request,
    _filters: Filters,
    _one: Corpus,
) -> tuple[Network, Arrangement]:
    graph, passing = graph_of(_one, key), None
    if _filters.is_set:
        dates = {row.id: row.date for row in _one.documents() if row.date}
        graph, passing = filter_graph(graph, _filters, dates=dates, core_numbers=core_numbers(_one))
    titles = {community: report.title for community, report in _one.reports(key).items()}
    network = make_network(graph, _one.hierarchy(key), titles, _request, passing)
    before = None
    if _request.opened:  # the picture before the last one was opened: what it shows stays there
        before = drawn(_one, key, replace(_request, opened=_request.opened[:-1]), _filters)
    return network, arrange(network, before)


@st.cache_resource(max_entries=16, show_spinner="Counting what is said of each topic")
def _topics(folder: str, stand: str, _one: Corpus) -> TopicView:
    found = _one.topics
    similar = tuple(group for group in found.groups() if len(group) > 1)
    return TopicView(found.rows(), found.overlap(), found.trend(), similar)


@st.cache_resource(max_entries=16, show_spinner=False)
def _topic_hierarchies(
    folder: str, stand: str, _one: Corpus
) -> tuple[tuple[str, HierarchySummary], ...]:
    heads = _one.topics.hierarchies()
    names = {one.graph_key: one.name for one in _one.topics.all()} if heads else {}
    return tuple((names[head.key.partition(".")[0]], head) for head in heads if head.communities)


@st.cache_resource(max_entries=32, show_spinner="Arranging the graph")
def _topic_drawn(
    folder: str, version: str, topic: str, key: str, _one: Corpus
) -> tuple[Network, Arrangement]:
    hierarchy, reports = _one.topics.hierarchy(key)
    titles = {community: report.title for community, report in reports.items()}
    level = next(
        (n for n in range(hierarchy.n_levels) if len(hierarchy.view(n)) >= 8),
        hierarchy.n_levels - 1,
    )
    network = make_network(_one.topics.graph(topic), hierarchy, titles, Request(level))
    return network, arrange(network)
