"""Windows of an answer that failed, read again, and the answer written anew with what they say.

An answer and the windows to read again come in; out goes an answer of its own, with its own id.
Windows that were read before are not read again: their points are taken from the first answer.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator
from dataclasses import replace
from functools import partial

from sensemaking.answers.mapreduce import keep_points, map_windows
from sensemaking.answers.provenance import compose
from sensemaking.config import AskSettings
from sensemaking.errors import InputError
from sensemaking.methods import METHODS
from sensemaking.pipeline.ask import fit_to_models, nothing_found, planned
from sensemaking.pipeline.engine import Engine, metered, model_notes, streamed
from sensemaking.pipeline.library import CODE_VERSIONS, Library
from sensemaking.pipeline.resolving import make_resolver
from sensemaking.pipeline.routing import Plan, find_route, plan
from sensemaking.types import (
    Answer,
    AnswerReady,
    AnswerToken,
    AskEvent,
    Skipped,
    SubAnswerReady,
    digest,
)

AGAIN = "windows read again"
"""Under this name the settings of an answer tell them."""


def failed_windows(answer: Answer) -> tuple[int, ...]:
    """Return the windows of an answer that could not be read, from 0."""
    return tuple(one.window for one in answer.sub_answers if one.status == "failed")


def reread_id(engine: Engine, answer: Answer, windows: Collection[int]) -> str:
    """Return the id of the answer that reading some windows again leads to.

    Raises
    ------
    InputError
        When no window is named, or one that did not fail.
    """
    failed = failed_windows(answer)
    if not windows:
        raise InputError("No window of this answer failed: there is nothing to try again.")
    if others := sorted(set(windows) - set(failed)):
        known = ", ".join(str(one + 1) for one in failed) or "none"
        raise InputError(f"Window {others[0] + 1} did not fail; those that failed: {known}.")
    by = f"{engine.backend.mapper.key} {engine.backend.reducer.key}"
    return digest(
        "reread", CODE_VERSIONS["answer"], by, answer.id, ",".join(map(str, sorted(windows)))
    )


def reread(
    engine: Engine, library: Library, answer: Answer, windows: Collection[int]
) -> Generator[AskEvent, None, None]:
    """Read failed windows (from 0) again and write the answer anew; yields what `ask` yields.

    Raises
    ------
    InputError
        As `reread_id`, and when the corpus was built anew since: its windows are others.
    ModelUnavailable
        When every window of the answer failed, the first time and now.
    """
    yield from metered(engine, _reread(engine, library, answer, set(windows)))


def _reread(
    engine: Engine, library: Library, answer: Answer, windows: set[int]
) -> Generator[AskEvent, None, None]:
    began = time.monotonic()
    key = reread_id(engine, answer, windows)
    settings, limits = fit_to_models(settings_of(answer), engine.backend)
    route = find_route(engine, library, answer.question, settings)
    found = plan(engine, library, settings, answer.question, route)
    _check_same(found, answer)
    resolver = make_resolver(library, found.hierarchy)
    yield planned(found)
    judged = {one.window: one for one in answer.sub_answers}
    for one in answer.sub_answers:
        if one.window not in windows:
            yield SubAnswerReady(one)
    skipped: list[Skipped] = list(found.selection.skipped)
    yield from skipped
    mapper, reducer = engine.backend.mapper, engine.backend.reducer
    read = mapper.prepare(answer.question, found.selection.blocks)
    executor = engine.calls if mapper.waits else engine.threads
    wanted = [one for one in found.windows if one.index in windows]
    for event in map_windows(answer.question, wanted, read, executor, engine.is_stopping):
        if isinstance(event, SubAnswerReady):
            judged[event.sub_answer.window] = event.sub_answer
        else:
            skipped.append(event)
        yield event
    points, told = keep_points(
        [judged[window] for window in sorted(judged)],
        settings.reduce_tokens,
        engine.tokenizer,
        by_window=METHODS[answer.method].by_window,
    )
    text = "" if points else nothing_found(told)
    if points:
        pieces = partial(reducer.reduce, answer.question, points)
        for piece in streamed(engine, pieces) if reducer.waits else pieces():
            text += piece
            yield AnswerToken(piece)
    paragraphs, notes = compose(text, points, resolver)
    again = (AGAIN, ", ".join(str(one + 1) for one in sorted(windows)))
    yield AnswerReady(
        replace(
            answer,
            id=key,
            settings=tuple(sorted((dict(answer.settings) | dict([again])).items())),
            text=text,
            paragraphs=paragraphs,
            notes=(*notes, *limits, *model_notes(engine)),
            sub_answers=tuple(told),
            skipped=tuple(skipped),
            usage=engine.meter.usage,
            seconds=round(time.monotonic() - began, 3),
            seconds_to_first=0.0,
        )
    )


def settings_of(answer: Answer) -> AskSettings:
    """Return the settings with which an answer was asked for."""
    known = {name: value for name, value in answer.settings if name in AskSettings.model_fields}
    if known.get("level") == "leaf":
        del known["level"]
    return AskSettings.model_validate({**known, "method": answer.method})


def _check_same(found: Plan, answer: Answer) -> None:
    """Raise where the windows of an answer are not those of the corpus as it is now."""
    now = {one.index: tuple(block.id for block in one.blocks) for one in found.windows}
    before = {one.window: one.block_ids for one in answer.sub_answers}
    if now != before:
        raise InputError(
            "The corpus was built anew since this answer, or a model reads less at once: its "
            "windows are others now. Ask the question again."
        )
