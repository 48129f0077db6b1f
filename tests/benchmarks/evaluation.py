"""Evaluation: the papers' experiments on a built corpus, and searches on questions with gold.

    python -m tests.benchmarks.evaluation experiments HOME NAME [--only levels,cores,retag]
        [--questions FILE] [--limit 25] [--topics]
    python -m tests.benchmarks.evaluation retrieval HOME NAME QUESTIONS
    python -m tests.benchmarks.evaluation words|texts CORPUS QUESTIONS

- experiments: each on a copy of the corpus, with the extractive backend and judge; CPU and wall
  seconds of the whole run (hierarchies made, questions answered, pairs judged), seconds of an
  answer once its method is warm (median, and the slowest method), win rates and what is sure.
  Questions are written from the corpus where no file is given. --topics: looks for topics first.
- retrieval: capped recall@10, nDCG@10 and seconds a search, and how many questions have them.
- words: BM25 alone over a folder of documents that is only read and chunked, not built; texts: all
  retrievers, after the chunks were embedded.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sensemaking.config import Settings
from sensemaking.evaluation.questions import read_questions
from sensemaking.pipeline import library
from sensemaking.pipeline.reading import read_files
from sensemaking.pipeline.vectors import VectorWork
from sensemaking.text.chunking import chunk_document
from sensemaking.types import Chunk, Question, QuestionSet, RetrievalRow
from sensemaking.workspace import Corpus, Workspace

JUDGE = "extractive"
SECONDS = 3600


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=("experiments", "retrieval", "words", "texts"))
    parser.add_argument("where", type=Path, help="home of the corpus, or folder of documents")
    parser.add_argument("names", nargs="+", help="name of the corpus, file of questions")
    parser.add_argument("--only", default="levels,cores,retag")
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--limit", type=int, default=25)
    parser.add_argument("--topics", action="store_true")
    options = parser.parse_args()
    print(f"{time.strftime('%Y-%m-%d')}, load {os.getloadavg()[0]:.1f}")
    if options.part == "experiments":
        run_experiments(options)
    elif options.part == "retrieval":
        with opened(options.where, options.names[0]) as corpus:
            measure(corpus, read(Path(options.names[1])).questions, ("bm25", "dense", "fused"))
    else:
        asked = read(Path(options.names[0])).questions
        measure_texts(options.where, asked, embeds=options.part == "texts")


def read(path: Path) -> QuestionSet:
    return read_questions(path.name, path.read_bytes())


@contextmanager
def opened(home: Path, name: str) -> Iterator[Corpus]:
    """Open a copy of a corpus: what is measured leaves nothing behind."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(home / "corpora" / name, Path(folder) / "corpora" / name)
        with closing(Workspace.open(Path(folder))) as workspace:
            yield workspace.open_corpus(name)


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its workers that have ended."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


# Experiments


def run_experiments(options: argparse.Namespace) -> None:
    print(
        "| experiment | methods | questions | answers | verdicts | CPU | wall | warm answer | "
        "slowest method |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|---|")
    told: list[str] = []
    for name in options.only.split(","):
        began = cpu_seconds()
        with opened(options.where, options.names[0]) as corpus:
            if options.topics:
                corpus.topics.start_finding()
                job = corpus.topics.wait(SECONDS)
                assert job is not None
                assert job.status == "done", job.error
                began = cpu_seconds()
            row, lines = run_experiment(corpus, name, options)
        print(row.format(cpu=cpu_seconds() - began), flush=True)
        told += [f"{name}: {line}" for line in lines]
    print("\n".join(told))


def asked(corpus: Corpus, options: argparse.Namespace) -> QuestionSet:
    found = (
        read(options.questions)
        if options.questions is not None
        else corpus.evaluations.questions.write("written", JUDGE, (5, 5, 5))
    )
    return QuestionSet(found.id, found.questions[: options.limit])


def run_experiment(corpus: Corpus, name: str, options: argparse.Namespace) -> tuple[str, list[str]]:
    evaluations = corpus.evaluations
    experiment = next(one for one in evaluations.experiments() if one.name == name)
    conditions, missing = evaluations.split_available(experiment)
    batch = evaluations.plan(
        asked(corpus, options),
        conditions,
        [JUDGE],
        criteria=experiment.criteria,
        experiment=experiment,
    )
    began = time.monotonic()
    for _ in evaluations.run(batch, [JUDGE]):
        pass
    wall = time.monotonic() - began
    found = evaluations.findings(batch.id)
    seconds: dict[str, list[float]] = {}
    for (_, label), row in sorted(found.answers.items()):
        seconds.setdefault(label, []).append(row.seconds)
    warm = {label: statistics.median(ones) for label, ones in seconds.items()}
    slowest = max(warm, key=lambda label: warm[label])
    result = found.result
    row = (
        f"| {name} | {len(conditions)} | {len(batch.questions)} | {len(found.answers)} | "
        f"{sum(one.n_verdicts for one in result.judges):,} | {{cpu:.0f}} s | {wall:.0f} s | "
        f"{statistics.median(warm.values()):.2f} s | {slowest} {warm[slowest]:.2f} s |"
    )
    lines = [f"left out: {label}: {why}" for label, why in missing]
    return row, [*lines, *result.summary]


# Searches


def measure(corpus: Corpus, questions: tuple[Question, ...], methods: tuple[str, ...]) -> None:
    searches = corpus.evaluations.searches
    run = searches.plan("gold", questions, methods, 10)
    rows = [one for one in searches.run(run) if isinstance(one, RetrievalRow)]
    print("| retriever | questions | recall@10 | nDCG@10 | a search |\n|---|--:|--:|--:|--:|")
    for one in searches.sum_up(rows, 10):
        print(
            f"| {one.method} | {one.n_questions} | {one.recall:.3f} | {one.ndcg:.3f} | "
            f"{1000 * one.seconds:.1f} ms |"
        )


def measure_texts(folder: Path, questions: tuple[Question, ...], *, embeds: bool) -> None:
    with (
        tempfile.TemporaryDirectory() as home,
        closing(Workspace.open(Path(home))) as workspace,
    ):
        corpus, settings = workspace.create("words"), Settings()
        corpus.add_paths([folder])
        engine = corpus.engine
        for _ in read_files(engine, corpus.read_original):
            pass
        documents = library.Library(engine.store).documents()
        scope = library.chunk_scope(settings)
        for one in documents:
            engine.store.add(scope, chunk_document(one, settings.chunking, engine.tokenizer))
        seen = library.seen(one.id for one in documents)
        engine.store.point({library.CHUNKS: scope, library.SEEN: seen})
        chunks = engine.store.all(Chunk, scope)
        print(f"{len(documents):,} documents, {len(chunks):,} chunks")
        if embeds:
            began = time.process_time()
            for _ in VectorWork(engine).finish((documents, chunks), (), {}):
                pass
            print(f"embedded in {time.process_time() - began:.0f} CPU-s")
        measure(corpus, questions, ("bm25", "dense", "fused") if embeds else ("bm25",))


if __name__ == "__main__":
    main()
