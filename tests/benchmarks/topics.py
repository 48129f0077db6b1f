"""Topics: how well they are found, and what questions by topic cost.

    python -m tests.benchmarks.topics [sample] [words] [calls] [corpus:NAME[:N]] [--show]

- sample: topics of the sample corpus against its planted themes. A topic fits the theme of which
  its name and description hold the most keywords, from two up; recall is the share of themes that a
  topic fits, precision the share of topics that fit a theme. What topic graphs keep, and a question
  by every method.
- words: BM25 over 10,000 reports of 400 words, CPU and wall time of a query.
- calls: ReTAG against the baseline with the scripted model server (0.3 s, 16 at once), both with
  windows of 4,000 tokens, over 1,000 and 4,000 reports of 400 tokens and more.
- corpus:NAME[:N]: the extractive backend on a shared corpus, the time of `retag` once its topics
  are made.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from sensemaking.config import AskSettings, Settings
from sensemaking.methods import METHODS
from sensemaking.retrieval.lexical import LexicalIndex
from sensemaking.workspace import Corpus, Workspace
from tests.benchmarks.quality import TRUTH
from tests.wire.reader import points, read

KEYWORDS = 2
QUESTION = "What do people say about artificial intelligence and jobs?"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["sample", "words", "calls"])
    parser.add_argument("--show", action="store_true", help="print the topics")
    options = parser.parse_args()
    print(f"{time.strftime('%Y-%m-%d')}, load {os.getloadavg()[0]:.1f}")
    for part in options.parts:
        if part == "sample":
            measure_sample(show=options.show)
        elif part == "words":
            measure_words()
        elif part == "calls":
            measure_calls()
        else:
            _, name, limit = (*part.split(":"), "")[:3]
            measure_corpus(name, int(limit) if limit else None, show=options.show)


# The sample


def measure_sample(*, show: bool) -> None:
    truth = json.loads(TRUTH.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as home:
        workspace = Workspace.open(Path(home))
        try:
            corpus = workspace.add_sample()
            corpus.start_build()
            corpus.wait_for_build()
            find(corpus)
            report_themes(corpus, truth["themes"], show=show)
            for question in truth["questions"] if show else ():
                route = corpus.topics.choose(question["question"], AskSettings(method="retag"))
                print(f"  {question['question'][:70]}: {route.topic and route.topic.name}")
            for way in ("filtered", "extracted"):
                make(corpus, way)
            ask_all(corpus, truth["questions"][4]["question"])
        finally:
            workspace.close()


def find(corpus: Corpus) -> None:
    cpu = time.process_time()
    corpus.topics.start_finding()
    corpus.topics.wait()
    print(f"found {len(corpus.topics.all())} topics, {time.process_time() - cpu:.1f} CPU-s")


def make(corpus: Corpus, way: str) -> None:
    cpu, began = time.process_time(), time.monotonic()
    corpus.topics.start_graphs(None, way)  # type: ignore[arg-type]
    job = corpus.topics.wait()
    spent = time.process_time() - cpu
    print(
        f"graphs {way}: {job and job.status}, {time.monotonic() - began:.0f} s, {spent:.1f} CPU-s"
    )
    for what, whole, mean, share in corpus.topics.statistics().rows:
        print(f"  {what:<18} {whole:>6,} {mean:>9.1f} {share:>7.1%}")


def report_themes(corpus: Corpus, themes: list[dict[str, Any]], *, show: bool) -> None:
    fitting = []
    for topic in corpus.topics.all():
        fits = fitting_themes(f"{topic.name}. {topic.description}", themes)
        fitting.append(fits)
        if show:
            print(f"  {topic.name}\n    {topic.description}\n    {fits or 'fits no theme'}")
    found = {one for fits in fitting for one in fits}
    n_fitting = sum(bool(fits) for fits in fitting)
    print(f"recall {len(found)} of {len(themes)}, precision {n_fitting} of {len(fitting)}")


def fitting_themes(text: str, themes: list[dict[str, Any]]) -> list[str]:
    """Return the names of the themes of which a text holds the most keywords, from two up."""
    plain = text.casefold().replace("’", "'")
    counts = {
        theme["name"]: sum(word.casefold() in plain for word in theme["keywords"])
        for theme in themes
    }
    most = max(counts.values(), default=0)
    return [name for name, count in counts.items() if count == most and count >= KEYWORDS]


def ask_all(corpus: Corpus, question: str) -> None:
    for method in METHODS.values():
        key = corpus.start_answer(question, method.settings())
        snapshot = corpus.wait_for_answer(key)
        answer = snapshot.answer
        if answer is None:
            print(f"  {method.name}: {snapshot.error}")
            continue
        shown = sum(one.support >= 60 for one in answer.sentences)
        print(
            f"  {method.name:<24} {len(answer.sub_answers):>4} windows {answer.n_tokens:>8,} tokens"
            f" {answer.seconds:>6.2f} s {shown} of {len(answer.sentences)} sentences supported"
        )


# Words


def measure_words(n: int = 10_000, length: int = 400, queries: int = 50) -> None:
    rng = random.Random(86)
    vocabulary = [f"word{number}" for number in range(20_000)]
    weights = [1 / (number + 5) for number in range(len(vocabulary))]
    texts = {f"r{i:05d}": " ".join(rng.choices(vocabulary, weights, k=length)) for i in range(n)}
    cpu = time.process_time()
    index = LexicalIndex(texts)
    made = time.process_time() - cpu
    asked = [" ".join(rng.choices(vocabulary, weights, k=30)) for _ in range(queries)]
    cpu, began = time.process_time(), time.perf_counter()
    for one in asked:
        index.search(one, 200)
    spent = 1000 * (time.process_time() - cpu) / queries
    wall = 1000 * (time.perf_counter() - began) / queries
    print(
        f"BM25 over {n:,} reports: index {made:.1f} CPU-s, query {spent:.1f} ms CPU, {wall:.1f} ms"
    )


# Calls


def script(body: dict[str, Any]) -> Any:
    """Answer the tasks of a question as `reader` does, and those on topics."""
    system = body["messages"][0]["content"]
    last = body["messages"][-1]["content"]
    if system.startswith("You say in which topic"):
        return {"reason": "It is.", "topic": "Harbours", "runner_up": None}
    if system.startswith("You name words for a search"):
        return {"keywords": ["word3", "word40", "word500"]}
    if system.startswith("You look through numbered items"):
        return points(last)
    return read(body)


def measure_calls(sizes: tuple[int, ...] = (1000, 4000)) -> None:
    serving = [sys.executable, "-m", "tests.wire", "tests.benchmarks.topics:script"]
    server = subprocess.Popen(
        [*serving, "--latency", "0.3"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    os.environ |= {
        "SENSEMAKING_MODEL": "reader",
        "SENSEMAKING_BASE_URL": url,
        "SENSEMAKING_CONTEXT_TOKENS": "32000",
        "SENSEMAKING_CONCURRENCY": "16",
    }
    try:
        print("| reports | method | calls | windows | tokens | s |\n|--:|---|--:|--:|--:|--:|")
        for size in sizes:
            _measure_calls(size)
    finally:
        server.kill()


def _measure_calls(size: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        workspace = Workspace.open(Path(home))
        try:
            corpus = workspace.create("made up", Settings(backend="llm"))
            fill(corpus, size)
            calls = {}
            for name in ("global", "global+topic", "global+retrieval", "retag"):
                settings = METHODS[name].settings(window_tokens=4000, reduce_tokens=4000)
                # Asked twice: the first time loads the client library.
                for seed in (1, 86):
                    chosen = settings.model_copy(update={"seed": seed})
                    key = corpus.start_answer("What do word7 and word90 do?", chosen)
                    snapshot = corpus.wait_for_answer(key)
                answer = snapshot.answer
                if answer is None:
                    raise SystemExit(f"{name}: {snapshot.error}")
                calls[name] = answer.usage.calls + answer.usage.cached_calls
                print(
                    f"| {size:,} | {name} | {calls[name]} | {len(answer.sub_answers)} "
                    f"| {answer.n_tokens:,} | {answer.seconds:.2f} |"
                )
            print(f"retag makes {calls['retag'] / calls['global']:.0%} of the baseline's calls")
        finally:
            workspace.close()


def fill(corpus: Corpus, size: int) -> None:
    """Put a graph of so many leaf communities with reports into a corpus, and one topic."""
    from sensemaking.pipeline import library as lib
    from sensemaking.pipeline.topic_library import TOPICS, topic_digest
    from sensemaking.reports import render_report
    from sensemaking.topics import make_topic
    from sensemaking.types import (
        BuildReady,
        Community,
        Entity,
        Finding,
        FoundTopics,
        HierarchyHead,
        Report,
        ReportLink,
        Usage,
        digest,
    )

    corpus.add_files([("made-up.txt", b"Made up.")])
    rng = random.Random(86)
    vocabulary = [f"word{number}" for number in range(5000)]
    store, tokenizer = corpus.engine.store, corpus.engine.tokenizer

    def sentence(n: int) -> str:
        return f"{' '.join(rng.choices(vocabulary, k=n)).capitalize()}."

    def report(number: int) -> Report:
        key = digest("made up", number)
        findings = tuple(
            Finding(digest(key, n), f"Heading {n}", sentence(28), ()) for n in range(5)
        )
        made = Report(
            *(key, "", f"Report {number}", f"{sentence(22)} {sentence(22)}", (), findings),
            *(5.0, "", 0, 1, "elements", 100),
        )
        return replace(made, n_tokens=tokenizer.count(render_report(made)))

    reports = [report(number) for number in range(size)]
    assert min(one.n_tokens for one in reports) >= 400
    assert max(tokenizer.count(one.summary) for one in reports) <= 150
    entities = [
        Entity(digest("e", n), f"Entity {n}", "concept", "", (), (f"c{n:06d}",))
        for n in range(size)
    ]
    topic = make_topic("Harbours", "Ports and ships.", 0)
    heads = {TOPICS: "made topics", lib.CHUNKS: "made chunks", lib.SEEN: "made"}
    store.replace(
        "made topics",
        {FoundTopics: [FoundTopics("0", 0, "A corpus.", ((topic.name, topic.description),))]},
    )
    for graph_key, share in (("general", 1.0), (topic.graph_key, 0.65)):
        n = round(size * share)
        key = f"{graph_key}.leiden"
        communities = [
            Community(
                *(digest(key, one.id), digest(one.id), 0, None, (one.id,), (one.id,)),
            )
            for one in entities[:n]
        ]
        store.replace(f"graph {graph_key}", {Entity: entities[:n]})
        head = HierarchyHead(key, graph_key, "leiden", (), 0, ())
        store.replace(f"tree {graph_key}", {HierarchyHead: [head], Community: communities})
        store.add(f"texts {graph_key}", reports[:n])
        links = f"texts {graph_key}:links"
        store.replace(
            links,
            {
                ReportLink: [
                    ReportLink(community.id, one.id)
                    for community, one in zip(communities, reports, strict=False)
                ]
            },
        )
        heads[lib.graph_head(graph_key)] = f"graph {graph_key}"
        heads[lib.hierarchy_head(key)] = f"tree {graph_key}"
        heads[lib.reports_head(key)] = links
    heads[lib.topic_head(topic.graph_key)] = f"extracted:{topic_digest(topic)}"
    store.replace(
        lib.BUILDS, {BuildReady: [BuildReady(1, size, size, 0, 0, (), size, (), Usage(), 0.0, "x")]}
    )
    store.point(heads)


# A shared corpus


def measure_corpus(name: str, limit: int | None, *, show: bool) -> None:
    data = Path(os.environ["SENSEMAKING_TEST_DATA"]) / "data" / "corpora" / name / "full"
    with tempfile.TemporaryDirectory() as home:
        workspace = Workspace.open(Path(home))
        try:
            corpus = workspace.create(name)
            corpus.add_paths(sorted(data.iterdir())[:limit])
            corpus.start_build()
            corpus.wait_for_build()
            find(corpus)
            for topic in corpus.topics.all() if show else ():
                print(f"  {topic.name}\n    {topic.description}")
            make(corpus, "extracted")
            ask_all(corpus, QUESTION)
        finally:
            workspace.close()


if __name__ == "__main__":
    main()
