"""What a terminal shows while something runs: bars and lines on standard error."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.console import Console

if TYPE_CHECKING:
    from sensemaking.types import AnswerSnapshot, JobSnapshot, SubAnswer

console = Console(stderr=True, highlight=False)


def say(text: str) -> None:
    """Write a text to standard error; what would command the terminal is written out."""
    from sensemaking.text.reading import safe_name

    lines = (safe_name(line) for line in text.split("\n"))
    console.print("\n".join(lines), markup=False, soft_wrap=True)


def open_streams() -> None:
    """Make both streams take any character, and be there even where the caller closed them."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Offsets count characters: "\n" stays one, on Windows too.
            stream.reconfigure(errors="backslashreplace", newline="\n")


def explain_output(error: OSError) -> int:
    """Say why standard output could not be written, and return the exit code.

    A reader that has seen enough (`| head`) is no error.
    """
    _abandon(sys.stdout)
    if isinstance(error, BrokenPipeError):
        return 0
    say(f"Error: The result cannot be written ({error.strerror or error}): give it another place.")
    return 1


def is_abandoned(stream: TextIO) -> bool:
    """Whether the command library met a reader that went away, and writes no more to a stream."""
    return type(stream).__name__ == "PacifyFlushWrapper"


def _abandon(stream: TextIO) -> None:
    """Let what is still to be written go nowhere, so that the end of the program is quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with contextlib.suppress(OSError, ValueError):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@contextmanager
def following_build() -> Iterator[Callable[[JobSnapshot], None]]:
    """Show one bar per stage; yields the function to call with each snapshot."""
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskID,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description:<20}"),
        BarColumn(bar_width=30),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[note]}"),
    )
    bars: dict[str, TaskID] = {}
    with Progress(*columns, console=console, transient=not console.is_terminal) as progress:

        def show(snapshot: JobSnapshot) -> None:
            for stage in snapshot.stages:
                if not stage.total:
                    # It may turn out that there is nothing to do.
                    continue
                if stage.name not in bars:
                    bars[stage.name] = progress.add_task(stage.name, total=stage.total, note="")
                progress.update(
                    bars[stage.name],
                    completed=stage.done,
                    total=stage.total,
                    note=escape(stage.note[:50]),
                )

        yield show


@contextmanager
def following_answer(*, quiet: bool) -> Iterator[Callable[[AnswerSnapshot], None]]:
    """Show each window as it is read; yields the function to call with each snapshot."""
    shown: set[int] = set()

    def show(snapshot: AnswerSnapshot) -> None:
        if quiet:
            return
        for sub in snapshot.sub_answers:
            if sub.window not in shown and sub.status != "waiting":
                shown.add(sub.window)
                say(_window_line(sub, len(snapshot.sub_answers)))

    yield show


def _window_line(sub: SubAnswer, n_windows: int) -> str:
    place = f"window {sub.window + 1:>3} of {n_windows}"
    if sub.status == "failed":
        return f"{place}  failed: {sub.reason}"
    if not sub.points:
        return f"{place}    0  does not help"
    return f"{place}  {sub.helpfulness:>3}  {sub.points[0].heading}"
