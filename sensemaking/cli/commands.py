"""The engine from a terminal. Results go to standard output, progress to standard error.

Exit codes: 0 done, 1 an error that is told, 2 wrong usage, 3 stopped and resumable.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from sensemaking.cli import results, terminal
from sensemaking.cli.choosing import open_or_create, read_algorithms, read_level, set_kinds
from sensemaking.cli.preparing import find_topics, prepare_topics
from sensemaking.errors import NotFound, SensemakingError

if TYPE_CHECKING:
    # Imported where it is used: help and a misspelt command wait for nothing of the engine.
    from sensemaking.types import AnswerSnapshot, JobSnapshot
    from sensemaking.workspace import Corpus, Workspace

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__
)

S = TypeVar("S", "JobSnapshot", "AnswerSnapshot")

STOPPED = 3
INTERRUPTED = 130
POLL_SECONDS = 0.1

Home = Annotated[
    Path | None, typer.Option("--home", help="Folder of the corpora (or SENSEMAKING_HOME).")
]


class Backend(StrEnum):
    """Who does the language work."""

    EXTRACTIVE = "extractive"
    LLM = "llm"


Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def main() -> None:
    """Run the command line; the one place where errors become exit codes."""
    terminal.open_streams()
    code: int | str | None = 0
    try:
        app(standalone_mode=True)
    except SensemakingError as error:
        terminal.say(f"Error: {error}")
        code = 1
    except SystemExit as ended:
        # Typer answers Ctrl-C with 130, and a reader that went away with 1.
        code = STOPPED if ended.code == INTERRUPTED else ended.code
        if code == 1 and terminal.is_abandoned(sys.stdout):
            code = 0
    except OSError as error:
        code = terminal.explain_output(error)
    try:
        sys.stdout.flush()
    except OSError as error:
        code = terminal.explain_output(error)
    sys.exit(code)


@app.command()
def build(
    paths: Annotated[list[Path], typer.Argument(help="Files, folders or zip archives.")],
    corpus: Annotated[str, typer.Option("--corpus", help="Name of the corpus.")],
    communities: Annotated[
        str | None,
        typer.Option("--communities", help="Algorithms, separated by commas; leiden at first."),
    ] = None,
    backend: Annotated[
        Backend | None,
        typer.Option("--backend", help="Who does the language work; extractive at first."),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=0, help="Pause before more US dollars than this are spent."),
    ] = None,
    kinds: Annotated[
        str | None,
        typer.Option(
            "--kinds",
            help="Kinds of entities that a model looks for, separated by commas; derive: it names "
            "them itself.",
        ),
    ] = None,
    topics: Annotated[
        bool, typer.Option("--topics", help="Find the topics, too; see the command topics.")
    ] = False,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Read documents and build their graph, communities and reports; goes on where it stopped."""
    from sensemaking.workspace import check_paths

    algorithms = read_algorithms(communities)
    # Before anything is made: a path that is misspelt leaves no corpus behind.
    check_paths(paths)
    with _workspace(home) as workspace:
        opened = open_or_create(workspace, corpus, algorithms, backend.value if backend else None)
        if kinds is not None:
            set_kinds(opened, kinds)
        opened.add_paths(paths)
        _run_build(opened, budget, as_json=as_json)
        if topics:
            find_topics(opened)


