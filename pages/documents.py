"""Documents: put files in, see what was read and what was not, build, follow, stop, resume."""

from __future__ import annotations

import streamlit as st

from pages import _building as building
from pages import _files as files
from pages import _look as look
from pages import _progress as progress
from pages import _session as session
from pages._held import draw_held
from pages._look import Sign, esc
from pages._losses import draw_coverage, draw_lost
from pages._reading import draw_reading
from pages._words import count, duration, number, plain_label
from sensemaking.types import JobSnapshot
from sensemaking.workspace import Corpus

POLL_SECONDS = 1.0
IDLE_SECONDS = 5.0
LOGGED: dict[str, tuple[str, Sign]] = {
    "done": ("Built", "ok"),
    "failed": ("Failed", "bad"),
    "stopped": ("Stopped", "warn"),
}


def start(corpus: Corpus) -> None:
    session.act(corpus.start_build, building.budget(), finds_topics=building.finds_topics())


def render_actions(corpus: Corpus, job: JobSnapshot | None) -> None:
    state = corpus.summary().state
    is_held = corpus.is_read_only or bool(corpus.held_elsewhere())
    with st.container(
        horizontal=True, horizontal_alignment="right", gap="small", key="row_actions"
    ):
        if corpus.is_read_only:
            return
        with st.popover("Add documents", icon=":material/add:", key="add"):
            files.adding(corpus)
        if is_held:
            return
        if job is not None and job.is_running:
            st.button(
                "Stop",
                icon=":material/stop_circle:",
                key="stop",
                help="Keeps what is done",
                on_click=corpus.stop_build,
            )
            return
        with st.popover("Build with", icon=":material/tune:", key="build_with"):
            building.draw_choices(corpus)
        if state == "built":
            if st.button("Ask", type="primary", icon=":material/forum:", key="go_ask"):
                st.switch_page("ask.py", query_params={"corpus": corpus.name})
        else:
            word = {"stopped": "Resume", "failed": "Try again"}.get(state, "Build")
            st.button(word, type="primary", key="go_build", on_click=start, args=(corpus,))


def render_job(job: JobSnapshot | None, corpus: Corpus) -> None:
    if job is None:
        look.heading("Before it runs", count(len(corpus.files()), "file"))
        summary = corpus.summary()
        _draw_estimate(corpus)
        look.text("It goes on where it was when it is stopped; nothing is done twice.", "s")
        if summary.error:
            look.text(summary.error, "p")
        return
    if job.is_running:
        look.draw(
            '<div class="sm-row sm-sp"><h2 class="sm-h">Building</h2>'
            f'<span class="sm-s">{progress.headline(job)}</span></div>'
        )
    else:
        word, kind = LOGGED[job.status]
        note = duration(job.result.seconds if job.result else job.seconds)
        look.draw(
            f'<div class="sm-row sm-sp">{look.sign(word, kind)}'
            f'<span class="sm-s">{esc(note)}</span></div>'
        )
    if job.error:
        look.draw(f'<p class="sm-p sm-wrap" role="alert">{esc(job.error)}</p>')
    if job.status == "stopped":
        look.text("What is done is kept; Resume goes on from there.", "s")
    progress.stages(job)
    if job.is_running:
        progress.just_done(job)
    else:
        building.draw_topics(corpus)
    building.draw_meter(job.usage, job)
    for note in job.result.notes if job.result else ():
        look.text(note, "s")
    progress.skipped(job)
    building.draw_retry(corpus, job)
    building.draw_ways_on(corpus, job)
    if not job.is_running and corpus.summary().state in ("outdated", "changed", "stopped"):
        look.heading("To go on")
        _draw_estimate(corpus)


def _draw_estimate(corpus: Corpus) -> None:
    with look.guard("estimate_failure"):
        building.draw_estimate(session.build_estimate(corpus))


def render_build(corpus: Corpus, job: JobSnapshot | None) -> None:
    is_live = job is not None and job.is_running
    seen = progress.milestone(job)

    @st.fragment(run_every=POLL_SECONDS if is_live else IDLE_SECONDS)
    def follow() -> None:
        with look.guard("build_failure"):
            now = corpus.job()
            if progress.milestone(now) != seen:  # the files and the coverage below change with it
                st.rerun()
            draw_held(corpus)
            render_job(now, corpus)

    # A polled fragment alone in a container: elements after it vanish otherwise (Streamlit 1.67).
    with st.container(key="poll_build"):
        follow()


def render_overview(corpus: Corpus) -> None:
    summary, job, present = corpus.summary(), corpus.job(), corpus.files()
    left, right = st.columns([3, 2], vertical_alignment="center")
    with left:
        note = f"{count(len(present), 'file')}, {number(summary.n_words)} words"
        look.head("Documents", note if summary.n_words else count(len(present), "file"))
    if not present and not corpus.removed_files():
        with look.empty(
            "Put documents in",
            "Everything is read on this machine. What cannot be read is listed with the reason; "
            "the rest goes on.",
            "no_files",
        ):
            files.adding(corpus)
        return
    with right:
        render_actions(corpus, job)
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, key="panel_build", height="stretch", gap="small"):
        render_build(corpus, job)
    with right, st.container(border=True, key="panel_cover", height="stretch", gap="xsmall"):
        draw_coverage(corpus)
    draw_lost(corpus)
    files.listing(corpus)


here = session.corpus()
if here is None:
    with look.empty("No corpus is open", "Choose one at the left, or make one.", "no_corpus"):
        st.page_link("corpora.py", label=plain_label("All corpora"), icon=":material/stacks:")
else:
    session.set_params(corpus=here.name)
    asked = session.param("document")
    if asked is None:
        render_overview(here)
    else:
        draw_reading(here, here.document(asked))
