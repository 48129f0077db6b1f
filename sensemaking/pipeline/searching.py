"""Chunks of a corpus found for a question: by words, by vectors, by both.

A question comes in; chunks with scores go out, best first. The same for whole documents, by their
best chunk, and a measurement of it against questions whose documents are known.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from statistics import fmean

from sensemaking.errors import InputError, NotBuilt, NotFound, RunStopped
from sensemaking.evaluation.retrieval_metrics import capped_recall, ndcg
from sensemaking.pipeline.engine import Engine
from sensemaking.pipeline.library import CHUNKS, SEEN, Library
from sensemaking.pipeline.vectors import HEAD
from sensemaking.ports import Store
from sensemaking.retrieval.fusion import fuse
from sensemaking.retrieval.lexical import LexicalIndex
from sensemaking.types import (
    Chunk,
    Progress,
    Question,
    RetrievalResult,
    RetrievalRow,
    RetrievalRun,
    digest,
)

RETRIEVERS = ("bm25", "dense", "fused")
DEPTH = 100
"""Chunks of each ranking that are fused."""
RETRIEVALS = "retrievals"
KEEP_EVERY = 20
"""Rows that are kept at once."""
DEEPER = 20
"""Chunks looked at for each document wanted: long documents have many."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found; scores compare within one search only."""

    chunk: Chunk
    score: float


class Searcher:
    """The chunks of a corpus, counted once for every state of it; safe to share between threads."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()
        self._scope = ""
        self._chunks: dict[str, Chunk] = {}
        self._index = LexicalIndex({})

    def search(self, engine: Engine, method: str, question: str, k: int) -> list[Hit]:
        """Return the `k` best chunks; fewer where words are asked for that fewer hold.

        Raises
        ------
        InputError
            When the question is empty or there is no such method.
        NotBuilt
            When the corpus has no chunks, or no vectors where they are needed.
        """
        if not question.strip():
            raise InputError("The question is empty: say what to look for.")
        if method not in RETRIEVERS:
            raise InputError(f"There is no retriever “{method}”: choose from {list(RETRIEVERS)}.")
        self._prepare()
        if method == "bm25":
            found = self._by_words(question, k)
        elif method == "dense":
            found = self._by_vectors(engine, question, k)
        else:
            depth = max(k, DEPTH)
            rankings = [self._by_words(question, depth), self._by_vectors(engine, question, depth)]
            found = fuse([[key for key, _ in ranking] for ranking in rankings])[:k]
        return [Hit(self._chunks[key], score) for key, score in found if key in self._chunks]

    def _by_words(self, question: str, k: int) -> list[tuple[str, float]]:
        return [(key, score) for key, score in self._index.search(question, k) if score > 0]

    def _by_vectors(self, engine: Engine, question: str, k: int) -> list[tuple[str, float]]:
        collection = self._library.store.head(f"{HEAD}chunks")
        if not collection or not engine.index.size(collection):
            raise NotBuilt(
                "This corpus has no vectors, or they are of an older version: build it (again), or "
                "search by bm25."
            )
        (vector,) = engine.embedder.embed([question])
        return engine.index.nearest(collection, vector, k)

    def search_documents(self, engine: Engine, method: str, question: str, k: int) -> list[str]:
        """Return the names of the `k` best documents, by their best chunk; see `search`."""
        names: dict[str, str] = {}
        for hit in self.search(engine, method, question, k * DEEPER):
            document_id = hit.chunk.document_id
            if document_id not in names:
                names[document_id] = self._library.document(document_id).name
            if len(names) == k:
                break
        return list(names.values())

    def document_names(self) -> dict[str, str]:
        """Return the documents' names by all that may stand for them; whole names win."""
        found: dict[str, str] = {}
        names = sorted(document.name for document in self._library.documents())
        for shorten in (str, _without_suffix, _stem):
            for name in names:
                found.setdefault(shorten(name), name)
        return found

    def state(self) -> str:
        """Return what changes with the chunks that are searched; raises `NotBuilt`."""
        scope = self._library.store.head(CHUNKS)
        if not scope:
            raise NotBuilt(
                "There are no passages to search: this corpus is not built, or it was built by an "
                "older version. Build it (again)."
            )
        return f"{scope} {self._library.store.head(SEEN)}"

    def _prepare(self) -> None:
        state = self.state()
        scope = str(self._library.store.head(CHUNKS))
        with self._lock:
            if state == self._scope:
                return
            documents = self._library.documents()
            texts = {one.id: one.text for one in documents}
            chunks = self._library.chunks(list(documents), scope)
            self._chunks = {one.id: one for one in chunks}
            self._index = LexicalIndex(
                {one.id: texts[one.document_id][one.start : one.end] for one in chunks}
            )
            self._scope = state


