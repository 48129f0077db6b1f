"""A corpus at a glance: its state, its fingerprint, its numbers, what to do next."""

from __future__ import annotations

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._look import esc
from pages._progress import corpus_sign, elapsed, job_line
from pages._words import count, moment, number, share
from sensemaking.types import CorpusState, CorpusSummary

POLL_SECONDS = 1.5
VERBS: dict[CorpusState, tuple[str, str]] = {
    "empty": ("Add documents", "documents.py"),
    "ready": ("Open", "documents.py"),
    "building": ("Follow", "documents.py"),
    "stopped": ("Resume", "documents.py"),
    "failed": ("See why", "documents.py"),
    "changed": ("Open", "ask.py"),
    "outdated": ("Open", "documents.py"),
    "built": ("Open", "ask.py"),
}
QUIET: dict[CorpusState, str] = {
    "empty": "No documents yet",
    "ready": "Waits to be built",
    "building": "",
    "stopped": "What is done is kept",
    "failed": "The last build failed",
    "changed": "",
    "outdated": "",
    "built": "Nothing changed",
}


RENAME, TRASH = "Rename", "Move to trash"


def draw_card(row: CorpusSummary) -> str | None:
    """Draw one corpus; returns what is to be done with it: `RENAME`, `TRASH` or nothing."""
    with st.container(border=True, key=f"card_corpus_{row.name}", height="stretch", gap="small"):
        look.draw(
            f'<div class="sm-row sm-sp"><h2 class="sm-h">{esc(row.title)}</h2>'
            f"{corpus_sign(row.state)}</div>"
        )
        look.draw(look.fingerprint(row.top_sizes, "Sizes of the coarsest communities"))
        is_built = row.built_at is not None
        look.facts(
            [
                ("Documents", number(row.n_documents)),
                ("Words", number(row.n_words or None)),
                ("Entities", number(row.n_entities if is_built else None)),
                ("Reports", number(row.n_reports if is_built else None)),
            ]
        )
        if row.covered is not None:
            part = row.covered[0] / max(1, row.covered[1])
            look.draw(
                f'<div class="sm-row sm-cover" title="Chunks that an answer can draw on">'
                f"<span>Coverage</span>{look.bar(part)}<b>{esc(share(*row.covered))}</b></div>"
            )
        if row.state == "building":
            _follow(row)
        else:
            look.text(change_line(row), "s")
        return _actions(row, is_built=is_built)


def change_line(row: CorpusSummary) -> str:
    """Return one line on what is missing or has changed."""
    if row.error:
        return row.error
    parts = [f"{count(row.n_not_read, 'file')} not read"] if row.n_not_read else []
    if row.n_waiting and row.built_at:
        parts.append(f"{count(row.n_waiting, 'file')} added since the last build")
    elif row.state == "changed":
        parts.append("files were taken out or brought back since the last build")
    if row.state == "outdated":
        parts.append("settings or program changed since: build again")
    if row.n_unplaced:
        parts.append(f"{count(row.n_unplaced, 'entity', 'entities')} in no community")
    told = ", ".join(parts) or QUIET[row.state]
    return told[:1].upper() + told[1:]


def _actions(row: CorpusSummary, *, is_built: bool) -> str | None:
    verb, target = VERBS[row.state]
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"foot_{row.name}"
    ):
        if st.button(verb, key=f"open_{row.name}"):
            st.switch_page(target, query_params={"corpus": row.name})
        look.text(f"Built {moment(row.built_at)}" if is_built else "Never built", "s")
        if session.workspace().is_read_only:
            return None
        chosen = st.menu_button(
            "",
            [RENAME, TRASH],
            icon=":material/more_horiz:",
            type="tertiary",
            key=f"more_{row.name}",
            help="More",
        )
    return str(chosen) if chosen else None


def _follow(row: CorpusSummary) -> None:
    @st.fragment(run_every=POLL_SECONDS)
    def follow() -> None:
        with look.guard(f"running_{row.name}"):
            job = session.workspace().open_corpus(row.name).job()
            if job is None or not job.is_running:
                st.rerun()
            look.text(f"{job_line(job)}, {elapsed(job)}" if job else "", "s")

    with st.container(key=f"poll_{row.name}"):
        follow()
