"""The entry: `streamlit run app.py`. The main script is the router, so that deep links work."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

from pages import _session


@asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[None]:
    """Let running builds and answers stop cleanly when the server ends."""
    yield
    _session.stop_all()


app = st.App("pages/_router.py", lifespan=_lifespan)
