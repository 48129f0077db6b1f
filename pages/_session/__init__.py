"""The only place that touches session state, query parameters, caches, secrets and the process.

What a colleague should see lives in the address (`param`, `set_params`); what only this visitor
needs lives in the session; the workspace lives in the process and outlives both.
"""

from pages._session.built import (
    core_numbers,
    entities_by_degree,
    graph,
    hierarchy,
    homes,
    largest_titles,
    leaf_coverage,
    mates,
    reports,
    stability,
)
from pages._session.pictures import TopicView, drawn, marks, matching, topic_drawn, topics
from pages._session.process import host, stop_all, workspace
from pages._session.standing import (
    answer_estimate,
    build_estimate,
    checks,
    coverage,
    documents,
    losses,
    plan,
)
from pages._session.visit import (
    act,
    clear_params,
    corpus,
    corpus_or_none,
    drop,
    follow,
    go,
    keep,
    kept,
    number_param,
    param,
    selection,
    set_params,
    take_refusal,
)

__all__ = [
    "TopicView",
    "act",
    "answer_estimate",
    "build_estimate",
    "checks",
    "clear_params",
    "core_numbers",
    "corpus",
    "corpus_or_none",
    "coverage",
    "documents",
    "drawn",
    "drop",
    "entities_by_degree",
    "follow",
    "go",
    "graph",
    "hierarchy",
    "homes",
    "host",
    "losses",
    "marks",
    "keep",
    "kept",
    "largest_titles",
    "leaf_coverage",
    "matching",
    "mates",
    "number_param",
    "param",
    "plan",
    "reports",
    "selection",
    "set_params",
    "stability",
    "stop_all",
    "take_refusal",
    "topic_drawn",
    "topics",
    "workspace",
]
