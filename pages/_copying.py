"""A button that copies text; the browser does it, nothing is sent."""

from __future__ import annotations

import streamlit as st

_JS = """
export default function({data, parentElement}) {
  const one = parentElement.querySelector('button');
  one.querySelector('span').textContent = data.label;
  one.onclick = async () => {
    try { await navigator.clipboard.writeText(data.text); }
    catch {
      const area = document.createElement('textarea');
      area.value = data.text; document.body.append(area); area.select();
      document.execCommand('copy'); area.remove();
    }
    one.querySelector('span').textContent = 'Copied';
    setTimeout(() => { one.querySelector('span').textContent = data.label; }, 1600);
  };
}
"""
_CSS = """
button{font:400 14px/1 var(--st-font);height:37px;padding:0 11px;border-radius:6px;cursor:pointer;
  color:var(--ink);background:var(--surface);border:1px solid var(--line);white-space:nowrap}
button:hover{border-color:var(--accent-text);color:var(--accent-text)}
button:focus-visible{outline:2px solid var(--accent-text);outline-offset:1px}
"""

_copying = st.components.v2.component(
    "copying",
    html="<button type='button' aria-live='polite'><span></span></button>",
    css=_CSS,
    js=_JS,
)


def copy_button(text: str, label: str, *, key: str) -> None:
    """Draw the button."""
    _copying(key=key, data={"text": text, "label": label}, width="content")
