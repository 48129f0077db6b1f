"""An answer written again from the windows that its reader keeps: some dropped, some pinned.

Nothing is read again: sub-answers of the first answer are all there is, and only the reducer works.
The new answer is one of its own, with its own id, and says in its settings what it was made from.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Generator
from dataclasses import replace
from functools import partial

from sensemaking.answers.mapreduce import keep_points
from sensemaking.answers.provenance import compose
from sensemaking.errors import InputError
from sensemaking.methods import METHODS
from sensemaking.pipeline.engine import Engine, metered, model_notes, streamed
from sensemaking.pipeline.library import CODE_VERSIONS, Library
from sensemaking.pipeline.resolving import make_resolver
from sensemaking.types import (
    Answer,
    AnswerReady,
    AnswerToken,
    AskEvent,
    Point,
    SubAnswer,
    SubAnswerReady,
    WindowsPlanned,
    digest,
)

DROPPED = "dropped by the reader"


def rewrite_id(
    engine: Engine, answer: Answer, dropped: Collection[int], pinned: Collection[int]
) -> str:
    """Return the id of the answer that is written again.

    Raises
    ------
    InputError
        When nothing is chosen, when a window is both dropped and pinned or is not there, or when
        nothing is left to write from.
    """
    known = {one.window for one in answer.sub_answers}
    chosen = {*dropped, *pinned}
    if not chosen:
        raise InputError("Nothing is dropped or pinned: choose windows first.")
    if both := sorted(set(dropped) & set(pinned)):
        raise InputError(f"Window {both[0] + 1} is both dropped and pinned: choose one of the two.")
    if unknown := sorted(chosen - known):
        raise InputError(f"The answer has {len(known)} windows, no window {unknown[0] + 1}.")
    if not any(one.helpfulness > 0 for one in _left(answer, dropped)):
        raise InputError("No window that helps is left: drop fewer.")
    version, reducer = CODE_VERSIONS["answer"], engine.backend.reducer.key
    parts = [",".join(map(str, sorted(ones))) for ones in (dropped, pinned)]
    return digest("rewrite", version, reducer, answer.id, *parts)


def rewrite(
    engine: Engine,
    library: Library,
    answer: Answer,
    dropped: Collection[int],
    pinned: Collection[int],
) -> Generator[AskEvent, None, None]:
    """Write an answer again without the dropped windows (from 0), the pinned ones first.

    Yields what `ask` yields and ends with `AnswerReady`; raises as `rewrite_id`.
    """
    yield from metered(engine, _rewrite(engine, library, answer, set(dropped), set(pinned)))


def _rewrite(
    engine: Engine, library: Library, answer: Answer, dropped: set[int], pinned: set[int]
) -> Generator[AskEvent, None, None]:
    began = time.monotonic()
    key = rewrite_id(engine, answer, dropped, pinned)
    settings = dict(answer.settings)
    resolver = make_resolver(library, settings["hierarchy"])
    yield WindowsPlanned(
        tuple(one.block_titles for one in answer.sub_answers), answer.n_tokens, answer.coverage
    )
    points, judged = _choose(engine, answer, dropped, pinned)
    for one in judged:
        yield SubAnswerReady(one)
    text = ""
    pieces = partial(engine.backend.reducer.reduce, answer.question, points)
    for piece in streamed(engine, pieces) if engine.backend.reducer.waits else pieces():
        text += piece
        yield AnswerToken(piece)
    paragraphs, notes = compose(text, points, resolver)
    told = settings | {
        name: ", ".join(str(window + 1) for window in sorted(ones))
        for name, ones in (("dropped windows", dropped), ("pinned windows", pinned))
        if ones
    }
    yield AnswerReady(
        replace(
            answer,
            id=key,
            settings=tuple(sorted(told.items())),
            text=text,
            paragraphs=paragraphs,
            notes=(*notes, *model_notes(engine)),
            sub_answers=tuple(judged),
            usage=engine.meter.usage,
            seconds=round(time.monotonic() - began, 3),
            seconds_to_first=0.0,
        )
    )


def _choose(
    engine: Engine, answer: Answer, dropped: set[int], pinned: set[int]
) -> tuple[list[Point], list[SubAnswer]]:
    """Return the points to write from, those of pinned windows first, and what became of each."""
    budget = min(int(dict(answer.settings)["reduce_tokens"]), engine.backend.reducer.context_tokens)
    method = METHODS.get(answer.method)
    by_window = method.by_window if method is not None else False
    left = _left(answer, dropped)
    points: list[Point] = []
    judged: dict[int, SubAnswer] = {}
    first = [one for one in left if one.window in pinned]
    rest = [one for one in left if one.window not in pinned]
    for group in (first, rest):
        used = sum(engine.tokenizer.count(f"{one.heading}: {one.text}") + 8 for one in points)
        if group and budget > used:
            kept, told = keep_points(group, budget - used, engine.tokenizer, by_window=by_window)
            points += kept
            judged |= {one.window: one for one in told}
    for one in answer.sub_answers:
        if one.window in dropped:
            judged[one.window] = replace(one, status="cut", reason=DROPPED)
        judged.setdefault(one.window, one)
    return points, [judged[window] for window in sorted(judged)]


def _left(answer: Answer, dropped: Collection[int]) -> list[SubAnswer]:
    return [
        one for one in answer.sub_answers if one.window not in dropped and one.status != "failed"
    ]
