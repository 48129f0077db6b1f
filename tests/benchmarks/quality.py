"""Quality on the sample corpus, against its recorded ground truth.

    python -m tests.benchmarks.quality [--show]

- theme recall: share of themes with a coarsest community whose report (title, summary, findings) or
  entities name at least half of the theme's keywords;
- link recall: share of links whose two ends are (parts of the names of) entities that are tied;
- point recall: share of the points of the questions that the answer makes: one sentence with the
  passage it quotes, or two sentences together, contain at least two thirds of the point's keywords.
  Of the 72 points 46 stand in a single sentence of the documents and 62 in two adjacent ones, so an
  answer made of quotations cannot reach all.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from itertools import combinations
from math import ceil
from pathlib import Path

from sensemaking.config import AskSettings
from sensemaking.types import Answer, KnowledgeGraph
from sensemaking.workspace import Corpus, Workspace

TRUTH = Path(__file__).resolve().parents[2] / "assets" / "sample" / "ground_truth.json"
KEY = "general.leiden"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="print what was missed")
    options = parser.parse_args()
    truth = json.loads(TRUTH.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as home:
        workspace = Workspace.open(Path(home))
        try:
            corpus = workspace.add_sample()
            began, cpu = time.monotonic(), time.process_time()
            corpus.start_build()
            job = corpus.wait_for_build()
            if job is None or job.result is None:
                raise SystemExit(f"the build did not end well: {job}")
            print(f"{time.strftime('%Y-%m-%d')}  sample built in {time.monotonic() - began:.1f} s")
            spent = time.process_time() - cpu
            print(f"  main process {spent:.1f} CPU-s, {job.result.entities} entities")
            report("theme recall", recall_themes(corpus, truth["themes"]), options.show)
            report("link recall", recall_links(corpus.graph(), truth["links"]), options.show)
            answers = ask_all(corpus, truth["questions"])
            one = recall_points(truth["questions"], answers, 1)
            report("point recall, one sentence", one, show=False)
            two = recall_points(truth["questions"], answers, 2)
            report("point recall, one or two sentences", two, options.show)
        finally:
            workspace.close()


def report(name: str, found: dict[str, bool], show: bool) -> None:
    print(
        f"  {name}: {sum(found.values())} of {len(found)} ({sum(found.values()) / len(found):.0%})"
    )
    if show:
        for missed in (key for key, is_found in found.items() if not is_found):
            print(f"    missed: {missed}")


def recall_themes(corpus: Corpus, themes: list[dict]) -> dict[str, bool]:
    graph, hierarchy, reports = corpus.graph(), corpus.hierarchy(KEY), corpus.reports(KEY)
    texts = []
    for community in hierarchy.view(0):
        words = [graph.entity_by_id[one].name for one in community.entity_ids]
        if community.id in reports:
            one = reports[community.id]
            words += [one.title, one.summary, *(f"{f.heading} {f.text}" for f in one.findings)]
        texts.append(_plain(" ".join(words)))
    return {
        theme["name"]: any(_share(theme["keywords"], text) >= 0.5 for text in texts)
        for theme in themes
    }


def recall_links(graph: KnowledgeGraph, links: list[dict]) -> dict[str, bool]:
    names = {
        entity.id: [f" {_plain(name)} " for name in (entity.name, *entity.aliases)]
        for entity in graph.entities
    }

    def named(end: str) -> list[str]:
        words = f" {_plain(end)} "
        return [key for key, known in names.items() if any(words in name for name in known)]

    tied = {(one.source_id, one.target_id) for one in graph.relationships}
    tied |= {(b, a) for a, b in tied}
    return {
        f"{link['source']} – {link['target']}": any(
            (a, b) in tied for a in named(link["source"]) for b in named(link["target"])
        )
        for link in links
    }


def ask_all(corpus: Corpus, questions: list[dict]) -> dict[str, list[str]]:
    """Return the sentences of the answer to each question, with their passages, by its id."""
    found = {}
    for question in questions:
        key = corpus.start_answer(question["question"], AskSettings())
        answer = corpus.wait_for_answer(key).answer
        found[question["id"]] = [] if answer is None else _sentences(corpus, answer)
    return found


def recall_points(
    questions: list[dict], answers: dict[str, list[str]], together: int
) -> dict[str, bool]:
    """Return which points are made by at most so many sentences together."""
    found = {}
    for question in questions:
        sentences = answers[question["id"]]
        texts = [" ".join(some) for some in combinations(sentences, together)] or sentences
        for point in question["points"]:
            wanted = ceil(len(point["keywords"]) * 2 / 3) / len(point["keywords"])
            found[f"{question['id']}: {point['text']}"] = any(
                _share(point["keywords"], text) >= wanted for text in texts
            )
    return found


def _sentences(corpus: Corpus, answer: Answer) -> list[str]:
    return [
        _plain(
            " ".join(
                [
                    one.text,
                    *(corpus.document(s.document_id).text[s.start : s.end] for s in one.spans),
                ]
            )
        )
        for one in answer.sentences
    ]


def _share(keywords: list[str], text: str) -> float:
    return sum(_plain(word) in text for word in keywords) / len(keywords)


def _plain(text: str) -> str:
    return " ".join(re.sub(r"^the ", "", text.casefold()).replace("’", "'").split())


if __name__ == "__main__":
    main()
