"""The shape of a hierarchy: sizes, what text its leaves reach, what RRTC would leave of it."""

from __future__ import annotations

import time
from contextlib import closing
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sensemaking.cli.commands import Home, Json, app
from sensemaking.cli.folding import print_json, print_line
from sensemaking.errors import ConfigError, NotBuilt

if TYPE_CHECKING:
    from sensemaking.config import RoundRobinSettings
    from sensemaking.types import DealtTies, Hierarchy, LeafCoverage
    from sensemaking.workspace import Corpus


class Order(StrEnum):
    """A goes round all leaves, B round those of the highest shell first."""

    A = "A"
    B = "B"


class Base(StrEnum):
    """What the percentage is of: all relationships, or those inside a leaf."""

    GRAPH = "graph"
    ELIGIBLE = "eligible"


@app.command()
def shape(
    name: Annotated[str, typer.Argument(help="A corpus.")],
    hierarchy: Annotated[str, typer.Option(help="Its key; the first one at first.")] = "",
    order: Annotated[Order, typer.Option(help="Order in which leaves are dealt.")] = Order.A,
    base: Annotated[Base, typer.Option(help="What --percent is of.")] = Base.ELIGIBLE,
    percent: Annotated[
        list[int] | None, typer.Option(help="Budget in %; repeat it. 80, 70 and 60 at first.")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option(help="Budget in tokens of rows, instead of --percent.")
    ] = None,
    use: Annotated[
        bool, typer.Option("--use", help="Deal so in the next build: one budget.")
    ] = False,
    show_all: Annotated[
        bool, typer.Option("--all-ties", help="Deal nothing in the next build.")
    ] = False,
    community_tokens: Annotated[
        int | None,
        typer.Option(help="Next build: largest community, as tokens of a report's context."),
    ] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Show sizes, coverage of the source text, and report tokens when ties are dealt in turn."""
    from sensemaking.workspace import Workspace

    began = time.perf_counter()
    ways = _ways(order, base, percent, tokens)
    with closing(Workspace.open(home)) as workspace:
        corpus = workspace.open_corpus(name)
        heads = corpus.hierarchies()
        if not heads:
            raise NotBuilt("This corpus is not built yet: press Build (or `sensemaking build`).")
        found = corpus.hierarchy(hierarchy or heads[0].key)
        covered = corpus.trust.coverage(found.key)
        dealt = corpus.trust.dealt(found.key, ways, corpus.engine.tokenizer)
        if use and len(ways) != 1:
            raise ConfigError("--use needs one budget: give --percent once, or --tokens.")
        if use or show_all or community_tokens is not None:
            _keep(corpus, None if show_all else ways[0] if use else ..., community_tokens)
    if as_json:
        print_json(
            _record(found, covered, dealt) | {"seconds": round(time.perf_counter() - began, 3)}
        )
        return
    _show(found, covered, dealt)


def _ways(
    order: Order, base: Base, percents: list[int] | None, tokens: int | None
) -> list[RoundRobinSettings]:
    from sensemaking.config import RoundRobinSettings

    for one in percents or ():
        if not 0 <= one <= 100:
            raise ConfigError(f"--percent {one}: give 0 to 100.")
    if tokens is not None and tokens < 0:
        raise ConfigError(f"--tokens {tokens}: give 0 or more.")
    kinds: dict[str, Any] = {"order": order.value, "base": base.value}
    if tokens is not None:
        return [RoundRobinSettings(tokens=tokens, **kinds)]
    return [RoundRobinSettings(percent=one, **kinds) for one in percents or (80, 70, 60)]


def _keep(corpus: Corpus, way: Any, community_tokens: int | None) -> None:  # noqa: ANN401 - settings, None or ...
    settings = corpus.settings
    if way is not ...:
        reports = settings.reports.model_copy(update={"round_robin": way})
        settings = settings.model_copy(update={"reports": reports})
    if community_tokens is not None:
        if community_tokens < 1:
            raise ConfigError(f"--community-tokens {community_tokens}: give 1 or more.")
        chosen = settings.hierarchy.model_copy(update={"community_tokens": community_tokens})
        settings = settings.model_copy(update={"hierarchy": chosen})
    corpus.change_settings(settings)


def _record(
    found: Hierarchy, covered: LeafCoverage, dealt: tuple[DealtTies, ...]
) -> dict[str, Any]:
    sizes = sorted((len(leaf.entity_ids) for leaf in found.leaves), reverse=True)
    return {
        "hierarchy": found.key,
        "levels": found.n_levels,
        "communities": len(found.communities),
        "leaves": covered.leaves,
        "largest_leaf": sizes[0] if sizes else 0,
        "median_leaf": sizes[len(sizes) // 2] if sizes else 0,
        "unplaced": len(found.unplaced),
        "source_tokens": covered.tokens,
        "source_tokens_reached": covered.tokens_reached,
        "leaf_tokens": dealt[0].whole_tokens if dealt else 0,
        "round_robin": [
            {
                "order": one.order,
                "percent": one.percent if one.tokens is None else None,
                "base": one.base,
                "tokens": one.tokens,
                "eligible": one.n_eligible,
                "chosen": one.n_chosen,
                "leaf_tokens": one.leaf_tokens,
            }
            for one in dealt
        ],
    }


def _show(found: Hierarchy, covered: LeafCoverage, dealt: tuple[DealtTies, ...]) -> None:
    told = _record(found, covered, dealt)
    print_line(
        f"{found.key}: {told['communities']:,} communities on {told['levels']} levels, "
        f"{told['leaves']:,} leaves of at most {told['largest_leaf']:,} entities (half of them "
        f"{told['median_leaf']:,} or less), {told['unplaced']:,} entities in none"
    )
    part = covered.tokens_reached / covered.tokens if covered.tokens else 0.0
    print_line(
        f"leaves reach {covered.tokens_reached:,} of {covered.tokens:,} tokens of the text "
        f"({part:.1%})"
    )
    print_line(f"leaves read {told['leaf_tokens']:,} tokens with all relationships")
    for one in dealt:
        budget = (
            f"{one.tokens:,} tokens"
            if one.tokens is not None
            else f"{one.percent} % of {'those inside' if one.base == 'eligible' else 'all'}"
        )
        share = one.leaf_tokens / one.whole_tokens if one.whole_tokens else 0.0
        print_line(
            f"  order {one.order}, {budget}: {one.n_chosen:,} of {one.n_eligible:,} relationships, "
            f"{one.leaf_tokens:,} tokens ({share:.0%})"
        )
