"""How far a hierarchy can be trusted: made again, what stays; its shape; what text it reaches."""

from __future__ import annotations

from typing import Literal

import pandas as pd
import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._community_dealing import draw_dealing
from pages._look import esc
from pages._words import count, number, share
from sensemaking.figures.shape import depth_figure, sizes_figure
from sensemaking.types import Community, Hierarchy, JobSnapshot, Stability, Trial
from sensemaking.workspace import Corpus

POLL_SECONDS = 0.7
STABLE, LOOSE = 0.8, 0.5
"""Shares of the runs from which on a community counts as firm, and below which as loose."""


def trial_name(trial: Trial) -> str:
    """Return what differs between the runs of a trial."""
    return f"{trial.drop:g} % of the ties left out" if trial.drop else "another seed each time"


Tone = Literal["good", "warn", "bad"]


def badge(stability: Stability, community: Community) -> str:
    """Return the persistence of a community as a tag and a plain sentence."""
    trial = stability.trials[0]
    kept = dict(zip(stability.community_ids, trial.kept, strict=True)).get(community.id, 0)
    part = kept / trial.runs
    tone: Tone = "good" if part >= STABLE else "warn" if part >= LOOSE else "bad"
    word = "firm" if part >= STABLE else "shaky" if part >= LOOSE else "loose"
    told = {
        "good": "It does not depend on chance: it comes back almost whole.",
        "warn": "Part of it depends on chance: read it beside its neighbours.",
        "bad": "It owes much to chance: another run draws its border elsewhere.",
    }[tone]
    return (
        f'<div class="sm-row sm-wraps">{look.tag(f"kept in {kept} of {trial.runs} runs", tone)}'
        f'<span class="sm-s"><b>{word.capitalize()}</b>, with {esc(trial_name(trial))}. '
        f"{esc(told)}</span></div>"
    )


def draw_badge(corpus: Corpus, hierarchy: Hierarchy, community: Community) -> None:
    """Draw how persistent a community is, where that was measured."""
    stability = session.stability(corpus, hierarchy.key)
    if stability is not None:
        look.draw(badge(stability, community))


def draw_shape(corpus: Corpus, hierarchy: Hierarchy) -> None:
    """Draw sizes, depth and coverage of a hierarchy."""
    covered = session.leaf_coverage(corpus, hierarchy.key)
    largest = max((len(one.entity_ids) for one in hierarchy.leaves), default=0)
    look.heading("Shape", "How large the groups are, how deep they lie, what they draw on")
    look.facts(
        [
            ("Leaves", number(covered.leaves)),
            ("Levels", number(hierarchy.n_levels)),
            ("Largest leaf", number(largest), "entities"),
            ("In no group", number(len(hierarchy.unplaced)), "entities"),
            (
                "Source text reached",
                share(covered.tokens_reached, covered.tokens),
                f"of {number(covered.tokens)} tokens",
            ),
        ]
    )
    left, right = st.columns(2, gap="medium")
    config = {"displayModeBar": False}
    with left:
        look.text("Leaves by number of entities", "s")
        st.plotly_chart(
            sizes_figure(hierarchy, look.palette()),
            key=f"sizes_{hierarchy.key}",
            theme=None,
            config=config,
            alt="Number of leaves by number of entities",
        )
    with right:
        look.text("Communities by level: leaves below, those with parts on top", "s")
        st.plotly_chart(
            depth_figure(hierarchy, look.palette()),
            key=f"depth_{hierarchy.key}",
            theme=None,
            config=config,
            alt="Number of communities by level",
        )
    look.draw('<div class="sm-hr"></div>')
    draw_dealing(corpus, hierarchy.key)


def draw_stability(corpus: Corpus, hierarchy: Hierarchy) -> None:
    """Draw what stays when the hierarchy is made again; starts and follows the measurement."""
    look.heading("Trust", "Made again with other chances, how much of it stays?")
    job = corpus.trust.job()
    if job is not None and job.is_running:
        _follow(corpus.name)
        return
    stability = session.stability(corpus, hierarchy.key)
    if stability is None:
        if job is not None and job.error:
            look.failure(job.error, "trust_failed")
        look.text(
            "Not measured yet. The groups are found 20 times more with other seeds, where chance "
            "plays a part, and with 1, 2 and 5 % of the ties left out. It takes at most two "
            "minutes, and the rest of the app stays usable.",
            "s",
        )
    else:
        _draw_trials(hierarchy, stability)
    st.button(
        "Measure" if stability is None else "Measure again",
        key="measure_trust",
        disabled=corpus.is_read_only,
        on_click=session.act,
        args=(corpus.trust.start, hierarchy.key),
    )


@st.fragment(run_every=POLL_SECONDS)
def _follow(name: str) -> None:
    corpus = session.workspace().open_corpus(name)
    job = corpus.trust.job()
    if job is None or not job.is_running:
        st.rerun()
    _draw_progress(job)
    st.button("Stop", key="stop_trust", on_click=corpus.trust.stop)


def _draw_progress(job: JobSnapshot) -> None:
    stage = job.stages[-1] if job.stages else None
    done, total = (stage.done, stage.total) if stage else (0, 1)
    note = stage.note if stage else "Starting"
    look.draw(
        f'<div class="sm-row">{look.bar(done / total if total else 0, "var(--accent)")}</div>'
        f'<p class="sm-s">Run {esc(number(done))} of {esc(number(total))}: {esc(note)}</p>'
    )


def _draw_trials(hierarchy: Hierarchy, stability: Stability) -> None:
    first = stability.trials[0]
    coarsest, deepest = first.levels[0], first.levels[-1]
    low, high = deepest.modularity
    firm = sum(kept >= STABLE * first.runs for kept in first.kept)
    look.text(
        f"With {trial_name(first)}, {share(firm, len(first.kept))} of the communities come back "
        f"in at least {share(STABLE, 1)} of {first.runs} runs. "
        f"{count(deepest.partitions, 'different partition')} into leaves came out of "
        f"{first.runs} runs, and their modularity lies between {low:z.4f} and {high:z.4f}: "
        "so many answers, one score.",
        "p",
    )
    if coarsest.rand != deepest.rand:
        look.text(
            f"Two runs agree to {coarsest.rand:.2f} on the coarsest level and to "
            f"{deepest.rand:.2f} on the leaves (adjusted Rand index, 1 is the same).",
            "s",
        )
    frame = pd.DataFrame(
        [
            {
                "Trial": trial_name(trial),
                "Runs": trial.runs,
                "Level": level.level,
                "Rand": level.rand,
                "Information": level.information,
                "Partitions": level.partitions,
                "Modularity": f"{level.modularity[0]:z.4f} to {level.modularity[1]:z.4f}",
            }
            for trial in stability.trials
            for level in trial.levels
        ]
    )
    st.dataframe(
        frame,
        hide_index=True,
        row_height=32,
        height=min(len(frame), 8) * 32 + 36,
        key=f"trials_{hierarchy.key}",
        alt="Agreement of runs by trial and level",
        column_config={
            "Rand": st.column_config.NumberColumn(format="%.3f", help="Adjusted Rand index"),
            "Information": st.column_config.NumberColumn(
                format="%.3f", help="Normalised mutual information"
            ),
        },
    )
