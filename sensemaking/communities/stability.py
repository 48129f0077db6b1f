"""How much a hierarchy owes to chance: it is made again, and compared with itself.

In: a graph and an algorithm. Out: trials. A trial makes the hierarchy anew several times, with
other seeds, or with some of the edges left out at random, and tells how alike the runs are.

Notes
-----
- Runs are compared level by level by the home leaves of nodes; a run that is less deep stands with
  its leaves for the deeper levels. Nodes without a place in one of two runs are left out.
- A community counts as kept by a run when some community of it, at any level, has a Jaccard
  overlap of at least `KEPT`, counted on the nodes that the run places. 0.75 is where Hennig (2007)
  calls a cluster stable.
- Modularity is that of the whole graph at resolution 1. "Core-based Hierarchies for Efficient
  GraphRAG", Theorem 1: on sparse graphs a great many partitions come close to the best. The number
  of different partitions beside their spread of modularity shows it.
- A trial is given an equal share of the time; after it no further run is begun, and the trial says
  how many were made. Two are always made. Without that limit the result depends on the graph, the
  algorithm and the seed alone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from sensemaking.communities.hierarchy import Algorithm, Folded, home_leaves
from sensemaking.communities.indexed import Floats, IndexedGraph
from sensemaking.communities.nodesets import Ints, NodeSets
from sensemaking.communities.partitions import compare, modularity
from sensemaking.communities.raw import NONE, RawHierarchy
from sensemaking.errors import ConfigError
from sensemaking.types import LevelStability, Progress, Stability, Trial

KEPT = 0.75
MAX_COMPARISONS = 190
"""Pairs of runs that are compared at most: all of 20 runs."""
LEAST_RUNS, MAX_RUNS = 2, 200


@dataclass(frozen=True, slots=True)
class Effort:
    """How often, with which shares of edges left out (percent), and for how long in all."""

    runs: int = 20
    drops: tuple[float, ...] = (1.0, 2.0, 5.0)
    seconds: float = 120.0
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        if not LEAST_RUNS <= self.runs <= MAX_RUNS:
            raise ConfigError(f"{self.runs} runs: give a number from {LEAST_RUNS} to {MAX_RUNS}.")
        for drop in self.drops:
            if not 0 < drop < 100:
                raise ConfigError(
                    f"{drop:g} % of the relationships left out: give a share above 0 and below 100."
                )


@dataclass(frozen=True, eq=False)
class _Run:
    """One hierarchy of a trial: the label of each node at each level, and its communities."""

    raw: RawHierarchy
    levels: list[Ints]

    def at(self, level: int) -> Ints:
        return self.levels[min(level, len(self.levels) - 1)]


def measure_stability(
    folded: Folded, algorithm: Algorithm, effort: Effort
) -> Generator[Progress, None, Stability]:
    """Make a hierarchy again and again; yields progress, returns the trials.

    The first trial has other seeds, where the algorithm has one; then one per share of edges left
    out, with the same seed.
    """
    graph, seed = folded.graph, folded.hierarchy.seed
    drops = [*([0.0] if algorithm.is_seeded else []), *effort.drops]
    total = len(drops) * effort.runs
    trials: list[Trial] = []
    for place, drop in enumerate(drops):
        began = effort.clock()
        runs: list[_Run] = []
        for n in range(effort.runs):
            yield Progress("stability", place * effort.runs + n, total, _note(drop))
            if n >= LEAST_RUNS and effort.clock() - began > effort.seconds / len(drops):
                break
            part = _thin(graph, drop, (seed, place, n)) if drop else graph
            other = seed if drop else (seed + n + 1) % 2**32
            runs.append(_make_run(part, algorithm.find(part, folded.max_size, other)))
        trials.append(_judge(graph, folded.raw, runs, drop, effort.runs))
    yield Progress("stability", total, total)
    return Stability(
        id=folded.hierarchy.key,
        algorithm=algorithm.name,
        community_ids=folded.ids,
        entity_ids=tuple(graph.labels),
        trials=tuple(trials),
    )


def _note(drop: float) -> str:
    return f"{drop:g} % of the relationships left out" if drop else "other seeds"


def _thin(graph: IndexedGraph, drop: float, seed: Sequence[int]) -> IndexedGraph:
    n_dropped = min(graph.m, max(1, round(graph.m * drop / 100)))
    generator = np.random.default_rng(list(seed))
    return graph.without_edges(generator.choice(graph.m, n_dropped, replace=False))


def _make_run(graph: IndexedGraph, raw: RawHierarchy) -> _Run:
    homes = home_leaves(graph, raw.members.take(raw.leaves))
    placed = homes != NONE
    here = np.where(placed, raw.leaves[homes], NONE) if len(raw) else homes
    levels = [here]
    for level in range(raw.n_levels - 1, 0, -1):
        deeper = placed & (raw.levels[here] >= level)
        here = np.where(deeper, raw.parents[here], here)
        levels.append(here)
    return _Run(raw, levels[::-1])


def _judge(
    graph: IndexedGraph, reference: RawHierarchy, runs: list[_Run], drop: float, wanted: int
) -> Trial:
    n_levels = max(len(run.levels) for run in runs)
    pairs = list(combinations(range(len(runs)), 2))
    pairs = pairs[:: -(-len(pairs) // MAX_COMPARISONS)]
    levels = []
    for level in range(n_levels):
        partitions = [run.at(level) for run in runs]
        compared = [compare(partitions[i], partitions[j]) for i, j in pairs]
        levels.append(_level(graph, level, partitions, [(c.rand, c.information) for c in compared]))
    mates = np.stack([one.mates for one in compared])  # of the deepest level, compared last
    return Trial(
        drop=drop,
        runs=len(runs),
        wanted=wanted,
        levels=tuple(levels),
        kept=tuple(np.sum([_is_kept(reference, run.raw) for run in runs], axis=0).tolist()),
        mates=_means(mates),
    )


def _level(
    graph: IndexedGraph, level: int, partitions: list[Ints], scores: list[tuple[float, float]]
) -> LevelStability:
    sizes = [len(np.unique(one[one >= 0])) for one in partitions]
    # A sum just below 0 rounds to minus 0; adding 0 takes its sign away.
    qualities = [round(modularity(graph, one), 6) + 0.0 for one in partitions]
    rand, information = np.array(scores).T
    return LevelStability(
        level=level,
        communities=(min(sizes), max(sizes)),
        rand=round(float(rand.mean()), 6),
        lowest_rand=round(float(rand.min()), 6),
        information=round(float(information.mean()), 6),
        modularity=(min(qualities), max(qualities)),
        partitions=len({_canonical(one) for one in partitions}),
    )


def _canonical(labels: Ints) -> bytes:
    """Return what equal partitions have in common: labels by first node."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    named: Ints = np.where(labels < 0, NONE, first[inverse])
    return named.tobytes()


