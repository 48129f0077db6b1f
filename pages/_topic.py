"""One topic: its facts, its graph, its hierarchy with reports, its documents, and its edits."""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages import _report as reporting
from pages import _session as session
from pages import _topic_work as work
from pages._network import draw_network
from pages._words import count, number, plain_label, share, shorten
from sensemaking.figures.network import Unit
from sensemaking.types import Community, Hierarchy, Report, Topic, TopicAction, TopicRow
from sensemaking.workspace import Corpus

DOCUMENTS_SHOWN = 40
REPORTS_SHOWN = 12
EDITS_SHOWN = 3


def draw_topic(corpus: Corpus, slug: str) -> None:
    """Draw the topic of that slug."""
    rows = session.topics(corpus).rows
    row = next((one for one in rows if one.topic.slug == slug), None)
    st.button(
        "All topics",
        icon=":material/arrow_back:",
        type="tertiary",
        key="all_topics",
        on_click=session.set_params,
        kwargs={"topic": None, "community": None, "finding": None},
    )
    if row is None:
        look.head("Topics")
        look.text("There is no such topic any more: it was dropped, merged or not found again.")
        return
    topic = row.topic
    look.head(topic.name, topic.description)
    _facts(row)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="row_topic"):
        with st.container(key="link_ask_topic", width="content"):
            st.page_link(
                "ask.py",
                label="Ask in this topic",
                icon=":material/forum:",
                query_params={"corpus": corpus.name, "method": "retag", "topic": topic.slug},
            )
        keys = corpus.topics.hierarchy_keys(topic.id)
        if keys and not row.is_empty:
            _links(corpus, keys[0])
        if not corpus.is_read_only:
            _edits(corpus, topic)
    if row.way is None or row.is_empty or not keys:
        if row.is_empty:
            look.text("Its graph was made and holds nothing that is tied: no question goes here.")
        work.draw_making(corpus, [topic.id])
    else:
        _inside(corpus, topic, keys)
    _documents(corpus, topic)


def _links(corpus: Corpus, key: str) -> None:
    """Draw the ways to the pages that show a hierarchy of the topic at full size."""
    pages = (
        ("graph.py", "Open in Graph", ":material/hub:"),
        ("communities.py", "Open in Communities", ":material/account_tree:"),
    )
    for page, label, icon in pages:
        with st.container(key=f"link_topic_{page.removesuffix('.py')}", width="content"):
            st.page_link(
                page,
                label=label,
                icon=icon,
                query_params={"corpus": corpus.name, "hierarchy": key},
            )


def _facts(row: TopicRow) -> None:
    way = {None: "not made", "extracted": "extracted", "filtered": "filtered (ours)"}[row.way]
    look.facts(
        [
            ("Documents", number(row.n_documents), share(row.document_share, 1)),
            ("Entities", number(row.n_entities), share(row.entity_share, 1)),
            ("Relationships", number(row.n_relationships) if row.way else "–"),
            ("Reports", number(row.n_reports) if row.way else "–"),
            ("Graph", way),
        ]
    )


def _inside(corpus: Corpus, topic: Topic, keys: tuple[str, ...]) -> None:
    """Draw graph and reports side by side; a circle or a title opens a report."""
    key = keys[0]
    if len(keys) > 1:
        key = st.selectbox("Communities", keys, key="topic_hierarchy")
    hierarchy, reports = corpus.topics.hierarchy(key)
    focus = hierarchy.by_id.get(session.param("community") or "")
    left, right = st.columns([1.1, 1], gap="medium")
    with left:
        network, arrangement = session.topic_drawn(corpus, topic.id, key)

        def pick(unit: Unit | None) -> None:
            known = unit is not None and unit.id in hierarchy.by_id
            session.set_params(community=unit.id if unit and known else None, finding=None)

        draw_network(
            network,
            arrangement,
            version=f"{corpus.version()} {key}",
            picked=focus.id if focus else None,
            key="topic_network",
            on_pick=pick,
        )
    with right, st.container(border=True, key="panel_topic_report", gap="small"):
        if focus is None:
            _titles(hierarchy, reports)
            return
        reporting.draw_breadcrumb(hierarchy, focus, reports)
        report, picked = reports.get(focus.id), session.number_param("finding")
        if report is not None and picked is not None and picked <= len(report.findings):
            reporting.draw_sources(corpus, hierarchy, focus, report, picked)
        reporting.draw_report(focus, report, picked=picked)
        _parts(hierarchy.children[focus.id], reports)


