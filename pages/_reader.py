"""A document to read: its entities marked, the passage that was asked for in the marker's yellow.

Text is set with `textContent` only. A mark differs by the stroke below it and by its tooltip, not
by colour alone; arrow keys walk the marks, Enter opens one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from pages import _look as look
from pages import _session as session
from sensemaking.figures.marking import Stretch
from sensemaking.types import Entity

STROKES = {
    "person": "solid",
    "organisation": "double",
    "place": "dotted",
    "event": "dashed",
    "document": "wavy",
    "concept": "solid",
}
"""The line below a mark, so that a kind is told without its colour; concepts have a thin one."""

_JS = """
export default function({data, parentElement, setTriggerValue}) {
  const el = parentElement.querySelector('.reader');
  const open = one => setTriggerValue('opened', data.entities[one.dataset.e].id);
  if (el.dataset.version !== data.version) {
    el.dataset.version = data.version;
    el.replaceChildren(...data.parts.map(([style, text, e, seen]) => {
      const one = document.createElement(seen ? 'mark' : 'span');
      one.className = style; one.textContent = text;
      if (e >= 0) {
        const entity = data.entities[e];
        one.className += ' e ' + entity.kind; one.dataset.e = e; one.tabIndex = -1;
        one.title = entity.title; one.setAttribute('role', 'button');
        one.style.setProperty('--k', entity.color);
      }
      return one;
    }));
    el.onclick = event => {
      const one = event.target.closest('.e');
      if (one && !String(getSelection()).trim()) open(one);
    };
    el.onkeydown = event => {
      const marks = [...el.querySelectorAll('.e')];
      const at = marks.indexOf(el.getRootNode().activeElement);
      const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
      if (step && marks.length) {
        event.preventDefault();
        const top = el.getBoundingClientRect().top;
        const first = marks.findIndex(one => one.getBoundingClientRect().bottom > top);
        const next = at < 0 ? Math.max(0, first) : at + step;
        marks[Math.min(marks.length - 1, Math.max(0, next))].focus();
      } else if (event.key === 'Enter' && at >= 0) { event.preventDefault(); open(marks[at]); }
    };
    const seen = el.querySelector('mark');
    el.scrollTop = seen ? seen.offsetTop - el.clientHeight / 2 : 0;  // the page itself stays put
  }
  el.querySelectorAll('.e').forEach(one =>
    one.classList.toggle('on', data.entities[one.dataset.e].id === data.picked));
}
"""
_CSS = """
.reader{font:400 15px/24px "Source Serif","Source Serif 4",Georgia,serif;color:var(--ink);
  height:clamp(320px,calc(100vh - 300px),1100px);overflow-y:auto;white-space:pre-wrap;
  overflow-wrap:anywhere;padding:4px 16px 4px 2px;max-width:74ch;position:relative}
.reader:focus-visible{outline:2px solid var(--accent-text);outline-offset:4px}
.heading{font-weight:640}
.furniture{color:var(--muted)}
mark{background:var(--mark);color:var(--mark-ink);padding:1px 0;
  box-decoration-break:clone;-webkit-box-decoration-break:clone}
.e{cursor:pointer;text-decoration:underline var(--k) 2px;text-underline-offset:3.5px;
  text-decoration-skip-ink:none;border-radius:2px}
.e.organisation{text-decoration-style:double;text-decoration-thickness:1.5px}
.e.place{text-decoration-style:dotted}
.e.event{text-decoration-style:dashed}
.e.document{text-decoration-style:wavy;text-decoration-thickness:1px}
.e.concept{text-decoration-thickness:1px}
.e:hover{background:var(--accent-soft)}
mark.e:hover{background:var(--mark)}
.e.on{background:var(--accent-soft);box-shadow:0 0 0 1.5px var(--accent-text)}
.e:focus-visible{outline:2px solid var(--accent-text);outline-offset:1px}
"""
_LABEL = "The document. Arrow keys left and right walk the marked entities, Enter opens one."

_reader = st.components.v2.component(
    "reader",
    html=f"<div class='reader' tabindex='0' role='document' aria-label='{_LABEL}'></div>",
    css=_CSS,
    js=_JS,
)


def kind_of(entity: Entity) -> str:
    """Return the kind that a colour, an icon and a stroke stand for; other kinds are concepts."""
    return entity.kind if entity.kind in look.tokens()["kinds"] else "concept"


def kind_color(kind: str) -> str:
    """Return the colour of a kind for this visitor."""
    return str(look.tokens()["kinds"][kind][look.mode()])


def draw_text(
    stretches: Sequence[Stretch],
    entities: Mapping[str, Entity],
    *,
    version: str,
    picked: str | None,
    key: str,
) -> None:
    """Draw stretches of a document; a click on a marked entity writes it into the address.

    `version` changes when the text does, so that a repeated run keeps the place where one reads.
    """

    def opened() -> None:
        found = session.kept(key, dict[str, str | None]()).get("opened")
        if found:
            session.set_params(entity=found)

    named = sorted({one.entity_id for one in stretches if one.entity_id in entities})
    places = {entity: n for n, entity in enumerate(named)}
    _reader(
        key=key,
        data={
            "version": f"{version} {look.mode()}",
            "picked": picked,
            "entities": [_described(entities[one]) for one in named],
            "parts": [
                (one.style, one.text, places.get(one.entity_id, -1), one.is_evidence)
                for one in stretches
            ],
        },
        on_opened_change=opened,
    )


def _described(entity: Entity) -> dict[str, Any]:
    kind = kind_of(entity)
    return {
        "id": entity.id,
        "kind": kind,
        "color": kind_color(kind),
        "title": f"{entity.kind.capitalize()}: {entity.name[:120]}. Open its card",
    }
