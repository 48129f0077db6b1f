"""What is inside a community: its parts, or its entities where it has none."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._report import community_name
from pages._words import count, plain_label, shorten
from sensemaking.types import Community, Hierarchy, Report
from sensemaking.workspace import Corpus

ROW_PX = 32
ROWS_SHOWN = 8
BEST = 5


def draw_parts(rows: list[Community], reports: dict[str, Report], title: str) -> None:
    """Draw communities as a table; a row that is picked becomes the focus."""
    frame = pd.DataFrame(
        [
            {
                title: community_name(one, reports),
                "Entities": len(one.entity_ids),
                "Rating": reports[one.id].rating if one.id in reports else None,
            }
            for one in rows
        ]
    )
    key = f"children_{title}_{len(rows)}_{rows[0].id}"

    def chosen() -> None:
        picked = session.selection(key, "rows")
        if picked:
            session.set_params(community=rows[picked[0]].id, finding=None, level=None)

    st.dataframe(
        frame,
        hide_index=True,
        row_height=ROW_PX,
        height=min(len(rows), ROWS_SHOWN) * ROW_PX + 36,
        key=key,
        on_select=chosen,
        selection_mode="single-row",
        placeholder="–",
        alt="Communities inside, largest first",
        column_config={
            title: st.column_config.TextColumn(width=215),
            "Entities": st.column_config.NumberColumn(format="localized", width=74),
            "Rating": st.column_config.ProgressColumn(
                format="%.1f", min_value=0, max_value=10, color="primary", width=100
            ),
        },
    )


def draw_best(hierarchy: Hierarchy, reports: dict[str, Report]) -> None:
    """Draw the reports with the highest ratings, while no community is picked."""
    look.heading("Highest rated", f"{count(len(reports), 'report')} in all")
    known = [one for one in hierarchy.communities if one.id in reports]
    known.sort(key=lambda one: (-reports[one.id].rating, -reports[one.id].weight, one.id))
    seen: set[str] = set()
    for one in known:
        report = reports[one.id]
        if report.id in seen or len(seen) == BEST:
            continue
        seen.add(report.id)
        with st.container(key=f"link_best_{one.id}", gap=None):
            st.button(
                plain_label(shorten(report.title, 70)),
                type="tertiary",
                key=f"best_{one.id}",
                on_click=session.set_params,
                kwargs={"community": one.id, "finding": None, "level": None},
            )
            look.draw(
                f'<p class="sm-s"><b>{report.rating:.1f}</b> '
                f"{esc(shorten(report.summary, 180))}</p>"
            )


def draw_members(corpus: Corpus, hierarchy: Hierarchy, community: Community) -> None:
    """Draw the entities of a community, most mentioned first."""
    entities = session.graph(corpus).entity_by_id
    members = [entities[key] for key in community.entity_ids if key in entities]
    members.sort(key=lambda one: (-len(one.spans), one.name))
    cores = session.core_numbers(corpus)
    stays = session.mates(corpus, hierarchy.key)
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Entity": one.name,
                    "Kind": one.kind,
                    "Mentions": len(one.spans),
                    "Core": cores.get(one.id, 0),
                    **({"Mates kept": round(100 * stays[one.id])} if one.id in stays else {}),
                }
                for one in members
            ]
        ),
        hide_index=True,
        row_height=ROW_PX,
        height=min(len(members), ROWS_SHOWN) * ROW_PX + 36,
        key=f"members_{community.id}",
        alt="Entities of this community, most mentioned first",
        column_config={
            "Core": st.column_config.NumberColumn(
                help="Core number k: its shell. It has k ties among entities of at least this k."
            ),
            "Mates kept": st.column_config.NumberColumn(
                format="%d %%",
                help="Of the entities in its leaf, the share that stays with it from run to run.",
            ),
        },
    )
