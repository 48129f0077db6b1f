"""What comes after an answer: a follow-up inside a part of the corpus, another level or method."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from pages import _changed as changed
from pages import _choices as choices
from pages import _session as session
from pages._words import distinct, plain_label, shorten
from sensemaking.config import AskSettings
from sensemaking.methods import METHODS
from sensemaking.types import Answer, HierarchySummary
from sensemaking.workspace import Corpus

PLACES = 8
MAX_QUESTION = 5000


def settings_of(pairs: tuple[tuple[str, str], ...], method: str) -> AskSettings:
    """Return the settings that an answer was asked with."""
    told = dict(pairs)
    level = told.get("level", "")
    known = METHODS.get(method, METHODS["global"])
    return known.settings(
        hierarchy=told.get("hierarchy", AskSettings().hierarchy),
        level=int(level) if level.isdecimal() else None,
        topic=told.get("topic", "") if known.by_topic else "",
        within=told.get("within", ""),
    )


SAME_WAY = "That is how this answer was made: choose another level, or another method."


def ask(corpus: Corpus, question: str, settings: AskSettings, before: str | None = None) -> None:
    """Start an answer and open it; `before` is the one to compare it with."""
    key = session.act(corpus.start_answer, question, settings)
    if key is not None:
        session.clear_params()
        session.set_params(answer=key, before=before if before != key else None)


def draw_follow_up(corpus: Corpus, answer: Answer) -> None:
    """Draw the box for a question inside one community, one topic, or the whole corpus."""
    asked = settings_of(answer.settings, answer.method)
    places = {"": "The whole corpus"}
    places |= {f"in {one}": title for one, title in _places(corpus, answer, asked).items()}
    if corpus.topics.is_found:
        places |= {
            f"topic {one.slug}": f"Topic: {shorten(one.name, 60)}" for one in corpus.topics.all()
        }
    places = distinct(places)

    def start() -> None:
        where = session.kept("follow_where", "")
        settings = asked.model_copy(update={"within": "", "topic": ""})
        if where.startswith("in "):
            settings = settings.model_copy(update={"within": where[3:]})
        elif where.startswith("topic "):
            settings = METHODS["global+topic"].settings(
                hierarchy=asked.hierarchy, level=asked.level, topic=where[6:]
            )
        ask(corpus, session.kept("follow_question", "").strip(), settings)

    with (
        st.popover("Follow up", icon=":material/reply:", key="follow_up"),
        st.form("follow_form", border=False),
    ):
        st.text_area(
            "Question",
            key="follow_question",
            height=80,
            max_chars=MAX_QUESTION,
            placeholder="And what follows from that?",
        )
        st.selectbox(
            "Ask it of",
            list(places),
            index=1 if len(places) > 1 and next(iter(list(places)[1:])).startswith("in ") else 0,
            format_func=places.__getitem__,
            key="follow_where",
        )
        st.form_submit_button("Ask", key="follow_ask", on_click=start)


def draw_other_ways(corpus: Corpus, answer: Answer, heads: tuple[HierarchySummary, ...]) -> None:
    """Draw the same question at another level, or by another method, to see what changes."""
    asked = settings_of(answer.settings, answer.method)
    # The hierarchy of a topic is none to choose from: the one of the same kind stands for it.
    general = f"general.{asked.hierarchy.partition('.')[2]}"
    known = {one.key: one for one in heads}
    head = known.get(asked.hierarchy) or known.get(general)
    if head is None:
        return
    levels = [None, *range(head.levels)]
    methods = [name for name, one in METHODS.items() if not one.by_topic or corpus.topics.is_found]

    def start() -> None:
        method = METHODS[session.kept("other_method", asked.method)]
        settings = method.settings(
            hierarchy=head.key,
            level=session.kept("other_level", asked.level),
            within=asked.within if method.reads == "reports" else "",
        )
        if settings == asked:
            session.keep("refusal", SAME_WAY)
            return
        ask(corpus, answer.question, settings, before=answer.id)

    with st.popover("Another way", icon=":material/layers:", key="other_way"):
        with st.form("other_form", border=False):
            st.selectbox(
                "Level",
                levels,
                index=levels.index(asked.level) if asked.level in levels else 0,
                format_func=lambda one: choices.level_label(one).capitalize(),
                key="other_level",
            )
            st.selectbox(
                "Method",
                methods,
                index=methods.index(asked.method) if asked.method in methods else 0,
                format_func=lambda one: METHODS[one].label,
                key="other_method",
            )
            st.form_submit_button("Ask and compare", key="other_ask", on_click=start)
        changed.draw_choice(corpus, answer)


def _places(corpus: Corpus, answer: Answer, asked: AskSettings) -> dict[str, str]:
    """Return the communities that an answer draws on most, with their titles."""
    if asked.hierarchy not in {one.key for one in corpus.hierarchies()}:
        return {}
    places = session.report_places(corpus, asked.hierarchy)
    weight: Counter[str] = Counter()
    for one in answer.sub_answers:
        if one.status != "kept":
            continue
        for block in one.block_ids:
            if block in places:
                weight[places[block].top] += one.helpfulness
    reports = session.reports(corpus, asked.hierarchy)
    ranked = sorted(weight, key=lambda one: (-weight[one], one))[:PLACES]
    return {one: plain(reports[one].title) for one in ranked if one in reports}


def plain(title: str) -> str:
    """Return a title short enough for a choice."""
    return shorten(title, 64)


def draw_within(corpus: Corpus, key: str, within: str) -> None:
    """Draw inside which community a question is asked, and the button that widens it again."""
    reports = session.reports(corpus, key)
    title = reports[within].title if within in reports else "a community that is not there"
    st.button(
        plain_label(f"Inside: {shorten(title, 60)}"),
        icon=":material/close:",
        key="drop_within",
        help="Ask the whole corpus instead",
        on_click=session.set_params,
        kwargs={"within": None},
    )
