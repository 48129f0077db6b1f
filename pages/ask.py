"""Ask: a question, its windows as they are read, the answer with its sources, the history."""

from __future__ import annotations

import streamlit as st

from pages import _after as after
from pages import _answer as answering
from pages import _asking as asking
from pages import _choices as choices
from pages import _facts as facts
from pages import _look as look
from pages import _session as session
from pages._running import draw_running
from pages._words import count, distinct, moment, plain_label, shorten
from sensemaking.config import AskSettings, Defaults
from sensemaking.errors import SensemakingError
from sensemaking.methods import METHODS, Method
from sensemaking.types import AnswerSnapshot, HierarchySummary
from sensemaking.workspace import Corpus

HISTORY = 12
EXAMPLES = 4
STATES: dict[str, tuple[str, look.Sign]] = {
    "done": ("Answered", "ok"),
    "failed": ("Failed", "bad"),
    "stopped": ("Stopped", "warn"),
}
MAX_QUESTION = 5000


def asked_settings(heads: tuple[HierarchySummary, ...]) -> AskSettings:
    """Return the settings of the address: method, topic, hierarchy, level; else the defaults."""
    usual = session.act(lambda: session.workspace().defaults) or Defaults()
    known = {head.key: head for head in heads}
    head = known.get(session.param("hierarchy") or "", heads[0])
    named = session.param("level")
    level = session.number_param("level") if named else usual.level
    method = METHODS.get(session.param("method") or usual.method, METHODS["global"])
    return method.settings(
        hierarchy=head.key,
        level=level if level is not None and level < head.levels else None,
        topic=(session.param("topic") or "") if method.by_topic else "",
        within=(session.param("within") or "") if is_inside(method) else "",
    )


def is_inside(method: Method) -> bool:
    """Return whether a method can be asked inside one community of the general graph."""
    return method.reads == "reports" and not method.by_topic


def render_topic(corpus: Corpus, asked: str) -> None:
    topics = {"": "The question decides", "none": "The whole corpus"}
    topics |= {one.slug: shorten(one.name, 60) for one in corpus.topics.all()}
    topics = distinct(topics)

    def change() -> None:
        session.set_params(topic=session.kept("ask_topic", "") or None)

    session.keep("ask_topic", asked if asked in topics else "")
    st.selectbox(
        "Topic",
        list(topics),
        format_func=lambda one: topics[one],
        key="ask_topic",
        label_visibility="collapsed",
        width=230,
        on_change=change,
    )


def start(corpus: Corpus, settings: AskSettings) -> None:
    question = session.kept("question", "").strip()
    answer_id = session.act(corpus.start_answer, question, settings)
    if answer_id is not None:
        session.clear_params()
        session.set_params(answer=answer_id)
        session.drop("question")
        session.keep("running_answer", (corpus.name, answer_id))


def render_question(corpus: Corpus, heads: tuple[HierarchySummary, ...]) -> None:
    settings = asked_settings(heads)
    left, right = st.columns([1, 3], vertical_alignment="center")
    with left:
        look.head("Ask")
    with (
        right,
        st.container(horizontal=True, horizontal_alignment="right", key="row_choices"),
    ):
        choices.choose_method(settings.method, key="ask_method")
        if METHODS[settings.method].by_topic and corpus.topics.is_found:
            render_topic(corpus, settings.topic)
        head = choices.choose_hierarchy(heads, key="ask_hierarchy")
        levels = [None, *range(head.levels)]
        choices.choose_level(levels, settings.level, key="ask_level")
        facts.draw_facts(corpus, settings, head)
    if settings.within:
        after.draw_within(corpus, head.key, settings.within)
    method = METHODS[settings.method]
    told = _estimate_line(corpus, settings, head)
    with st.form("ask_box", border=True):
        st.text_area(
            "Question",
            key="question",
            height=96,
            max_chars=MAX_QUESTION,
            placeholder="What are the main disagreements, and who holds them?",
            label_visibility="collapsed",
        )
        line, action = st.columns([5, 1], vertical_alignment="center")
        with line:
            look.draw(told)
        with action:
            st.form_submit_button(
                "Ask",
                type="primary",
                key="go_ask",
                width="stretch",
                help="Ctrl+Enter",
                on_click=start,
                args=(corpus, settings),
            )
    look.text(method.sentence, "s")
    render_examples(corpus, head.key)
    render_history(corpus)


