"""Topics: what the corpus is about, where a question falls, one topic with all that it has."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages import _topic as one_topic
from pages import _topic_recall as recall
from pages import _topic_work as work
from pages._look import esc
from pages._paging import draw_pager, paged
from pages._words import count, shorten
from sensemaking.config import AskSettings
from sensemaking.figures.topics import (
    MAX_BARS,
    MAX_CELLS,
    MAX_LINES,
    topic_coverage_figure,
    topic_overlap_figure,
    topic_trend_figure,
)
from sensemaking.types import Topic, TopicRow
from sensemaking.workspace import Corpus

ROW_PX = 32
ROWS_SHOWN = 16
GROUPS_SHOWN = 8
NAMES_SHOWN = 6
WAYS = {None: "", "extracted": "own graph", "filtered": "filtered"}


def render_question(corpus: Corpus) -> None:
    """Draw the box that says which topic a question falls in, and why."""
    with st.form("which_topic", border=True):
        question = st.text_input(
            "Which topic would this question fall in?",
            key="topic_question",
            max_chars=2000,
            placeholder="Why did the number of homes fall?",
        )
        st.form_submit_button("Say which", key="say_topic")
    if not question.strip():
        return
    settings = AskSettings(method="retag", hierarchy=corpus.topics.default_hierarchy())
    route = corpus.topics.choose(question, settings)
    name = route.topic.name if route.topic is not None else "No topic: the whole corpus"
    look.draw(
        f'<p class="sm-h">{esc(name)}</p><p class="sm-s">{esc(route.reason)}'
        + (f" Second: {esc(route.runner_up)}." if route.runner_up else "")
        + "</p>"
    )
    if route.topic is not None:
        st.button(
            "Open the topic",
            type="tertiary",
            key="open_chosen",
            on_click=session.set_params,
            kwargs={"topic": route.topic.slug},
        )


def share_column() -> ColumnConfig:
    return st.column_config.ProgressColumn(
        format="%d %%", min_value=0, max_value=100, color="primary", width=88
    )


def render_table(rows: tuple[TopicRow, ...]) -> None:
    """Draw the topics as a table, fifty at a time; a row that is picked is opened."""
    every = sorted(rows, key=lambda row: (-row.document_share, row.topic.name))
    ordered = paged(every)
    frame = pd.DataFrame(
        [
            {
                "Topic": row.topic.name,
                "Documents": round(100 * row.document_share),
                "Entities": round(100 * row.entity_share),
                "Reports": row.n_reports or None,
                "Graph": "empty" if row.is_empty else WAYS[row.way],
            }
            for row in ordered
        ]
    )
    key = f"topics_{len(ordered)}_{ordered[0].topic.id}"

    def chosen() -> None:
        picked = session.selection(key, "rows")
        if picked:
            session.set_params(topic=ordered[picked[0]].topic.slug)

    st.dataframe(
        frame,
        hide_index=True,
        row_height=ROW_PX,
        height=min(len(ordered), ROWS_SHOWN) * ROW_PX + 36,
        key=key,
        on_select=chosen,
        selection_mode="single-row",
        placeholder="–",
        alt="Topics, those of most documents first",
        column_config={
            "Topic": st.column_config.TextColumn(),
            "Documents": share_column(),
            "Entities": share_column(),
            "Reports": st.column_config.NumberColumn(width=62),
            "Graph": st.column_config.TextColumn(width=80),
        },
    )
    draw_pager(len(every), key="topics")


def render_similar(corpus: Corpus, groups: tuple[tuple[Topic, ...], ...]) -> None:
    """Draw the near-duplicates; they stay apart until the user merges them."""
    if not groups:
        return
    look.heading("Perhaps the same", "Merged by you alone")
    for group in groups[:GROUPS_SHOWN]:
        host, *others = group
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            names = ", ".join(shorten(one.name, 60) for one in group[:NAMES_SHOWN])
            more = len(group) - NAMES_SHOWN
            look.text(f"{names} and {count(more, 'other')}" if more > 0 else names, "s")
            st.button(
                "Merge into the first",
                type="tertiary",
                key=f"merge_{host.id}",
                disabled=corpus.is_read_only,
                on_click=one_topic.merge,
                args=(corpus, [one.name for one in others], host.name),
            )
    if len(groups) > GROUPS_SHOWN:
        look.text(f"and {count(len(groups) - GROUPS_SHOWN, 'other group')}", "s")


def render_figure(figure: go.Figure, key: str, alt: str) -> None:
    st.plotly_chart(figure, key=key, theme=None, config={"displayModeBar": False}, alt=alt)


def render_figures(corpus: Corpus, view: session.TopicView) -> None:
    palette = look.palette()
    names = {row.topic.id: row.topic.name for row in view.rows}
    labels = ["Coverage", "Overlap", "Over time", "Kept", "Found"]
    coverage, overlap, over_time, kept, found = st.tabs(labels)
    with coverage:
        render_cut(len(names), MAX_BARS)
        figure = topic_coverage_figure(view.rows, palette)
        render_figure(figure, "fig_coverage", "Shares of documents and entities, as in the table")
    with overlap:
        if len(view.rows) < 2:
            look.text("One topic overlaps with none.", "s")
        else:
            render_cut(len(names), MAX_CELLS)
            figure = topic_overlap_figure(view.rows, view.overlap, palette)
            render_figure(figure, "fig_overlap", "Shares of common entities of each two topics")
    with over_time:
        if not view.trend:
            look.text("No document has a date, so nothing can be said about time.", "s")
        else:
            render_cut(len(names), MAX_LINES)
            figure = topic_trend_figure(view.trend, names, palette)
            render_figure(figure, "fig_trend", "Documents of each period by topic")
    with kept:
        render_kept(corpus)
    with found:
        recall.draw_recall(corpus)


def render_cut(n_topics: int, shown: int) -> None:
    """Say how many topics a figure leaves out; the table holds all of them."""
    if n_topics > shown:
        look.text(f"The {shown} of most documents, of {count(n_topics, 'topic')}", "s")


def render_kept(corpus: Corpus) -> None:
    statistics = corpus.topics.statistics()
    if not statistics.n_topics:
        look.text("Once topics have graphs of their own: what they keep of the general one.", "s")
        return
    look.text(f"Means over {count(statistics.n_topics, 'topic graph')}", "s")
    st.dataframe(
        pd.DataFrame(
            [
                {"": what.capitalize(), "General": whole, "A topic": mean, "Kept": 100 * share}
                for what, whole, mean, share in statistics.rows
            ]
        ),
        hide_index=True,
        row_height=ROW_PX,
        alt="What topic graphs keep of the general graph",
        column_config={
            "General": st.column_config.NumberColumn(format="localized"),
            "A topic": st.column_config.NumberColumn(format="%.1f"),
            "Kept": st.column_config.NumberColumn(format="%.1f %%"),
        },
    )


def render_all(corpus: Corpus) -> None:
    view = session.topics(corpus)
    look.head("Topics", f"{count(len(view.rows), 'topic')}. {corpus.topics.description()}")
    if view.rows:
        render_table(view.rows)
    else:
        look.text("No topics were found. Add one, or look again after another build.", "p")
    left, right = st.columns(2, gap="medium")
    with left:
        render_question(corpus)
        one_topic.draw_add(corpus)
    with right:
        work.draw_making(corpus, None, is_made=all(row.way is not None for row in view.rows))
    render_similar(corpus, view.similar)
    if view.rows:
        render_figures(corpus, view)


def render(corpus: Corpus) -> None:
    work.draw_job(corpus)
    slug = session.param("topic")
    if not corpus.topics.is_found:
        look.head("Topics")
        with look.empty(
            "The topics are not known yet",
            "They are found in the reports, on every level; near-duplicates are grouped, and you "
            "may merge, rename, drop and add. Each topic can get a graph and reports of its own.",
            "no_topics",
        ):
            st.button(
                "Find topics",
                type="primary",
                key="go_find",
                disabled=corpus.is_read_only,
                on_click=session.act,
                args=(corpus.topics.start_finding,),
            )
    elif slug:
        one_topic.draw_topic(corpus, slug)
    else:
        render_all(corpus)


here = session.corpus()
if here is not None:
    session.set_params(corpus=here.name)
if here is not None and choices.hierarchies(here):
    render(here)
else:
    look.head("Topics")
    choices.draw_not_ready(here, "Topics are found in the reports that a build writes.")
