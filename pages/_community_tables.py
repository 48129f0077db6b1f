"""What is in a community, as tables: its parts, its entities, its relationships."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._community_address import open_community
from pages._paging import draw_pager, paged
from pages._report import community_name
from pages._words import shorten
from sensemaking.types import Community, Hierarchy, Relationship, Report
from sensemaking.workspace import Corpus

ROW_PX = 32
ROWS_SHOWN = 8


def draw_parts(
    corpus: Corpus,
    hierarchy: Hierarchy,
    rows: Sequence[Community],
    reports: dict[str, Report],
    title: str,
) -> None:
    """Draw communities; a row that is picked becomes the focus."""
    stability = session.stability(corpus, hierarchy.key)
    kept: dict[str, int] = {}
    if stability is not None:
        trial = stability.trials[0]
        kept = {
            one: round(100 * n / trial.runs)
            for one, n in zip(stability.community_ids, trial.kept, strict=True)
        }
    marks = corpus.notebook.marks()
    shown = paged(rows)
    pins = {one.id for one in rows if one.member_key in marks and marks[one.member_key].is_pinned}
    frame = pd.DataFrame(
        [
            {
                title: ("● " if one.id in pins else "") + community_name(one, reports),
                "Entities": len(one.entity_ids),
                "Rating": reports[one.id].rating if one.id in reports else None,
                **({"Kept": kept.get(one.id)} if kept else {}),
            }
            for one in shown
        ]
    )
    key = f"children_{title}_{len(rows)}_{shown[0].id}"

    def chosen() -> None:
        picked = session.selection(key, "rows")
        if picked:
            open_community(shown[picked[0]].id)

    _table(
        frame,
        key,
        "Communities, largest first",
        {
            title: st.column_config.TextColumn(width=182 if kept else 235),
            "Entities": st.column_config.NumberColumn(format="localized", width=70),
            "Rating": st.column_config.ProgressColumn(
                format="%.1f", min_value=0, max_value=10, color="primary", width=90
            ),
            "Kept": st.column_config.NumberColumn(
                format="%d %%", width=60, help="Share of the runs in which it comes back."
            ),
        },
        on_select=chosen,
    )
    draw_pager(len(rows), key="parts")


def draw_members(corpus: Corpus, hierarchy: Hierarchy, community: Community) -> None:
    """Draw the entities of a community, most mentioned first; a picked one opens in the graph."""
    entities = session.graph(corpus).entity_by_id
    members = [entities[key] for key in community.entity_ids if key in entities]
    members.sort(key=lambda one: (-len(one.spans), one.name))
    shown = paged(members)
    cores = session.core_numbers(corpus)
    stays = session.mates(corpus, hierarchy.key)
    key = f"members_{community.id}_{shown[0].id if shown else ''}"

    def chosen() -> None:
        picked = session.selection(key, "rows")
        if picked:
            _open_in_graph(corpus, hierarchy, shown[picked[0]].id)

    _table(
        pd.DataFrame(
            [
                {
                    "Entity": one.name,
                    "Kind": one.kind,
                    "Mentions": len(one.spans),
                    "Core": cores.get(one.id, 0),
                    **({"Mates kept": round(100 * stays[one.id])} if one.id in stays else {}),
                }
                for one in shown
            ]
        ),
        key,
        "Entities of this community, most mentioned first",
        {
            "Entity": st.column_config.TextColumn(width=190),
            "Mentions": st.column_config.NumberColumn(format="localized", width=75),
            "Core": st.column_config.NumberColumn(
                width=55,
                help="Core number k: its shell. It has k ties among entities of at least this k.",
            ),
            "Mates kept": st.column_config.NumberColumn(
                format="%d %%",
                width=85,
                help="Of the entities in its leaf, the share that stays with it from run to run.",
            ),
        },
        on_select=chosen,
    )
    draw_pager(len(members), key="members")


def inner_relationships(corpus: Corpus, community: Community) -> list[Relationship]:
    """Return the relationships with both ends in a community, the heaviest first."""
    members = set(community.entity_ids)
    found = [
        one
        for one in session.graph(corpus).relationships
        if one.source_id in members and one.target_id in members
    ]
    return sorted(found, key=lambda one: (-one.weight, one.id))


def draw_relationships(corpus: Corpus, hierarchy: Hierarchy, community: Community) -> None:
    """Draw the relationships inside; a picked one opens its first end in the graph."""
    found = inner_relationships(corpus, community)
    if not found:
        look.text("No two of its entities are tied to each other: a shared one joins them.", "s")
        return
    entities = session.graph(corpus).entity_by_id
    shown = paged(found)
    key = f"ties_{community.id}_{shown[0].id}"

    def chosen() -> None:
        picked = session.selection(key, "rows")
        if picked:
            _open_in_graph(corpus, hierarchy, shown[picked[0]].source_id)

    _table(
        pd.DataFrame(
            [
                {
                    "From": entities[one.source_id].name,
                    "To": entities[one.target_id].name,
                    "Weight": one.weight,
                    "What is said": shorten(one.description, 300),
                }
                for one in shown
            ]
        ),
        key,
        "Relationships inside, the heaviest first",
        {
            "From": st.column_config.TextColumn(width=105),
            "To": st.column_config.TextColumn(width=105),
            "Weight": st.column_config.NumberColumn(format="%.1f", width=60),
            "What is said": st.column_config.TextColumn(width=140),
        },
        on_select=chosen,
    )
    draw_pager(len(found), key="ties")


def _open_in_graph(corpus: Corpus, hierarchy: Hierarchy, entity_id: str) -> None:
    session.go("graph.py", corpus=corpus.name, hierarchy=hierarchy.key, entity=entity_id)


def _table(frame: pd.DataFrame, key: str, alt: str, columns: Any, *, on_select: Any) -> None:  # noqa: ANN401 - as streamlit has them
    st.dataframe(
        frame,
        hide_index=True,
        row_height=ROW_PX,
        height=min(len(frame), ROWS_SHOWN) * ROW_PX + 36,
        key=key,
        on_select=on_select,
        selection_mode="single-row",
        placeholder="–",
        alt=alt,
        column_config=columns,
    )
