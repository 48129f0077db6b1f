"""Settings: language models by role and whether they answer, prices, budget, defaults, storage."""

from __future__ import annotations

import streamlit as st

from pages import _defaults as defaults
from pages import _look as look
from pages import _models as models
from pages import _session as session
from pages._look import esc
from pages._words import count, size
from sensemaking.types import StorageRow

TABS = ("Models", "Prices and budget", "Defaults", "Storage", "About")


def empty_trash() -> None:
    session.act(session.workspace().empty_trash)


@st.dialog("Empty the trash?")
def ask_empty(rows: list[StorageRow]) -> None:
    names = ", ".join(row.name for row in rows)
    look.draw(
        f'<p class="sm-p">{esc(count(len(rows), "corpus", "corpora"))} will be gone for good: '
        f"<b>{esc(names)}</b>. Files outside Sensemaking are not touched.</p>"
    )
    with st.container(horizontal=True, gap="small", key="row_empty"):
        if st.button("Empty the trash", type="primary", key="go_empty", on_click=empty_trash):
            st.rerun()
        if st.button("Keep", key="keep_trash"):
            st.rerun()


def render_storage() -> None:
    rows = session.workspace().storage()
    kept = [row for row in rows if not row.is_trash]
    trash = [row for row in rows if row.is_trash]
    look.facts(
        [
            ("Corpora", size(sum(row.n_bytes for row in kept))),
            ("Trash", size(sum(row.n_bytes for row in trash))),
            ("Folder", str(session.workspace().home)),
        ]
    )
    if not rows:
        look.text("There is no corpus yet.", "s")
        return
    most = max(row.n_bytes for row in rows) or 1
    look.draw(
        '<div class="sm-storage">'
        + "".join(
            f"<span>{esc(row.name)}</span>{look.bar(row.n_bytes / most)}"
            f"<b>{esc(size(row.n_bytes))}</b>"
            f"<small>{'in the trash' if row.is_trash else ''}</small>"
            for row in rows
        )
        + "</div>"
    )
    if trash and st.button(
        "Empty the trash",
        icon=":material/delete:",
        key="empty_trash",
        disabled=session.workspace().is_read_only,
    ):
        ask_empty(trash)


def render_about() -> None:
    for one in session.checks():
        look.draw(
            f'<div class="sm-row">{look.sign(one.name, "ok" if one.is_good else "bad")}'
            f'<p class="sm-s">{esc(one.detail)}</p></div>'
        )
    look.text(
        "Sensemaking runs on this machine. It sends nothing anywhere but to the endpoints that you "
        "set under Models.",
        "s",
    )


look.head("Settings")
for tab, name in zip(st.tabs(TABS, key="settings_tabs", on_change="rerun"), TABS, strict=True):
    if not tab.open:  # what is not looked at is not measured
        continue
    with tab, st.container(border=True, key=f"panel_{name.split()[0].lower()}", gap="small"):
        if name == "Models":
            models.draw_models()
        elif name == "Prices and budget":
            models.draw_prices()
        elif name == "Defaults":
            defaults.draw_defaults()
        elif name == "Storage":
            render_storage()
        else:
            render_about()
