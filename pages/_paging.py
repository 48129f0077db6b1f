"""Long lists fifty at a time: which part is shown, and the way to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._words import number

T = TypeVar("T")
PAGE = 50


def paged(rows: Sequence[T], *, param: str = "page", size: int = PAGE) -> Sequence[T]:
    """Return the part of the rows that the address asks for, from page 1 on."""
    return rows[(_page(len(rows), param, size) - 1) * size :][:size]


def draw_pager(n_rows: int, *, key: str, param: str = "page", size: int = PAGE) -> None:
    """Draw which part is shown and the buttons to the others; nothing where all fit."""
    if n_rows <= size:
        return
    page = _page(n_rows, param, size)
    last = -(-n_rows // size)
    with st.container(
        horizontal=True, vertical_alignment="center", gap="small", key=f"row_pager_{key}"
    ):
        first = (page - 1) * size
        look.text(
            f"{number(first + 1)} to {number(min(n_rows, first + size))} of {number(n_rows)}", "s"
        )
        for word, icon, to in (
            ("Before", ":material/chevron_left:", page - 1),
            ("After", ":material/chevron_right:", page + 1),
        ):
            st.button(
                "",
                icon=icon,
                type="tertiary",
                key=f"{word.lower()}_{key}",
                help=word,
                disabled=not 1 <= to <= last,
                on_click=session.set_params,
                kwargs={param: to},
            )


def _page(n_rows: int, param: str, size: int) -> int:
    asked = session.number_param(param) or 1
    return min(max(1, asked), max(1, -(-n_rows // size)))
