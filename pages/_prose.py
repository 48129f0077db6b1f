"""Two small components: prose whose sentences open their evidence, and a document with a mark.

Both set `textContent` only, so that no text of a document or a model becomes markup.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages import _session as session
from pages._words import bind_units
from sensemaking.types import Document, Span

SUPPORTED, UNSUPPORTED = 60, 20
"""Below 60 a sentence is shown as weak, below 20 as unsupported (0-100)."""
MAX_REFS = 4
READ_AHEAD = 12_000
"""Characters of a document shown before and after the marked passage."""

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
_READER_JS = """
export default function({data, parentElement}) {
  const el = parentElement.querySelector('.reader');
  if (el.dataset.version === data.version) return;
  el.dataset.version = data.version;
  el.replaceChildren(...data.parts.map(([kind, text]) => {
    const one = document.createElement(kind === 'mark' ? 'mark' : 'span');
    if (kind !== 'mark') one.className = kind;
    one.textContent = text; return one;
  }));
  el.querySelector('mark')?.scrollIntoView({block: 'center'});
}
"""
_READER_CSS = """
.reader{font:400 15px/24px "Source Serif","Source Serif 4",Georgia,serif;color:var(--ink);
  height:clamp(320px,calc(100vh - 250px),900px);overflow-y:auto;white-space:pre-wrap;
  overflow-wrap:anywhere;padding:4px 16px 4px 2px;max-width:74ch}
.reader:focus-visible{outline:2px solid var(--accent-text);outline-offset:4px}
.heading{font-weight:640}
.furniture{color:var(--muted)}
mark{background:var(--mark);color:var(--mark-ink);padding:1px 2px;margin:0 -2px;border-radius:2px;
  box-decoration-break:clone;-webkit-box-decoration-break:clone}
"""

_prose = st.components.v2.component(
    "prose", html="<div class='prose'></div>", css=_PROSE_CSS, js=_PROSE_JS
)
_reader = st.components.v2.component(
    "reader",
    html="<div class='reader' tabindex='0' role='document'></div>",
    css=_READER_CSS,
    js=_READER_JS,
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


def draw_document(document: Document, span: Span | None, *, key: str) -> tuple[int, int]:
    """Draw a document around a marked passage; returns the characters [start, end) it shows."""
    start, end = (span.start, span.end) if span else (0, 0)
    first = max(0, start - READ_AHEAD)
    last = min(len(document.text), max(end + READ_AHEAD, 2 * READ_AHEAD))
    parts = _cut(document, first, last, (start, end) if end > start else None)
    version = f"{document.id}-{first}-{last}-{start}-{end}"
    _reader(key=key, data={"version": version, "parts": parts})
    return first, last


def _sentence(one: Sentence) -> dict[str, Any]:
    refs = [str(ref) for ref in one.refs[:MAX_REFS]]
    if len(one.refs) > MAX_REFS:
        refs.append(f"+{len(one.refs) - MAX_REFS}")
    known = one.support is not None
    title = f"Support {one.support} of 100. Open the evidence" if known else "Open the evidence"
    return {
        "i": one.index,
        "text": bind_units(one.text),
        "state": support_state(one.support),
        "title": title,
        "refs": refs,
    }


def _cut(
    document: Document, first: int, last: int, mark: tuple[int, int] | None
) -> list[tuple[str, str]]:
    """Cut text into stretches that look the same: the mark, headings, furniture, the rest."""
    styled = [one for one in document.sections if one.kind in ("heading", "furniture")]
    bounds = {first, last}
    for a, b in [(one.start, one.end) for one in styled] + ([mark] if mark else []):
        bounds.update(x for x in (a, b) if first < x < last)
    edges = sorted(bounds)
    kinds: dict[int, str] = {}
    for one in sorted(styled, key=lambda one: one.kind, reverse=True):
        for edge in edges:
            if one.start <= edge < one.end:
                kinds[edge] = one.kind
    parts: list[tuple[str, str]] = []
    for a, b in zip(edges, edges[1:], strict=False):
        kind = "mark" if mark and mark[0] <= a < mark[1] else kinds.get(a, "")
        if parts and parts[-1][0] == kind:
            parts[-1] = (kind, parts[-1][1] + document.text[a:b])
        else:
            parts.append((kind, document.text[a:b]))
    return parts
