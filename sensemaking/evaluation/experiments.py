"""The papers' experiments, ready to be repeated on any corpus.

Each is data: what it asks, the conditions in one word each, the hierarchies it needs. What the
corpus or the program does not have is named, and the rest can run.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sensemaking.evaluation.conditions import parse_condition
from sensemaking.evaluation.judging import DEFAULT_CRITERIA
from sensemaking.types import Condition

RRTC = "-rrtc"
ONE_BUDGET = (
    "all reports of a corpus are written with one RRTC budget: build a second corpus with it, and "
    "compare the exported answers"
)


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment. `algorithms` are the hierarchies that its conditions need."""

    name: str
    title: str
    sentence: str
    algorithms: tuple[str, ...]
    conditions: tuple[str, ...]
    criteria: tuple[str, ...] = DEFAULT_CRITERIA


_RETAG = ("global", "global+topic", "global+retrieval", "retag")

EXPERIMENTS: dict[str, Experiment] = {
    one.name: one
    for one in (
        Experiment(
            name="levels",
            title="Community levels against text and vectors",
            sentence="Leiden C0 to C3, map-reduce over the texts (TS) and vector search (SS): the "
            "six conditions of “From Local to Global”.",
            algorithms=("leiden",),
            conditions=(
                *(f"C{level}=global:leiden:{level}" for level in range(4)),
                "TS=text",
                "SS=vector",
            ),
        ),
        Experiment(
            name="cores",
            title="k-core hierarchies against Leiden",
            sentence="Leaves and the level above of RkH, M2hC and MRC against Leiden C2 and C3, "
            "and RRTC with 80, 70 and 60 % of the tokens.",
            algorithms=("leiden", "rkh", "m2hc", "mrc"),
            conditions=(
                "C2=global:leiden:2",
                "C3=global:leiden:3",
                *(
                    f"{label} {view}=global:{key}:{level}"
                    for label, key in (("RkH", "rkh"), ("M2hC", "m2hc"), ("MRC", "mrc"))
                    for view, level in (("LF", "leaf"), ("L1", "leaf-1"))
                ),
                *(f"M2hC RRTC {share}=global:m2hc-rrtc{share}:leaf" for share in (80, 70, 60)),
            ),
        ),
        Experiment(
            name="retag",
            title="ReTAG and its parts",
            sentence="Topics and retrieval, each alone, both and neither, at every level.",
            algorithms=("leiden",),
            conditions=tuple(
                f"{method} C{level}={method}:leiden:{level}"
                for level in range(4)
                for method in _RETAG
            ),
        ),
    )
}


def split_available(
    experiment: Experiment, methods: Collection[str], hierarchies: Collection[str]
) -> tuple[tuple[Condition, ...], tuple[tuple[str, str], ...]]:
    """Return the conditions that can run, and (label, what is missing) of the others."""
    runnable: list[Condition] = []
    missing: list[tuple[str, str]] = []
    for word in experiment.conditions:
        condition = parse_condition(word)
        chosen = dict(condition.settings)
        hierarchy = chosen.get("hierarchy")
        if chosen["method"] not in methods:
            missing.append((condition.label, f"there is no method “{chosen['method']}”"))
        elif hierarchy is not None and RRTC in hierarchy:
            missing.append((condition.label, ONE_BUDGET))
        elif hierarchy is not None and hierarchy not in hierarchies:
            missing.append((condition.label, f"the corpus has no hierarchy “{hierarchy}”"))
        else:
            runnable.append(condition)
    return tuple(runnable), tuple(missing)
