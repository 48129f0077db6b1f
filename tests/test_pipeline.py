"""What a build and an answer do when the world changes around them: nothing lost, nothing twice."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensemaking.config import AskSettings, ChunkingSettings, Settings
from sensemaking.errors import ModelUnavailable, RunStopped
from sensemaking.methods import COMMUNITIES
from sensemaking.pipeline import Engine, ask, build
from sensemaking.pipeline.fan_out import fan_out
from sensemaking.pipeline.library import CODE_VERSIONS, Library
from sensemaking.ports import Passage
from sensemaking.types import (
    Answer,
    AnswerReady,
    BuildReady,
    Progress,
    Skipped,
    SourceFile,
)
from sensemaking.workspace import Corpus, Workspace
from sensemaking.workspace.models import Models
from sensemaking.workspace.wiring import Workers, start_workers
from tests.dossier import DOCUMENTS, QUESTION
from tests.fakes import Counting, Idle, Moody

SECONDS = 240


@pytest.fixture(scope="module")
def workers() -> Iterator[Workers]:
    started = start_workers()
    yield started
    started.close()


@pytest.fixture
def workspace(tmp_path: Path, workers: Workers) -> Iterator[Workspace]:
    opened = Workspace(tmp_path, workers, Models(tmp_path))
    yield opened
    for name in opened.names():
        opened.open_corpus(name).close()


@pytest.fixture
def corpus(workspace: Workspace) -> Corpus:
    made = workspace.create("Larkmere")
    made.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    return made


def run(corpus: Corpus, engine: Engine | None = None) -> BuildReady:
    *_, ready = build(engine or corpus.engine, corpus.settings, corpus.read_original)
    assert isinstance(ready, BuildReady)
    return ready


def counted(corpus: Corpus) -> tuple[Engine, list[Counting]]:
    engine = corpus.engine
    counting = [Counting(one) for one in (engine.threads, engine.processes, engine.calls)]
    threads, processes, calls = counting
    return replace(engine, threads=threads, processes=processes, calls=calls), counting


def answer(corpus: Corpus, settings: AskSettings | None = None) -> Answer:
    engine = corpus.engine
    *_, last = ask(engine, Library(engine.store), QUESTION, settings or AskSettings())
    assert isinstance(last, AnswerReady)
    return last.answer


# Nothing is done twice


def test_an_unchanged_corpus_is_built_without_one_unit_and_not_folded_again(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, counting = counted(corpus)
    first = run(corpus, engine)
    assert sum(one.n_units for one in counting) > 0
    engine, counting = counted(corpus)
    folded: list[int] = []
    leiden = COMMUNITIES["leiden"]

    def find(*args: Any) -> Any:
        folded.append(1)
        return leiden.find(*args)

    monkeypatch.setitem(COMMUNITIES, "leiden", replace(leiden, find=find))
    second = run(corpus, replace(engine, embedder=Idle(engine.embedder.key, 384)))
    assert [one.n_units for one in counting] == [0, 0, 0]
    assert folded == []
    assert replace(second, seconds=0.0) == replace(first, seconds=0.0)


def test_a_new_version_of_the_library_that_folds_folds_again(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(corpus)
    before = corpus.engine.store.heads()["hierarchy:general.leiden"]
    leiden = COMMUNITIES["leiden"]
    assert leiden.version
    monkeypatch.setitem(COMMUNITIES, "leiden", replace(leiden, package="numpy"))
    run(corpus)
    assert corpus.engine.store.heads()["hierarchy:general.leiden"] != before


def test_one_document_more_is_one_document_of_work(corpus: Corpus) -> None:
    run(corpus)
    corpus.add_files([("more.txt", b"Ada Penrose met Tomas Veld at the Larkmere Bridge.")])
    kept = {one.id for one in Library(corpus.engine.store).documents()}
    events = list(build(corpus.engine, corpus.settings, corpus.read_original))
    extracted = [one for one in events if isinstance(one, Progress) and one.stage == "extract"]
    assert (extracted[0].done, extracted[0].total) == (4, 5)
    assert kept < {one.id for one in Library(corpus.engine.store).documents()}


# What has changed is made anew


def test_changed_settings_make_a_built_corpus_outdated_until_it_is_built_again(
    corpus: Corpus,
) -> None:
    first = run(corpus)
    assert corpus.summary().state == "built"
    corpus.change_settings(Settings(chunking=ChunkingSettings(size=64, overlap=8)))
    assert corpus.summary().state == "outdated"
    assert run(corpus).chunks > first.chunks
    assert corpus.summary().state == "built"
    corpus.change_settings(Settings())
    assert corpus.summary().state == "outdated"
    assert run(corpus).digest == first.digest


def test_a_new_reader_reads_everything_again_and_old_answers_keep_their_sources(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(corpus)
    key = corpus.start_answer(QUESTION, AskSettings())
    corpus.wait_for_answer(key, SECONDS)
    before = {one.id: one.text for one in Library(corpus.engine.store).documents()}
    quotes = [one.quote for one in corpus.evidence(key, 0)]
    monkeypatch.setitem(CODE_VERSIONS, "read", CODE_VERSIONS["read"] + 1)
    assert corpus.summary().state == "outdated"
    engine, counting = counted(corpus)
    run(corpus, engine)
    assert counting[0].n_units > len(DOCUMENTS)  # each is read, and then there is more
    now = {one.id for one in Library(corpus.engine.store).documents()}
    assert len(now) == len(DOCUMENTS)
    assert now.isdisjoint(before)
    assert corpus.summary().state == "built"
    assert [one.quote for one in corpus.evidence(key, 0)] == quotes


def test_a_file_that_changes_while_it_is_read_is_not_overwritten(corpus: Corpus) -> None:
    replaced, removed = corpus.files()[0], corpus.files()[1]
    text = "The Heron Line bought the Northgate Wharf from Ada Penrose in June 2025."
    done: list[str] = []

    def read_original(file: SourceFile) -> bytes:
        data = corpus.read_original(file)
        if not done:
            done.append(file.id)
            corpus.add_files([(replaced.name, text.encode())])
            corpus.remove_files([removed.id])
        return data

    for _ in build(corpus.engine, corpus.settings, read_original):
        pass
    rows = {row.name: row for row in corpus.files()}
    assert removed.name not in rows
    assert [row.name for row in corpus.removed_files()] == [removed.name]
    assert rows[replaced.name].status == "read"
    (document,) = rows[replaced.name].document_ids
    assert corpus.document(document).text.strip() == text
    assert corpus.summary().state == "built"


# Stopped and resumed


def test_a_build_stopped_among_the_vectors_can_be_asked_and_goes_on(corpus: Corpus) -> None:
    events = build(corpus.engine, corpus.settings, corpus.read_original)
    for event in events:
        if isinstance(event, Progress) and (event.stage, event.done > 0) == ("vectors", True):
            break
    events.close()
    heads = corpus.engine.store.heads()
    assert not [name for name in heads if name.startswith("vectors:")]
    assert corpus.hierarchies()
    assert answer(corpus).sentences
    engine, counting = counted(corpus)
    ready = run(corpus, engine)
    heads = corpus.engine.store.heads()
    assert corpus.engine.index.size(heads["vectors:entities"]) == ready.entities
    assert corpus.engine.index.size(heads["vectors:chunks"]) == ready.chunks


def test_a_corpus_rebuilt_while_a_question_is_read_gives_a_whole_answer(corpus: Corpus) -> None:
    run(corpus)
    engine, settings = corpus.engine, AskSettings(window_tokens=400)
    alone = answer(corpus, settings)
    asking = ask(engine, Library(engine.store), QUESTION, settings)
    next(asking)
    corpus.add_files([("more.txt", b"Ada Penrose met Tomas Veld at the Larkmere Bridge.")])
    corpus.remove_files([corpus.files()[0].id])
    run(corpus)
    *_, last = asking
    assert isinstance(last, AnswerReady)
    assert last.answer.paragraphs == alone.paragraphs
    for sentence in last.answer.sentences:
        assert sentence.spans
        for span in sentence.spans:
            assert corpus.document(span.document_id).text[span.start : span.end].strip()


def test_the_same_question_is_answered_the_same_to_the_last_sub_answer(corpus: Corpus) -> None:
    run(corpus)

    def untimed(one: Answer) -> Answer:
        subs = tuple(replace(sub, seconds=0.0) for sub in one.sub_answers)
        return replace(one, seconds=0.0, seconds_to_first=0.0, sub_answers=subs)

    first, second = untimed(answer(corpus)), untimed(answer(corpus))
    assert any(sub.points for sub in first.sub_answers)
    assert first == second


# Units that fail or wait


def with_extractor(corpus: Corpus, fails: Callable[[Passage], bool]) -> tuple[Engine, Moody]:
    engine = corpus.engine
    moody = Moody(engine.backend.extractor, fails)
    return replace(engine, backend=replace(engine.backend, extractor=moody)), moody


def test_a_chunk_that_failed_is_told_and_only_it_is_tried_again(
    workspace: Workspace, corpus: Corpus
) -> None:
    engine, moody = with_extractor(corpus, lambda one: "ferry" in one.title.lower())
    engine_calls = Counting(engine.calls)
    events = list(build(replace(engine, calls=engine_calls), corpus.settings, corpus.read_original))
    told = [one for one in events if isinstance(one, Skipped)]
    assert [(one.stage, one.retriable, one.reason) for one in told] == [
        ("extract", True, "The reply is not JSON.")
    ]
    # One more loads what the calls need.
    assert (engine_calls.n_units, moody.n_read) == (len(DOCUMENTS) + 1, len(DOCUMENTS))
    assert isinstance(events[-1], BuildReady)
    partial_digest = events[-1].digest
    engine, moody = with_extractor(corpus, lambda one: False)
    whole = run(corpus, engine)
    assert moody.n_read == 1
    assert whole.skipped == ()
    assert whole.digest != partial_digest
    fresh = workspace.create("Fresh")
    fresh.add_files((name, text.encode()) for name, text in DOCUMENTS.items())
    assert run(fresh).digest == whole.digest


def test_when_every_chunk_fails_the_build_fails(corpus: Corpus) -> None:
    engine, _ = with_extractor(corpus, lambda one: True)
    with pytest.raises(ModelUnavailable, match="No chunk"):
        run(corpus, engine)


def test_a_run_that_waits_for_units_stops_within_two_seconds(corpus: Corpus) -> None:
    release = threading.Event()
    engine = replace(corpus.engine, is_stopping=lambda: True)
    try:
        with pytest.raises(RunStopped):
            for _ in fan_out(engine, engine.calls, lambda _: release.wait(60), [1, 2, 3]):
                pass
    finally:
        release.set()


def test_a_unit_that_comes_of_a_result_is_run_as_well(corpus: Corpus) -> None:
    left = [3]
    units = iter(lambda: left.pop() if left else None, object())
    seen = []
    for unit, result in fan_out(corpus.engine, corpus.engine.threads, lambda n: n - 1, units):
        seen.append(unit)
        if result:
            left.append(result)
    assert seen == [3, 2, 1]
