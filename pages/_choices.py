"""Which hierarchy and which level: chosen by hand, kept in the address."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages import _session as session
from pages._words import count
from sensemaking.methods import COMMUNITIES
from sensemaking.types import HierarchySummary

LEAVES = "leaf"


def hierarchy_label(key: str) -> str:
    """Return the name of the algorithm behind a hierarchy key such as `general.leiden`."""
    parts = key.split(".")
    name = parts[1] if len(parts) > 1 else key
    return COMMUNITIES[name].label if name in COMMUNITIES else name


def level_label(level: int | None) -> str:
    """Return the words for a level; None are the leaves."""
    return "leaves" if level is None else f"level {level}"


def choose_hierarchy(heads: Sequence[HierarchySummary], *, key: str) -> HierarchySummary:
    """Draw the choice of a hierarchy; another one starts at its top."""
    known = {head.key: head for head in heads}

    def change() -> None:
        session.clear_params()
        session.set_params(hierarchy=session.kept(key, heads[0].key))

    def name(one: str) -> str:
        return (
            f"{hierarchy_label(one)}, {count(known[one].communities, 'community', 'communities')}"
        )

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


def choose_level(levels: Sequence[int | None], level: int | None, *, key: str) -> None:
    """Draw the choice of a level, `level` chosen; it is read from the address."""
    options = [_address(one) for one in levels]

    def change() -> None:
        session.set_params(level=session.kept(key, options[0]))

    session.keep(key, _address(level))
    st.selectbox(
        "Level",
        options,
        format_func=lambda one: "Leaves" if one == LEAVES else f"Level {one}",
        key=key,
        label_visibility="collapsed",
        width=130,
        on_change=change,
    )


def _address(level: int | None) -> str:
    return LEAVES if level is None else str(level)
