"""Commands on graphs: communities and stability, on an edge list or on a corpus."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Generator
from contextlib import closing
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from sensemaking.cli import terminal
from sensemaking.cli.commands import Home, Json, app
from sensemaking.errors import ConfigError, InputError

if TYPE_CHECKING:
    from sensemaking.communities import Algorithm, IndexedGraph
    from sensemaking.config import HierarchySettings
    from sensemaking.types import Community, Hierarchy, Progress, Trial

R = TypeVar("R")

EDGES = "edges"
SMALLEST = 2
ALGORITHMS = ("leiden", "rkh", "m2hc", "mrc")
"""Names in `methods.COMMUNITIES`, which is not loaded for the sake of a help text."""


class Components(StrEnum):
    """Which connected components are folded."""

    ALL = "all"
    LARGEST = "largest"


AlgorithmName = Annotated[str, typer.Option("--algorithm", help=f"{', '.join(ALGORITHMS)}.")]
MaxSize = Annotated[
    int | None,
    typer.Option("--max-size", help="Largest community, M; 10 for leiden, 20 for the others."),
]
Parts = Annotated[Components, typer.Option("--components", help="All, or the largest only.")]
Seed = Annotated[int, typer.Option("--seed", help="Seed of leiden.")]


@app.command()
def communities(
    edges: Annotated[Path, typer.Argument(help="CSV of source,target[,weight].")],
    algorithm: AlgorithmName = "leiden",
    max_size: MaxSize = None,
    token_limit: Annotated[
        int | None, typer.Option(help="Instead of --max-size: M from so many tokens.")
    ] = None,
    tokens_per_node: Annotated[
        float, typer.Option(help="With --token-limit: average tokens of a node.")
    ] = 400.0,
    components: Parts = Components.ALL,
    seed: Seed = 0xDEADBEEF,
    view: Annotated[
        str | None, typer.Option(help="Print one view only: LF, L1, LF-n or a level from 0.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Fold an edge list into a hierarchy of communities, without a corpus."""
    from sensemaking.cli.edges import read_edges
    from sensemaking.communities import find_view, fold_graph, size_for_tokens
    from sensemaking.pipeline.following import follow

    began = time.perf_counter()
    if token_limit is not None:
        if max_size is not None:
            raise ConfigError("--max-size and --token-limit both give M: give one of them.")
        max_size = size_for_tokens(token_limit, tokens_per_node)
    settings = _settings(max_size, components, seed)
    graph, spelled = read_edges(edges)
    started = time.perf_counter()
    method = _algorithm(algorithm)
    found = _follow(
        "communities",
        follow("communities", lambda tell: fold_graph(graph, EDGES, method, settings, tell)),
    ).hierarchy
    folded = time.perf_counter()
    levels = [
        (level, [one for one in found.communities if one.level == level])
        for level in range(found.n_levels)
    ]
    if view is not None:
        level = find_view(view, found.n_levels)
        levels = [(level, list(found.view(level)))]
    if not as_json:
        _show(found, levels)
        return
    print_json(
        {
            "algorithm": found.algorithm,
            "params": dict(found.params),
            "levels": [
                {"level": level, "communities": [_community(one, spelled) for one in ones]}
                for level, ones in levels
            ],
            "unplaced": [spelled[one] for one in found.unplaced],
            "seconds": round(time.perf_counter() - began, 3),
            "seconds_folding": round(folded - started, 3),
        }
    )


