"""The entry: `streamlit run app.py`. The main script is the router, so that deep links work."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

gc.disable()  # walking what is being imported costs more than importing it: measured 0.3 s
from pages import _session  # noqa: E402

gc.freeze()
gc.enable()


@asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[None]:
    """Let running builds and answers stop cleanly when the server ends."""
    yield
    _session.stop_all()


app = st.App("pages/_router.py", lifespan=_lifespan)
