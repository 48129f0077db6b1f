import threading
from concurrent.futures import Future, ThreadPoolExecutor

import pytest

from sensemaking.answers.mapreduce import keep_points, map_windows, plan_windows
from sensemaking.errors import ModelUnavailable, SensemakingError
from sensemaking.ports import PointDraft
from sensemaking.types import (
    Citation,
    ContextBlock,
    Point,
    Skipped,
    SubAnswer,
    SubAnswerReady,
)


class Words:
    """Counts words, plus nothing."""

    key = "words"

    def count(self, text):
        return len(text.split())


class Serial:
    """Runs a unit when it is submitted."""

    n_workers = 1

    def submit(self, function, /, *args):
        future = Future()
        try:
            future.set_result(function(*args))
        except (SensemakingError, ArithmeticError) as error:
            future.set_exception(error)
        return future


class Threads(ThreadPoolExecutor):
    n_workers = 2


def make_windows(n):
    blocks = [ContextBlock(f"b{i}", f"Title {i}", "text", 80, 1.0, 1, ()) for i in range(n)]
    return plan_windows(blocks, 100, seed=1)


def draft(helpfulness, text="Something."):
    return PointDraft("Theme", text, helpfulness, (Citation("finding", "f"),))


def run(windows, read, executor=None):
    events = list(map_windows("why?", windows, read, executor or Serial()))
    subs = [one.sub_answer for one in events if isinstance(one, SubAnswerReady)]
    return subs, [one for one in events if isinstance(one, Skipped)]


def sub(window, *scores, status="kept", words=2, reason=""):
    points = tuple(
        Point(f"{window}.{n}", "T", "word " * words, score, ()) for n, score in enumerate(scores)
    )
    best = max(scores, default=0)
    return SubAnswer(window, status, best, points, (), (), 10, reason)


def test_a_window_is_as_helpful_as_its_best_point():
    windows = make_windows(2)
    subs, skipped = run(windows, lambda window: [draft(20), draft(70), draft(0)])
    assert [one.helpfulness for one in subs] == [70, 70]
    assert [one.status for one in subs] == ["kept", "kept"]
    assert skipped == []
    assert subs[0].block_titles == tuple(block.title for block in windows[0].blocks)
    assert len({point.id for one in subs for point in one.points}) == 6


def test_points_have_the_same_ids_every_time_and_others_for_another_question():
    windows = make_windows(2)
    first, _ = run(windows, lambda window: [draft(20)])
    again, _ = run(windows, lambda window: [draft(20)])
    (other, *_) = map_windows("how?", windows, lambda window: [draft(20)], Serial())
    ids = [point.id for one in first for point in one.points]
    assert ids == [point.id for one in again for point in one.points]
    assert other.sub_answer.points[0].id not in ids


def test_no_points_and_points_of_zero_mean_that_a_window_does_not_help():
    subs, skipped = run(make_windows(2), lambda window: [draft(0)] if window.index else [])
    assert [(one.status, one.helpfulness) for one in subs] == [("zero", 0), ("zero", 0)]
    assert skipped == []


def test_helpfulness_stays_within_its_scale():
    subs, _ = run(make_windows(1), lambda window: [draft(150), draft(-3)])
    assert [point.helpfulness for point in subs[0].points] == [100, 0]


def test_a_window_that_fails_is_skipped_and_not_zero():
    def read(window):
        if window.index == 1:
            raise SensemakingError("window 2: no reply in 30 s")
        return [draft(50)]

    subs, skipped = run(make_windows(3), read)
    assert sorted((one.window, one.status) for one in subs) == [
        (0, "kept"),
        (1, "failed"),
        (2, "kept"),
    ]
    assert skipped == [Skipped("map", "window 2", "window 2: no reply in 30 s", retriable=True)]
    _, judged = keep_points(subs, 1000, Words())
    assert [one.status for one in judged] == ["kept", "failed", "kept"]


def test_other_exceptions_are_raised():
    def read(window):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        run(make_windows(2), read)


def test_windows_arrive_as_they_are_read():
    first_seen = threading.Event()

    def read(window):
        if window.index == 0:
            assert first_seen.wait(30)
        return [draft(10)]

    with Threads(2) as executor:
        events = map_windows("why?", make_windows(2), read, executor)
        assert next(events).sub_answer.window == 1
        first_seen.set()
        assert [one.sub_answer.window for one in events] == [0]


def test_a_consumer_that_stops_cancels_what_has_not_begun():
    gate, began = threading.Event(), []

    def read(window):
        began.append(window.index)
        if window.index:
            assert gate.wait(30)
        return []

    with Threads(1) as executor:
        events = map_windows("why?", make_windows(20), read, executor)
        next(events)
        events.close()
        gate.set()
    assert len(began) <= 2


def test_points_are_kept_by_helpfulness_then_window_then_order():
    points, _ = keep_points([sub(1, 50, 90), sub(0, 50, 0, 90)], 1000, Words())
    assert [point.id for point in points] == ["0.2", "1.1", "0.0", "1.0"]


def test_the_budget_stops_at_the_first_point_that_does_not_fit():
    subs = [sub(0, 90), sub(1, 80, words=50), sub(2, 70), sub(3, 0)]
    points, judged = keep_points(subs, 30, Words())
    assert [point.id for point in points] == ["0.0"]
    assert [one.status for one in judged] == ["kept", "cut", "cut", "zero"]


def test_a_window_with_one_kept_point_is_kept():
    _, judged = keep_points([sub(0, 90, 10), sub(1, 80)], 25, Words())
    assert [one.status for one in judged] == ["kept", "kept"]
    assert [len(one.points) for one in judged] == [2, 1]


def test_nothing_helpful_is_an_outcome_and_not_an_error():
    points, judged = keep_points([sub(0, 0), sub(1), sub(2, status="failed")], 1000, Words())
    assert points == []
    assert [one.status for one in judged] == ["zero", "zero", "failed"]


def test_all_windows_failed_is_an_error_with_the_reason():
    failed = [sub(n, status="failed", reason="no reply") for n in range(3)]
    with pytest.raises(ModelUnavailable, match=r"None of the 3 windows.*no reply"):
        keep_points(failed, 1000, Words())


def test_no_windows_give_no_points():
    assert keep_points([], 1000, Words()) == ([], [])
