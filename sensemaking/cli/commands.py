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
from textwrap import shorten
from typing import Annotated, TypeVar

import typer

from sensemaking.cli import results, terminal
from sensemaking.cli.preparing import find_topics, prepare_topics
from sensemaking.config import AskSettings, LanguageSettings
from sensemaking.errors import InputError, NotFound, SensemakingError
from sensemaking.methods import COMMUNITIES, METHODS
from sensemaking.types import AnswerSnapshot, JobSnapshot
from sensemaking.workspace import Corpus, Workspace, check_paths

app = typer.Typer(
    add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__
)

S = TypeVar("S", JobSnapshot, AnswerSnapshot)

STOPPED = 3
INTERRUPTED = 130
POLL_SECONDS = 0.1
DERIVE = "derive"
MOST_DIGITS = 9

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
    algorithms = _algorithms(communities)
    # Before anything is made: a path that is misspelt leaves no corpus behind.
    check_paths(paths)
    with _workspace(home) as workspace:
        opened = _open_or_create(workspace, corpus, algorithms, backend)
        if kinds is not None:
            _set_kinds(opened, kinds)
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
                settings = AskSettings(hierarchy=hierarchy, level=_level(level, n_levels))
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
    with _workspace(home) as workspace:
        opened = workspace.open_corpus(name)
        budgets = METHODS[method].budgets if method in METHODS else {}
        settings = AskSettings(
            method=method,
            topic=topic,
            **budgets,
            hierarchy=hierarchy,
            level=_level(level, lambda: opened.hierarchy(hierarchy).n_levels),
            seed=seed,
        )
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


def _algorithms(communities: str | None) -> tuple[str, ...]:
    """Return the algorithms that were asked for, () when none was named."""
    if communities is None:
        return ()
    algorithms = tuple(dict.fromkeys(one.strip() for one in communities.split(",") if one.strip()))
    unknown = [one for one in algorithms if one not in COMMUNITIES]
    if unknown or not algorithms:
        raise typer.BadParameter(
            f"{', '.join(unknown) or 'none'}: choose from {', '.join(COMMUNITIES)}",
            param_hint="--communities",
        )
    return algorithms


def _open_or_create(
    workspace: Workspace, name: str, algorithms: tuple[str, ...], backend: Backend | None
) -> Corpus:
    """Return the corpus; what was not asked for stays as it was."""
    try:
        opened = workspace.open_corpus(name)
    except NotFound:
        opened = workspace.create(name)
    settings = opened.settings
    if algorithms and settings.hierarchy.algorithms != algorithms:
        chosen = settings.hierarchy.model_copy(update={"algorithms": algorithms})
        settings = settings.model_copy(update={"hierarchy": chosen})
    if backend is not None:
        settings = settings.model_copy(update={"backend": backend.value})
    if settings != opened.settings:
        opened.change_settings(settings)
    return opened


def _set_kinds(corpus: Corpus, kinds: str) -> None:
    """Look for these kinds of entities from now on, or let the model name them."""
    if kinds.strip() == DERIVE:
        chosen: dict[str, object] = {"derive_kinds": True}
    else:
        named = tuple(one.strip() for one in kinds.split(",") if one.strip())
        chosen = {"derive_kinds": False, "entity_kinds": named}
    told = corpus.settings.language.model_dump() | chosen
    try:
        language = LanguageSettings.model_validate(told)
    except ValueError as error:
        raise typer.BadParameter(f"{kinds[:60]}: {error}", param_hint="--kinds") from error
    if language != corpus.settings.language:
        corpus.change_settings(corpus.settings.model_copy(update={"language": language}))


def _level(text: str, n_levels: Callable[[], int]) -> int | None:
    """Return the level that `--level` names: None for the leaf view.

    "leaf-1" is the view one level above the deepest; LF, L1 and LF-n are the names of the papers.
    """
    text = text.strip()
    if text.upper() == "L1":
        return max(0, n_levels() - 2)
    if text.upper().startswith("LF"):
        text = f"leaf{text[2:]}"
    if text == "leaf":
        return None
    above = text.removeprefix("leaf-")
    if not above.isdecimal() or len(above) > MOST_DIGITS:
        raise typer.BadParameter(
            f"{shorten(text, 40)}: give 0 (coarsest), 1, …, leaf (LF), leaf-1 (L1) or LF-n",
            param_hint="--level",
        )
    if text == above:
        return int(above)
    deepest = n_levels() - 1
    if int(above) > max(0, deepest):
        raise InputError(
            f"There is no level {text}: the deepest is {deepest}, so the coarsest is "
            f"leaf-{max(0, deepest)}."
        )
    return max(0, deepest - int(above))


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
