"""The commands `topics` and `recall`: what a corpus is about, and how well reports are found."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from sensemaking.cli import terminal
from sensemaking.cli.choosing import read_level
from sensemaking.cli.commands import STOPPED, Home, Json, _follow, app
from sensemaking.cli.evaluating import open_workspace
from sensemaking.errors import NotFound, SensemakingError

if TYPE_CHECKING:
    from sensemaking.pipeline.recall import ReportRecall
    from sensemaking.types import JobSnapshot, TopicEstimate, TopicRow, TopicStatistics
    from sensemaking.workspace import Corpus

Way = Literal["extracted", "filtered"]


@app.command("topics")
def list_topics(
    name: Annotated[str, typer.Argument(help="Name of the corpus.")],
    make: Annotated[
        list[str] | None, typer.Option("--make", help="Make the graph of this topic; repeatable.")
    ] = None,
    make_all: Annotated[
        bool, typer.Option("--make-all", help="Make the graphs of all topics.")
    ] = False,
    way: Annotated[
        str,
        typer.Option(help="extracted: read again for each topic; filtered: cut out of the graph."),
    ] = "extracted",
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only say what making the graphs would take.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Look for topics again, as after a new build.")
    ] = False,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """List what a corpus is about; finds the topics first, and makes graphs of those named."""
    if way not in ("extracted", "filtered"):
        raise typer.BadParameter(f"{way}: choose extracted or filtered", param_hint="--way")
    chosen = cast(Way, way)
    with open_workspace(home) as workspace:
        corpus = workspace.open_corpus(name)
        if again or not corpus.topics.is_found:
            corpus.topics.start_finding()
            _finish(corpus)
        wanted = None if make_all else make or []
        if wanted is None or wanted or estimate:
            found = corpus.topics.estimate(wanted or None, chosen)
            if estimate:
                _show_estimate(found, as_json=as_json)
                return
            terminal.say(_estimate_line(found))
            corpus.topics.start_graphs(wanted, chosen)
            _finish(corpus)
        _show(corpus, as_json=as_json)


@app.command("recall")
def measure_recall(
    name: Annotated[str, typer.Argument(help="Name of the corpus.")],
    question: Annotated[str, typer.Argument(help="The question.")],
    expand: Annotated[
        bool, typer.Option("--expand/--no-expand", help="Look for keywords too.")
    ] = True,
    hierarchy: Annotated[
        str, typer.Option("--hierarchy", help="Key of a hierarchy; the first by default.")
    ] = "",
    level: Annotated[
        str, typer.Option("--level", help="A level, 0 the coarsest, leaf or leaf-1.")
    ] = "leaf",
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Say how many of the reports that help with a question retrieval finds first (recall@p).

    Every report of the level is read by itself: with a model, a call for each.
    """
    with open_workspace(home) as workspace:
        corpus = workspace.open_corpus(name)
        from sensemaking.methods import METHODS

        method = METHODS["global+retrieval" if expand else "retrieval-no-expansion"]
        key = hierarchy or corpus.topics.default_hierarchy()
        settings = method.settings(
            hierarchy=key, level=read_level(level, lambda: corpus.hierarchy(key).n_levels)
        )
        corpus.topics.start_recall(question, settings)
        terminal.say(f"{corpus.topics.n_readings(settings):,} reports are read one by one.")
        _finish(corpus)
        _show_recall(corpus.topics.recalls(settings)[-1], as_json=as_json)


def _show_recall(found: ReportRecall, *, as_json: bool) -> None:
    if as_json:
        _print_json(
            {
                "question": found.question,
                "keywords": list(found.keywords),
                "reports": found.n_reports,
                "relevant": found.n_relevant,
                "failed": found.n_failed,
                "recall": {str(size): share for size, share in found.recalls},
            }
        )
        return
    _print(
        f"{found.n_relevant:,} of {found.n_reports:,} reports help"
        + (f", {found.n_failed:,} could not be read." if found.n_failed else ".")
    )
    for size, share in found.recalls:
        _print(f"  first {size:>4,}  {'–' if share is None else f'{share:.0%}':>5}")


