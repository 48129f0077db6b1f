"""Time and memory of builds and answers, as a table.

    python -m tests.benchmarks.corpora [CORPUS[:N_DOCUMENTS] …] [--questions 3]

Each corpus of `SENSEMAKING_TEST_DATA` is built in a process of its own through the command line, in
a fresh home, with everything outside loopback blocked; its memory is that of the whole process tree
(proportional set size, sampled). Then questions are asked, each in a fresh process.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

DEFAULT = [
    "behind_the_tech_podcast:6",
    "behind_the_tech_podcast:20",
    "behind_the_tech_podcast",
    "us_presidential_speeches",
    "msft_earnings_calls",
]
SAMPLE_SECONDS = 0.5


@dataclass
class Ran:
    """What one command took: seconds of wall and processor, peak MiB of its process tree."""

    wall: float
    cpu: float
    peak: float
    output: dict


def run(arguments: list[str]) -> Ran:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.benchmarks.offline", *arguments],
        stdout=subprocess.PIPE,
        text=True,
    )
    peak = [0.0]
    watcher = threading.Thread(target=_watch, args=(process.pid, peak), daemon=True)
    watcher.start()
    output, _ = process.communicate()
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}")
    return Ran(wall, cpu, peak[0], json.loads(output))


def _watch(pid: int, peak: list[float]) -> None:
    while Path(f"/proc/{pid}").exists():
        peak[0] = max(peak[0], sum(_memory(one) for one in _tree(pid)))
        time.sleep(SAMPLE_SECONDS)


def _tree(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        try:
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += [int(one) for one in (task / "children").read_text().split()]
        except OSError:
            continue
    return found


def _memory(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpora", nargs="*", default=DEFAULT)
    parser.add_argument("--questions", type=int, default=3)
    options = parser.parse_args()
    data = Path(os.environ["SENSEMAKING_TEST_DATA"]) / "data"
    print(f"{os.cpu_count()} cores, {time.strftime('%Y-%m-%d')}, load {os.getloadavg()[0]:.1f}")
    print(
        "| corpus | documents | words | chunks | entities | relationships | largest component "
        "| reports | build s | CPU s | peak MiB |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    )
    answers = []
    for chosen in options.corpora:
        name, _, limit = chosen.partition(":")
        with tempfile.TemporaryDirectory() as scratch:
            home = Path(scratch) / "home"
            files = sorted((data / "corpora" / name / "full").iterdir())
            files = files[: int(limit)] if limit else files
            folder = Path(scratch) / "documents"
            folder.mkdir()
            for file in files:
                (folder / file.name).write_bytes(file.read_bytes())
            built = run(["build", str(folder), "--corpus", name, "--json", "--home", str(home)])
            _print_build(chosen, files, built, home)
            questions = data / "questions" / f"{name}.jsonl"
            if options.questions and questions.exists() and not limit:
                lines = questions.read_text().splitlines()[: options.questions]
                for line in lines:
                    question = json.loads(line)["question"]
                    asked = run(["ask", name, question, "--json", "--home", str(home)])
                    answers.append((name, question, asked))
    _print_answers(answers)


def _print_build(chosen: str, files: list[Path], built: Ran, home: Path) -> None:
    out = built.output
    words = sum(len(file.read_text(errors="replace").split()) for file in files)
    share, stages = _look(home, chosen.partition(":")[0])
    print(
        f"| {chosen} | {out['documents']} | {words:,} | {out['chunks']:,} | {out['entities']:,} "
        f"| {out['relationships']:,} | {share:.1%} | {out['reports']:,} "
        f"| {built.wall:.0f} | {built.cpu:.0f} | {built.peak:.0f} |",
        flush=True,
    )
    print(f"{chosen}: {stages}", file=sys.stderr, flush=True)


def _look(home: Path, name: str) -> tuple[float, str]:
    """Return the share of entities in the largest component, and the seconds of each stage."""
    from sensemaking.workspace import Workspace

    workspace = Workspace.open(home)
    try:
        corpus = workspace.open_corpus(name)
        graph, job = corpus.graph(), corpus.job()
    finally:
        workspace.close()
    share = len(graph.components[0]) / len(graph.entities) if graph.entities else 0.0
    stages = job.stages if job is not None else ()
    return share, ", ".join(f"{stage.name} {stage.seconds:.0f} s" for stage in stages)


def _print_answers(answers: list[tuple[str, str, Ran]]) -> None:
    if not answers:
        return
    print(
        "\n| corpus | question | windows | first sub-answer s | answer s | process s | sentences "
        "| sourced |\n|---|---|--:|--:|--:|--:|--:|--:|"
    )
    for name, question, asked in answers:
        out = asked.output
        sourced = sum(bool(one["citations"]) for one in out["sentences"])
        n_windows, n_sentences = len(out["sub_answers"]), len(out["sentences"])
        first, whole = out["seconds_to_first"], out["seconds"]
        print(
            f"| {name} | {question[:70]} | {n_windows} | {first:.2f} | {whole:.1f} "
            f"| {asked.wall:.1f} | {n_sentences} | {sourced} |"
        )


if __name__ == "__main__":
    main()
