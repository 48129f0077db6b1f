"""Commands that compare and measure: evaluate compare, evaluate retrieval, questions, retrieve."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from sensemaking.cli import terminal
from sensemaking.cli.commands import STOPPED, Home, Json, app
from sensemaking.errors import InputError, Paused

if TYPE_CHECKING:
    from sensemaking.evaluation.experiments import Experiment
    from sensemaking.evaluation.questions import Format
    from sensemaking.types import (
        Batch,
        BatchEstimate,
        Condition,
        EvaluationResult,
        Progress,
        QuestionSet,
    )
    from sensemaking.workspace import Corpus, Workspace
    from sensemaking.workspace.comparing import JudgeName
    from sensemaking.workspace.evaluating import Evaluations

CRITERIA = "comprehensiveness,diversity,empowerment,directness"

evaluate = typer.Typer(no_args_is_help=True, help="Compare methods, or measure retrievers.")
app.add_typer(evaluate, name="evaluate")

Name = Annotated[str, typer.Argument(help="Name of the corpus.")]
QuestionFile = Annotated[
    Path, typer.Argument(help="Questions: JSON lines, a JSON list, a table or one a line.")
]
Limit = Annotated[int | None, typer.Option("--limit", help="Take so many questions, the first.")]
Out = Annotated[Path | None, typer.Option("--out", help="Folder for CSV, JSON and HTML.")]


@evaluate.command()
def compare(
    name: Name,
    questions: QuestionFile,
    methods: Annotated[
        str,
        typer.Option(
            help="[LABEL=]METHOD[:HIERARCHY[:LEVEL]][?topic=T&seed=N&backend=B], by commas."
        ),
    ] = "",
    experiment: Annotated[
        str, typer.Option(help="Instead of methods: levels, cores or retag, as in the papers.")
    ] = "",
    judge: Annotated[
        str, typer.Option(help="extractive, llm, or both with a comma.")
    ] = "extractive",
    criteria: Annotated[str, typer.Option(help="Separated by commas.")] = CRITERIA,
    replicates: Annotated[int, typer.Option(help="How often each pair is read in each order.")] = 1,
    baseline: Annotated[
        str | None, typer.Option(help="Compare all others with this label alone.")
    ] = None,
    majority: Annotated[
        bool, typer.Option("--majority", help="Majority in a judge, then over judges.")
    ] = False,
    differential: Annotated[
        bool, typer.Option("--differential", help="Judge only what the answers do not share.")
    ] = False,
    limit: Limit = None,
    dry_run: Annotated[bool, typer.Option("--estimate", help="Only say what is to do.")] = False,
    out: Out = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Answer questions by several methods and judge the answers in pairs; goes on if stopped."""
    judges = _judges(judge)
    asked = _questions(questions, limit)
    with open_workspace(home) as workspace:
        corpus = workspace.open_corpus(name)
        evaluations = corpus.evaluations
        conditions, paper = _conditions(evaluations, methods, experiment)
        batch = evaluations.plan(
            asked,
            conditions,
            judges,
            criteria=[one.strip() for one in criteria.split(",") if one.strip()],
            baseline=baseline,
            experiment=paper,
            replicates=replicates,
            scoring="majority" if majority else "mean",
            is_differential=differential,
        )
        estimate = evaluations.estimate(batch, judges)
        if dry_run:
            _show_estimate(estimate, as_json=as_json)
            return
        terminal.say(_estimate_line(estimate))
        evaluations.questions.keep(asked)
        result = _run(evaluations, batch, judges)
        if out is not None:
            _write_all(evaluations, batch, out)
        _show_result(result, as_json=as_json)


