"""What dealing relationships in turn would leave of a hierarchy, reckoned once for each build."""

from __future__ import annotations

import streamlit as st

from pages._session.built import build_key
from sensemaking.config import RoundRobinSettings
from sensemaking.types import DealtTies
from sensemaking.workspace import Corpus


def dealt(one: Corpus, key: str, ways: tuple[RoundRobinSettings, ...]) -> tuple[DealtTies, ...]:
    """Return what each way leaves of the leaves of a hierarchy."""
    return _dealt(*build_key(one), key, str(ways), ways, one)


@st.cache_resource(max_entries=32, show_spinner="Dealing relationships")
def _dealt(
    folder: str,
    version: str,
    key: str,
    how: str,
    _ways: tuple[RoundRobinSettings, ...],
    _one: Corpus,
) -> tuple[DealtTies, ...]:
    return _one.trust.dealt(key, _ways, _one.engine.tokenizer)
