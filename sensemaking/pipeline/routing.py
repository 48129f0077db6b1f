"""From a question to the evidence it is answered from: topic, keywords, reports, windows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sensemaking.answers.mapreduce import plan_windows
from sensemaking.answers.retrieving import (
    Retrieval,
    find_reports,
    index_reports,
    select_summaries,
)
from sensemaking.answers.selectors import Selection
from sensemaking.config import AskSettings
from sensemaking.errors import InputError, NotBuilt
from sensemaking.methods import METHODS
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.library import Library, reports_head
from sensemaking.pipeline.passages import select_closest, select_texts
from sensemaking.pipeline.topic_library import NOT_FOUND_YET, TopicLibrary
from sensemaking.pipeline.topics import make_analyst, topic_draft
from sensemaking.topics import NO_TOPIC, fold_name
from sensemaking.types import Hierarchy, Report, Topic, TopicRoute, Window, digest

NOWHERE = TopicRoute(None, "", "")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a question reads: the hierarchy, the selection, its windows, how it came to be."""

    hierarchy: str
    selection: Selection
    windows: tuple[Window, ...]
    trace: tuple[tuple[str, str], ...]


def route_digest(engine: Engine, library: Library, settings: AskSettings) -> str:
    """Return a digest of what the route of a question depends on, besides the question."""
    method = METHODS[settings.method]
    if not (method.by_topic or method.expands):
        return ""
    key = make_analyst(engine, library, settings.hierarchy).key
    return digest(key, TopicLibrary(library).state())


def find_route(
    engine: Engine, library: Library, question: str, settings: AskSettings
) -> TopicRoute:
    """Return where a question goes, and the keywords that it is looked for with.

    Raises
    ------
    NotBuilt
        When the method needs topics and none were looked for, or the topic has no graph.
    NotFound, InputError
        When the settings name a topic that is not there, or that is empty.
    """
    method = METHODS[settings.method]
    route = NOWHERE
    if method.by_topic:
        route = choose_topic(engine, library, question, settings)
    keywords = find_keywords(engine, library, question, settings)
    return replace(route, keywords=keywords)


def find_keywords(
    engine: Engine, library: Library, question: str, settings: AskSettings
) -> tuple[str, ...]:
    """Return the keywords that a question is looked for with, () where its method has none."""
    if not METHODS[settings.method].expands:
        return ()
    topics = TopicLibrary(library)
    about = topics.description() if topics.is_found else ""
    return make_analyst(engine, library, settings.hierarchy).expand(question, about)


def choose_topic(
    engine: Engine, library: Library, question: str, settings: AskSettings
) -> TopicRoute:
    """Return the topic of a question, whether its graph is made or not; see `find_route`.

    Notes
    -----
    A topic whose graph was made and is empty is not offered. A choice that is not on the list is
    none, as ReTAG has it where the model names no topic.
    """
    topics = TopicLibrary(library)
    if not topics.is_found:
        raise NotBuilt(NOT_FOUND_YET)
    algorithm = settings.hierarchy.partition(".")[2]
    if fold_name(settings.topic) == NO_TOPIC:
        return TopicRoute(None, "The whole corpus was asked for.", "")
    if settings.topic:
        topic = topics.topic(settings.topic)
        if _is_empty(topics, topic, algorithm):
            raise InputError(
                f"The graph of the topic “{topic.name}” is empty: ask another topic, or the "
                f"whole corpus (topic “{NO_TOPIC}”)."
            )
        return TopicRoute(topic, "The topic was chosen.", "")
    offered = [one for one in topics.topics() if not _is_empty(topics, one, algorithm)]
    if not offered:
        return TopicRoute(None, "There is no topic to choose from.", "")
    drafts = [topic_draft(one) for one in offered]
    analyst = make_analyst(engine, library, settings.hierarchy)
    choice = analyst.classify(question, drafts, topics.description())
    by_subject = {fold_name(one.subject): one for one in offered}
    chosen = by_subject.get(fold_name(choice.topic or ""))
    second = by_subject.get(fold_name(choice.runner_up or ""))
    return TopicRoute(chosen, choice.reason, second.name if second is not None else "")


def _is_empty(topics: TopicLibrary, topic: Topic, algorithm: str) -> bool:
    return topics.way(topic) is not None and not topics.n_reports(topic, algorithm)