@evaluate.command()
def retrieval(
    name: Name,
    questions: QuestionFile,
    methods: Annotated[str, typer.Option(help="bm25, dense, fused.")] = "bm25,dense,fused",
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="Places that count.")] = 10,
    limit: Limit = None,
    out: Out = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Measure retrievers by questions whose documents are known."""
    from sensemaking.evaluation.export import retrieval_csv
    from sensemaking.types import RetrievalRow

    asked = _questions(questions, limit)
    chosen = [one.strip() for one in methods.split(",") if one.strip()]
    with open_workspace(home) as workspace:
        searches = workspace.open_corpus(name).evaluations.searches
        run = searches.plan(asked.id, asked.questions, chosen, k)
        if told := searches.told(run):
            terminal.say(told)
        rows: list[RetrievalRow] = []
        try:
            with _following() as show:
                for event in searches.run(run):
                    if isinstance(event, RetrievalRow):
                        rows.append(event)
                    else:
                        show(event)
        except KeyboardInterrupt:
            terminal.say("Stopped. What is measured is kept: run the same command to go on.")
            raise typer.Exit(STOPPED) from None
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
            (out / "retrieval.csv").write_text(retrieval_csv(rows), "utf-8")
        found = {
            one.method: {
                f"recall@{k}": round(one.recall, 6),
                f"ndcg@{k}": round(one.ndcg, 6),
                "topological_recall": one.topological_recall,
                "seconds": round(one.seconds, 6),
                "questions": one.n_questions,
            }
            for one in searches.sum_up(rows, k)
        }
    if as_json:
        _print_json(found)
        return
    for method, one in found.items():
        line = "  ".join(f"{key} {value}" for key, value in one.items() if value is not None)
        _print(f"{method:<8} {line}")


@app.command()
def retrieve(
    name: Name,
    question: Annotated[str, typer.Argument(help="What to look for.")],
    method: Annotated[str, typer.Option(help="bm25, dense or fused.")] = "fused",
    k: Annotated[int, typer.Option("-k", min=1, max=1000, help="How many passages.")] = 10,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Find the passages that are closest to a question."""
    with open_workspace(home) as workspace:
        corpus = workspace.open_corpus(name)
        searches = corpus.evaluations.searches
        searches.find(method, question, 1)  # the index is counted once for many questions
        began = time.perf_counter()
        found = searches.find(method, question, k)
        seconds = time.perf_counter() - began
        rows = [
            {
                "rank": rank,
                "document": corpus.document(hit.chunk.document_id).name,
                "start": hit.chunk.start,
                "end": hit.chunk.end,
                "score": round(hit.score, 6),
                "quote": _quote(corpus, hit.chunk.document_id, hit.chunk.start, hit.chunk.end),
            }
            for rank, hit in enumerate(found, start=1)
        ]
    if as_json:
        trace = [{"step": method, "passages": len(rows)}]
        _print_json({"results": rows, "trace": trace, "seconds": round(seconds, 4)})
        return
    if not rows:
        terminal.say("No passage holds any of these words.")
    for row in rows:
        _print(
            f"{row['rank']:>3}  {row['score']:<10}  {row['document']}:{row['start']}-{row['end']}"
        )
        _print(f"     {' '.join(str(row['quote']).split())[:160]}")