@app.command()
def retry(
    name: Annotated[str, typer.Argument(help="Name of the corpus.")],
    answer: Annotated[
        str, typer.Option("--answer", help="Id of an answer: read its failed windows again.")
    ] = "",
    window: Annotated[
        list[int] | None,
        typer.Option("--window", min=1, help="With --answer: only this window; repeatable."),
    ] = None,
    budget: Annotated[
        float | None,
        typer.Option("--budget", min=0, help="Pause before more US dollars than this are spent."),
    ] = None,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Do again what failed, and only that: of a build, or of an answer."""
    if window and not answer:
        raise typer.BadParameter("name the answer with --answer", param_hint="--window")
    with _workspace(home) as workspace:
        opened = workspace.open_corpus(name)
        if not answer:
            _run_build(opened, budget, as_json=as_json)
            return
        key = opened.try_again(answer, [one - 1 for one in window or ()])
        _finish_answer(opened, key, as_json=as_json)


@app.command()
def estimate(
    corpus: Annotated[
        list[str], typer.Argument(metavar="NAME [QUESTION] | PATH…", help="A corpus, or files.")
    ],
    backend: Annotated[
        Backend | None, typer.Option("--backend", help="Who does the language work.")
    ] = None,
    level: Annotated[str, typer.Option(help="Level that a question reads.")] = "leaf",
    hierarchy: Annotated[str, typer.Option(help="Key of the hierarchy.")] = "general.leiden",
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Say what a build of a corpus or of files, or an answer, would take."""
    from sensemaking.config import AskSettings
    from sensemaking.workspace import check_paths

    with _workspace(home) as workspace:
        if len(corpus) <= 2 and workspace.has(corpus[0]):
            opened = workspace.open_corpus(corpus[0])
            if backend is not None and backend.value != opened.settings.backend:
                raise typer.BadParameter(
                    f"{opened.name} is built with {opened.settings.backend}: estimate its files to "
                    "see another backend",
                    param_hint="--backend",
                )
            if len(corpus) == 2:
                n_levels = partial(_n_levels, opened, hierarchy)
                settings = AskSettings(hierarchy=hierarchy, level=read_level(level, n_levels))
                found = opened.estimate_answer(settings)
            else:
                found = opened.estimate_build()
        else:
            paths = [Path(one) for one in corpus]
            check_paths(paths)
            found = workspace.estimate_files(
                paths, "llm" if backend is Backend.LLM else "extractive"
            )
        results.show_estimate(found, as_json=as_json)


@app.command()
def ask(
    name: Annotated[str, typer.Argument(help="Name of the corpus.")],
    question: Annotated[str, typer.Argument(help="A question about the corpus as a whole.")],
    method: Annotated[str, typer.Option(help="How to answer.")] = "global",
    hierarchy: Annotated[str, typer.Option(help="Key of the hierarchy.")] = "general.leiden",
    level: Annotated[
        str, typer.Option(help="Level of the communities: 0 (coarsest), 1, …, leaf or leaf-1.")
    ] = "leaf",
    topic: Annotated[
        str, typer.Option(help="Name of a topic, or none; else the question decides.")
    ] = "",
    seed: Annotated[int, typer.Option(help="Seed of the order in which reports are read.")] = 86,
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Answer a question about the whole corpus, every sentence with its sources."""
    from sensemaking.config import AskSettings
    from sensemaking.methods import METHODS

    with _workspace(home) as workspace:
        opened = workspace.open_corpus(name)
        budgets = METHODS[method].budgets if method in METHODS else {}
        chosen = {
            "method": method,
            "topic": topic,
            "hierarchy": hierarchy,
            "level": read_level(level, lambda: opened.hierarchy(hierarchy).n_levels),
            "seed": seed,
        }
        settings = AskSettings.model_validate({**budgets, **chosen})
        prepare_topics(opened, question, settings)
        _finish_answer(opened, opened.start_answer(question, settings), as_json=as_json)


@app.command("list")
def list_corpora(as_json: Json = False, home: Home = None) -> None:
    """List the corpora and their state."""
    with _workspace(home) as workspace:
        results.show_corpora(workspace.corpora(), as_json=as_json)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="Name of the corpus.")],
    community: Annotated[
        str | None, typer.Argument(help="Id of a community, or the beginning of one.")
    ] = None,
    text: Annotated[
        str | None, typer.Option("--text", help="Print the text of this document instead.")
    ] = None,
    hierarchy: Annotated[str, typer.Option(help="Key of the hierarchy.")] = "general.leiden",
    as_json: Json = False,
    home: Home = None,
) -> None:
    """Show a corpus, one community with its report, or the text of a document."""
    with _workspace(home) as workspace:
        opened = workspace.open_corpus(name)
        if text is not None:
            sys.stdout.write(opened.find_document(text).text)
        elif community is not None:
            results.show_community(opened, hierarchy, community, as_json=as_json)
        else:
            results.show_corpus(opened, as_json=as_json)


@app.command()
def doctor(as_json: Json = False, home: Home = None) -> None:
    """Say what is installed, which backend works, and whether the folder can be written."""
    with _workspace(home) as workspace:
        checks = workspace.check()
    results.show_checks(checks, as_json=as_json)
    if not all(check.is_good for check in checks):
        raise typer.Exit(1)


@contextmanager
def _workspace(home: Path | None) -> Iterator[Workspace]:
    from sensemaking.workspace import Workspace

    with closing(Workspace.open(home)) as workspace:
        yield workspace


def _finish_answer(corpus: Corpus, key: str, *, as_json: bool) -> None:
    """Follow an answer to its end and print it."""
    with terminal.following_answer(quiet=as_json) as follow:
        snapshot = _follow(lambda: corpus.answer(key), lambda: corpus.stop_answer(key), follow)
    if snapshot.status == "stopped":
        raise typer.Exit(STOPPED)
    if snapshot.answer is None:
        raise SensemakingError(snapshot.error)
    reason = corpus.why_not_kept(key)
    if reason:
        terminal.say(f"The answer cannot be kept, so here it is once: {reason}")
    results.show_answer(corpus, snapshot.answer, as_json=as_json)
    if failed := sum(one.status == "failed" for one in snapshot.answer.sub_answers):
        count = "1 window" if failed == 1 else f"{failed} windows"
        terminal.say(
            f"{count} could not be read; try again: sensemaking retry {corpus.name} --answer {key}"
        )


def _run_build(corpus: Corpus, budget: float | None, *, as_json: bool) -> None:
    corpus.start_build(budget)
    with terminal.following_build() as follow:
        job = _follow(lambda: _job(corpus), corpus.stop_build, follow)
    if job.status == "stopped":
        why = f"{job.error} " if job.error else ""
        terminal.say(f"Stopped. {why}What is done is kept: run the same command to go on.")
        raise typer.Exit(STOPPED)
    if job.result is None:
        raise SensemakingError(job.error)
    results.show_build(corpus.name, job.result, as_json=as_json)


def _n_levels(corpus: Corpus, hierarchy: str) -> int:
    return corpus.hierarchy(hierarchy).n_levels


def _follow(look: Callable[[], S], stop: Callable[[], None], show: Callable[[S], None]) -> S:
    """Show snapshots until the run has ended; Ctrl-C asks it to stop and waits for that."""
    while True:
        try:
            snapshot = look()
            show(snapshot)
            if not snapshot.is_running:
                return snapshot
            time.sleep(POLL_SECONDS)
        except KeyboardInterrupt:
            terminal.say("Stopping: the unit at hand is finished first.")
            stop()


def _job(corpus: Corpus) -> JobSnapshot:
    job = corpus.job()
    if job is None:
        raise NotFound(f"No build of {corpus.name} was started.")
    return job
