"""Long lists, a page at a time."""

import pytest
from streamlit.testing.v1 import AppTest


def draw(n_rows: int) -> None:
    import streamlit as st

    from pages._paging import draw_pager, paged

    st.text(",".join(map(str, paged(list(range(n_rows))))))
    draw_pager(n_rows, key="rows")


def page(n_rows: int, asked: str) -> AppTest:
    app = AppTest.from_function(draw, args=(n_rows,))
    app.query_params["page"] = asked
    return app.run()


@pytest.mark.parametrize(
    ("asked", "first", "last"),
    [("1", 0, 49), ("2", 50, 99), ("3", 100, 119), ("99", 100, 119), ("0", 0, 49), ("x", 0, 49)],
)
def test_fifty_rows_are_shown_from_a_page_that_there_is(asked: str, first: int, last: int) -> None:
    app = page(120, asked)
    assert not app.exception
    shown = app.text[0].value.split(",")
    assert (shown[0], shown[-1]) == (str(first), str(last))


def test_the_buttons_lead_to_the_pages_beside() -> None:
    app = page(120, "2")
    app.button(key="after_rows").click().run()
    assert app.query_params["page"] in ("3", ["3"])
    assert app.button(key="after_rows").disabled
    app.button(key="before_rows").click().run()
    assert app.text[0].value.startswith("50,")


def test_a_list_that_fits_has_no_pager() -> None:
    assert not page(50, "1").button
