"""ReTAG against the baseline, call by call, with the scripted model server.

Reports are made up, or those of a corpus that is built: all that is measured is which of them are
read, in how many windows. Run by `tests.benchmarks.topics calls` and `built:HOME:NAME`.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from sensemaking.config import Settings
from sensemaking.methods import METHODS
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
from sensemaking.workspace import Corpus, Workspace
from tests.wire.reader import points, read


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
    with _serving():
        _print_head()
        for size in sizes:
            with _opened(Path()) as workspace:
                corpus = workspace.create("made up", Settings(backend="llm"))
                fill(corpus, size)
                _measure(corpus, "What do word7 and word90 do?")


def measure_built(home: Path, name: str) -> None:
    """The same over the leaf reports of a corpus that is built, asked of the scripted server.

    The server names no topic of the corpus, so that ReTAG reads all of it: its dearest case.
    """
    with _serving(), _opened(home) as workspace:
        _print_head()
        _measure(workspace.open_corpus(name), "What recurring topics do tech leaders emphasize?")


@contextmanager
def _serving() -> Iterator[None]:
    serving = [sys.executable, "-m", "tests.wire", "tests.benchmarks.topic_calls:script"]
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
        yield
    finally:
        server.kill()


@contextmanager
def _opened(home: Path) -> Iterator[Workspace]:
    """A workspace over a copy of a home, a fresh one without."""
    with tempfile.TemporaryDirectory() as folder:
        if home != Path():
            shutil.copytree(home, folder, dirs_exist_ok=True)
        workspace = Workspace.open(Path(folder))
        try:
            yield workspace
        finally:
            workspace.close()


def _print_head() -> None:
    print("| reports | tokens a report | method | calls | windows | tokens | s |")
    print("|--:|--:|---|--:|--:|--:|--:|")


def _measure(corpus: Corpus, question: str) -> None:
    leaves = corpus.hierarchy("general.leiden").leaves
    reports = corpus.reports("general.leiden")
    n_tokens = [reports[one.id].n_tokens for one in leaves if one.id in reports]
    calls = {}
    for name in ("global", "global+topic", "global+retrieval", "retag"):
        settings = METHODS[name].settings(window_tokens=4000, reduce_tokens=4000)
        # Asked twice: the first time loads the client library.
        for seed in (1, 86):
            chosen = settings.model_copy(update={"seed": seed})
            key = corpus.start_answer(question, chosen, backend="llm")
            snapshot = corpus.wait_for_answer(key)
        answer = snapshot.answer
        if answer is None:
            raise SystemExit(f"{name}: {snapshot.error}")
        calls[name] = answer.usage.calls + answer.usage.cached_calls
        print(
            f"| {len(n_tokens):,} | {sum(n_tokens) / len(n_tokens):.0f} | {name} | {calls[name]} "
            f"| {len(answer.sub_answers)} | {answer.n_tokens:,} | {answer.seconds:.2f} |"
        )
    print(f"retag makes {calls['retag'] / calls['global']:.0%} of the baseline's calls")


def fill(corpus: Corpus, size: int) -> None:
    """Put a graph of so many leaf communities with reports into a corpus, and one topic."""
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
