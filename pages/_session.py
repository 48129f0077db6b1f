"""The only file that touches session state, query parameters, caches and the process.

What a colleague should see lives in the address (`param`, `set_params`); what only this visitor
needs lives in the session; the workspace lives in the process and outlives both.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, ParamSpec, TypeVar, cast

import streamlit as st

from sensemaking.config import AskSettings
from sensemaking.errors import NotFound, SensemakingError
from sensemaking.figures.arranging import Arrangement, arrange
from sensemaking.figures.beside import Matching, match_leaves
from sensemaking.figures.filtering import Filters, filter_graph
from sensemaking.figures.network import Network, Request, make_network
from sensemaking.methods import METHODS
from sensemaking.types import (
    DocumentRow,
    Estimate,
    Hierarchy,
    KnowledgeGraph,
    LeafCoverage,
    Report,
    Stability,
    TopicRow,
    TopicTrend,
    WindowsPlanned,
    digest,
)
from sensemaking.workspace import Check, Corpus, Workspace

P = ParamSpec("P")
R = TypeVar("R")
_RUNTIME = "_sensemaking_runtime"


def _runtime() -> ModuleType:
    """Return a module without a file: no reload and no cleared cache makes a second workspace."""
    module = sys.modules.get(_RUNTIME)
    if module is None:
        module = sys.modules.setdefault(_RUNTIME, ModuleType(_RUNTIME))
    module.__dict__.setdefault("lock", threading.RLock())
    return module


def workspace() -> Workspace:
    """Return the one workspace of this process."""
    runtime = _runtime()
    with runtime.lock:
        if getattr(runtime, "workspace", None) is None:
            host(Workspace.open(secrets=_secrets()))
    return cast("Workspace", runtime.workspace)


def _secrets() -> dict[str, Any]:
    """Return the section `models` of the app's secrets; there need not be any."""
    if not st.secrets.load_if_toml_exists():
        return {}
    return dict(st.secrets.get("models", {}))


def host(one: Workspace | None) -> None:
    """Let the pages of this process show a workspace; None forgets the present one."""
    _runtime().__dict__["workspace"] = one


def stop_all() -> None:
    """Stop all work and close the corpora; what is done is kept."""
    one: Workspace | None = getattr(_runtime(), "workspace", None)
    if one is not None:
        one.close()
        host(None)


def param(name: str) -> str | None:
    """Return a query parameter, None when it is absent or empty."""
    return st.query_params.get(name) or None


def number_param(name: str) -> int | None:
    """Return a query parameter that is a whole number from 0 up, else None."""
    text = param(name) or ""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def set_params(**values: str | int | None) -> None:
    """Change some query parameters and leave the others; None takes one away."""
    for name, value in values.items():
        if value is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)


def clear_params(keep: tuple[str, ...] = ("corpus",)) -> None:
    """Take all query parameters away but some."""
    for name in list(st.query_params):
        if name not in keep:
            del st.query_params[name]


def go(page: str, **params: str | int | None) -> None:
    """Open another page at the end of a callback; `page` is a file beside the router."""
    st.session_state["going_to"] = (page, {k: str(v) for k, v in params.items() if v is not None})


def follow() -> None:
    """Go where a callback asked to go; called once by the router."""
    target = st.session_state.pop("going_to", None)
    if target is not None:
        st.switch_page(target[0], query_params=target[1])