def _estimate_line(corpus: Corpus, settings: AskSettings, head: HierarchySummary) -> str:
    """Return what a question would read and take, or why it cannot be asked like this."""
    try:
        estimate = session.answer_estimate(corpus, settings)
        plan = session.plan(corpus, settings)
    except SensemakingError as error:
        return (
            f'<div role="alert">{look.sign("Cannot be asked like this", "bad")}'
            f'<p class="sm-s">{look.esc(str(error))}</p></div>'
        )
    return answering.estimate_line(
        METHODS[settings.method].label,
        f"{choices.hierarchy_label(head.key)}, {choices.level_label(settings.level)}",
        plan,
        estimate,
    )


def render_examples(corpus: Corpus, hierarchy: str) -> None:
    """Offer questions about what the corpus is about; a click puts one into the box."""
    titles = session.largest_titles(corpus, hierarchy)
    asked = ["What are the main themes of the documents?", "Where do the documents disagree?"]
    asked += [f"What is said about {title}?" for title in titles]
    look.text("For example", "l")
    with st.container(horizontal=True, gap="small", key="link_examples"):
        for n, question in enumerate(asked[:EXAMPLES]):
            st.button(
                plain_label(shorten(question, 70)),
                key=f"example_{n}",
                type="tertiary",
                on_click=session.keep,
                args=("question", question),
            )


def render_history(corpus: Corpus) -> None:
    """Draw what was asked before, the latest first, as many more with each click."""
    shown = session.kept("history_shown", HISTORY)
    rows = corpus.answers(shown + 1)
    if not rows:
        return
    look.heading("Asked before")
    for row in rows[:shown]:
        link, how, note = st.columns([4.2, 2, 1.3], vertical_alignment="center")
        with link, st.container(key=f"link_{row.id}"):
            st.button(
                plain_label(shorten(row.question, 110)),
                type="tertiary",
                key=f"history_{row.id}",
                on_click=session.set_params,
                kwargs={"answer": row.id, "sentence": None},
            )
        with how:
            word, kind = STATES.get(row.status, ("Running", "run"))
            told = count(row.n_sentences, "sentence") if row.status == "done" else ""
            label = answering.method_label(row.method)
            facts_of_row = look.esc(", ".join(filter(None, (label, told))))
            look.draw(
                f'<div class="sm-row">{look.sign(word, kind)}'
                f'<span class="sm-s">{facts_of_row}</span></div>'
            )
        with note:
            look.text(moment(row.created_at), "s")
    if len(rows) > shown:
        st.button(
            "Show more",
            type="tertiary",
            key="history_more",
            on_click=session.keep,
            args=("history_shown", shown + HISTORY),
        )


def render_answer(corpus: Corpus, snapshot: AnswerSnapshot) -> None:
    answering.draw_question(snapshot.question)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="row_answer"):
        asking.draw_facts(snapshot)
        asking.draw_buttons(corpus, snapshot)
    if snapshot.is_running:
        draw_running(corpus, snapshot)
    elif snapshot.answer is not None:
        asking.draw_done(corpus, snapshot.answer)
    else:
        asking.draw_ended(corpus, snapshot)


here = session.corpus()
if here is not None:
    session.set_params(corpus=here.name)
asked = session.param("answer")
if here is not None and asked:
    render_answer(here, here.answer(asked))
elif here is not None and choices.hierarchies(here):
    render_question(here, choices.hierarchies(here))
else:
    look.head("Ask")
    choices.draw_not_ready(
        here, "Answers are made from reports on the communities; a build writes them."
    )