def _is_kept(reference: RawHierarchy, run: RawHierarchy) -> Ints:
    """Return 1 for each community of the reference that some community of the run resembles."""
    n = int(max(reference.members.nodes.max(initial=0), run.members.nodes.max(initial=0))) + 1
    ours, theirs = _incidence(reference.members, n), _incidence(run.members, n)
    placed = (theirs.sum(axis=0) > 0).astype(np.int64)
    sizes = np.asarray(ours @ np.asarray(placed).ravel()).ravel()
    common = (ours @ theirs.T).tocoo()
    united = sizes[common.row] + run.members.sizes[common.col] - common.data
    kept = np.zeros(len(reference), dtype=np.int64)
    kept[common.row[common.data >= KEPT * united]] = 1
    return kept


def _incidence(sets: NodeSets, n: int) -> Any:  # noqa: ANN401 - the package has no types
    ones = np.ones(len(sets.nodes), dtype=np.int64)
    from scipy.sparse import csr_matrix

    return csr_matrix((ones, sets.nodes, sets.starts), shape=(len(sets), n))


def _means(values: Floats) -> tuple[float | None, ...]:
    known = ~np.isnan(values)
    counts = known.sum(axis=0)
    sums = np.where(known, values, 0.0).sum(axis=0)
    return tuple(
        round(total / n, 4) if n else None
        for total, n in zip(sums.tolist(), counts.tolist(), strict=True)
    )
