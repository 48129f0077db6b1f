"""What each algorithm made of a corpus that is built, as a table.

    python -m tests.benchmarks.hierarchies CORPUS [--home DIR]

Coverage is the share of the tokens of all chunks that the leaves with a report draw on. Report
tokens are those of the rows of all leaves, of any length, and what is left of them when
relationships are dealt in turn (RRTC, order A) for a share of all relationships, and of those that
lie inside a leaf.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from sensemaking.config import RoundRobinSettings
from sensemaking.context import make_rows
from sensemaking.reports import plan_reports
from sensemaking.workspace import Workspace

PERCENTS = (80, 70, 60)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus")
    parser.add_argument("--home", type=Path)
    options = parser.parse_args()
    workspace = Workspace.open(options.home)
    try:
        corpus = workspace.open_corpus(options.corpus)
        graph, job = corpus.graph(), corpus.job()
        table = make_rows(graph, corpus.engine.tokenizer)
        print(f"{options.corpus}, {time.strftime('%Y-%m-%d')}\n")
        heads = [
            f"RRTC {percent} % of {base}" for base in ("all", "inside") for percent in PERCENTS
        ]
        columns = [
            "algorithm", "levels", "communities", "leaves", "largest", "median", "in none",
            "coverage", "report tokens", *heads, "folding s", "reports s",
        ]  # fmt: skip
        print(f"| {' | '.join(columns)} |\n|---|{'--:|' * (len(columns) - 1)}")
        for head in corpus.hierarchies():
            hierarchy = corpus.hierarchy(head.key)
            sizes = sorted(len(leaf.entity_ids) for leaf in hierarchy.leaves)
            covered = corpus.trust.coverage(head.key)
            whole = plan_reports(hierarchy, table).leaf_tokens
            shares = [
                plan_reports(
                    hierarchy, table, RoundRobinSettings(percent=percent, base=base)
                ).leaf_tokens
                for base in ("graph", "eligible")
                for percent in PERCENTS
            ]
            stages = job.stages if job else ()
            seconds = {stage.name: stage.seconds for stage in stages}
            cells = [
                head.algorithm, hierarchy.n_levels, len(hierarchy.communities), len(sizes),
                sizes[-1], sizes[len(sizes) // 2], len(hierarchy.unplaced),
                f"{covered.tokens_reached / covered.tokens:.1%}", f"{whole:,}",
                *(f"{one / whole:.0%}" for one in shares),
                f"{seconds.get(f'communities {head.algorithm}', 0.0):.1f}",
                f"{seconds.get(f'reports {head.algorithm}', 0.0):.1f}",
            ]  # fmt: skip
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
    finally:
        workspace.close()


if __name__ == "__main__":
    main()
