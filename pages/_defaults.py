"""What new corpora and questions start with, as a form."""

from __future__ import annotations

import streamlit as st
from pydantic import ValidationError

from pages import _choices as choices
from pages import _look as look
from pages import _session as session
from pages._building import BACKENDS
from sensemaking.config import Defaults
from sensemaking.errors import ConfigError
from sensemaking.methods import COMMUNITIES, METHODS

LEVELS = (None, 0, 1, 2, 3)
LIMITS = {
    "size": ("Chunk, tokens", 16, 100_000, 50),
    "overlap": ("Overlap, tokens", 0, 50_000, 10),
    "context_tokens": ("Read for a report, tokens", 200, 1_000_000, 500),
}


def draw_defaults() -> None:
    """Draw the form; a file that cannot be used is told, and is replaced by saving."""
    now = session.act(lambda: session.workspace().defaults)
    if now is None:
        look.failure(session.take_refusal() or "", "defaults_failure")
        now = Defaults()
    with st.form("defaults", border=False):
        _draw_corpus(now)
        _draw_question(now)
        is_held = session.workspace().is_read_only
        if st.form_submit_button("Save", type="primary", key="save_defaults", disabled=is_held):
            session.act(_save, now)
            st.rerun()


def _save(now: Defaults) -> None:
    session.workspace().save_defaults(_chosen(now))
    st.toast("Saved", icon=":material/check:")


def _draw_corpus(now: Defaults) -> None:
    usual = now.corpus
    look.titled(
        "A new corpus", "Each can be built otherwise. The corpora you have stay as they are."
    )
    left, right = st.columns(2)
    with left:
        st.selectbox(
            "Language work",
            list(BACKENDS),
            index=list(BACKENDS).index(usual.backend),
            format_func=BACKENDS.__getitem__,
            key="defaults_backend",
        )
    with right:
        st.multiselect(
            "Hierarchies",
            list(COMMUNITIES),
            default=[one for one in usual.hierarchy.algorithms if one in COMMUNITIES],
            format_func=lambda name: COMMUNITIES[name].label,
            key="defaults_hierarchies",
        )
    values = {
        "size": usual.chunking.size,
        "overlap": usual.chunking.overlap,
        "context_tokens": usual.reports.context_tokens,
    }
    for column, (field, (label, low, high, step)) in zip(
        st.columns(len(LIMITS)), LIMITS.items(), strict=True
    ):
        with column:
            st.number_input(label, low, high, values[field], step, key=f"defaults_{field}")
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    with left:
        st.text_input(
            "Kinds of entities that a model looks for",
            ", ".join(usual.language.entity_kinds),
            key="defaults_kinds",
        )
    with right:
        st.toggle(
            "Ask the model for the kinds",
            usual.language.derive_kinds,
            key="defaults_derive",
            help="Once a corpus: which kinds it is about. Those at the left count until it worked.",
        )


def _draw_question(now: Defaults) -> None:
    look.titled("A question", "Each can be asked otherwise.")
    left, right = st.columns(2)
    with left:
        st.selectbox(
            "Method",
            list(METHODS),
            index=list(METHODS).index(now.method) if now.method in METHODS else 0,
            format_func=lambda name: METHODS[name].label,
            key="defaults_method",
        )
    with right:
        st.selectbox(
            "Level",
            LEVELS,
            index=LEVELS.index(now.level) if now.level in LEVELS else 0,
            format_func=lambda one: choices.level_label(one).capitalize(),
            key="defaults_level",
            help="A hierarchy with fewer levels is read at its leaves.",
        )


def _chosen(now: Defaults) -> Defaults:
    """Return the defaults of the form; raises `ConfigError` with plain words."""
    data = now.model_dump()
    corpus, usual = data["corpus"], now.corpus
    data["method"] = session.kept("defaults_method", now.method)
    data["level"] = session.kept("defaults_level", now.level)
    corpus["backend"] = session.kept("defaults_backend", usual.backend)
    corpus["reports"]["context_tokens"] = session.kept(
        "defaults_context_tokens", usual.reports.context_tokens
    )
    corpus["chunking"] |= {
        "size": session.kept("defaults_size", usual.chunking.size),
        "overlap": session.kept("defaults_overlap", usual.chunking.overlap),
    }
    algorithms = session.kept("defaults_hierarchies", list(usual.hierarchy.algorithms))
    corpus["hierarchy"]["algorithms"] = tuple(algorithms) or usual.hierarchy.algorithms
    corpus["language"] |= {
        "entity_kinds": tuple(session.kept("defaults_kinds", "").split(",")),
        "derive_kinds": session.kept("defaults_derive", usual.language.derive_kinds),
    }
    try:
        return Defaults.model_validate(data)
    except ValidationError as error:
        faults = "; ".join(one["msg"].removeprefix("Value error, ") for one in error.errors())
        raise ConfigError(f"Not saved. {faults}.") from None
