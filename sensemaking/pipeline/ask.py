"""A question to a sourced answer, as a generator of events: select, map, reduce, resolve."""

from __future__ import annotations

import time
from collections.abc import Generator
from functools import partial

from sensemaking.answers.mapreduce import keep_points, map_windows
from sensemaking.answers.provenance import compose
from sensemaking.config import AskSettings
from sensemaking.errors import InputError, NotBuilt
from sensemaking.methods import METHODS
from sensemaking.pipeline.engine import Engine, metered, model_notes, streamed
from sensemaking.pipeline.library import CODE_VERSIONS, Library, reports_head
from sensemaking.pipeline.passages import passages_state
from sensemaking.pipeline.resolving import make_resolver
from sensemaking.pipeline.routing import Plan, find_route, plan, route_digest
from sensemaking.ports import Backend
from sensemaking.types import (
    Answer,
    AnswerReady,
    AnswerToken,
    AskEvent,
    Skipped,
    SubAnswer,
    SubAnswerReady,
    WindowsPlanned,
    digest,
)

MAX_QUESTION = 20_000


def answer_id(engine: Engine, library: Library, question: str, settings: AskSettings) -> str:
    """Return the id of an answer: the same for the same question, settings and state of the corpus.

    Raises
    ------
    InputError
        When the question is empty or longer than `MAX_QUESTION` characters.
    NotBuilt
        When the hierarchy of the settings has no reports.
    """
    question = question.strip()
    if not question:
        raise InputError("The question is empty: ask something about the corpus as a whole.")
    if len(question) > MAX_QUESTION:
        raise InputError(
            f"The question has {len(question):,} characters; the limit is {MAX_QUESTION:,}: "
            "shorten it, or add the long text to the corpus as a document."
        )
    if settings.method not in METHODS:
        raise InputError(f"There is no method “{settings.method}”: choose from {list(METHODS)}.")
    scope = _scope(library, settings)
    backend = f"{engine.backend.mapper.key} {engine.backend.reducer.key} {engine.tokenizer.key}"
    version = CODE_VERSIONS["answer"]
    route = route_digest(engine, library, settings)
    return digest("answer", version, backend, question, settings.model_dump_json(), scope, route)


def _scope(library: Library, settings: AskSettings) -> str:
    """Return what the evidence of a question is made from; raises `NotBuilt`."""
    if METHODS[settings.method].reads != "reports":
        return passages_state(library)
    scope = library.store.head(reports_head(settings.hierarchy))
    if not scope:
        library.hierarchy(settings.hierarchy)  # says what is missing
        raise NotBuilt(f"The hierarchy “{settings.hierarchy}” has no reports yet: build it.")
    return scope


def planned(found: Plan) -> WindowsPlanned:
    """Return what is told about windows before any is read."""
    return WindowsPlanned(
        titles=tuple(tuple(block.title for block in window.blocks) for window in found.windows),
        n_tokens=sum(window.n_tokens for window in found.windows),
        coverage=found.selection.coverage,
        trace=found.trace,
    )


def ask(
    engine: Engine, library: Library, question: str, settings: AskSettings
) -> Generator[AskEvent, None, None]:
    """Answer a question; yields events and ends with `AnswerReady`.

    Raises
    ------
    InputError, NotBuilt
        See `answer_id` and `routing.find_route`.
    ModelUnavailable
        When every window failed.
    """
    yield from metered(engine, _ask(engine, library, question, settings))


def _ask(
    engine: Engine, library: Library, question: str, settings: AskSettings
) -> Generator[AskEvent, None, None]:
    began = time.monotonic()
    key = answer_id(engine, library, question, settings)
    question = question.strip()
    mapper, reducer = engine.backend.mapper, engine.backend.reducer
    fitted, limits = fit_to_models(settings, engine.backend)
    route = find_route(engine, library, question, fitted)
    found = plan(engine, library, fitted, question, route)
    selection, windows = found.selection, found.windows
    if not windows:
        other = " or choose another model" if mapper.waits else ""
        raise NotBuilt(
            "The corpus has no reports to answer from: no two things in its documents were found "
            f"to be tied to each other. Add documents{other}, and build again."
        )
    # What the answer resolves to is fixed now, whatever a build replaces while windows are read.
    resolver = make_resolver(library, found.hierarchy)
    yield planned(found)
    skipped: list[Skipped] = list(selection.skipped)
    yield from skipped

    read = mapper.prepare(question, selection.blocks)
    executor = engine.calls if mapper.waits else engine.threads
    sub_answers: list[SubAnswer] = []
    seconds_to_first = 0.0
    for event in map_windows(question, windows, read, executor, engine.is_stopping):
        if isinstance(event, SubAnswerReady):
            seconds_to_first = seconds_to_first or time.monotonic() - began
            sub_answers.append(event.sub_answer)
        else:
            skipped.append(event)
        yield event

    points, judged = keep_points(
        sub_answers,
        fitted.reduce_tokens,
        engine.tokenizer,
        by_window=METHODS[settings.method].by_window,
    )
    text = ""
    if points:
        pieces = partial(reducer.reduce, question, points)
        for piece in streamed(engine, pieces) if reducer.waits else pieces():
            text += piece
            yield AnswerToken(piece)
    else:
        text = nothing_found(judged)
    paragraphs, notes = compose(text, points, resolver)
    yield AnswerReady(
        Answer(
            id=key,
            question=question,
            method=settings.method,
            settings=told(settings.model_copy(update={"hierarchy": found.hierarchy})),
            text=text,
            paragraphs=paragraphs,
            notes=(*notes, *limits, *model_notes(engine)),
            sub_answers=tuple(judged),
            coverage=selection.coverage,
            skipped=tuple(skipped),
            usage=engine.meter.usage,
            seconds=round(time.monotonic() - began, 3),
            seconds_to_first=round(seconds_to_first, 3),
            n_tokens=sum(window.n_tokens for window in windows),
            trace=found.trace,
        )
    )


def fit_to_models(settings: AskSettings, backend: Backend) -> tuple[AskSettings, tuple[str, ...]]:
    """Return settings whose budgets the models can read, and what had to be made smaller."""
    limits = {
        "window_tokens": ("Windows", backend.mapper.context_tokens),
        "reduce_tokens": ("The points for the answer", backend.reducer.context_tokens),
    }
    smaller = {name: most for name, (_, most) in limits.items() if most < getattr(settings, name)}
    notes = tuple(
        f"{limits[name][0]} are cut at {most:,} tokens: the model reads no more at once."
        for name, most in smaller.items()
    )
    return settings.model_copy(update=smaller), notes


def nothing_found(sub_answers: list[SubAnswer]) -> str:
    """Return the note that stands for an answer when no window helps, in the answer dialect."""
    n_failed = sum(sub.status == "failed" for sub in sub_answers)
    n_read = len(sub_answers) - n_failed
    failed = f"{n_failed} failed" if n_failed else "none failed"
    return (
        f"> No window helps with this question. {n_read} were read, {failed}. Try other words, "
        "another level, or a question about what the documents talk about.\n"
    )


def told(settings: AskSettings) -> tuple[tuple[str, str], ...]:
    """Return the settings of a question as an answer tells them: sorted (name, value) pairs."""
    found = settings.model_dump(exclude={"method"})
    found["level"] = "leaf" if settings.level is None else settings.level
    return tuple(sorted((name, str(value)) for name, value in found.items()))
