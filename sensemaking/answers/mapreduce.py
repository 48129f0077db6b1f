"""Map and reduce over windows: what is read together, who reads it, which points are kept.

In: context blocks, whatever they come from, and a function that reads one window. Out: one
sub-answer a window as it is read, then the points that the answer is written from.

Notes
-----
"From Local to Global" (Edge et al. 2024) scores a window's answer; its code, and we, score every
point of it. A window is as helpful as its best point. Points of helpfulness 0 are dropped; the
rest are taken by helpfulness until the first that does not fit the budget.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import replace

from sensemaking.context import pack_in_order, pack_shuffled
from sensemaking.errors import ModelUnavailable, Paused, RunStopped, SensemakingError
from sensemaking.ports import Executor, MapWindow, PointDraft, Tokenizer
from sensemaking.types import (
    ContextBlock,
    Point,
    Skipped,
    SubAnswer,
    SubAnswerReady,
    Window,
    WindowStatus,
    digest,
)

POINT_TOKENS = 8
"""What the number and the helpfulness of a point add to its text in the reducer's input."""

LOOK_SECONDS = 0.2

Reading = tuple[tuple[PointDraft, ...], float]


def plan_windows(blocks: Sequence[ContextBlock], window_tokens: int, seed: int) -> list[Window]:
    """Return the windows in which blocks are read: shuffled by seed, packed greedily.

    See `context.pack_shuffled` for the order inside a window.
    """
    return pack_shuffled(blocks, window_tokens, seed)


def map_windows(
    question: str,
    windows: Sequence[Window],
    read: MapWindow,
    executor: Executor,
    is_stopping: Callable[[], bool] = lambda: False,
) -> Iterator[SubAnswerReady | Skipped]:
    """Read all windows at once, as far as the executor allows; yield each as it is ready.

    A window whose reading raises a `SensemakingError` yields a sub-answer of status failed and a
    `Skipped`: it is not one that does not help. Any other exception is raised here. When the
    consumer stops, windows that nobody reads yet are cancelled.

    Raises
    ------
    Paused
        When the endpoint or the budget ends the run, or it was asked to stop.
    """
    pending: dict[Future[Reading], Window] = {
        executor.submit(_read, read, window): window for window in windows
    }
    try:
        while pending:
            done, _ = wait(pending, timeout=LOOK_SECONDS, return_when=FIRST_COMPLETED)
            if not done and is_stopping():
                raise RunStopped("Stopped; the windows that were read are kept.")
            for future in sorted(done, key=lambda one: pending[one].index):
                window = pending.pop(future)
                try:
                    drafts, seconds = future.result()
                except Paused:
                    raise
                except SensemakingError as error:
                    reason = str(error) or type(error).__name__
                    failed = _sub_answer(window, "failed", (), reason=reason)
                    yield SubAnswerReady(failed)
                    yield Skipped("map", f"window {window.index + 1}", reason, retriable=True)
                else:
                    points = _make_points(question, window, drafts)
                    helps = any(point.helpfulness > 0 for point in points)
                    status: WindowStatus = "kept" if helps else "zero"
                    yield SubAnswerReady(_sub_answer(window, status, points, seconds=seconds))
    finally:
        for future in pending:
            future.cancel()


def keep_points(
    sub_answers: Sequence[SubAnswer],
    reduce_tokens: int,
    tokenizer: Tokenizer,
    *,
    by_window: bool = False,
) -> tuple[list[Point], list[SubAnswer]]:
    """Return the points for the reducer, most helpful first, and what became of each window.

    With `by_window` a window has one score, that of its best point, and its points stay together.

    Windows come back in their order: kept when any of its points is, cut when it helps but the
    budget was full, zero, or failed. Ties keep the order of windows and of points inside them. No
    points at all means that no window helps: then there is nothing to reduce.

    Raises
    ------
    ModelUnavailable
        When there are windows and all of them failed.
    """
    ordered = sorted(sub_answers, key=lambda one: one.window)
    if ordered and all(one.status == "failed" for one in ordered):
        raise ModelUnavailable(
            f"None of the {len(ordered)} windows could be read, so there is no answer. "
            f"The first says: {ordered[0].reason}"
        )
    helpful = [point for one in ordered for point in one.points if point.helpfulness > 0]
    if by_window:
        ranked = sorted(ordered, key=lambda one: -one.helpfulness)  # stable
        helpful = [point for one in ranked for point in one.points if point.helpfulness > 0]
    else:
        helpful.sort(key=lambda point: -point.helpfulness)  # stable
    sizes = (POINT_TOKENS + tokenizer.count(f"{one.heading}: {one.text}") for one in helpful)
    kept = helpful[: pack_in_order(sizes, reduce_tokens)]
    kept_ids = {point.id for point in kept}
    return kept, [_judge(one, kept_ids) for one in ordered]


def _read(read: MapWindow, window: Window) -> Reading:
    began = time.perf_counter()
    drafts = tuple(read(window))
    return drafts, round(time.perf_counter() - began, 3)


def _make_points(question: str, window: Window, drafts: Sequence[PointDraft]) -> tuple[Point, ...]:
    return tuple(
        Point(
            id=digest(question, window.index, ordinal),
            heading=draft.heading,
            text=draft.text,
            helpfulness=min(100, max(0, draft.helpfulness)),
            citations=draft.citations,
        )
        for ordinal, draft in enumerate(drafts)
    )


def _sub_answer(
    window: Window,
    status: WindowStatus,
    points: tuple[Point, ...],
    *,
    reason: str = "",
    seconds: float = 0.0,
) -> SubAnswer:
    return SubAnswer(
        window=window.index,
        status=status,
        helpfulness=max((point.helpfulness for point in points), default=0),
        points=points,
        block_ids=tuple(block.id for block in window.blocks),
        block_titles=tuple(block.title for block in window.blocks),
        n_tokens=window.n_tokens,
        reason=reason,
        seconds=seconds,
    )


def _judge(one: SubAnswer, kept_ids: set[str]) -> SubAnswer:
    if one.status == "failed":
        return one
    if any(point.id in kept_ids for point in one.points):
        return replace(one, status="kept")
    return replace(one, status="cut" if one.helpfulness > 0 else "zero")
