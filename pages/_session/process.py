"""The workspace of this process: it outlives every visit, reload and cleared cache."""

from __future__ import annotations

import sys
import threading
from types import ModuleType
from typing import Any, cast

import streamlit as st

from sensemaking.workspace import Workspace

_RUNTIME = "_sensemaking_runtime"


def _runtime() -> ModuleType:
    """Return a module without a file: no reload and no cleared cache makes a second workspace."""
    module = sys.modules.get(_RUNTIME)
    if module is None:
        module = sys.modules.setdefault(_RUNTIME, ModuleType(_RUNTIME))
    module.__dict__.setdefault("lock", threading.RLock())
    return module


def workspace() -> Workspace:
    """Return the one workspace of this process."""
    runtime = _runtime()
    with runtime.lock:
        if getattr(runtime, "workspace", None) is None:
            host(Workspace.open(secrets=_secrets()))
    return cast("Workspace", runtime.workspace)


def _secrets() -> dict[str, Any]:
    """Return the section `models` of the app's secrets; there need not be any."""
    if not st.secrets.load_if_toml_exists():
        return {}
    return dict(st.secrets.get("models", {}))


def host(one: Workspace | None) -> None:
    """Let the pages of this process show a workspace; None forgets the present one."""
    _runtime().__dict__["workspace"] = one


def stop_all() -> None:
    """Stop all work and close the corpora; what is done is kept."""
    one: Workspace | None = getattr(_runtime(), "workspace", None)
    if one is not None:
        one.close()
        host(None)
