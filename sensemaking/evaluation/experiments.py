"""The papers' experiments, ready to be repeated on any corpus.

Each is data: what it asks, the conditions in one word each, which of them meet. Hierarchies that
the corpus does not have are made when it runs; what cannot be made is named, and the rest can run.

Notes
-----
RRTC (Core-based Hierarchies) shows 80, 70 and 60 % of the relationships inside leaves: of all those
of the graph, as its text says, leaves hold so few that the budget would often bind nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sensemaking.evaluation.conditions import parse_condition
from sensemaking.evaluation.judging import DEFAULT_CRITERIA
from sensemaking.types import Condition


@dataclass(frozen=True, slots=True)
class Experiment:
    """One experiment. A pair is judged when it has a baseline or lies in a group.

    Without baselines and groups all pairs are.
    """

    name: str
    title: str
    sentence: str
    conditions: tuple[str, ...]
    baselines: tuple[str, ...] = ()
    groups: tuple[tuple[str, ...], ...] = ()
    criteria: tuple[str, ...] = DEFAULT_CRITERIA


_RETAG = ("global", "global+topic", "global+retrieval", "retag")
_LEVELS = range(4)
_SHARES = (80, 70, 60)

EXPERIMENTS: dict[str, Experiment] = {
    one.name: one
    for one in (
        Experiment(
            name="levels",
            title="Community levels against text and vectors",
            sentence="Leiden C0 to C3, map-reduce over the texts (TS) and vector search (SS): the "
            "six conditions of “From Local to Global”.",
            conditions=(
                *(f"C{level}=global:leiden:{level}" for level in _LEVELS),
                "TS=text",
                "SS=vector",
            ),
        ),
        Experiment(
            name="cores",
            title="k-core hierarchies against Leiden",
            sentence="Leaves and the level above of RkH, M2hC and MRC against Leiden C2 and C3, "
            "and M2hC with 80, 70 and 60 % of the relationships inside its leaves (RRTC).",
            conditions=(
                "C2=global:leiden:2",
                "C3=global:leiden:3",
                *(
                    f"{label} {view}=global:{key}:{level}"
                    for label, key in (("RkH", "rkh"), ("M2hC", "m2hc"), ("MRC", "mrc"))
                    for view, level in (("LF", "leaf"), ("L1", "leaf-1"))
                ),
                *(f"RRTC {share}=global:m2hc-rrtc{share}:leaf" for share in _SHARES),
            ),
            baselines=("C2", "C3"),
            groups=(("M2hC LF", *(f"RRTC {share}" for share in _SHARES)),),
        ),
        Experiment(
            name="retag",
            title="ReTAG and its parts",
            sentence="Topics and retrieval, each alone, both and neither, at every level; compared "
            "within a level.",
            conditions=tuple(
                f"{method} C{level}={method}:leiden:{level}"
                for level in _LEVELS
                for method in _RETAG
            ),
            groups=tuple(tuple(f"{method} C{level}" for method in _RETAG) for level in _LEVELS),
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Available:
    """What a corpus has: methods that can run, levels of its hierarchies, hierarchies to be made.

    `blocked` says why a method cannot run here.
    """

    methods: Collection[str]
    n_levels: Mapping[str, int]
    to_make: Collection[str]
    blocked: Mapping[str, str]


def split_available(
    experiment: Experiment, here: Available
) -> tuple[tuple[Condition, ...], tuple[tuple[str, str], ...]]:
    """Return the conditions that can run, and (label, what is missing) of the others."""
    runnable: list[Condition] = []
    missing: list[tuple[str, str]] = []
    for word in experiment.conditions:
        condition = parse_condition(word)
        why = _why_not(dict(condition.settings), here)
        if why:
            missing.append((condition.label, why))
        else:
            runnable.append(condition)
    return tuple(runnable), tuple(missing)


def _why_not(chosen: Mapping[str, str], here: Available) -> str:
    method, hierarchy = chosen["method"], chosen.get("hierarchy")
    if method not in here.methods:
        return f"there is no method “{method}”"
    if method in here.blocked:
        return here.blocked[method]
    if hierarchy is None or hierarchy in here.to_make:
        return ""
    if hierarchy not in here.n_levels:
        return f"the corpus has no hierarchy “{hierarchy}”"
    level, n_levels = chosen.get("level", ""), here.n_levels[hierarchy]
    if level.isdecimal() and int(level) >= n_levels:
        return f"{hierarchy} ends at level {n_levels - 1} here"
    return ""


def pairs_of(experiment: Experiment, labels: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the pairs of labels that an experiment judges."""
    if not experiment.baselines and not experiment.groups:
        return tuple(combinations(labels, 2))
    return tuple(
        (one, other)
        for one, other in combinations(labels, 2)
        if one in experiment.baselines
        or other in experiment.baselines
        or any(one in group and other in group for group in experiment.groups)
    )
