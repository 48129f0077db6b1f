"""The files of a corpus: put in by upload or pasting, listed, taken out and brought back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from itertools import count as count_from
from pathlib import Path

import pandas as pd
import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from pages import _look as look
from pages import _session as session
from pages._words import count, media
from sensemaking.types import DocumentRow, FileStatus, SourceFile
from sensemaking.workspace import Corpus

ROW_PX = 32
MAX_ROWS_SHOWN = 14
STATUS: dict[FileStatus, str] = {
    "waiting": "Not read yet",
    "read": "Read",
    "empty": "Empty",
    "failed": "Not read",
    "duplicate": "Duplicate",
    "removed": "Removed",
}
SHOWN: dict[str, tuple[str, tuple[FileStatus, ...]]] = {
    "all": ("All", ("waiting", "read", "empty", "failed", "duplicate")),
    "read": ("Read", ("read",)),
    "waiting": ("Not read yet", ("waiting",)),
    "not_read": ("Not read", ("empty", "failed")),
    "duplicate": ("Duplicate", ("duplicate",)),
    "removed": ("Removed", ("removed",)),
}


def pasted_names() -> Iterator[str]:
    """Yield names for pasted texts: "pasted.txt", "pasted 2.txt" and so on."""
    yield "pasted.txt"
    yield from (f"pasted {n}.txt" for n in count_from(2))


def adding(corpus: Corpus) -> None:
    """Draw what puts documents in: files, a folder, or pasted text."""
    turn = session.kept("upload_turn", 0)
    key = f"upload_{corpus.name}_{turn}"

    def upload() -> None:
        files = [(one.name, one.getvalue()) for one in session.kept(key, list[UploadedFile]())]
        if files and session.act(corpus.add_files, files) is not None:
            session.keep("upload_turn", turn + 1)

    def paste() -> None:
        text = session.kept("paste_text", "").strip()
        taken = {row.name for row in corpus.files()}
        given = session.kept("paste_name", "").strip()
        name = given or next(one for one in pasted_names() if one not in taken)
        if text and session.act(corpus.add_files, [(name, text.encode())]) is not None:
            session.keep("paste_text", "")
            session.keep("paste_name", "")

    is_folder = st.toggle("A whole folder", key="upload_folder")
    st.file_uploader(
        "Documents",
        accept_multiple_files="directory" if is_folder else True,
        label_visibility="collapsed",
        key=key,
        on_change=upload,
    )
    look.text("PDF, Word, HTML, Markdown, text, CSV, JSON, or a zip of them.", "s")
    if session.is_local():
        _adding_path(corpus)
    with st.expander("Paste text", key="paste"):
        st.text_input("Name", key="paste_name", placeholder="pasted.txt", max_chars=120)
        st.text_area("Text", key="paste_text", height=160)
        st.button("Add text", key="paste_add", icon=":material/add:", on_click=paste)


def _adding_path(corpus: Corpus) -> None:
    """Draw what takes a folder by its path: nothing is uploaded, names are relative to it."""

    def add() -> None:
        path = Path(session.kept("folder_path", "").strip().replace("\0", ""))
        with contextlib.suppress(RuntimeError):  # "~" of somebody who is not known here stays
            path = path.expanduser()
        if path.name and session.act(corpus.add_paths, [path]) is not None:
            session.keep("folder_path", "")

    with st.expander("A folder on this machine", key="folder"):
        st.text_input("Path", key="folder_path", placeholder="/home/ada/leak")
        st.button("Add folder", key="folder_add", icon=":material/add:", on_click=add)


def listing(corpus: Corpus) -> None:
    """Draw the files with state and reason, and what can be done with the chosen ones."""
    present, removed = corpus.files(), corpus.removed_files()
    files = (*present, *removed)
    numbers = {
        name: sum(_status(one, removed) in kinds for one in files)
        for name, (_, kinds) in SHOWN.items()
    }
    # The same while a build reads: a choice must not vanish under the visitor's hand.
    options = [name for name in SHOWN if name not in ("duplicate", "removed") or numbers[name]]
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    with left:
        show = st.pills(
            "Show",
            options,
            format_func=lambda name: f"{SHOWN[name][0]} {numbers[name]}",
            default="all",
            key="files_show",
            label_visibility="collapsed",
        )
    with right:
        find = st.text_input(
            "Find a file",
            placeholder="Find a file",
            key="files_find",
            label_visibility="collapsed",
            icon=":material/search:",
        )
    kinds = SHOWN[show or "all"][1]
    rows = [
        one
        for one in files
        if _status(one, removed) in kinds and (find or "").lower() in one.name.lower()
    ]
    _undo(corpus)
    if rows:
        _table(corpus, rows, removed, key=f"files_{show}_{find}_{len(rows)}")
    else:
        look.text("No file of that kind.", "s")


def _status(one: SourceFile, removed: Sequence[SourceFile]) -> FileStatus:
    return "removed" if one in removed else one.status


def _table(
    corpus: Corpus, rows: Sequence[SourceFile], removed: Sequence[SourceFile], *, key: str
) -> None:
    documents = {one.id: one for one in session.documents(corpus)}
    frame = pd.DataFrame([_record(one, documents, removed) for one in rows])
    chosen = st.dataframe(
        frame,
        hide_index=True,
        height=min(len(rows), MAX_ROWS_SHOWN) * ROW_PX + 36,
        row_height=ROW_PX,
        key=key,
        on_select="rerun",
        selection_mode="multi-row",
        placeholder="–",
        alt="Files of the corpus, with state and reason",
        column_config={
            "File": st.column_config.TextColumn(width=260),
            "Kind": st.column_config.TextColumn(width=70),
            "Language": st.column_config.TextColumn(width=80),
            "Size": st.column_config.NumberColumn(format="bytes", width=74),
            "Words": st.column_config.NumberColumn(format="localized", width=76),
            "Chunks": st.column_config.NumberColumn(format="localized", width=70),
            "State": st.column_config.TextColumn(width=92),
            "Reason": st.column_config.TextColumn(width=170),
        },
    )
    picked = [rows[n] for n in chosen["selection"]["rows"] if n < len(rows)]
    if picked:
        _actions(corpus, picked, are_removed=picked[0] in removed)


def _record(
    one: SourceFile, documents: dict[str, DocumentRow], removed: Sequence[SourceFile]
) -> dict[str, str | int | None]:
    inside = [documents[key] for key in one.document_ids if key in documents]
    languages = sorted({row.language for row in inside if row.language not in ("", "und")})
    return {
        "File": one.name,
        "Kind": media(one.media_type),
        "Language": ", ".join(languages) or None,
        "Size": one.n_bytes or None,
        "Words": sum(row.n_words for row in inside) or None,
        "Chunks": sum(row.n_chunks for row in inside) or None,
        "State": STATUS[_status(one, removed)],
        "Reason": one.reason or None,
    }


def _actions(corpus: Corpus, picked: Sequence[SourceFile], *, are_removed: bool) -> None:
    ids = [one.id for one in picked]

    def change(do: Callable[[Sequence[str]], None], removed: list[str]) -> None:
        session.act(do, ids)
        session.keep("just_removed", removed)

    with st.container(horizontal=True, gap="small", key="row_picked"):
        if are_removed:
            st.button(
                f"Bring back {count(len(ids), 'file')}",
                key="files_restore",
                on_click=change,
                args=(corpus.restore_files, []),
            )
            return
        inside = [key for one in picked for key in one.document_ids]
        if inside and st.button("Open", key="files_open", icon=":material/open_in_new:"):
            session.set_params(document=inside[0], start=None, end=None)
            st.rerun()
        st.button(
            f"Remove {count(len(ids), 'file')}",
            key="files_remove",
            icon=":material/delete:",
            on_click=change,
            args=(corpus.remove_files, ids),
        )


def _undo(corpus: Corpus) -> None:
    ids = session.kept("just_removed", list[str]())
    if not ids:
        return

    def undo() -> None:
        session.act(corpus.restore_files, ids)
        session.drop("just_removed")

    with st.container(horizontal=True, vertical_alignment="center", key="row_undo"):
        look.text(f"{count(len(ids), 'file')} removed. The next build leaves them out.", "s")
        st.button("Undo", key="files_undo", type="tertiary", on_click=undo)
