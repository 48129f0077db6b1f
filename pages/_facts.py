"""What each choice of level and method would read and take, side by side.

A row that is picked becomes the choice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pandas as pd
import streamlit as st

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages._words import duration, money
from sensemaking.config import AskSettings
from sensemaking.errors import SensemakingError
from sensemaking.methods import METHODS
from sensemaking.types import HierarchySummary
from sensemaking.workspace import Corpus

ROW_PX = 32
Record = dict[str, str | int | float | None]


def draw_facts(corpus: Corpus, settings: AskSettings, head: HierarchySummary) -> None:
    """Draw the tables behind a button; nothing is counted before it is opened."""
    with st.popover(
        "Facts", icon=":material/table_rows:", key="ask_facts", on_change="rerun"
    ) as opened:
        if not opened.open:
            return
        levels = [None, *range(head.levels)]
        _table(
            "Level",
            [choices.level_label(one).capitalize() for one in levels],
            [_record(corpus, settings.model_copy(update={"level": one})) for one in levels],
            lambda n: session.set_params(level=choices.level_address(levels[n])),
        )
        names = list(METHODS)
        _table(
            "Method",
            [METHODS[one].label for one in names],
            [_record(corpus, _by(one, settings)) for one in names],
            lambda n: session.set_params(method=names[n]),
        )
        look.text("Pick a row to choose it. A dash is not known before the question is asked.", "s")


def _by(method: str, settings: AskSettings) -> AskSettings:
    return METHODS[method].settings(
        hierarchy=settings.hierarchy, level=settings.level, within=settings.within
    )


def _record(corpus: Corpus, settings: AskSettings) -> Record:
    """Return the facts of one choice; where it cannot be asked, what to do instead."""
    try:
        plan, estimate = session.plan(corpus, settings), session.answer_estimate(corpus, settings)
    except SensemakingError as error:
        return {"Note": str(error)}
    coverage = plan.coverage if plan is not None else None
    calls, cost = estimate.calls[1], estimate.cost
    return {
        "Reports": coverage.n_reports if coverage else None,
        "Windows": len(plan.titles) if plan else None,
        "Tokens": plan.n_tokens if plan else None,
        "Coverage": round(100 * coverage.n_chunks_covered / max(1, coverage.n_chunks), 1)
        if coverage
        else None,
        "Calls": round(calls) or None,
        "Cost": "–" if cost is None else money(cost[1]),
        "Time": f"about {duration(estimate.seconds[1])}",
    }


def _table(
    title: str, names: Sequence[str], records: Sequence[Record], pick: Callable[[int], None]
) -> None:
    key = f"facts_{title}"

    def chosen() -> None:
        rows = session.selection(key, "rows")
        if rows:
            pick(rows[0])

    columns = ["Reports", "Windows", "Tokens", "Coverage", "Calls", "Cost", "Time", "Note"]
    frame = pd.DataFrame(
        [{title: name, **record} for name, record in zip(names, records, strict=True)],
        columns=[title, *columns],
    )
    frame = frame.drop(columns=[one for one in columns if frame[one].isna().all()])
    numbers = {
        one: st.column_config.NumberColumn(format="localized", width=width)
        for one, width in (("Reports", 66), ("Windows", 70), ("Tokens", 66), ("Calls", 58))
    }
    st.dataframe(
        frame,
        hide_index=True,
        row_height=ROW_PX,
        height=min(len(names), 9) * ROW_PX + 36,
        width=656,
        key=key,
        on_select=chosen,
        selection_mode="single-row",
        placeholder="–",
        alt=f"What each {title.lower()} would read and take",
        column_config={
            **numbers,
            title: st.column_config.TextColumn(width=178),
            "Coverage": st.column_config.NumberColumn(format="%.1f %%", width=76),
            "Cost": st.column_config.TextColumn(width=66),
            "Time": st.column_config.TextColumn(width=88),
            "Note": st.column_config.TextColumn(width=260),
        },
    )
