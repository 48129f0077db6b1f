"""A user's names, notes and pins of communities, kept in the corpus and untouched by builds."""

from __future__ import annotations

import threading
from dataclasses import replace

from sensemaking.errors import InputError
from sensemaking.pipeline.library import Library, reports_head
from sensemaking.text.reading import safe_name
from sensemaking.types import (
    CommunityAction,
    CommunityEdit,
    CommunityMark,
    FoundReport,
    Hierarchy,
    Report,
    digest,
)
from sensemaking.workspace.report_search import index_words, search_reports

EDITS = "community-edits"
"""Scope of the edits, in order."""
NAMES = "community-names"
"""Head that changes with the names: what shows titles is loaded anew."""
MOST = {"rename": 120, "note": 4000, "pin": 10}
"""Characters that are kept of each."""


class Notebook:
    """Keeps edits, shows what they come to, finds reports by their words. Safe to share."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._lock = threading.Lock()

    def edits(self) -> tuple[CommunityEdit, ...]:
        """Return all edits, in order."""
        return tuple(self._library.store.all(CommunityEdit, EDITS))

    def marks(self) -> dict[str, CommunityMark]:
        """Return what stands of each member key; communities nothing is said of are missing."""
        found: dict[str, CommunityMark] = {}
        for one in self.edits():
            before = found.get(one.member_key, CommunityMark())
            if one.action == "rename":
                after = replace(before, name=one.value)
            elif one.action == "note":
                after = replace(before, note=one.value)
            else:
                after = replace(before, is_pinned=bool(one.value))
            found[one.member_key] = after
        return {key: mark for key, mark in found.items() if mark != CommunityMark()}

    def rename(self, member_key: str, name: str) -> None:
        """Call a community by another name; "" gives back the title of its report."""
        self._add("rename", member_key, safe_name(" ".join(name.split())))

    def write(self, member_key: str, note: str) -> None:
        """Keep a note on a community; "" takes it away."""
        lines = (safe_name(line.replace("\t", " ")) for line in note.strip().splitlines())
        self._add("note", member_key, "\n".join(lines))

    def pin(self, member_key: str, *, is_pinned: bool) -> None:
        """Pin a community, or take the pin away."""
        self._add("pin", member_key, "pinned" if is_pinned else "")

    def undo(self) -> CommunityEdit | None:
        """Forget the last edit; returns it, None when there was none."""
        with self._lock:
            edits = self.edits()
            if not edits:
                return None
            self._keep(edits[:-1])
            return edits[-1]

    def named(self, hierarchy: Hierarchy, reports: dict[str, Report]) -> dict[str, Report]:
        """Return the reports under the names that the user gave."""
        names = {key: mark.name for key, mark in self.marks().items() if mark.name}
        if not names:
            return reports
        return {
            key: replace(report, title=names.get(hierarchy.by_id[key].member_key, report.title))
            if key in hierarchy.by_id
            else report
            for key, report in reports.items()
        }

    def search(self, hierarchy_key: str, words: str) -> tuple[FoundReport, ...]:
        """Return the reports that share a word with a query, best first; raises `NotBuilt`."""
        library = self._library
        hierarchy = library.hierarchy(hierarchy_key)
        reports = self.named(hierarchy, library.reports(hierarchy_key))
        heads = (reports_head(hierarchy_key), NAMES)
        index = library.remember(
            f"words of {hierarchy_key}",
            " ".join(library.store.head(head) or "" for head in heads),
            lambda: index_words(reports),
        )
        return search_reports(index, hierarchy, reports, words)

    def _add(self, action: CommunityAction, member_key: str, value: str) -> None:
        if len(value) > MOST[action]:
            raise InputError(
                f"That are {len(value):,} characters: at most {MOST[action]:,} can be kept here."
            )
        with self._lock:
            edits, mark = self.edits(), self.marks().get(member_key, CommunityMark())
            stands = {"rename": mark.name, "note": mark.note}.get(
                action, "pinned" if mark.is_pinned else ""
            )
            if stands != value:
                new = CommunityEdit(f"{len(edits):06d}", action, member_key, value)
                self._keep((*edits, new))

    def _keep(self, edits: tuple[CommunityEdit, ...]) -> None:
        store = self._library.store
        store.replace(EDITS, {CommunityEdit: edits})
        renames = [f"{one.member_key} {one.value}" for one in edits if one.action == "rename"]
        store.point({NAMES: digest(renames) if renames else ""})
