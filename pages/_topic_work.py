"""Work on topics as it goes, and the buttons that begin it."""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages import _progress as progress
from pages import _session as session
from pages._words import number
from sensemaking.types import TopicEstimate, TopicWay
from sensemaking.workspace import Corpus

POLL_SECONDS = 1.0
LABELS: dict[TopicWay, str] = {
    "extracted": "Read again for each topic (ReTAG)",
    "filtered": "Cut out of the graph (ours, quick)",
}


def draw_job(corpus: Corpus) -> None:
    """Draw the running work with a button to stop it, or what went wrong with the last."""
    job = corpus.topics.job()
    if job is None:
        return
    if not job.is_running:
        if job.error and job.status == "failed":
            look.failure(job.error, "topics_failed", "The work on topics did not end well")
        for skip in job.skipped[:3]:
            look.text(f"Not done: {skip.subject}: {skip.reason}", "s")
        return

    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        with look.guard("topics_failure"):
            now = corpus.topics.job()
            if now is None or not now.is_running:
                st.rerun()
            else:
                stage = progress.current_stage(now)
                note = stage.note if stage is not None else ""
                look.draw(
                    f'<p class="sm-s">{look.esc(progress.job_line(now))}. {look.esc(note)}, '
                    f"{look.esc(progress.elapsed(now))}</p>"
                )
                st.button("Stop", key="stop_topics", on_click=corpus.topics.stop)

    # A polled fragment alone in a container: elements after it vanish otherwise (Streamlit 1.67).
    with st.container(key="poll_topics"):
        follow()


def draw_making(corpus: Corpus, names: list[str] | None, *, is_made: bool = False) -> None:
    """Draw what making graphs takes, of the named topics or of all, and the button for it.

    The button is not the first thing to do on the page where all graphs are made.
    """
    job = corpus.topics.job()
    is_held = corpus.is_read_only or (job is not None and job.is_running)
    with st.container(border=True, key="panel_making", gap="small"):
        look.heading("Graphs of their own" if names is None else "A graph of its own")
        way: TopicWay = st.radio(
            "How",
            list(LABELS),
            format_func=lambda one: LABELS[one],
            key="topic_way",
            label_visibility="collapsed",
            horizontal=True,
        )
        found = session.topic_estimate(corpus, names, way)
        look.text(estimate_line(found), "s")
        with st.container(horizontal=True, gap="small"):
            st.button(
                "Make all" if names is None else "Make it",
                type="secondary" if is_made else "primary",
                key="go_make",
                disabled=is_held or not found.n_topics,
                on_click=session.act,
                args=(corpus.topics.start_graphs, names, way),
            )
            if names is None:
                st.button(
                    "Find topics again",
                    key="go_find",
                    disabled=is_held,
                    help="After a new build; your edits are kept",
                    on_click=session.act,
                    args=(corpus.topics.start_finding,),
                )


def estimate_line(found: TopicEstimate) -> str:
    """Return what making topic graphs takes, in one line."""
    if not found.n_topics:
        return found.sentence
    if not found.calls[1]:
        return f"{found.sentence} No model is called."
    calls, tokens = found.calls, found.prompt_tokens
    return (
        f"{found.sentence} {number(calls[0])} to {number(calls[1])} calls, "
        f"{number(tokens[0])} to {number(tokens[1])} prompt tokens."
    )
