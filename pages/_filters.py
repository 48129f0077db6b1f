"""The filters of the graph: chosen in a panel, kept in the address."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import streamlit as st

from pages import _session as session
from pages._words import distinct, shorten
from sensemaking.figures.filtering import Filters
from sensemaking.types import DocumentRow, KnowledgeGraph

NAMES = ("kinds", "weight", "degree", "core", "document", "since", "until")
ANY = ""


def asked_filters(graph: KnowledgeGraph, documents: Sequence[DocumentRow]) -> Filters:
    """Return the filters of the address; what makes no sense there is left out."""
    kinds = {one.kind for one in graph.entities}
    asked = (session.param("kinds") or "").split(",")
    document = session.param("document") or ""
    return Filters(
        kinds=tuple(sorted(kinds & set(asked))),
        min_weight=_weight(session.param("weight")),
        min_degree=session.number_param("degree") or 0,
        min_core=session.number_param("core") or 0,
        document_id=document if any(one.id == document for one in documents) else "",
        since=_date(session.param("since")),
        until=_date(session.param("until")),
    )


def draw_filters(
    filters: Filters, graph: KnowledgeGraph, documents: Sequence[DocumentRow], *, top_core: int
) -> None:
    """Draw the panel; each choice goes into the address at once."""
    kinds = sorted({one.kind for one in graph.entities})
    top = max((one.weight for one in graph.relationships), default=1.0)
    _begin("kinds", list(filters.kinds))
    st.multiselect("Kinds", kinds, key="graph_kinds", placeholder="All", on_change=_take_kinds)
    _begin("weight", min(filters.min_weight, top))
    st.slider("Weight of a tie, at least", 0.0, max(top, 0.1), key="graph_weight", on_change=_take)
    left, right = st.columns(2)
    with left:
        _begin("degree", filters.min_degree)
        st.number_input("Degree, at least", 0, key="graph_degree", on_change=_take)
    with right:
        _begin("core", min(filters.min_core, top_core))
        st.number_input("Core number, at least", 0, top_core, key="graph_core", on_change=_take)
    names = distinct({one.id: shorten(one.title or one.name, 60) for one in documents})
    _begin("document", filters.document_id)
    st.selectbox(
        "Document",
        [ANY, *names],
        format_func=lambda key: names.get(key, "All documents"),
        key="graph_document",
        on_change=_take,
    )
    left, right = st.columns(2)
    for column, name, label in ((left, "since", "From"), (right, "until", "To")):
        with column:
            _begin(name, getattr(filters, name))
            st.text_input(
                label, placeholder="2024-03", key=f"graph_{name}", max_chars=10, on_change=_take
            )
    st.button(
        "Clear filters", key="clear_filters", disabled=not filters.is_set, on_click=clear_filters
    )


def clear_filters() -> None:
    """Take all filters away."""
    session.set_params(**dict.fromkeys(NAMES))


def _begin(name: str, value: object) -> None:
    session.keep(f"graph_{name}", value)


def _take_kinds() -> None:
    session.set_params(kinds=",".join(session.kept("graph_kinds", list[str]())) or None)


def _take() -> None:
    for name in NAMES[1:]:
        value = session.kept(f"graph_{name}", ANY)
        shown = round(value, 2) if isinstance(value, float) else value
        session.set_params(**{name: str(shown) if shown else None})


def _weight(text: str | None) -> float:
    try:
        value = float(text or 0)
    except ValueError:
        return 0.0
    return value if 0 <= value < 1e9 else 0.0


def _date(text: str | None) -> str:
    """Return a year, month or day as ISO 8601, "" for anything else."""
    told = (text or "").strip()
    if len(told) not in (4, 7, 10):
        return ""
    try:
        date.fromisoformat(told + "0000-01-01"[len(told) :])
    except ValueError:
        return ""
    return told
