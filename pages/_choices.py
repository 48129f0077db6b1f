"""Which hierarchy and which level: chosen by hand, kept in the address."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._words import count, shorten
from sensemaking.methods import COMMUNITIES, METHODS
from sensemaking.types import Condition, HierarchySummary
from sensemaking.workspace import Corpus

LEAVES = "leaf"
RRTC = "-rrtc"
"""Behind a key: how many of the relationships inside leaves their reports may show, in %."""


def hierarchy_label(key: str) -> str:
    """Return the name of the algorithm behind a hierarchy key such as `general.leiden`."""
    parts = key.split(".")
    name, _, share = (parts[1] if len(parts) > 1 else key).partition(RRTC)
    label = COMMUNITIES[name].label if name in COMMUNITIES else name
    return f"{label}, {share} % of the ties" if share else label


def level_label(level: int | None) -> str:
    """Return the words for a level; None are the leaves."""
    return "leaves" if level is None else f"level {level}"


def condition_label(condition: Condition) -> str:
    """Return a condition of a comparison in words: method, communities, level."""
    told = dict(condition.settings)
    method = METHODS.get(told.get("method", ""))
    parts = [method.label if method is not None else condition.label]
    if "hierarchy" in told:
        parts.append(hierarchy_label(told["hierarchy"]))
    level = told.get("level", "")
    if level:
        parts.append(level_label(int(level) if level.isdecimal() else None))
    return ", ".join(parts)


def hierarchies(corpus: Corpus | None) -> tuple[HierarchySummary, ...]:
    """Return the hierarchies there are to look at and to ask; those without a community are not."""
    return tuple(head for head in corpus.hierarchies() if head.communities) if corpus else ()


def draw_not_ready(corpus: Corpus | None, purpose: str) -> None:
    """Draw what a page is for while there is nothing to choose from, and where to go."""
    built = corpus is not None and bool(corpus.hierarchies())
    with look.empty(
        "Nothing hangs together yet" if built else "Not built yet",
        "No two things in the documents are tied to each other. Add documents and build again."
        if built
        else purpose,
        "not_ready",
    ):
        st.page_link(
            "documents.py" if corpus else "corpora.py",
            label="Open Documents" if corpus else "All corpora",
            query_params={"corpus": corpus.name} if corpus else None,
        )


def choose_hierarchy(
    heads: Sequence[HierarchySummary], *, key: str, topics_of: Corpus | None = None
) -> HierarchySummary:
    """Draw the choice of a hierarchy; another one starts at its top.

    With `topics_of` those of the corpus's topics can be chosen too.
    """
    of_topics = session.topic_hierarchies(topics_of) if topics_of is not None else ()
    known = {head.key: head for head in (*heads, *(head for _, head in of_topics))}
    topics = {head.key: topic for topic, head in of_topics}

    def change() -> None:
        session.clear_params()
        session.set_params(hierarchy=session.kept(key, heads[0].key))

    def name(one: str) -> str:
        label = hierarchy_label(one)
        if one in topics:
            label = f"{shorten(topics[one], 60)}: {label}"
        return f"{label}, {count(known[one].communities, 'community', 'communities')}"

    asked = session.param("hierarchy")
    chosen = asked if asked in known else heads[0].key
    session.keep(key, chosen)
    st.selectbox(
        "Communities",
        list(known),
        format_func=name,
        key=key,
        label_visibility="collapsed",
        width=250,
        on_change=change,
    )
    return known[chosen]


def choose_method(method: str, *, key: str) -> None:
    """Draw the choice of a method, `method` chosen; it is read from the address."""

    def change() -> None:
        session.set_params(method=session.kept(key, method))

    session.keep(key, method)
    st.selectbox(
        "Method",
        list(METHODS),
        format_func=lambda name: METHODS[name].label,
        key=key,
        label_visibility="collapsed",
        help=METHODS[method].sentence,
        width=210,
        on_change=change,
    )


def choose_level(levels: Sequence[int | None], level: int | None, *, key: str) -> None:
    """Draw the choice of a level, `level` chosen; it is read from the address."""
    options = [level_address(one) for one in levels]

    def change() -> None:
        session.set_params(level=session.kept(key, options[0]))

    session.keep(key, level_address(level))
    st.selectbox(
        "Level",
        options,
        format_func=lambda one: level_label(None if one == LEAVES else int(one)).capitalize(),
        key=key,
        label_visibility="collapsed",
        width=130,
        on_change=change,
    )


def level_address(level: int | None) -> str:
    """Return a level as the address tells it."""
    return LEAVES if level is None else str(level)
