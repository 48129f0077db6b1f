"""Vectors that are made while a build waits for its language model."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from sensemaking.errors import EndpointDown, RunStopped
from sensemaking.pipeline import Engine, build
from sensemaking.pipeline.library import Library
from sensemaking.pipeline.vectors import vectors_alongside
from sensemaking.ports import Embedder, VectorIndex, Vectors
from sensemaking.workspace import Corpus, Workspace
from tests import records
from tests.dossier import DOCUMENTS
from tests.fakes import Moody

SECONDS = 30


@dataclass
class SlowIndex:
    """An index that takes its time to write."""

    inner: VectorIndex
    seconds: float
    begun: threading.Event = field(default_factory=threading.Event)
    n_begun: int = 0
    n_ended: int = 0

    def write(self, collection: str, ids: Sequence[str], vectors: Vectors) -> None:
        self.n_begun += 1
        self.begun.set()
        time.sleep(self.seconds)
        self.inner.write(collection, ids, vectors)
        self.n_ended += 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass
class Listening:
    """An embedder that remembers the texts it is given; it fails for one that holds `hated`."""

    inner: Embedder
    hated: str = "\0"
    texts: list[str] = field(default_factory=list)
    heard: threading.Event = field(default_factory=threading.Event)

    def embed(self, texts: Sequence[str]) -> Vectors:
        if any(self.hated in one for one in texts):
            raise EndpointDown("gone")
        self.texts += texts
        self.heard.set()
        return self.inner.embed(texts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@dataclass
class Held:
    """An embedder whose replies come when they are released."""

    inner: Embedder
    release: threading.Event
    texts: list[str] = field(default_factory=list)
    begun: threading.Event = field(default_factory=threading.Event)
    n_ended: int = 0

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        self.begun.set()
        self.release.wait(SECONDS)
        found = self.inner.embed(texts)
        self.n_ended += len(texts)
        return found

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    workspace = Workspace.open(tmp_path)
    made = workspace.create("Larkmere")
    made.add_files((f"{name}.txt", text.encode()) for name, text in DOCUMENTS.items())
    yield made
    workspace.close()


def waiting(corpus: Corpus) -> Engine:
    """Return an engine whose extractor waits as a model does."""
    engine = corpus.engine
    moody = Moody(engine.backend.extractor, lambda _: False)
    return replace(engine, backend=replace(engine.backend, extractor=moody))


def run(corpus: Corpus, engine: Engine) -> list[Any]:
    return list(build(engine, corpus.settings, corpus.read_original))


def test_nothing_is_written_any_more_once_a_build_has_ended(corpus: Corpus) -> None:
    run(corpus, corpus.engine)
    library = Library(corpus.engine.store)
    documents, entities = library.documents(), library.graph().entities
    chunks = library.chunks(documents, corpus.engine.store.heads()["chunks"])
    corpus.engine.index.keep_only(())
    index = SlowIndex(corpus.engine.index, 0.3)

    def end_while_a_collection_is_written() -> None:
        with vectors_alongside(replace(waiting(corpus), index=index)) as vectors:
            vectors.write_early((documents, chunks), entities)
            assert index.begun.wait(SECONDS)
            raise EndpointDown("gone")

    with pytest.raises(EndpointDown, match="gone"):
        end_while_a_collection_is_written()
    assert (index.n_begun, index.n_ended) == (1, 1)
    time.sleep(0.5)
    assert index.n_begun == 1


def test_reports_are_embedded_while_others_are_still_to_be_written(corpus: Corpus) -> None:
    listening = Listening(corpus.engine.embedder)
    engine = replace(waiting(corpus), embedder=listening)
    size = listening.batch_size
    reports = [
        records.make_report(f"c{n}", engine.tokenizer, title=f"Title {n}", summary="Summary.")
        for n in range(size + 1)
    ]
    with vectors_alongside(engine) as vectors:
        vectors.embed_reports(reports[: size - 1])
        assert not listening.heard.wait(0.3)
        vectors.embed_reports(reports[size - 1 :])
        assert listening.heard.wait(SECONDS)
        assert len(listening.texts) == size
        listening.heard.clear()
        vectors.embed_rest()
        assert listening.heard.wait(SECONDS)
    assert sorted(listening.texts) == sorted(f"Title {n}. Summary." for n in range(size + 1))


def test_vectors_that_fail_ahead_are_told_at_the_end_and_made_by_the_next_build(
    corpus: Corpus,
) -> None:
    some = next(iter(DOCUMENTS.values()))[:20]
    failing = Listening(corpus.engine.embedder, hated=some)
    with pytest.raises(EndpointDown, match="gone"):
        run(corpus, replace(waiting(corpus), embedder=failing))
    assert not any(name.startswith("vectors:") for name in corpus.engine.store.heads())
    working = Listening(corpus.engine.embedder)
    run(corpus, replace(waiting(corpus), embedder=working))
    assert set(working.texts).isdisjoint(failing.texts)
    assert any(name.startswith("vectors:") for name in corpus.engine.store.heads())


def test_vectors_under_way_when_a_build_is_stopped_are_kept(corpus: Corpus) -> None:
    # They are paid for, as replies are, and were asked for again (#3).
    release, stopping = threading.Event(), threading.Event()
    held = Held(corpus.engine.embedder, release)
    engine = replace(corpus.engine, embedder=held, is_stopping=stopping.is_set)
    building = build(engine, corpus.settings, corpus.read_original)

    threading.Timer(0, lambda: held.begun.wait(SECONDS) and stopping.set()).start()
    with pytest.raises(RunStopped):
        list(building)
    release.set()
    until = time.monotonic() + SECONDS
    while held.n_ended < len(held.texts) and time.monotonic() < until:
        time.sleep(0.05)
    time.sleep(0.5)
    working = Listening(corpus.engine.embedder)
    run(corpus, replace(corpus.engine, embedder=working))
    assert held.texts
    assert set(working.texts).isdisjoint(held.texts)
