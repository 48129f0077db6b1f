"""Tokens and small markup. Every value that reaches markup goes through `esc`."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Literal, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages import _session as session
from pages._words import bind_units
from sensemaking.errors import SensemakingError
from sensemaking.figures.theme import Palette, community_color, read_palette

STATIC = Path(__file__).parent / "static"
ASSETS = Path(__file__).parents[1] / "assets"
Mode = Literal["light", "dark"]
Sign = Literal["ok", "run", "warn", "bad", "wait"]
Fact = tuple[str, str] | tuple[str, str, str]


def esc(value: object) -> str:
    """Return text that markup shows as it is, numbers bound to their units."""
    return html.escape(bind_units(str(value)), quote=True)


def exact(value: str) -> str:
    """Return text that markup shows character for character: for passages of a source."""
    return html.escape(value, quote=True)


@cache
def tokens() -> dict[str, Any]:
    """Return the design tokens."""
    return cast("dict[str, Any]", json.loads((STATIC / "tokens.json").read_text("utf-8")))


def mode() -> Mode:
    """Return whether this visitor reads in the light or in the dark."""
    return "dark" if st.context.theme.type == "dark" else "light"


def palette() -> Palette:
    """Return the colours of figures for this visitor."""
    return read_palette(tokens(), mode())


def helpfulness_color(value: int) -> str:
    """Return the colour of a helpfulness 0-100; bars start at the third step."""
    steps = tokens()["scale"]["helpfulness"][mode()]
    return str(steps[min(len(steps) - 1, max(2, round(value / 100 * (len(steps) - 1))))])


def stylesheet() -> None:
    """Write the colours of the mode, then the stylesheet."""
    colors = ";".join(f"--{name}:{both[mode()]}" for name, both in tokens()["color"].items())
    st.html(f"<style>:root{{{colors}}}</style>")
    st.html(STATIC / "style.css")


def draw(markup: str) -> None:
    """Draw markup whose values were escaped; nothing for none, which Streamlit refuses."""
    if markup:
        st.html(markup)


def text(value: str, style: str = "p") -> None:
    """Draw one paragraph of text in a style of the stylesheet."""
    draw(f'<p class="sm-{style}">{esc(value)}</p>')


def head(title: str, note: str = "") -> None:
    """Draw the page's name and one line of facts."""
    draw(f'<div class="sm-head"><h1>{esc(title)}</h1><p>{esc(note)}</p></div>')
    session.let_paint()


def heading(title: str, note: str = "") -> None:
    """Draw a panel's heading, a note at its right."""
    draw(
        f'<div class="sm-row sm-sp"><h2 class="sm-h">{esc(title)}</h2>'
        f'<span class="sm-s">{esc(note)}</span></div>'
    )


def titled(title: str, note: str) -> None:
    """Draw a small heading with one line under it."""
    draw(f'<p class="sm-h">{esc(title)}</p><p class="sm-s">{esc(note)}</p>')


def facts(pairs: Sequence[Fact]) -> None:
    """Draw labels over values, hairlines between; a third text is set small behind the value."""
    cells = []
    for label, value, *rest in pairs:
        small = f" <small>{esc(rest[0])}</small>" if rest else ""
        cells.append(f"<div><span>{esc(label)}</span><b>{esc(value)}{small}</b></div>")
    draw(f'<div class="sm-facts">{"".join(cells)}</div>')


def sign(word: str, kind: Sign) -> str:
    """Return a state: a sign that differs in shape, and the word."""
    return f'<span class="sm-state sm-{kind}"><i></i>{esc(word)}</span>'


def tag(word: str, kind: Literal["", "good", "warn", "bad"] = "") -> str:
    """Return a small tag."""
    return f'<span class="sm-tag {kind}">{esc(word)}</span>'


def bar(part: float, color: str = "var(--fill)") -> str:
    """Return a bar filled to a share of 0 to 1."""
    width = 100 * min(1.0, max(0.0, part))
    return f'<div class="sm-bar"><i style="width:{width:.1f}%;background:{color}"></i></div>'


def score(value: int) -> str:
    """Return a helpfulness 0-100 as bar and number."""
    return (
        f'<div class="sm-score">{bar(value / 100, helpfulness_color(value))}'
        f"<span>{value}</span></div>"
    )


def fingerprint(sizes: Sequence[int], label: str) -> str:
    """Return the stack of communities of one level, largest first; hatched when there are none."""
    total = sum(sizes)
    if not total:
        return (
            f'<div class="sm-stack" role="img" aria-label="{esc(label)}"><i class="none"></i></div>'
        )
    ranked, colors = sorted(sizes, reverse=True), palette()
    parts = "".join(
        f'<i style="width:{100 * size / total:.2f}%;'
        f'background:{community_color(colors, rank)}"></i>'
        for rank, size in enumerate(ranked[:40])
    )
    return f'<div class="sm-stack" role="img" aria-label="{esc(label)}">{parts}</div>'


def empty(title: str, note: str, key: str) -> DeltaGenerator:
    """Draw what a page is for while there is nothing to show; returns the card for its button."""
    card = st.container(border=True, key=f"card_{key}", gap="small")
    with card:
        draw(f'<p class="sm-h2">{esc(title)}</p><p class="sm-p sm-quiet">{esc(note)}</p>')
    return card


def failure(message: str, key: str, title: str = "This did not work") -> None:
    """Draw what went wrong, in the words of the engine."""
    with st.container(border=True, key=f"card_{key}", gap="xsmall"):
        draw(
            f'<div role="alert">{sign(title, "bad")}'
            f'<p class="sm-p sm-wrap">{esc(message)}</p></div>'
        )


@contextmanager
def guard(key: str, *, ways_out: Callable[[], None] | None = None) -> Iterator[None]:
    """Show an error of the engine in place of what could not be drawn, and where one can go."""
    try:
        yield
    except SensemakingError as error:
        failure(str(error), key)
        if ways_out is not None:
            ways_out()
