"""How a corpus stands now, and what a build or a question would take."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages._session.built import build_key
from pages._session.process import workspace
from sensemaking.config import AskSettings
from sensemaking.methods import METHODS
from sensemaking.types import (
    DocumentRow,
    Estimate,
    TopicEstimate,
    TopicWay,
    WindowsPlanned,
    digest,
)
from sensemaking.workspace import Check, Corpus, Loss


def checks() -> tuple[Check, ...]:
    """Return what was found of the installation; looked at once a process."""
    return _checks(str(workspace().home))


def documents(one: Corpus) -> tuple[DocumentRow, ...]:
    """Return the documents as they stand: with their chunks once they are built."""
    return _documents(*_stand(one), one)


def coverage(one: Corpus, key: str, level: int | None) -> tuple[tuple[str, int, int], ...]:
    """Return what of the corpus reached each stage, down to a level of a hierarchy."""
    return _coverage(*_stand(one), key, level, one)


def losses(one: Corpus, stage: str, key: str, level: int | None) -> tuple[Loss, ...]:
    """Return what was lost on the way to a stage, and why."""
    return _losses(*_stand(one), stage, key, level, one)


def build_estimate(one: Corpus) -> Estimate:
    """Return what a build would still take."""
    return _build_estimate(*_stand(one), _by_whom(one), one)


def plan(one: Corpus, settings: AskSettings) -> WindowsPlanned | None:
    """Return what a question with these settings would read; None before the question is known."""
    if METHODS[settings.method].by_topic or METHODS[settings.method].retrieves:
        return None
    return _plan(*build_key(one), settings.model_dump_json(), settings, one)


def answer_estimate(one: Corpus, settings: AskSettings) -> Estimate:
    """Return what a question with these settings would take.

    Raises
    ------
    SensemakingError
        When it cannot be asked like this; says what to do.
    """
    how = f"{settings.model_dump_json()} {_by_whom(one)}"
    return _answer_estimate(*build_key(one), how, settings, one)


def topic_estimate(one: Corpus, names: Sequence[str] | None, way: TopicWay) -> TopicEstimate:
    """Return what making the graphs of the named topics would take, of all for None.

    What a running job has done since it began is told when it has ended.
    """
    folder, version = build_key(one)
    job = one.topics.job()
    done = f"{job.id} {job.status}" if job is not None else ""
    stand = f"{version} {one.topics.state()} {done}"
    return _topic_estimate(folder, stand, _by_whom(one), tuple(names or ()), way, one)


def _by_whom(one: Corpus) -> str:
    """Return a digest of who does the language work and at what price: it changes an estimate."""
    return digest(one.settings.model_dump_json(), workspace().models.settings.model_dump_json())


def _stand(one: Corpus) -> tuple[str, str]:
    """Return the folder, and what changes with its files and its build."""
    summary = one.summary()
    files = digest(f"{row.id} {row.status}" for row in one.files())
    return str(one.folder), f"{one.version()} {summary.state} {files}"


@st.cache_resource(max_entries=2, show_spinner="Looking at the installation")
def _checks(home: str) -> tuple[Check, ...]:
    return workspace().check()


@st.cache_resource(max_entries=16, show_spinner=False)
def _documents(folder: str, stand: str, _one: Corpus) -> tuple[DocumentRow, ...]:
    return _one.documents()


@st.cache_resource(max_entries=16, show_spinner=False)
def _coverage(
    folder: str, stand: str, key: str, level: int | None, _one: Corpus
) -> tuple[tuple[str, int, int], ...]:
    return _one.coverage(key, level)


@st.cache_resource(max_entries=32, show_spinner=False)
def _losses(
    folder: str, stand: str, stage: str, key: str, level: int | None, _one: Corpus
) -> tuple[Loss, ...]:
    return _one.losses(stage, key, level)


@st.cache_resource(max_entries=16, show_spinner=False)
def _build_estimate(folder: str, stand: str, how: str, _one: Corpus) -> Estimate:
    return _one.estimate_build()


@st.cache_resource(max_entries=64, show_spinner=False)
def _answer_estimate(
    folder: str, version: str, how: str, _settings: AskSettings, _one: Corpus
) -> Estimate:
    return _one.estimate_answer(_settings)


@st.cache_resource(max_entries=64, show_spinner=False)
def _topic_estimate(
    folder: str, stand: str, how: str, names: tuple[str, ...], way: TopicWay, _one: Corpus
) -> TopicEstimate:
    return _one.topics.estimate(names or None, way)


@st.cache_resource(max_entries=16, show_spinner=False)
def _plan(
    folder: str, version: str, how: str, _settings: AskSettings, _one: Corpus
) -> WindowsPlanned:
    return _one.plan_answer(_settings)