def _finish(corpus: Corpus) -> None:
    """Follow the job on topics to its end."""
    with terminal.following_build() as show:
        job = _follow(lambda: _job(corpus), corpus.topics.stop, show)
    if job.status == "stopped":
        why = f"{job.error} " if job.error else ""
        terminal.say(f"Stopped. {why}What is done is kept: run the same command to go on.")
        raise typer.Exit(STOPPED)
    if job.status == "failed":
        raise SensemakingError(job.error)
    for skip in job.skipped:
        terminal.say(f"Not done ({skip.stage}): {skip.subject}: {skip.reason}")


def _job(corpus: Corpus) -> JobSnapshot:
    job = corpus.topics.job()
    if job is None:
        raise NotFound(f"No work on the topics of {corpus.name} was started.")
    return job


def _show(corpus: Corpus, *, as_json: bool) -> None:
    rows = corpus.topics.rows()
    statistics = corpus.topics.statistics()
    if as_json:
        _print_json(
            {
                "description": corpus.topics.description(),
                "topics": [_row_object(row) for row in rows],
                "similar": [
                    [topic.name for topic in group]
                    for group in corpus.topics.groups()
                    if len(group) > 1
                ],
                "statistics": _statistics_object(statistics),
                "idle_edits": [
                    {"action": one.action, "topic": one.topic, "value": one.value}
                    for one in corpus.topics.idle_edits()
                ],
            }
        )
        return
    _print(corpus.topics.description() or "Nothing can be said about the corpus as a whole.")
    if not rows:
        _print("\nNo topics were found.")
    for row in rows:
        made = {None: "", "extracted": "own graph", "filtered": "graph filtered (ours)"}[row.way]
        made = "graph is empty: no question goes there" if row.is_empty else made
        _print(
            f"\n{row.topic.name}  ({row.n_documents:,} documents, {row.n_entities:,} entities"
            f"{', ' + made if made else ''})\n  {row.topic.description}"
        )
    for one in corpus.topics.idle_edits():
        _print(f"\nKept for a topic that was not found this time: {one.action} “{one.topic}”")
    if statistics.n_topics:
        _print(f"\nMeans over {statistics.n_topics} topic graphs")
        for what, whole, mean, share in statistics.rows:
            _print(f"  {what:<20} {whole:>7,}  {mean:>9,.1f}  {share:>6.1%}")


def _row_object(row: TopicRow) -> dict[str, Any]:
    return {
        "name": row.topic.name,
        "description": row.topic.description,
        "entities": row.n_entities,
        "documents": row.n_documents,
        "chunks": row.n_chunks,
        "relationships": row.n_relationships,
        "reports": row.n_reports,
        "document_share": row.document_share,
        "entity_share": row.entity_share,
        "graph": row.way,
        "empty": row.is_empty,
        "key": row.topic.graph_key,
        "level": row.topic.level,
        "merged": list(row.topic.merged),
    }


def _statistics_object(statistics: TopicStatistics) -> dict[str, Any]:
    return {
        "topics": statistics.n_topics,
        "rows": [
            {"what": what, "general": whole, "topics_mean": mean, "share": share}
            for what, whole, mean, share in statistics.rows
        ],
    }


def _estimate_line(found: TopicEstimate) -> str:
    line = found.sentence
    if found.calls[1]:
        line += (
            f" {_range(found.calls)} calls, {_range(found.prompt_tokens)} prompt tokens, "
            f"{_range(found.completion_tokens)} completion tokens."
        )
    return line


def _show_estimate(found: TopicEstimate, *, as_json: bool) -> None:
    if not as_json:
        _print(_estimate_line(found))
        return
    _print_json(
        {
            "topics": found.n_topics,
            "chunks": found.n_chunks,
            "calls": list(found.calls),
            "prompt_tokens": list(found.prompt_tokens),
            "completion_tokens": list(found.completion_tokens),
            "sentence": found.sentence,
        }
    )


def _range(pair: Sequence[int]) -> str:
    low, high = pair
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


def _print_json(data: dict[str, Any]) -> None:
    json.dump(data, sys.stdout, ensure_ascii=False)
    sys.stdout.write("\n")
