"""One visit: the address, which a colleague may share, and what only this visitor needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import streamlit as st

from pages._session.process import workspace
from sensemaking.errors import NotFound, SensemakingError
from sensemaking.workspace import Corpus

PAINT_SECONDS = 0.12

P = ParamSpec("P")
R = TypeVar("R")


def param(name: str) -> str | None:
    """Return a query parameter, None when it is absent or empty."""
    return st.query_params.get(name) or None


def number_param(name: str) -> int | None:
    """Return a query parameter that is a whole number from 0 up, else None."""
    text = param(name) or ""
    return int(text) if text.isdecimal() and len(text) < 10 else None


def set_params(**values: str | int | None) -> None:
    """Change some query parameters and leave the others; None takes one away."""
    for name, value in values.items():
        if value is None:
            st.query_params.pop(name, None)
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)


def clear_params(keep: tuple[str, ...] = ("corpus",)) -> None:
    """Take all query parameters away but some."""
    for name in list(st.query_params):
        if name not in keep:
            del st.query_params[name]


def go(page: str, **params: str | int | None) -> None:
    """Open another page at the end of a callback; `page` is a file beside the router."""
    st.session_state["going_to"] = (page, {k: str(v) for k, v in params.items() if v is not None})


def let_paint() -> None:
    """Give a new tab time to paint the heading before charts and tables keep it busy.

    Streamlit's browser side loads what draws an element when the element arrives; plotly alone
    stands in the way for a second (measured), and all that came with it waits.
    """
    if "painted" not in st.session_state and st.context.headers.get("Host"):
        st.session_state["painted"] = True
        time.sleep(PAINT_SECONDS)


def follow() -> None:
    """Go where a callback asked to go; called once by the router."""
    target = st.session_state.pop("going_to", None)
    if target is not None:
        st.switch_page(target[0], query_params=target[1])


def act(do: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R | None:
    """Do what a button asks for; a refusal is kept and shown by the next run."""
    try:
        return do(*args, **kwargs)
    except SensemakingError as error:
        st.session_state["refusal"] = str(error)
        return None


def take_refusal() -> str | None:
    """Return why the last action was refused, once."""
    return cast("str | None", st.session_state.pop("refusal", None))


def keep(key: str, value: object) -> None:
    """Remember something for this visitor, or the value of a widget before it is drawn."""
    st.session_state[key] = value


def kept(key: str, default: R) -> R:
    """Return what was kept or what a widget holds."""
    return cast("R", st.session_state.get(key, default))


def selection(key: str, what: str) -> list[Any]:
    """Return what is selected in a chart ("points") or a table ("rows")."""
    return list(kept(key, dict[str, Any]()).get("selection", {}).get(what, []))


def drop(key: str) -> None:
    """Forget something kept."""
    st.session_state.pop(key, None)


def is_local() -> bool:
    """Whether this visitor sits at the machine that the program runs on, not behind a proxy."""
    headers = st.context.headers
    is_passed_on = any(name in headers for name in ("X-Forwarded-For", "Forwarded", "X-Real-Ip"))
    return st.context.ip_address in (None, "127.0.0.1", "::1") and not is_passed_on


def corpus() -> Corpus | None:
    """Return the corpus of the address, else the last one of this visitor, else the only one.

    Raises
    ------
    NotFound
        The address names a corpus that is not there.
    """
    here = workspace()
    name = param("corpus")
    if name is None:
        names = [row.name for row in here.corpora()]
        last = kept("last_corpus", "")
        name = last if last in names else names[0] if len(names) == 1 else None
        if name is None:
            return None
    found = here.open_corpus(name)
    keep("last_corpus", name)
    return found


def corpus_or_none() -> Corpus | None:
    """Return the corpus like `corpus`, None where the address names an unknown one."""
    try:
        return corpus()
    except NotFound:
        return None