def act(do: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R | None:
    """Do what a button asks for; a refusal is kept and shown by the next run."""
    try:
        return do(*args, **kwargs)
    except SensemakingError as error:
        st.session_state["refusal"] = str(error)
        return None


def take_refusal() -> str | None:
    """Return why the last action was refused, once."""
    return cast("str | None", st.session_state.pop("refusal", None))


def keep(key: str, value: object) -> None:
    """Remember something for this visitor, or the value of a widget before it is drawn."""
    st.session_state[key] = value


def kept(key: str, default: R) -> R:
    """Return what was kept or what a widget holds."""
    return cast("R", st.session_state.get(key, default))


def selection(key: str, what: str) -> list[Any]:
    """Return what is selected in a chart ("points") or a table ("rows")."""
    return list(kept(key, dict[str, Any]()).get("selection", {}).get(what, []))


def drop(key: str) -> None:
    """Forget something kept."""
    st.session_state.pop(key, None)


def corpus() -> Corpus | None:
    """Return the corpus of the address, else the last one of this visitor, else the only one.

    Raises
    ------
    NotFound
        The address names a corpus that is not there.
    """
    here = workspace()
    name = param("corpus")
    if name is None:
        names = [row.name for row in here.corpora()]
        last = kept("last_corpus", "")
        name = last if last in names else names[0] if len(names) == 1 else None
        if name is None:
            return None
    found = here.open_corpus(name)
    keep("last_corpus", name)
    return found


def corpus_or_none() -> Corpus | None:
    """Return the corpus like `corpus`, None where the address names an unknown one."""
    try:
        return corpus()
    except NotFound:
        return None


# What is expensive to load: shared by all visitors, keyed by folder and build


def hierarchy(one: Corpus, key: str) -> Hierarchy:
    """Return a hierarchy of the present build."""
    return _hierarchy(*_build(one), key, one)


def reports(one: Corpus, key: str) -> dict[str, Report]:
    """Return the reports of a hierarchy by community."""
    return _reports(*_build(one), key, one)


def graph(one: Corpus) -> KnowledgeGraph:
    """Return the knowledge graph of the present build."""
    return _graph(*_build(one), one)


def entities_by_degree(one: Corpus) -> list[str]:
    """Return the ids of all entities, the best connected first."""
    return _entities_by_degree(*_build(one), one)


def core_numbers(one: Corpus) -> dict[str, int]:
    """Return the core number of each entity."""
    return _core_numbers(*_build(one), one)


def homes(one: Corpus, key: str) -> dict[str, str]:
    """Return the leaf in which each entity is at home, for a hierarchy."""
    return _homes(*_build(one), key, one)


def stability(one: Corpus, key: str) -> Stability | None:
    """Return what was measured of the stability of a hierarchy, or None."""
    job = one.trust.job()
    return _stability(
        *_build(one), f"{key} {job.n_events if job else 0} {job and job.id}", key, one
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
    return _leaf_coverage(*_build(one), key, one)


def matching(one: Corpus, first: str, second: str) -> Matching:
    """Return the leaves of two hierarchies in pairs."""
    return _matching(*_build(one), first, second, one)


def drawn(one: Corpus, key: str, request: Request, filters: Filters) -> tuple[Network, Arrangement]:
    """Return what the graph view draws, and where."""
    return _drawn(*_build(one), key, str(request), str(filters), request, filters, one)


def checks() -> tuple[Check, ...]:
    """Return what was found of the installation; looked at once a process."""
    return _checks(str(workspace().home))


def documents(one: Corpus) -> tuple[DocumentRow, ...]:
    """Return the documents as they stand: with their chunks once they are built."""
    return _documents(*_stand(one), one)


def build_estimate(one: Corpus) -> Estimate:
    """Return what a build would still take."""
    return _build_estimate(*_stand(one), one.settings.model_dump_json(), one)


def coverage(one: Corpus) -> tuple[tuple[str, int, int], ...]:
    """Return what of the corpus reached each stage."""
    return _coverage(*_stand(one), one)


@dataclass(frozen=True, slots=True)
class TopicView:
    """All topics at a glance: rows, shares of common entities, documents over time."""

    rows: tuple[TopicRow, ...]
    overlap: list[list[float]]
    trend: tuple[TopicTrend, ...]


def topics(one: Corpus) -> TopicView:
    """Return the topics as they stand, with the user's edits."""
    folder, version = _build(one)
    return _topics(folder, f"{version} {one.topics.state()}", one)


def topic_drawn(one: Corpus, topic: str, key: str) -> tuple[Network, Arrangement]:
    """Return the picture of a topic's graph by one of its hierarchies."""
    return _topic_drawn(*_build(one), topic, key, one)


def plan(one: Corpus, settings: AskSettings) -> WindowsPlanned | None:
    """Return what a question with these settings would read; None before the question is known."""
    if METHODS[settings.method].by_topic or METHODS[settings.method].retrieves:
        return None
    return _plan(*_build(one), settings.model_dump_json(), settings, one)


def answer_estimate(one: Corpus, settings: AskSettings) -> Estimate | None:
    """Return what a question with these settings would take; None where nobody can say yet."""
    return _answer_estimate(*_build(one), settings.model_dump_json(), settings, one)


def largest_titles(one: Corpus, key: str) -> list[str]:
    """Return the titles of the reports on the largest of the coarsest communities."""
    reports_of = reports(one, key)
    coarsest = sorted(hierarchy(one, key).view(0), key=lambda c: (-len(c.home_ids), c.id))
    return [reports_of[c.id].title for c in coarsest if c.id in reports_of][:2]


def _build(one: Corpus) -> tuple[str, str]:
    return str(one.folder), one.version()


def _stand(one: Corpus) -> tuple[str, str]:
    """Return the folder, and what changes with its files and its build."""
    summary = one.summary()
    files = digest(f"{row.id} {row.status}" for row in one.files())
    return str(one.folder), f"{one.version()} {summary.state} {files}"


@st.cache_resource(max_entries=16, show_spinner=False)
def _documents(folder: str, stand: str, _one: Corpus) -> tuple[DocumentRow, ...]:
    return _one.documents()


@st.cache_resource(max_entries=16, show_spinner=False)
def _coverage(folder: str, stand: str, _one: Corpus) -> tuple[tuple[str, int, int], ...]:
    return _one.coverage()


@st.cache_resource(max_entries=16, show_spinner=False)
def _build_estimate(folder: str, stand: str, how: str, _one: Corpus) -> Estimate:
    return _one.estimate_build()


@st.cache_resource(max_entries=16, show_spinner=False)
def _hierarchy(folder: str, version: str, key: str, _one: Corpus) -> Hierarchy:
    return _one.hierarchy(key)


@st.cache_resource(max_entries=16, show_spinner=False)
def _reports(folder: str, version: str, key: str, _one: Corpus) -> dict[str, Report]:
    return _one.reports(key)


@st.cache_resource(max_entries=16, show_spinner=False)
def _graph(folder: str, version: str, _one: Corpus) -> KnowledgeGraph:
    return _one.graph()


@st.cache_resource(max_entries=16, show_spinner=False)
def _entities_by_degree(folder: str, version: str, _one: Corpus) -> list[str]:
    graph = _one.graph()
    entities = sorted(graph.entities, key=lambda one: (-graph.degrees[one.id], one.name, one.id))
    return [entity.id for entity in entities]


@st.cache_resource(max_entries=16, show_spinner=False)
def _core_numbers(folder: str, version: str, _one: Corpus) -> dict[str, int]:
    import networkx as nx

    return dict(nx.core_number(_one.graph().to_networkx()))


@st.cache_resource(max_entries=16, show_spinner=False)
def _homes(folder: str, version: str, key: str, _one: Corpus) -> dict[str, str]:
    return {entity: leaf.id for leaf in _one.hierarchy(key).leaves for entity in leaf.home_ids}


@st.cache_resource(max_entries=16, show_spinner=False)
def _stability(folder: str, version: str, job: str, key: str, _one: Corpus) -> Stability | None:
    return _one.trust.result(key)


@st.cache_resource(max_entries=16, show_spinner=False)
def _leaf_coverage(folder: str, version: str, key: str, _one: Corpus) -> LeafCoverage:
    return _one.trust.coverage(key)


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
    graph, passing = _one.graph(), None
    if _filters.is_set:
        dates = {row.id: row.date for row in _one.documents() if row.date}
        graph, passing = filter_graph(graph, _filters, dates=dates, core_numbers=core_numbers(_one))
    titles = {community: report.title for community, report in _one.reports(key).items()}
    network = make_network(graph, _one.hierarchy(key), titles, _request, passing)
    return network, arrange(network)


@st.cache_resource(max_entries=16, show_spinner="Counting what is said of each topic")
def _topics(folder: str, stand: str, _one: Corpus) -> TopicView:
    return TopicView(_one.topics.rows(), _one.topics.overlap(), _one.topics.trend())


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


@st.cache_resource(max_entries=2, show_spinner="Looking at the installation")
def _checks(home: str) -> tuple[Check, ...]:
    return workspace().check()


@st.cache_resource(max_entries=64, show_spinner=False)
def _answer_estimate(
    folder: str, version: str, how: str, _settings: AskSettings, _one: Corpus
) -> Estimate | None:
    try:
        return _one.estimate_answer(_settings)
    except SensemakingError:
        return None


@st.cache_resource(max_entries=16, show_spinner=False)
def _plan(
    folder: str, version: str, how: str, _settings: AskSettings, _one: Corpus
) -> WindowsPlanned:
    return _one.plan_answer(_settings)