def make_run(
    searcher: Searcher, name: str, questions: Sequence[Question], methods: Sequence[str], k: int
) -> RetrievalRun:
    """Return what is to be measured: the questions that have gold.

    Raises
    ------
    InputError
        When no question has gold, none of it is in the corpus, or a retriever is not known.
    NotBuilt
        When there is nothing to search.
    """
    known = searcher.document_names()
    asked = tuple(one for one in questions if one.gold)
    unknown = [one for one in methods if one not in RETRIEVERS]
    if unknown or not methods:
        raise InputError(
            f"There is no retriever “{', '.join(unknown)}”: choose from {', '.join(RETRIEVERS)}."
        )
    if not asked:
        raise InputError("No question names its documents: add “gold_ids” to the questions.")
    if not any(key in known for one in asked for key, _ in one.gold):
        first = asked[0].gold[0][0]
        raise InputError(
            f"None of the gold documents is in this corpus (the first is “{first}”): gold ids are "
            "the names of documents without suffix."
        )
    parts = [f"{one.id}\n{one.text}\n{one.gold}" for one in asked]
    key = digest("retrieval", searcher.state(), name, parts, list(methods), k)
    return RetrievalRun(key, name, asked, tuple(dict.fromkeys(methods)), k)


def missing_gold(searcher: Searcher, run: RetrievalRun) -> tuple[str, ...]:
    """Return the gold documents that are not in the corpus, sorted; no search can find them."""
    known = searcher.document_names()
    return tuple(sorted({key for one in run.questions for key, _ in one.gold if key not in known}))


def measure_retrieval(
    engine: Engine, searcher: Searcher, run: RetrievalRun
) -> Iterator[Progress | RetrievalRow]:
    """Yield one row a question and retriever, and progress; rows that are kept are not made again.

    Gold documents are known by their name, with or without its suffix and folders.

    Raises
    ------
    RunStopped
        When the run was asked to stop; what is measured is kept.
    """
    known, scope = searcher.document_names(), rows_of(run)
    engine.store.add(RETRIEVALS, [run])
    kept = {one.id: one for one in engine.store.all(RetrievalRow, scope)}
    done, total = 0, len(run.questions) * len(run.methods)
    for method in run.methods:
        # What is loaded once is not the retriever's time.
        searcher.search(engine, method, run.questions[0].text, 1)
        fresh: list[RetrievalRow] = []
        for question in run.questions:
            row = kept.get(f"{question.id}\n{method}")
            if row is None:
                gains = {known.get(key, key): gain for key, gain in question.gold}
                began = time.perf_counter()
                ranking = searcher.search_documents(engine, method, question.text, run.k)
                seconds = time.perf_counter() - began
                row = _row(question, method, ranking, gains, run.k, seconds)
                fresh.append(row)
            done += 1
            if len(fresh) >= KEEP_EVERY or question is run.questions[-1]:
                engine.store.add(scope, fresh)
                fresh = []
                if engine.is_stopping():
                    raise RunStopped("Stopped; what is measured is kept.")
            yield row
            yield Progress("retrieval", done, total, method)


def _row(
    question: Question,
    method: str,
    ranking: Sequence[str],
    gains: Mapping[str, float],
    k: int,
    seconds: float,
) -> RetrievalRow:
    return RetrievalRow(
        question_id=question.id,
        method=method,
        ranking=tuple(ranking),
        gold=tuple(gains),
        recall=capped_recall(ranking, gains, k),
        ndcg=ndcg(ranking, gains, k),
        seconds=seconds,
    )


def rows_of(run: RetrievalRun) -> str:
    """Return where the rows of a run lie."""
    return f"retrieval:{run.id}"


def retrievals_of(store: Store) -> list[RetrievalRun]:
    """Return all measurements of retrievers, by name."""
    return sorted(store.all(RetrievalRun, RETRIEVALS), key=lambda one: (one.name, one.id))


def read_retrieval(store: Store, run_id: str) -> tuple[RetrievalRun, tuple[RetrievalRow, ...]]:
    """Return a measurement as it stands, rows in order of retrievers and questions.

    Raises
    ------
    NotFound
        When there is none of that id.
    """
    run = store.get(RetrievalRun, RETRIEVALS, run_id)
    if run is None:
        raise NotFound(f"There is no measurement “{run_id}” in this corpus.")
    kept = {one.id: one for one in store.all(RetrievalRow, rows_of(run))}
    keys = [f"{question.id}\n{method}" for method in run.methods for question in run.questions]
    return run, tuple(kept[key] for key in keys if key in kept)


def sum_up_retrieval(rows: Sequence[RetrievalRow], k: int) -> list[RetrievalResult]:
    """Return the means of each retriever, in order of appearance."""
    by_method: dict[str, list[RetrievalRow]] = {}
    for row in rows:
        by_method.setdefault(row.method, []).append(row)
    return [
        RetrievalResult(
            method=method,
            k=k,
            n_questions=len(ones),
            recall=fmean(one.recall for one in ones),
            ndcg=fmean(one.ndcg for one in ones),
            topological_recall=None,
            seconds=fmean(one.seconds for one in ones),
        )
        for method, ones in by_method.items()
    ]


def _without_suffix(name: str) -> str:
    return str(PurePosixPath(name).with_suffix(""))


def _stem(name: str) -> str:
    return PurePosixPath(name).stem
