"""Time and memory of the community algorithms on growing graphs, as a table.

    python -m tests.benchmarks.communities [EDGES …] [--runs 1]

Graphs are drawn from a power law: mean degree 3.5, 55 % of the nodes of degree one. Each algorithm
gets the same sorted integer edges, in a process of its own. Seconds of processor time: *folding*
is from edges in the form that the algorithm takes (arrays; for Leiden the list of the compiled
library) to memberships, *conversion* from arrays to that form and from its answer to arrays,
*records* from arrays to communities with ids. Memory is the peak of the process beyond what it
held with the graph loaded.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

ALGORITHMS = ("leiden", "rkh", "m2hc", "mrc")
SIZES = (10_000, 100_000, 1_000_000)
MEAN_DEGREE, OF_DEGREE_ONE = 3.5, 0.55


def draw_graph(m: int, seed: int = 0) -> tuple[int, np.ndarray, np.ndarray]:
    """Return n and the sorted edges of a graph with about m edges, by pairing stubs."""
    rng = np.random.default_rng(seed)
    n = round(2 * m / MEAN_DEGREE)
    n_ones = round(OF_DEGREE_ONE * n)
    wanted = (MEAN_DEGREE * n - n_ones) / (n - n_ones)
    values = np.arange(2, int(8 * math.sqrt(n)) + 1)
    low, high = 1.2, 4.0
    for _ in range(60):  # the exponent that gives the mean degree
        exponent = (low + high) / 2
        shares = values**-exponent
        shares /= shares.sum()
        low, high = (exponent, high) if (shares * values).sum() > wanted else (low, exponent)
    degrees = np.concatenate([np.ones(n_ones, int), rng.choice(values, n - n_ones, p=shares)])
    stubs = np.repeat(rng.permutation(n), rng.permuted(degrees))
    rng.shuffle(stubs)
    pairs = np.sort(stubs[: len(stubs) // 2 * 2].reshape(-1, 2), axis=1)
    codes = np.unique((pairs[:, 0] * n + pairs[:, 1])[pairs[:, 0] != pairs[:, 1]])
    return n, codes // n, codes % n


def measure(algorithm: str, m: int) -> dict[str, float]:
    """Fold one graph in this process."""
    from sensemaking.communities.hierarchy import fold_graph
    from sensemaking.communities.indexed import IndexedGraph
    from sensemaking.communities.leiden import read_rows, run_leiden, to_native
    from sensemaking.config import HierarchySettings
    from sensemaking.methods import COMMUNITIES

    n, sources, targets = draw_graph(m)
    graph = IndexedGraph([f"{i:07d}" for i in range(n)], sources, targets, np.ones(len(sources)))
    method = COMMUNITIES[algorithm]
    method.find(small_graph(), method.default_size, 0)  # what is loaded once is not counted
    before = _peak_mib(reset=True)
    clock = time.process_time
    if algorithm == "leiden":
        began = clock()
        edges = to_native(graph)
        converted = clock() - began
        began = clock()
        rows = run_leiden(edges, method.default_size, 0)
        folding = clock() - began
        began = clock()
        raw = read_rows(rows)
        converted += clock() - began
        del edges, rows
    else:
        began = clock()
        raw = method.find(graph, method.default_size, 0)
        folding, converted = clock() - began, 0.0
    peak = _peak_mib() - before
    began = clock()
    fold_graph(graph, "graph", method, HierarchySettings())
    records = clock() - began - folding - converted
    return {
        "nodes": n,
        "edges": len(sources),
        "levels": raw.n_levels,
        "communities": len(raw),
        "folding": folding,
        "conversion": converted,
        "records": max(0.0, records),
        "peak": peak,
    }


def small_graph():
    from sensemaking.communities import index_graph

    return index_graph("abcd", [("a", "b"), ("b", "c"), ("a", "c"), ("c", "d")])


def _peak_mib(*, reset: bool = False) -> float:
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def best_of(runs: int, one: Callable[[], dict[str, float]]) -> dict[str, float]:
    return min((one() for _ in range(runs)), key=lambda found: found["folding"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("edges", nargs="*", type=int, default=SIZES)
    parser.add_argument("--runs", type=int, default=1, help="the fastest of so many is shown")
    parser.add_argument("--one", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measure(options.one[0], int(options.one[1]))))
        return
    print(
        f"{_processor()}, {os.cpu_count()} cores, CPython {platform.python_version()}, "
        f"{time.strftime('%Y-%m-%d')}, load {os.getloadavg()[0]:.1f}\n\n"
        "| algorithm | edges | nodes | levels | communities | folding s | of Leiden | exponent "
        "| conversion s | records s | peak B an edge |\n|---|" + 10 * "--:|"
    )
    before: dict[str, tuple[float, float]] = {}
    for m in options.edges:
        leiden = 0.0
        for algorithm in ALGORITHMS:
            found = best_of(options.runs, lambda: _in_process(algorithm, m))  # noqa: B023
            leiden = found["folding"] if algorithm == "leiden" else leiden
            growth = "–"
            if algorithm in before:
                edges, seconds = before[algorithm]
                growth = f"{math.log(found['folding'] / seconds, found['edges'] / edges):.2f}"
            before[algorithm] = found["edges"], found["folding"]
            print(
                f"| {algorithm} | {found['edges']:,} | {found['nodes']:,} | {found['levels']} "
                f"| {found['communities']:,} | {found['folding']:.2f} "
                f"| {found['folding'] / leiden:.2f} | {growth} | {found['conversion']:.2f} "
                f"| {found['records']:.2f} | {found['peak'] * 2**20 / found['edges']:.0f} |",
                flush=True,
            )


def _in_process(algorithm: str, m: int) -> dict[str, float]:
    command = [sys.executable, "-m", "tests.benchmarks.communities", "--one", algorithm, str(m)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


if __name__ == "__main__":
    main()
