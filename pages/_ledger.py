"""The coverage ledger: a bar a stage; what was lost is hatched, and its number opens the list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from pages import _session as session
from pages._words import number, share

CoverageRow = tuple[str, int, int]

_JS = """
export default function({data, parentElement, setTriggerValue}) {
  const el = parentElement.querySelector('.ledger');
  const make = (tag, name, text) => {
    const one = document.createElement(tag);
    one.className = name; one.textContent = text ?? ''; return one;
  };
  el.replaceChildren(...data.rows.map(row => {
    const line = make('div', 'row' + (row.stage === data.open ? ' on' : ''));
    line.title = row.title;
    const bar = make('div', 't'), fill = make('i', '');
    // However small a loss is, its hatch can be seen.
    fill.style.width = row.lost ? `min(${row.width}%, calc(100% - 6px))` : '100%';
    bar.append(fill);
    line.append(make('span', 'l', row.label), bar, make('span', 'v', row.kept));
    if (row.lost) {
      const one = make('button', 'x', row.lost);
      one.setAttribute('aria-expanded', row.stage === data.open);
      one.title = 'List them';
      one.onclick = () => setTriggerValue('opened', row.stage);
      line.append(one);
    }
    return line;
  }));
}
"""
_CSS = """
.ledger{font:400 13px/20px var(--st-font);color:var(--ink)}
.row{min-height:27px;display:grid;grid-template-columns:
  minmax(96px,128px) minmax(40px,1fr) 52px 92px;gap:10px;align-items:center;border-radius:4px}
.t{height:14px;border-radius:2px;overflow:hidden;
  background:repeating-linear-gradient(-45deg,var(--loss) 0 2px,transparent 2px 5px)}
.t>i{display:block;height:100%;background:var(--fill);border-right:2px solid var(--surface)}
.v{text-align:right;font-weight:560}
.x{font:inherit;color:var(--accent-text);background:none;border:0;padding:0 4px;text-align:left;
  cursor:pointer;border-radius:4px}
.x:hover{text-decoration:underline}
.on .x{background:var(--accent-soft)}
.x:focus-visible{outline:2px solid var(--accent-text);outline-offset:1px}
"""
WORDS = {
    "Read": "not read",
    "With records": "empty",
    "In a community": "unplaced",
    "With a report": "without",
    "Read for an answer": "without",
}

_ledger = st.components.v2.component("ledger", html="<div class='ledger'></div>", css=_CSS, js=_JS)


def draw_ledger(rows: Sequence[CoverageRow], *, opened: str | None, key: str) -> None:
    """Draw the stages; a click on a loss writes its stage into the address, or takes it away."""

    def open_list() -> None:
        stage = session.kept(key, dict[str, str | None]()).get("opened")
        if stage:
            session.set_params(lost=None if stage == opened else stage)

    _ledger(
        key=key,
        data={"open": opened, "rows": [_row(*one) for one in rows]},
        on_opened_change=open_list,
    )


def _row(label: str, kept: int, lost: int) -> dict[str, Any]:
    whole = kept + lost
    return {
        "stage": label,
        "label": label,
        "kept": number(kept),
        "width": round(100 * kept / whole, 1) if whole else 100,
        "lost": f"{number(lost)} {WORDS.get(label, 'missing')}" if lost else "",
        "title": f"{share(kept, whole)} of {number(whole)}" if whole else "",
    }