def _titles(hierarchy: Hierarchy, reports: dict[str, Report]) -> None:
    look.heading("Reports", f"{count(len(reports), 'report')}, the coarsest here")
    _parts(hierarchy.view(0), reports)


def _parts(communities: tuple[Community, ...], reports: dict[str, Report]) -> None:
    ordered = sorted(communities, key=lambda one: (-len(one.entity_ids), one.id))
    for one in ordered[:REPORTS_SHOWN]:
        with st.container(key=f"link_topic_{one.id}", gap=None):
            st.button(
                plain_label(reporting.community_name(one, reports)),
                type="tertiary",
                key=f"topic_{one.id}",
                on_click=session.set_params,
                kwargs={"community": one.id, "finding": None},
            )
    if len(ordered) > REPORTS_SHOWN:
        look.text(f"and {count(len(ordered) - REPORTS_SHOWN, 'smaller one')}", "s")


def _documents(corpus: Corpus, topic: Topic) -> None:
    ids = corpus.topics.document_ids(topic.id)
    known = [row for row in session.documents(corpus) if row.id in ids]
    with st.expander(f"Documents, {count(len(known), 'document')}"):
        for row in known[:DOCUMENTS_SHOWN]:
            with st.container(key=f"link_document_{row.id}"):
                st.page_link(
                    "documents.py",
                    label=plain_label(row.title or row.name),
                    query_params={"corpus": corpus.name, "document": row.id},
                )
        if len(known) > DOCUMENTS_SHOWN:
            look.text(f"and {count(len(known) - DOCUMENTS_SHOWN, 'other')}", "s")


# Edits


def draw_add(corpus: Corpus) -> None:
    """Draw the form that adds a topic, and the way back from the last edit."""
    if not corpus.is_read_only:
        with st.expander("Add a topic"), st.form("add_topic", border=False):
            st.text_input("Name", key="new_topic", max_chars=120)
            st.text_input("What belongs to it", key="new_topic_about", max_chars=500)
            st.form_submit_button("Add", key="go_add", on_click=_add, args=(corpus,))
    if corpus.topics.n_edits() and not corpus.is_read_only:
        st.button(
            "Undo the last edit",
            type="tertiary",
            key="undo_topic",
            on_click=session.act,
            args=(corpus.topics.undo_edit,),
        )
    idle = corpus.topics.idle_edits()
    if idle:
        told = ", ".join(f"{one.action} “{shorten(one.topic, 60)}”" for one in idle[:EDITS_SHOWN])
        more = f" and {count(len(idle) - EDITS_SHOWN, 'other')}" if len(idle) > EDITS_SHOWN else ""
        look.text(
            f"{count(len(idle), 'edit')} kept for topics that were not found this time: "
            f"{told}{more}.",
            "s",
        )


def merge(corpus: Corpus, names: list[str], host: str) -> None:
    """Merge topics into another, as a button does it."""
    for name in names:
        session.act(corpus.topics.edit, "merge", name, host)


def _add(corpus: Corpus) -> None:
    name, about = session.kept("new_topic", ""), session.kept("new_topic_about", "")
    session.act(corpus.topics.edit, "add", name, about)


def _edits(corpus: Corpus, topic: Topic) -> None:
    others = [one.name for one in corpus.topics.all() if one.id != topic.id]

    def change(action: TopicAction, key: str) -> None:
        value = session.kept(key, "") if key else ""
        session.act(corpus.topics.edit, action, topic.id, value or "")
        if action in ("merge", "drop"):
            session.set_params(topic=None)

    with st.popover("Change", icon=":material/edit:"):
        session.keep("topic_name", topic.name)
        st.text_input(
            "Name", key="topic_name", max_chars=120, on_change=change, args=("rename", "topic_name")
        )
        session.keep("topic_about", topic.description)
        st.text_area(
            "What belongs to it",
            key="topic_about",
            max_chars=1000,
            help="Another description makes another graph",
            on_change=change,
            args=("describe", "topic_about"),
        )
        st.selectbox(
            "Merge into",
            others,
            index=None,
            key="topic_merge",
            on_change=change,
            args=("merge", "topic_merge"),
        )
        st.button("Drop this topic", key="drop_topic", on_click=change, args=("drop", ""))
