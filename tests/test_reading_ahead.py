"""Extraction by a model begins while files are still read, and nothing is read for it twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensemaking.errors import EndpointDown
from sensemaking.pipeline import Engine, build, read_files
from sensemaking.pipeline import reading as reading_module
from sensemaking.pipeline.fan_out import TOGETHER, Lane, run_lanes
from sensemaking.pipeline.library import CODE_VERSIONS, Library
from sensemaking.ports import Passage
from sensemaking.types import BuildReady, Progress, Skipped
from sensemaking.workspace import Corpus, Workspace
from tests.dossier import DOCUMENTS
from tests.fakes import Counting, Idle, Moody

SECONDS = 30
N_FILES = 3 * TOGETHER


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    workspace = Workspace.open(tmp_path)
    made = workspace.create("Larkmere")
    texts = list(DOCUMENTS.values())
    made.add_files(
        (f"{n:02d}.txt", f"Paper {n}. {texts[n % len(texts)]}".encode()) for n in range(N_FILES)
    )
    yield made
    workspace.close()


def waiting(corpus: Corpus, fails: Any = lambda _: False) -> tuple[Engine, Moody]:
    """Return an engine whose extractor waits as a model does, and that extractor."""
    engine = corpus.engine
    moody = Moody(engine.backend.extractor, fails)
    return replace(engine, backend=replace(engine.backend, extractor=moody)), moody


def run(corpus: Corpus, engine: Engine) -> tuple[list[Any], BuildReady]:
    *events, ready = build(engine, corpus.settings, corpus.read_original)
    assert isinstance(ready, BuildReady)
    return events, ready


def last_place(told: list[str], stage: str) -> int:
    return max(n for n, one in enumerate(told) if one == stage)


def test_the_first_files_are_extracted_before_the_last_one_is_read(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    extracted = threading.Event()
    last = f"{N_FILES - 1:02d}.txt"
    in_time: list[bool] = []
    read_file = reading_module.read_file

    def read_late(name: str, data: bytes) -> Any:
        if name == last:
            in_time.append(extracted.wait(SECONDS))
        return read_file(name, data)

    def tell(_: Passage) -> bool:
        extracted.set()
        return False

    monkeypatch.setattr(reading_module, "read_file", read_late)
    engine, moody = waiting(corpus, tell)
    events, early = run(corpus, engine)
    assert in_time == [True]
    assert moody.n_read == N_FILES == early.chunks
    told = [one.stage for one in events if isinstance(one, Progress)]
    assert "extract" in told[: told.index("chunk") + 2]
    assert told.index("graph") - last_place(told, "chunk") > 1
    ends = {one.stage: (one.done, one.total) for one in events if isinstance(one, Progress)}
    whole = (N_FILES, N_FILES)
    assert (ends["read"], ends["chunk"], ends["extract"]) == (whole, whole, whole)
    # The order of work changes nothing.
    monkeypatch.undo()
    other = Workspace.open(corpus.engine.store._database.path.parent / "other")
    try:
        late = other.create("Larkmere")
        late.add_files((one.name, corpus.read_original(one)) for one in corpus.files())
        assert run(late, late.engine)[1].digest == early.digest
    finally:
        other.close()


def test_what_changes_while_a_model_extracts_belongs_to_the_build(corpus: Corpus) -> None:
    # A file that was replaced after the last one was read was in no build at all (#3).
    first = threading.Lock()
    paper = "Vera Holt met Otto Brandt at the Larkmere Bridge."

    def change(_: Passage) -> bool:
        if first.acquire(blocking=False):
            until = time.monotonic() + SECONDS
            while time.monotonic() < until and any(
                one.status == "waiting" for one in corpus.files()
            ):
                time.sleep(0.05)
            # First, so that no look between the two counts it.
            corpus.remove_files([one.id for one in corpus.files() if one.name == "01.txt"])
            corpus.add_files(
                [("00.txt", paper.encode()), ("new.txt", f"New. {paper}".encode()), ("no.txt", b"")]
            )
        return False

    events, ready = run(corpus, waiting(corpus, change)[0])
    assert ready.documents == N_FILES
    assert not any(one.status == "waiting" for one in corpus.files())
    texts = {one.name: one.text for one in Library(corpus.engine.store).documents()}
    assert texts["00.txt"] == paper
    assert "new.txt" in texts
    assert "01.txt" not in texts
    assert [one.subject for one in events if isinstance(one, Skipped)] == ["no.txt"]
    ends = {one.stage: (one.done, one.total) for one in events if isinstance(one, Progress)}
    assert ends["read"] == (N_FILES + 1, N_FILES + 1)


def test_an_unchanged_corpus_asks_the_model_nothing_and_embeds_nothing(corpus: Corpus) -> None:
    run(corpus, waiting(corpus)[0])
    engine, moody = waiting(corpus)
    counting = [Counting(one) for one in (engine.threads, engine.processes, engine.calls)]
    threads, processes, calls = counting
    engine = replace(engine, threads=threads, processes=processes, calls=calls)
    events, _ = run(corpus, replace(engine, embedder=Idle(engine.embedder.key, 384)))
    assert moody.n_read == 0
    assert [one.n_units for one in counting] == [0, 0, 0]
    ends = {one.stage: (one.done, one.total) for one in events if isinstance(one, Progress)}
    assert ends["extract"] == (N_FILES, N_FILES)


def test_a_chunk_that_failed_is_told_once_and_tried_by_the_next_build(corpus: Corpus) -> None:
    engine, moody = waiting(corpus, lambda one: one.text.startswith("Paper 5."))
    events, _ = run(corpus, engine)
    told = [one for one in events if isinstance(one, Skipped)]
    assert [(one.stage, one.retriable) for one in told] == [("extract", True)]
    assert moody.n_read == N_FILES
    engine, moody = waiting(corpus)
    run(corpus, engine)
    assert moody.n_read == 1


def test_what_waits_to_be_read_anew_is_not_extracted_as_it_was(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, moody = waiting(corpus)
    run(corpus, engine)
    before = {one.id for one in Library(corpus.engine.store).documents()}
    monkeypatch.setitem(CODE_VERSIONS, "read", CODE_VERSIONS["read"] + 1)
    # Everything is to be extracted anew as well: were an old document looked at, it would be read.
    monkeypatch.setitem(CODE_VERSIONS, "extract", CODE_VERSIONS["extract"] + 1)
    engine, moody = waiting(corpus)
    run(corpus, engine)
    now = {one.id for one in Library(corpus.engine.store).documents()}
    assert now.isdisjoint(before)
    assert moody.n_read == len(now) == N_FILES


def test_when_the_model_is_gone_the_files_are_read_and_told_of_all_the_same(corpus: Corpus) -> None:
    corpus.add_files((f"more {n}.txt", f"Minutes {n} of Larkmere.".encode()) for n in range(200))
    corpus.add_files([("zz.pdf", b"%PDF-1.4 cut off")])

    def be_gone(_: Passage) -> bool:
        raise EndpointDown("gone")

    engine, _ = waiting(corpus, be_gone)
    told: list[Any] = []

    def run_to_the_end() -> None:
        for event in build(engine, corpus.settings, corpus.read_original):
            told.append(event)

    with pytest.raises(EndpointDown, match="gone"):
        run_to_the_end()
    assert not [one.name for one in corpus.files() if one.status == "waiting"]
    assert [one.subject for one in told if isinstance(one, Skipped)] == ["zz.pdf"]


def test_a_large_file_is_read_by_a_process_though_it_comes_first(corpus: Corpus) -> None:
    size = reading_module.HEAVY_BYTES
    corpus.add_files([("00 large.txt", b"The same line is here again.\n" * (size // 28))])
    threads, processes = Counting(corpus.engine.threads), Counting(corpus.engine.threads)
    engine = replace(corpus.engine, threads=threads, processes=processes)
    for _ in read_files(engine, corpus.read_original):
        pass
    assert {one.status for one in corpus.files()} == {"read"}
    assert (processes.n_units, threads.n_units) == (1, N_FILES // TOGETHER)


def test_a_lane_that_feeds_another_before_anything_is_under_way_is_worked_off(
    corpus: Corpus,
) -> None:
    engine, fed = corpus.engine, [1, 2, 3]

    def feed() -> Iterator[int]:
        fed.extend([4, 5])
        yield from ()

    # Asked first, the second has nothing yet.
    taking = Lane(engine.threads, lambda n: n * n, iter(lambda: fed.pop() if fed else None, 0))
    fed.clear()
    feeding: Lane[int, int] = Lane(engine.threads, abs, feed())
    found = [one for _, some in run_lanes(engine, [taking, feeding]) for one in some]
    assert sorted(found) == [(4, 16), (5, 25)]


def test_when_one_lane_ends_the_run_what_others_have_under_way_is_handed_out(
    corpus: Corpus,
) -> None:
    engine = corpus.engine
    begun, failed = threading.Event(), threading.Event()

    def fail(_: int) -> int:
        begun.wait(SECONDS)
        failed.set()
        raise EndpointDown("gone")

    def work(n: int) -> int:
        begun.set()
        failed.wait(SECONDS)
        threading.Event().wait(0.3)
        return n + 1

    failing, working = Lane(engine.calls, fail, [1]), Lane(engine.calls, work, [1])
    found: list[Any] = []

    def run_all() -> None:
        for _, some in run_lanes(engine, [failing, working]):
            found.extend(some)

    with pytest.raises(EndpointDown, match="gone"):
        run_all()
    assert found == [(1, 2)]
