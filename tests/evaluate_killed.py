"""Evaluates a built corpus in this process with a scripted judge and, asked to, dies by SIGKILL.

    python -m tests.evaluate_killed HOME NAME [EVENT]

Dies at event number EVENT; without it, runs to the end. Prints, as JSON, how many verdicts were
kept before, how often the judge was asked, and the digest of all kept verdicts.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from pathlib import Path

from sensemaking.backends.extractive.claim_splitter import ExtractiveClaimSplitter
from sensemaking.evaluation.conditions import make_batch, parse_conditions
from sensemaking.pipeline.evaluating import Evaluators, evaluate
from sensemaking.pipeline.library import Library
from sensemaking.ports import Criterion, Verdict
from sensemaking.types import Condition, Judgement, Question, digest
from sensemaking.workspace import Workspace

QUESTIONS = (
    "What is said about the Larkmere Bridge?",
    "What does Northgate Engineering say about the river wall?",
    "What moves the river wall?",
)
SHORT = Condition("short", (("method", "global"), ("reduce_tokens", "200")))
SCOPE = f"judgements:{digest('scripted')}"


class CountingJudge:
    """Prefers the longer answer and counts what it is asked."""

    key = "scripted"

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self._lock = threading.Lock()

    def judge(
        self, question: str, answers: tuple[str, str], criterion: Criterion, replicate: int = 0
    ) -> Verdict:
        with self._lock:
            self.asked.append((question, *answers, criterion.name, str(replicate)))
        return Verdict(1 if len(answers[0]) > len(answers[1]) else 2, "longer")


def make_plan():
    return make_batch(
        "killed",
        [Question(str(n), text) for n, text in enumerate(QUESTIONS)],
        (*parse_conditions(["leaf=global", "core=global:rkh:0"]), SHORT),
        criteria=("diversity", "directness"),
        judges=("scripted",),
        replicates=2,
    )


def main() -> None:
    workspace = Workspace.open(Path(sys.argv[1]))
    corpus = workspace.open_corpus(sys.argv[2])
    kill_at = int(sys.argv[3]) if len(sys.argv) > 3 else -1
    engine, judge = corpus.engine, CountingJudge()
    before = set(engine.store.ids(Judgement, SCOPE))
    tools = Evaluators((judge,), ExtractiveClaimSplitter())
    n_events = 0
    for _ in evaluate(engine, Library(engine.store), make_plan(), tools):
        n_events += 1
        if n_events == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)
    kept = engine.store.all(Judgement, SCOPE)
    sys.stdout.write(
        json.dumps(
            {
                "before": len(before),
                "asked": len(judge.asked),
                "distinct": len(set(judge.asked)),
                "kept": len(kept),
                "digest": digest(f"{one.id} {one.winner}" for one in kept),
                "events": n_events,
            }
        )
    )
    workspace.close()


if __name__ == "__main__":
    main()
