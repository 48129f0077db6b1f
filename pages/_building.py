"""How a corpus is built: which hierarchies, by whom, for how much; what it will take; what it took.

The estimate is shown before anything is spent, and the meter while it is.
"""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._words import count, duration, money, number
from sensemaking.config import HierarchySettings, Settings
from sensemaking.methods import COMMUNITIES
from sensemaking.types import Estimate, JobSnapshot, Usage
from sensemaking.workspace import Corpus

BACKENDS = {
    "extractive": "Without a model",
    "llm": "With a language model",
}


def draw_choices(corpus: Corpus) -> None:
    """Draw what a build depends on; each choice is kept at once."""
    settings = corpus.settings
    session.keep("build_backend", settings.backend)
    st.radio(
        "Language work",
        list(BACKENDS),
        format_func=BACKENDS.__getitem__,
        captions=["Selects and quotes; no cost.", "Writes; as set under Settings."],
        key="build_backend",
        on_change=_take,
        args=(corpus,),
    )
    if settings.backend == "llm" and not session.workspace().models.settings.is_configured:
        look.text("No model is set yet.", "s")
        st.page_link("settings.py", label="Open Settings", icon=":material/tune:")
    session.keep("build_hierarchies", list(settings.hierarchy.algorithms))
    st.multiselect(
        "Hierarchies",
        list(COMMUNITIES),
        format_func=lambda name: COMMUNITIES[name].label,
        key="build_hierarchies",
        help="Each gets reports of its own; communities with the same members share one.",
        on_change=_take,
        args=(corpus,),
    )
    for name in settings.hierarchy.algorithms:
        look.text(f"{COMMUNITIES[name].label}: {COMMUNITIES[name].sentence}", "s")
    session.keep("build_topics", session.kept("build_topics", False))
    st.checkbox(
        "Look for topics when it is done",
        key="build_topics",
        help="What the corpus is about; questions can then be asked inside a topic.",
    )
    if settings.backend == "llm":
        st.number_input(
            "Cap of this build, US dollars",
            min_value=0.0,
            value=None,
            placeholder="as in Settings",
            format="%.2f",
            key="build_budget",
            help="The build pauses before it is crossed, and can be resumed.",
        )


def draw_ways_on(corpus: Corpus, job: JobSnapshot) -> None:
    """Draw what else can be done about a build by a model that failed or was paused."""
    if job.status == "done" or job.is_running or corpus.settings.backend != "llm":
        return

    def go_on_without() -> None:
        without = corpus.settings.model_copy(update={"backend": "extractive"})
        session.act(corpus.change_settings, without)
        session.act(corpus.start_build, finds_topics=finds_topics())

    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="ways_on"):
        st.page_link("settings.py", label="Check the connection", icon=":material/tune:")
        st.button(
            "Go on without a model",
            type="tertiary",
            key="without_model",
            help="What the model made is kept; the rest is selected and quoted",
            on_click=go_on_without,
        )


def finds_topics() -> bool:
    """Return whether topics are looked for after the build."""
    return session.kept("build_topics", False)


def draw_topics(corpus: Corpus) -> None:
    """Draw what became of the topics that were looked for after a build."""
    job = corpus.topics.job()
    if job is not None and job.is_running:
        look.draw(look.sign("Looking for topics", "run"))
    elif job is not None and job.error:
        look.draw(look.sign("No topics", "bad"))
        look.text(job.error, "s")
    elif corpus.topics.is_found:
        with st.container(key="link_topics"):
            st.page_link(
                "topics.py",
                label=count(len(corpus.topics.all()), "topic") + " found",
                icon=":material/category:",
                query_params={"corpus": corpus.name},
            )


def budget() -> float | None:
    """Return the cap that was typed in, or None."""
    return session.kept("build_budget", None)


def draw_estimate(estimate: Estimate) -> None:
    """Draw what something would take."""
    low, high = estimate.calls
    seconds = estimate.seconds
    times = dict.fromkeys(map(duration, seconds))
    time = f"about {' to '.join(times)}"
    if not high:
        look.facts([("Calls", "none"), ("Cost", "no cost"), ("Time", time)])
        return
    cost = estimate.cost
    look.facts(
        [
            ("Calls", _range(low, high)),
            ("Prompt tokens", _range(*estimate.prompt_tokens)),
            ("Reply tokens", _range(*estimate.completion_tokens)),
            ("Cost", "–" if cost is None else f"{money(cost[0])} to {money(cost[1])}"),
            ("Time", time),
        ]
    )
    done = [one for one in estimate.stages if one.done > 0]
    notes = [f"{round(100 * one.done)} % of “{one.name}” is already done." for one in done]
    look.text(" ".join((*notes, *estimate.notes)), "s")


def draw_meter(usage: Usage, job: JobSnapshot | None = None) -> None:
    """Draw what was spent, when anything was."""
    if not usage.calls and not usage.cached_calls:
        return
    facts = [
        ("Calls", number(usage.calls)),
        ("From the cache", number(usage.cached_calls)),
        ("Tokens", f"{number(usage.prompt_tokens)} in, {number(usage.completion_tokens)} out"),
        ("Cost", money(usage.cost) if usage.cost else "–"),
    ]
    if job is not None and job.is_running and job.calls_per_minute:
        facts.append(("Calls a minute", number(job.calls_per_minute)))
    look.facts(facts)


def draw_retry(corpus: Corpus, job: JobSnapshot) -> None:
    """Draw the button that tries again what failed, and only that."""
    failed = [one for one in job.skipped if one.retriable]
    if failed and not job.is_running:
        st.button(
            f"Try {count(len(failed), 'failed unit')} again",
            icon=":material/replay:",
            key="retry_failed",
            on_click=session.act,
            args=(corpus.start_build,),
        )


def _take(corpus: Corpus) -> None:
    settings = corpus.settings
    algorithms = tuple(session.kept("build_hierarchies", list(settings.hierarchy.algorithms)))
    hierarchy = settings.hierarchy
    if algorithms:
        told = {**hierarchy.model_dump(), "algorithms": algorithms}
        hierarchy = HierarchySettings.model_validate(told)
    backend = session.kept("build_backend", settings.backend)
    changed = Settings.model_validate(
        {**settings.model_dump(), "hierarchy": hierarchy.model_dump(), "backend": backend}
    )
    session.act(corpus.change_settings, changed)


def _range(low: float, high: float) -> str:
    return number(low) if round(low) == round(high) else f"{number(low)} to {number(high)}"
