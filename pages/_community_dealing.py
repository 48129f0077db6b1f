"""Fewer relationships in the reports of leaves (RRTC): what it would save, and the choice of it."""

from __future__ import annotations

from typing import Literal, cast

import pandas as pd
import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._session.dealing import dealt
from pages._words import number, share
from sensemaking.config import RoundRobinSettings
from sensemaking.workspace import Corpus

PERCENTS = (80, 70, 60, 50)
BASES = {"eligible": "of those inside a leaf", "graph": "of all in the graph"}
ORDERS = {"A": "Round all leaves", "B": "Densest leaves first"}


def draw_dealing(corpus: Corpus, hierarchy_key: str) -> None:
    """Draw what dealing ties in turn leaves of the leaves, and what the next build does."""
    look.heading(
        "Shorter reports", "Relationships dealt to the leaves in turn, best connected first"
    )
    base, order = _choose("dealing_base", BASES), _choose("dealing_order", ORDERS)
    ways = [
        RoundRobinSettings(
            percent=percent,
            base=cast("Literal['graph', 'eligible']", base),
            order=cast("Literal['A', 'B']", order),
        )
        for percent in PERCENTS
    ]
    rows = dealt(corpus, hierarchy_key, tuple(ways))
    frame = pd.DataFrame(
        [
            {
                "Budget": f"{one.percent} % {BASES[one.base]}",
                "Relationships": one.n_chosen,
                "Tokens that leaves read": one.leaf_tokens,
                "Left": round(100 * one.leaf_tokens / max(1, one.whole_tokens)),
            }
            for one in rows
        ]
    )
    st.dataframe(
        frame,
        hide_index=True,
        row_height=32,
        height=len(frame) * 32 + 36,
        key=f"dealing_{hierarchy_key}_{base}_{order}",
        alt="What leaves read by budget",
        column_config={
            "Relationships": st.column_config.NumberColumn(format="localized"),
            "Tokens that leaves read": st.column_config.NumberColumn(format="localized"),
            "Left": st.column_config.NumberColumn(format="%d %%"),
        },
    )
    whole = rows[0].whole_tokens
    look.text(
        f"With all {number(rows[0].n_eligible)} relationships inside, leaves read "
        f"{number(whole)} tokens. An entity that is dealt none is left out of the report; a leaf "
        "that is dealt none tells of its entities alone.",
        "s",
    )
    _draw_next(corpus, ways, [share(one.leaf_tokens, whole) for one in rows])


def _draw_next(corpus: Corpus, ways: list[RoundRobinSettings], left: list[str]) -> None:
    now = corpus.settings.reports.round_robin

    def keep(way: RoundRobinSettings | None) -> None:
        reports = corpus.settings.reports.model_copy(update={"round_robin": way})
        session.act(corpus.change_settings, corpus.settings.model_copy(update={"reports": reports}))

    told = "shows all relationships"
    if now is not None:
        part = f"{now.percent} % {BASES[now.base]}"
        budget = part if now.tokens is None else f"{number(now.tokens)} tokens"
        told = f"deals {budget}, {ORDERS[now.order].lower()}"
    look.text(f"The next build {told}.", "s")
    with st.container(horizontal=True, gap="small", key="row_dealing"):
        for way, part in zip(ways, left, strict=True):
            st.button(
                f"Use {way.percent} %",
                key=f"deal_{way.percent}",
                help=f"Reports of leaves read {part} of the tokens",
                disabled=corpus.is_read_only or now == way,
                on_click=keep,
                args=(way,),
            )
        is_whole = corpus.is_read_only or now is None
        st.button("Show all", key="deal_all", disabled=is_whole, on_click=keep, args=(None,))


def _choose(key: str, options: dict[str, str]) -> str:
    first = next(iter(options))
    chosen = st.segmented_control(
        "Choice",
        list(options),
        format_func=options.__getitem__,
        key=key,
        default=first,
        label_visibility="collapsed",
    )
    return chosen or first
