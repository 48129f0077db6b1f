"""Windows and sub-answers: each state has its own drawing, a failure is never a zero."""

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import looked_at, markup


def _draw_all_states() -> None:
    from pages import _windows
    from sensemaking.types import Point, SubAnswer

    point = Point("p", "Costs", "The wall costs <b>1.2</b> million.", 80, ())
    some = (
        SubAnswer(0, "kept", 80, (point,), ("r1",), ("Wall",), 900),
        SubAnswer(1, "zero", 0, (), ("r2", "r3"), ("Ferry", "Bridge"), 900),
        SubAnswer(2, "failed", 0, (), ("r4", "r5"), ("A", "B"), 900, "Reply is <i>not</i> JSON."),
        SubAnswer(3, "waiting", 0, (), (), ("C",), 900),
        SubAnswer(4, "reading", 0, (), (), ("D",), 900),
        SubAnswer(5, "cut", 12, (point,), ("r6",), ("E",), 900),
    )
    _windows.legend(some)
    _windows.strip(some)
    _windows.failures(some)
    _windows.slots(some, key="slot")


def test_each_state_of_a_window_is_drawn_apart_and_counted() -> None:
    page = markup(looked_at(AppTest.from_function(_draw_all_states, default_timeout=20).run()))
    assert "<b>4 of 6</b> windows read" in page
    for drawn in ('class="fail"', 'class="zero"', 'class="wait"', 'class="run"', "height:80%"):
        assert drawn in page
    assert "The answer leaves out 2\u00a0reports" in page
    assert "Window 3 failed" in page
    assert "cut by the budget" in page


def test_text_of_sub_answers_is_escaped() -> None:
    page = markup(AppTest.from_function(_draw_all_states, default_timeout=20).run())
    assert "<b>1.2</b>" not in page
    assert "<i>not</i>" not in page
    assert "&lt;b&gt;1.2&lt;/b&gt;" in page
