"""Prose whose sentences open their evidence.

It sets `textContent` only, so that no text of a document or a model becomes markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages import _session as session
from pages._words import bind_units, count

SUPPORTED, UNSUPPORTED = 60, 20
"""Below 60 a sentence is shown as weak, below 20 as unsupported (0-100)."""
MAX_REFS = 4

_PROSE_JS = """
const WORDS = {weak: 'weak', none: 'unsupported'};
const make = (tag, name, text) => {
  const one = document.createElement(tag);
  one.className = name; one.textContent = text; return one;
};
function sentence(data, s, open) {
  const el = make('span', 's ' + s.state, '');
  el.dataset.i = s.i; el.tabIndex = 0; el.title = s.title;
  el.setAttribute('role', 'button');
  const cut = s.text.lastIndexOf(' ') + 1;
  const tail = make('span', 'nb', '');
  tail.append(make('span', 't', s.text.slice(cut)));
  s.refs.forEach(r => tail.append(make('span', 'r', r)));
  if (WORDS[s.state]) tail.append(make('span', 'w', WORDS[s.state]));
  el.append(make('span', 't', s.text.slice(0, cut)), tail);
  el.onclick = () => { if (!String(getSelection()).trim()) open(s.i); };
  el.onkeydown = e => {
    if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); open(s.i); }
  };
  return el;
}
export default function({data, parentElement, setTriggerValue}) {
  const el = parentElement.querySelector('.prose');
  const open = i => setTriggerValue('opened', i);
  if (el.dataset.version !== data.version) {
    el.dataset.version = data.version;
    el.replaceChildren(...data.paragraphs.map(p => {
      const block = make('div', 'para', '');
      if (p.heading) block.append(make('h3', '', p.heading));
      const text = make('p', '', '');
      p.sentences.forEach(s => text.append(sentence(data, s, open), ' '));
      block.append(text); return block;
    }));
  }
  el.querySelectorAll('.s').forEach(one => {
    const on = Number(one.dataset.i) === data.selected;
    one.classList.toggle('on', on); one.setAttribute('aria-pressed', on);
  });
}
"""
_PROSE_CSS = """
.prose{font:400 15px/24.5px var(--st-font);color:var(--ink);max-width:68ch;overflow-wrap:anywhere}
h3{font-size:15px;line-height:20px;font-weight:620;margin:0 0 4px;color:var(--ink)}
p{margin:0 0 14px;text-wrap:pretty}
.s{cursor:pointer;border-radius:3px;padding:1px 2px;margin:0 -2px;transition:background 120ms;
  box-decoration-break:clone;-webkit-box-decoration-break:clone}
.s:hover{background:var(--accent-soft)}
.s.on{background:var(--accent-soft);box-shadow:0 1.5px 0 var(--accent-text)}
.s:focus-visible{outline:2px solid var(--accent-text);outline-offset:1px}
.nb{white-space:nowrap}
.s.weak .t{text-decoration:underline dotted var(--warn) 1.5px;text-underline-offset:4px}
.s.none .t{text-decoration:underline dotted var(--bad) 1.5px;text-underline-offset:4px}
.r{display:inline-block;min-width:9px;height:16px;padding:0 4px;margin-left:3px;border-radius:4px;
  background:var(--accent-soft);color:var(--accent-text);font-size:10.5px;line-height:16px;
  font-weight:620;text-align:center;vertical-align:2px}
.s:hover .r{background:var(--page)}
.s.on .r{background:var(--accent-text);color:var(--page)}
.w{margin-left:5px;font-size:11px;font-weight:580;border-radius:4px;padding:1px 6px}
.weak .w{color:var(--warn-text);background:var(--warn-soft)}
.none .w{color:var(--bad-text);background:var(--bad-soft)}
@media (prefers-reduced-motion:reduce){.s{transition:none}}
"""

_prose = st.components.v2.component(
    "prose", html="<div class='prose'></div>", css=_PROSE_CSS, js=_PROSE_JS
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One thing that opens its evidence; `support` None is not measured, `refs` are numbers."""

    index: int
    text: str
    support: int | None = None
    refs: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Sentences under a heading, or under none."""

    heading: str
    sentences: tuple[Sentence, ...]


def support_state(support: int | None) -> str:
    """Return "", "weak" or "none" for a support 0-100."""
    if support is None or support >= SUPPORTED:
        return ""
    return "weak" if support >= UNSUPPORTED else "none"


def draw_prose(
    blocks: Sequence[Block], *, version: str, selected: int | None, key: str, param: str
) -> None:
    """Draw generated text; a click or Enter on a sentence writes its index into the address.

    `version` changes when the text does, so that a repeated run keeps the focus where it is.
    """

    def opened() -> None:
        found = session.kept(key, dict[str, int | None]()).get("opened")
        if found is not None:
            session.set_params(**{param: int(found)})

    _prose(
        key=key,
        data={
            "version": version,
            "selected": selected,
            "paragraphs": [
                {
                    "heading": block.heading,
                    "sentences": [_sentence(one) for one in block.sentences],
                }
                for block in blocks
            ],
        },
        on_opened_change=opened,
    )


def _sentence(one: Sentence) -> dict[str, Any]:
    refs = [str(ref) for ref in one.refs[:MAX_REFS]]
    if len(one.refs) > MAX_REFS:
        refs.append(f"+{len(one.refs) - MAX_REFS}")
    known = one.support is not None
    sources = count(len(one.refs), "source")
    title = f"Support {one.support} of 100, {sources}. " if known else ""
    title += "Open the evidence"
    return {
        "i": one.index,
        "text": bind_units(one.text),
        "state": support_state(one.support),
        "title": title,
        "refs": refs,
    }
