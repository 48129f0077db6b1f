"""The hierarchy as a tree: the way down to the focus open, everything else folded."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import streamlit as st

from pages import _session as session
from pages._community_address import open_community
from pages._report import community_name
from pages._words import count
from sensemaking.types import Community, Hierarchy, Report

FEW, MOST = 8, 50
"""Parts shown of a community beside the way down, and of the one in focus; the largest."""
CORPUS = "corpus"

_JS = """
const make = (tag, name, text) => {
  const one = document.createElement(tag);
  one.className = name; one.textContent = text || ''; return one;
};
export default function({data, parentElement, setTriggerValue}) {
  const el = parentElement.querySelector('.tree');
  const pick = row => setTriggerValue('picked', row.dataset.id);
  const move = (row, by) => {
    const all = [...el.children];
    const next = all[all.indexOf(row) + by];
    if (next) { next.focus(); next.scrollIntoView({block: 'nearest'}); }
  };
  el.replaceChildren(...data.rows.map(r => {
    const row = make('div', 'row' + (r.is_focus ? ' on' : '') + (r.is_more ? ' more' : ''));
    row.dataset.id = r.id; row.tabIndex = r.is_focus ? 0 : -1; row.title = r.title;
    row.style.paddingLeft = (8 + 16 * r.depth) + 'px';
    row.setAttribute('role', 'treeitem'); row.setAttribute('aria-level', r.depth + 1);
    row.setAttribute('aria-selected', r.is_focus);
    if (r.has_parts) row.setAttribute('aria-expanded', r.is_open);
    row.append(make('span', 'mark', r.has_parts ? (r.is_open ? '▾' : '▸') : ''),
      make('span', 'name', r.title), make('span', 'n', r.told));
    const bar = make('span', 'bar');
    const fill = make('i', '');
    fill.style.width = (100 * r.share).toFixed(1) + '%';
    bar.append(fill); row.append(bar);
    row.onclick = () => pick(row);
    row.onkeydown = e => {
      const does = {Enter: () => pick(row), ' ': () => pick(row), ArrowDown: () => move(row, 1),
        ArrowUp: () => move(row, -1)}[e.key];
      if (does) { e.preventDefault(); does(); }
    };
    return row;
  }));
  if (!el.querySelector('[tabindex="0"]') && el.firstChild) el.firstChild.tabIndex = 0;
  el.querySelector('.on')?.scrollIntoView({block: 'nearest'});
}
"""
_CSS = """
.tree{font:400 13px/20px var(--st-font);color:var(--ink);height:468px;overflow-y:auto;
  border:1px solid var(--line);border-radius:6px;background:var(--surface);padding:4px 0}
.row{display:grid;grid-template-columns:12px minmax(0,1fr) auto 64px;gap:8px;align-items:center;
  min-height:28px;padding-right:12px;cursor:pointer}
.row:hover{background:var(--sunken)}
.row.on{background:var(--accent-soft);font-weight:600}
.row:focus-visible{outline:2px solid var(--accent-text);outline-offset:-2px}
.mark{color:var(--muted);font-size:11px}
.name{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.n{color:var(--muted);font-weight:400;font-size:12px}
.bar{height:6px;border-radius:2px;background:var(--track);overflow:hidden}
.bar i{display:block;height:100%;background:var(--fill)}
.row.more .name{color:var(--accent-text)}
.row.more .bar{visibility:hidden}
"""
_tree = st.components.v2.component(
    "community_tree",
    html="<div class='tree' role='tree' aria-label='Communities'></div>",
    css=_CSS,
    js=_JS,
)


@dataclass(frozen=True, slots=True)
class TreeRow:
    """One line of the tree; `share` (0-1) is of the largest beside it."""

    id: str
    depth: int
    title: str
    told: str
    share: float
    has_parts: bool
    is_open: bool
    is_focus: bool
    is_more: bool = False


def tree_rows(
    hierarchy: Hierarchy, focus: Community | None, reports: dict[str, Report]
) -> list[TreeRow]:
    """Return the lines from the corpus down to the parts of the focus."""
    path = {one.id for one in hierarchy.path(focus.id)} if focus else set()
    whole = sum(len(one.entity_ids) for one in hierarchy.children[None])
    told = count(whole, "entity", "entities") if not focus else ""
    rows = [TreeRow(CORPUS, 0, "All entities", told, 1.0, True, True, focus is None)]

    def add(parent: str | None, depth: int) -> None:
        parts = sorted(hierarchy.children[parent], key=lambda one: (-len(one.entity_ids), one.id))
        here = focus.id if focus else None
        room = MOST if parent == here else FEW
        shown = parts[:room] + [one for one in parts[room:] if one.id in path]
        largest = max((len(one.entity_ids) for one in shown), default=1)
        for one in shown:
            size = len(one.entity_ids)
            rows.append(
                TreeRow(
                    one.id,
                    depth,
                    community_name(one, reports),
                    f"{size:,}",
                    size / max(1, largest),
                    bool(hierarchy.children[one.id]),
                    one.id in path,
                    one.id == here,
                )
            )
            if one.id in path:
                add(one.id, depth + 1)
        left = len(parts) - len(shown)
        if left:
            word = f"{count(left, 'smaller one', 'smaller ones')}"
            if parent == here:
                word += ": see the list below"
            rows.append(
                TreeRow(parent or CORPUS, depth, word, "", 0.0, False, False, False, is_more=True)
            )

    add(None, 1)
    return rows


def draw_tree(hierarchy: Hierarchy, focus: Community | None, reports: dict[str, Report]) -> None:
    """Draw the tree; a line that is picked becomes the focus."""
    key = f"outline_{hierarchy.key}"

    def picked() -> None:
        found = session.kept(key, dict[str, str | None]()).get("picked")
        if found:
            known = found if found in hierarchy.by_id else None
            open_community(known)

    rows = [asdict(one) for one in tree_rows(hierarchy, focus, reports)]
    _tree(key=key, data={"rows": rows}, on_picked_change=picked)
