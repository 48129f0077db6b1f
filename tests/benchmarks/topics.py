"""Topics: how well they are found, and what questions by topic cost.

    python -m tests.benchmarks.topics [sample] [words] [calls] [built:HOME:NAME]
        [corpus:NAME[:N]] [--show]

- sample: topics of the sample corpus against its planted themes. A topic fits the theme of which
  its name and description hold the most keywords, from two up; recall is the share of themes that a
  topic fits, precision the share of topics that fit a theme. What topic graphs keep. Whether the
  topic chosen for each of the ten questions fits the theme of which question and points hold the
  most keywords, and which share of the points its own reports hold: in one report at least two
  thirds of a point's keywords. Recall of retrieval (ReTAG, Figure 5), and a question by every
  method.
- words: BM25 over 10,000 reports of 400 words, CPU and wall time of a query.
- calls: ReTAG against the baseline with the scripted model server (0.3 s, 16 at once), both with
  windows of 4,000 tokens, over 1,000 and 4,000 reports of 400 tokens and more.
- built:HOME:NAME: the same over the leaf reports of a corpus that is built and has topics.
- corpus:NAME[:N]: the extractive backend on a shared corpus, the time of `retag` once its topics
  are made.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from sensemaking.config import AskSettings
from sensemaking.errors import NotBuilt
from sensemaking.methods import METHODS
from sensemaking.reports import render_report
from sensemaking.retrieval.lexical import LexicalIndex
from sensemaking.types import TopicWay
from sensemaking.workspace import Corpus, Workspace
from tests.benchmarks.quality import TRUTH
from tests.benchmarks.topic_calls import measure_built, measure_calls

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
        elif part.startswith("built:"):
            _, home, name = part.split(":")
            measure_built(Path(home), name)
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
            for way in ("filtered", "extracted"):
                make(corpus, way)
            report_choices(corpus, truth, show=show)
            report_recall(corpus, truth["questions"])
            ask_all(corpus, truth["questions"][4]["question"])
        finally:
            workspace.close()


def find(corpus: Corpus) -> None:
    cpu = time.process_time()
    corpus.topics.start_finding()
    corpus.topics.wait()
    print(f"found {len(corpus.topics.all())} topics, {time.process_time() - cpu:.1f} CPU-s")


def make(corpus: Corpus, way: TopicWay) -> None:
    cpu, began = time.process_time(), time.monotonic()
    corpus.topics.start_graphs(None, way)
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


def report_choices(corpus: Corpus, truth: dict[str, Any], *, show: bool) -> None:
    """Print how well the topic of each question is chosen."""
    rows = corpus.topics.rows()
    themes = truth["themes"]
    fits = {
        row.topic.id: set(fitting_themes(f"{row.topic.name}. {row.topic.description}", themes))
        for row in rows
    }
    texts = {row.topic.id: texts_of(corpus, f"{row.topic.graph_key}.leiden") for row in rows}
    whole = texts_of(corpus, "general.leiden")
    right, held = Counter[str](), defaultdict[str, float](float)
    for question in truth["questions"]:
        told = " ".join([question["question"], *(one["text"] for one in question["points"])])
        themes_of = set(fitting_themes(told, themes))
        route = corpus.topics.choose(question["question"], AskSettings(method="retag"))
        second = [row.topic for row in rows if row.topic.name == route.runner_up]
        named = {route.topic.id} if route.topic is not None else set()
        right["chosen"] += any(fits[one] & themes_of for one in named)
        right["either"] += any(fits[one] & themes_of for one in (*named, *(t.id for t in second)))
        right["possible"] += any(found & themes_of for found in fits.values())
        shares = {key: share_of_points(question["points"], found) for key, found in texts.items()}
        held["chosen"] += shares[route.topic.id] if route.topic is not None else 0
        held["best"] += max(shares.values(), default=0)
        held["mean"] += sum(shares.values()) / max(1, len(shares))
        held["whole"] += share_of_points(question["points"], whole)
        if show:
            print(f"  {question['question'][:70]}: {route.topic and route.topic.name}")
    n = len(truth["questions"])
    print(
        f"classification: topic of the question's theme {right['chosen']} of {n}, or second "
        f"{right['either']}; there is such a topic for {right['possible']}"
    )
    print(
        f"points in the reports of the topic chosen {held['chosen'] / n:.0%}, of the best topic "
        f"{held['best'] / n:.0%}, of any topic {held['mean'] / n:.0%}, of the whole corpus "
        f"{held['whole'] / n:.0%}"
    )


def texts_of(corpus: Corpus, key: str) -> list[str]:
    try:
        found = corpus.topics.hierarchy(key)[1]
    except NotBuilt:
        return []
    return [render_report(one).casefold().replace("’", "'") for one in found.values()]


def share_of_points(points: list[dict[str, Any]], texts: list[str]) -> float:
    """Return the share of the points of which one text holds two thirds of the keywords."""
    held = [
        any(
            3 * sum(word.casefold() in text for word in point["keywords"])
            >= 2 * len(point["keywords"])
            for text in texts
        )
        for point in points
    ]
    return sum(held) / len(held)


def report_recall(corpus: Corpus, questions: list[dict[str, Any]]) -> None:
    """Print the mean recall of retrieval over the questions, with keywords and without."""
    for name in ("global+retrieval", "retrieval-no-expansion"):
        settings = METHODS[name].settings()
        for question in questions:
            corpus.topics.start_recall(question["question"], settings)
            corpus.topics.wait()
        found = corpus.topics.recalls(settings)[-len(questions) :]
        n_relevant = sum(one.n_relevant for one in found) / len(found)
        told = []
        for place, (size, _) in enumerate(found[0].recalls[:4]):
            shares = [share for one in found if (share := one.recalls[place][1]) is not None]
            told.append(f"@{size} {sum(shares) / max(1, len(shares)):.0%}")
        print(
            f"recall of {name}: {', '.join(told)}; {n_relevant:.0f} of {found[0].n_reports} "
            "reports help"
        )


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
