"""Coverage: what of the corpus reaches an answer, and the list of what does not, and why."""

from __future__ import annotations

from collections import Counter

import pandas as pd
import streamlit as st

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages._ledger import draw_ledger
from pages._look import esc
from pages._words import count, number, share, shorten
from sensemaking.config import AskSettings
from sensemaking.errors import SensemakingError
from sensemaking.types import HierarchySummary
from sensemaking.workspace import Corpus, Loss

ROW_PX = 32
ROWS_SHOWN = 10
REASONS = 3
TITLES = {
    "Read": "Files that were not read",
    "With records": "Chunks that nothing was found in",
    "In a community": "Entities in no community",
    "With a report": "Communities without a report",
    "Read for an answer": "Communities of this level without a report",
}


def draw_coverage(corpus: Corpus) -> None:
    """Draw the funnel from files to the level of the address."""
    heads = choices.hierarchies(corpus)
    is_waiting = any(one.status == "waiting" for one in corpus.files())
    if is_waiting and not heads:
        look.heading("Coverage")
        look.text("After a build: what was read, what has records, what is in a report.", "s")
        for width in (96, 88, 91, 70):
            look.draw(f'<div class="sm-track" style="width:{width}%"></div>')
        return
    head, level = _asked(heads)
    with st.container(
        horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", key="cover"
    ):
        look.draw('<h2 class="sm-h">Coverage</h2>')
        if head is not None and head.levels > 1:
            choices.choose_level([None, *range(head.levels)], level, key="cover_level")
    rows = session.coverage(corpus, head.key if head else "", level)
    draw_ledger(rows, opened=session.param("lost"), key="ledger")
    if head is not None:
        _draw_reach(corpus, head, level)


def draw_lost(corpus: Corpus) -> None:
    """Draw the list of the loss that the address names."""
    stage = session.param("lost")
    if stage not in TITLES:
        return
    head, level = _asked(choices.hierarchies(corpus))
    lost = session.losses(corpus, stage, head.key if head else "", level)
    with st.container(border=True, key="panel_lost", gap="small"):
        with st.container(
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            key="lost_head",
        ):
            look.draw(
                f'<h2 class="sm-h">{esc(TITLES[stage])}</h2><p class="sm-s">{esc(_told(lost))}</p>'
            )
            st.button(
                "",
                icon=":material/close:",
                type="tertiary",
                key="close_lost",
                help="Close",
                on_click=session.set_params,
                kwargs={"lost": None},
            )
        if lost:
            _table(corpus, lost, key=f"lost_{stage}_{len(lost)}")
        else:
            look.text("Nothing is missing here any more.", "s")


def _asked(heads: tuple[HierarchySummary, ...]) -> tuple[HierarchySummary | None, int | None]:
    known = {head.key: head for head in heads}
    head = known.get(session.param("hierarchy") or "", heads[0] if heads else None)
    level = session.number_param("level")
    return head, level if head and level is not None and level < head.levels else None


def _told(lost: tuple[Loss, ...]) -> str:
    """Return the commonest reasons with their numbers."""
    ranked = Counter(one.reason for one in lost).most_common(REASONS)
    return " ".join(f"{number(n)}: {shorten(reason, 110)}" for reason, n in ranked)


def _table(corpus: Corpus, lost: tuple[Loss, ...], *, key: str) -> None:
    def chosen() -> None:
        rows = session.selection(key, "rows")
        span = lost[rows[0]].span if rows and rows[0] < len(lost) else None
        if span is not None:
            entity = lost[rows[0]].entity_id or None
            session.clear_params()
            session.set_params(
                document=span.document_id, start=span.start, end=span.end, entity=entity
            )

    opens = any(one.span is not None for one in lost)
    st.dataframe(
        pd.DataFrame([{"What": one.name[:300], "Why": one.reason} for one in lost]),
        hide_index=True,
        row_height=ROW_PX,
        height=min(len(lost), ROWS_SHOWN) * ROW_PX + 36,
        key=key,
        on_select=chosen if opens else "ignore",
        selection_mode="single-row",
        alt="What was lost, and why",
        column_config={
            "What": st.column_config.TextColumn(width=430),
            "Why": st.column_config.TextColumn(width=420),
        },
    )
    if opens:
        look.text("Pick a row to read where it stands.", "s")


def _draw_reach(corpus: Corpus, head: HierarchySummary, level: int | None) -> None:
    """Draw what share of the chunks an answer at this level can draw on."""
    try:
        plan = session.plan(corpus, AskSettings(hierarchy=head.key, level=level))
    except SensemakingError as error:
        look.text(str(error), "s")
        return
    if plan is None:
        return
    reach = plan.coverage
    where = f"at {choices.level_label(level)}" if level is not None else "from the leaves"
    look.draw(
        f'<p class="sm-s sm-note">An answer {where} can draw on '
        f"<b>{esc(share(reach.n_chunks_covered, reach.n_chunks))}</b> of the chunks, through "
        f"{esc(count(reach.n_reports, 'report'))}. The hatched part does not reach it; each number "
        "opens its list.</p>"
    )