def plan(
    engine: Engine,
    library: Library,
    settings: AskSettings,
    question: str = "",
    route: TopicRoute = NOWHERE,
) -> Plan:
    """Return what a question with these settings reads, and its windows in their order.

    Without a question, a method that searches selects what is as large as what it would find.

    Raises
    ------
    NotBuilt
        When the hierarchy has no reports, the topic's included.
    """
    method = METHODS[settings.method]
    if method.reads == "texts":
        return _plan_of(settings, settings.hierarchy, select_texts(library))
    if method.select is None:
        selection = select_closest(engine, library, question, settings)
        return _plan_of(settings, settings.hierarchy, selection)
    key = _hierarchy_key(library, settings, route.topic)
    hierarchy, reports = library.hierarchy(key), library.reports(key)
    graph, n_chunks = library.graph(hierarchy.graph_key), library.n_chunks()
    trace = _trace(settings, route, hierarchy)
    level = settings.level
    if settings.within:
        inside = hierarchy_below(hierarchy, settings.within)
        trace = (*trace, ("inside", _title_of(reports, settings.within)))
        top = hierarchy.by_id[settings.within].level
        hierarchy, level = inside, level if level is None else max(level, top)
    if method.retrieves:
        query = " ".join((question, *route.keywords))
        view = hierarchy.leaves if level is None else hierarchy.view(level)
        known = [reports[one.id] for one in view if one.id in reports]
        scope = digest(
            library.store.head(reports_head(key)) or "", str(settings.level), settings.within
        )
        index = library.keep(
            "lexical topic" if route.topic is not None else "lexical",
            digest(scope, settings.k1, settings.b),
            lambda: index_reports(known, settings.k1, settings.b),
        )
        retrieval = Retrieval(query, settings.max_reports, settings.k1, settings.b)
        found = find_reports(index, reports, retrieval)
        selection = select_summaries(hierarchy, found, graph, n_chunks, engine.tokenizer)
        trace = (*trace, ("retrieved", f"the {len(found):,} best of {len(known):,} reports"))
    else:
        selection = method.select(hierarchy, reports, level, graph, n_chunks)
    return _plan_of(settings, key, selection, trace)


def hierarchy_below(hierarchy: Hierarchy, community_id: str) -> Hierarchy:
    """Return a community and what lies below it as a hierarchy; levels count as before.

    Raises
    ------
    InputError
        When the hierarchy has no such community.
    """
    top = hierarchy.by_id.get(community_id)
    if top is None:
        raise InputError(
            f"There is no community “{community_id[:40]}” in {hierarchy.key}: it may be of another "
            "hierarchy or of an earlier build. Ask the whole corpus, or pick it anew."
        )
    below = (top, *hierarchy.descendants(community_id))
    ordered = sorted(below, key=lambda one: (one.level, one.id))
    return replace(hierarchy, communities=tuple(ordered), unplaced=())


def _title_of(reports: Mapping[str, Report], community_id: str) -> str:
    report = reports.get(community_id)
    return report.title if report is not None else community_id


def _plan_of(
    settings: AskSettings,
    hierarchy: str,
    selection: Selection,
    trace: tuple[tuple[str, str], ...] = (),
) -> Plan:
    windows = plan_windows(selection.blocks, settings.window_tokens, settings.seed)
    return Plan(hierarchy, selection, tuple(windows), trace)


def _hierarchy_key(library: Library, settings: AskSettings, topic: Topic | None) -> str:
    if topic is None:
        return settings.hierarchy
    key = f"{topic.graph_key}.{settings.hierarchy.partition('.')[2]}"
    topics = TopicLibrary(library)
    if topics.way(topic) is None or not library.store.head(reports_head(key)):
        raise NotBuilt(
            f"The question falls in the topic “{topic.name}”, which has no reports of its own yet: "
            f"make them on the Topics page (or run `sensemaking topics NAME --make "
            f'"{topic.name}"`), or ask the whole corpus (topic “{NO_TOPIC}”).'
        )
    return key


def _trace(
    settings: AskSettings, route: TopicRoute, hierarchy: Hierarchy
) -> tuple[tuple[str, str], ...]:
    """Return in (what, how) pairs how the evidence was chosen; nothing to tell for `global`."""
    method = METHODS[settings.method]
    told: list[tuple[str, str]] = []
    if method.by_topic and route.reason:
        told.append(("topic", route.topic.name if route.topic is not None else NO_TOPIC))
        told.append(("reason", route.reason))
        if route.runner_up:
            told.append(("second", route.runner_up))
        deepest = max(0, hierarchy.n_levels - 1)
        if settings.level is not None:
            told.append(("level", f"{min(settings.level, deepest)} of 0 to {deepest}"))
    if route.keywords:
        told.append(("keywords", ", ".join(route.keywords)))
    return tuple(told)