@app.command()
def questions(
    name: Name,
    personas: Annotated[int, typer.Option(help="Who asks.")] = 5,
    tasks: Annotated[int, typer.Option(help="Tasks of each persona.")] = 5,
    questions: Annotated[int, typer.Option(help="Questions for each task.")] = 5,
    writer: Annotated[str, typer.Option(help="extractive (from topics) or llm.")] = "extractive",
    form: Annotated[str, typer.Option("--format", help="jsonl or benchmarkqed.")] = "jsonl",
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Write questions about the corpus as a whole, for a question file."""
    from sensemaking.evaluation.questions import write_questions

    if form not in ("jsonl", "benchmarkqed"):
        raise typer.BadParameter(f"{form}: choose jsonl or benchmarkqed", param_hint="--format")
    with open_workspace(home) as workspace:
        corpus = workspace.open_corpus(name)
        counts = (personas, tasks, questions)
        made = corpus.evaluations.questions.write(corpus.name, _judges(writer)[0], counts)
    if as_json:
        rows = [
            {"id": one.id, "question": one.text, "persona": one.origin[0], "task": one.origin[1]}
            for one in made.questions
        ]
        _print_json({"corpus": name, "questions": rows})
        return
    sys.stdout.write(write_questions(made.questions, cast("Format", form)))


@contextmanager
def open_workspace(home: Path | None) -> Iterator[Workspace]:
    """Open the corpora for one command."""
    from sensemaking.workspace import Workspace

    with closing(Workspace.open(home)) as workspace:
        yield workspace


@contextmanager
def _following() -> Iterator[Callable[[Progress], None]]:
    """Show one bar a stage; yields the function to call with each progress."""
    import rich.progress as rich

    columns = (
        rich.TextColumn("{task.description:<12}"),
        rich.BarColumn(bar_width=30),
        rich.MofNCompleteColumn(),
        rich.TimeElapsedColumn(),
    )
    console = terminal.console
    bars: dict[str, rich.TaskID] = {}
    with rich.Progress(*columns, console=console, transient=not console.is_terminal) as progress:

        def show(event: Progress) -> None:
            if event.stage not in bars:
                bars[event.stage] = progress.add_task(event.stage, total=event.total)
            progress.update(bars[event.stage], completed=event.done, total=event.total)

        yield show


def _conditions(
    evaluations: Evaluations, methods: str, experiment: str
) -> tuple[tuple[Condition, ...], Experiment | None]:
    """Return what is compared, and the experiment that it belongs to."""
    from sensemaking.evaluation.conditions import parse_conditions

    if bool(methods) == bool(experiment):
        raise typer.BadParameter("give either --methods or --experiment")
    if methods:
        return parse_conditions(methods.split(",")), None
    known = {one.name: one for one in evaluations.experiments()}
    if experiment not in known:
        raise typer.BadParameter(f"{experiment}: choose from {', '.join(known)}")
    conditions, missing = evaluations.split_available(known[experiment])
    for label, why in missing:
        terminal.say(f"{label} is left out: {why}.")
    return conditions, known[experiment]


def _judges(text: str) -> list[JudgeName]:
    from sensemaking.workspace.comparing import JUDGES

    chosen = list(dict.fromkeys(one.strip() for one in text.split(",") if one.strip()))
    unknown = [one for one in chosen if one not in JUDGES]
    if unknown or not chosen:
        raise typer.BadParameter(f"{', '.join(unknown) or 'none'}: choose from {', '.join(JUDGES)}")
    return cast("list[JudgeName]", chosen)


def _questions(path: Path, limit: int | None) -> QuestionSet:
    from sensemaking.evaluation.questions import read_questions
    from sensemaking.types import QuestionSet

    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}): give a question file."
        ) from error
    found = read_questions(path.name, data)
    for note in found.notes:
        terminal.say(note)
    if limit is None:
        return found
    if limit < 1:
        raise InputError(f"--limit {limit} leaves no question: give at least 1.")
    return QuestionSet(found.id, found.questions[:limit], found.notes)


def _run(evaluations: Evaluations, batch: Batch, judges: Sequence[JudgeName]) -> EvaluationResult:
    from sensemaking.types import EvaluationReady, Progress, Skipped

    try:
        with _following() as show:
            for event in evaluations.run(batch, judges):
                if isinstance(event, Progress):
                    show(event)
                elif isinstance(event, Skipped):
                    terminal.say(f"Not done ({event.stage}): {event.subject[:80]}: {event.reason}")
                elif isinstance(event, EvaluationReady):
                    return event.result
    except (Paused, KeyboardInterrupt) as error:
        reason = str(error) or "Stopped."
        terminal.say(f"{reason} What is done is kept: run the same command to go on.")
        raise typer.Exit(STOPPED) from None
    raise InputError("The evaluation ended without a result: run it again.")


def _write_all(evaluations: Evaluations, batch: Batch, folder: Path) -> None:
    files = evaluations.files(batch.id)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8", newline="\n")
    terminal.say(f"Written to {folder}: {', '.join(files)}")


def _estimate_line(one: BatchEstimate) -> str:
    first = f"First {one.n_hierarchies} hierarchies are made. " if one.n_hierarchies else ""
    return (
        f"{first}To do: {one.n_answers - one.n_answers_done:,} of {one.n_answers:,} answers "
        f"({one.n_windows:,} windows, {one.n_tokens:,} tokens), at most "
        f"{one.n_judgements - one.n_judgements_done:,} of {one.n_judgements:,} verdicts."
    )


def _show_estimate(one: BatchEstimate, *, as_json: bool) -> None:
    if not as_json:
        _print(_estimate_line(one))
        return
    _print_json(
        {
            "answers": one.n_answers,
            "answers_done": one.n_answers_done,
            "verdicts": one.n_judgements,
            "verdicts_done": one.n_judgements_done,
            "windows": one.n_windows,
            "tokens": one.n_tokens,
            "hierarchies": one.n_hierarchies,
        }
    )


def _show_result(result: EvaluationResult, *, as_json: bool) -> None:
    if as_json:
        from sensemaking.evaluation.export import result_object

        _print_json(result_object(result))
        return
    for sentence in result.summary:
        _print(sentence)
    _print("")
    for one in result.comparisons:
        rate = "  –  " if one.win_rate is None else f"{one.win_rate:5.1f}"
        _print(
            f"{one.criterion:<18} {one.first} – {one.second}: {rate} %  "
            f"{one.wins}/{one.ties}/{one.losses} of {one.n}, "
            f"p {_p(one.test.p)}, Holm {_p(one.p_holm)}"
        )


def _p(value: float) -> str:
    return "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def _quote(corpus: Corpus, document_id: str, start: int, end: int) -> str:
    return corpus.document(document_id).text[start:end]


def _print(text: str) -> None:
    sys.stdout.write(text + "\n")


def _print_json(value: Any) -> None:  # noqa: ANN401 - any JSON
    _print(json.dumps(value, ensure_ascii=False, indent=2))