@app.command()
def stability(
    graph: Annotated[str, typer.Argument(help="CSV of edges, or the name of a corpus.")],
    algorithm: AlgorithmName = "leiden",
    runs: Annotated[int, typer.Option("--runs", help="Hierarchies made in each trial.")] = 20,
    drop: Annotated[
        list[float] | None,
        typer.Option("--drop", help="Percent of edges left out; repeat it. 1, 2 and 5 at first."),
    ] = None,
    max_size: MaxSize = None,
    components: Parts = Components.ALL,
    seed: Seed = 0xDEADBEEF,
    seconds: Annotated[float, typer.Option(help="Begin no further run after so long.")] = 120.0,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Make a hierarchy again with other seeds and with edges left out, and say what stays."""
    from sensemaking.communities import fold_graph
    from sensemaking.communities.stability import Effort, measure_stability

    began = time.perf_counter()
    effort = Effort(runs, tuple(drop) if drop else Effort().drops, seconds)
    settings = _settings(max_size, components, seed)
    method = _algorithm(algorithm)
    indexed, key, names = _graph(graph, home)
    folded = fold_graph(indexed, key, method, settings)
    found = _follow("stability", measure_stability(folded, method, effort))
    if not as_json:
        for trial in found.trials:
            _show_trial(trial)
        return
    by_id = folded.hierarchy.by_id
    print_json(
        {
            "algorithm": found.algorithm,
            "params": dict(folded.hierarchy.params),
            "trials": [_trial(trial) for trial in found.trials],
            "communities": [
                {
                    "id": one,
                    "level": by_id[one].level,
                    "members": [names[member] for member in by_id[one].entity_ids],
                    "kept": [trial.kept[n] for trial in found.trials],
                }
                for n, one in enumerate(found.community_ids)
            ],
            "entities": [
                {"name": names[one], "co_membership": [trial.mates[n] for trial in found.trials]}
                for n, one in enumerate(found.entity_ids)
            ],
            "seconds": round(time.perf_counter() - began, 3),
        }
    )


def _settings(max_size: int | None, components: Components, seed: int) -> HierarchySettings:
    from sensemaking.config import HierarchySettings

    if max_size is not None and max_size < SMALLEST:
        raise ConfigError(
            f"The largest community size is {max_size}: a community needs at least {SMALLEST} "
            "members."
        )
    return HierarchySettings(
        max_community_size=max_size,
        components="all" if components == "all" else "largest",
        seed=seed,
    )


def _algorithm(name: str) -> Algorithm:
    from sensemaking.methods import COMMUNITIES

    if name not in COMMUNITIES:
        raise typer.BadParameter(
            f"{name}: choose from {', '.join(COMMUNITIES)}", param_hint="--algorithm"
        )
    return COMMUNITIES[name]


def _graph(named: str, home: Path | None) -> tuple[IndexedGraph, str, dict[str, str]]:
    """Return a graph, its key, and the name of each label."""
    from sensemaking.cli.edges import read_edges
    from sensemaking.communities import index_knowledge_graph
    from sensemaking.workspace import Workspace

    path = Path(named)
    if path.is_file():
        graph, spelled = read_edges(path)
        return graph, EDGES, spelled
    if path.suffix:
        raise InputError(f"{path} is no file: give a CSV of edges, or the name of a corpus.")
    with closing(Workspace.open(home)) as workspace:
        known = workspace.open_corpus(named).graph()
    return index_knowledge_graph(known), known.key, {one.id: one.name for one in known.entities}


def _follow(stage: str, measuring: Generator[Progress, None, R]) -> R:
    """Show progress on standard error until the result is there."""
    import rich.progress as rich

    with rich.Progress(
        rich.TextColumn("{task.fields[note]:<40}"),
        rich.BarColumn(bar_width=30),
        rich.MofNCompleteColumn(),
        rich.TimeElapsedColumn(),
        console=terminal.console,
        transient=not terminal.console.is_terminal,
    ) as shown:
        bar = shown.add_task(stage, total=None, note="")
        while True:
            try:
                event = next(measuring)
            except StopIteration as ended:
                found: R = ended.value
                return found
            shown.update(bar, completed=event.done, total=event.total, note=event.note)


def _community(one: Community, spelled: dict[str, str]) -> dict[str, Any]:
    return {
        "id": one.id,
        "parent": one.parent_id,
        "kind": one.kind,
        "k": one.core_number,
        "members": [spelled[member] for member in one.entity_ids],
    }


def _trial(trial: Trial) -> dict[str, Any]:
    return {
        "drop": trial.drop,
        "runs": trial.runs,
        "wanted": trial.wanted,
        "levels": [
            {
                "level": one.level,
                "communities": one.communities,
                "ari": one.rand,
                "lowest_ari": one.lowest_rand,
                "nmi": one.information,
                "modularity": one.modularity,
                "partitions": one.partitions,
            }
            for one in trial.levels
        ],
    }


def _show(found: Hierarchy, levels: list[tuple[int, list[Community]]]) -> None:
    shown = ", ".join(f"{name} {value}" for name, value in found.params)
    print_line(f"{found.algorithm} ({shown})")
    for level, ones in levels:
        sizes = sorted((len(one.entity_ids) for one in ones), reverse=True)
        if len(sizes) == 1:
            print_line(f"  level {level}: 1 community of {sizes[0]:,}")
        elif sizes:
            print_line(
                f"  level {level}: {len(sizes):,} communities of {sizes[-1]:,} to {sizes[0]:,}, "
                f"half of them of {sizes[len(sizes) // 2]:,} or less"
            )
    print_line(f"  {len(found.unplaced):,} nodes without an edge or outside have no place")


def _show_trial(trial: Trial) -> None:
    made = f"{trial.runs} runs" if trial.runs == trial.wanted else f"{trial.runs} of {trial.wanted}"
    what = f"{trial.drop:g} % of the edges left out" if trial.drop else "other seeds"
    if not trial.kept:
        print_line(f"{what} ({made}): there are no communities")
        return
    kept = sum(trial.kept) / (len(trial.kept) * trial.runs)
    print_line(f"{what} ({made}): a community is kept in {kept:.0%} of the runs")
    for one in trial.levels:
        low, high = one.modularity
        print_line(
            f"  level {one.level}: adjusted Rand {one.rand:.3f} (lowest {one.lowest_rand:.3f}), "
            f"mutual information {one.information:.3f}, {one.partitions} different partitions of "
            f"modularity {low:z.4f} to {high:z.4f}"
        )


def print_line(text: str) -> None:
    """Write a line to standard output."""
    sys.stdout.write(f"{text}\n")


def print_json(data: dict[str, Any]) -> None:
    """Write one object to standard output."""
    # Where the terminal has another encoding, JSON has its own way to write other characters.
    is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    # `dumps` runs in compiled code, `dump` does not.
    sys.stdout.write(f"{json.dumps(data, ensure_ascii=not is_unicode)}\n")
