"""The entry: `streamlit run app.py`. The main script is the router, so that deep links work."""

import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st
from starlette.requests import Request
from starlette.responses import FileResponse
from starlette.routing import Route

gc.disable()  # walking what is being imported costs more than importing it: measured 0.3 s
from pages import _session  # noqa: E402
from pages._library import DRAWING, drawing_library  # noqa: E402

gc.freeze()
gc.enable()


@asynccontextmanager
async def _lifespan(_app: st.App) -> AsyncIterator[None]:
    """Let running builds and answers stop cleanly when the server ends."""
    yield
    _session.stop_all()


async def _drawing(_request: Request) -> FileResponse:
    """Hand over the library that draws graphs; its name has its version, so it is kept for good."""
    kept = {"Cache-Control": "public, max-age=31536000, immutable"}
    return FileResponse(drawing_library(), media_type="text/javascript", headers=kept)


app = st.App("pages/_router.py", lifespan=_lifespan, routes=[Route(DRAWING, _drawing)])
