"""Which text of a page is hard to read: WCAG 2 contrast, from the colours the browser computed.

4.5 for text, 3 for large text and for icons; what lies under a text is what its middle stands on.
"""

from __future__ import annotations

from typing import Any

_MEASURE = """() => {
  const SMALL_PX = 60;
  const parse = text => {
    const parts = text.match(/[\\d.]+/g)?.map(Number);
    if (!parts) return null;
    const scale = text.startsWith('color(') ? 255 : 1;
    const [r, g, b, a] = text.startsWith('color(') ? parts.slice(-4).length === 4 &&
      text.includes('/') ? parts.slice(-4) : [...parts.slice(-3), 1] : [...parts, 1];
    return [r * scale, g * scale, b * scale, a ?? 1];
  };
  const over = (top, under) => [0, 1, 2].map(i => top[i] * top[3] + under[i] * (1 - top[3]));
  const light = rgb => {
    const [r, g, b] = rgb.map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const up = one => one.parentElement ?? one.getRootNode().host ?? null;
  const ground = one => {
    const layers = [], own = one.getBoundingClientRect();
    const x = own.x + own.width / 2, y = own.y + own.height / 2;
    for (let at = one; at; at = up(at)) {
      // A child may stand outside a small parent, as the words of a slider do; outside a large one
      // it only is scrolled away.
      const box = at.getBoundingClientRect();
      const isOutside = x < box.left || x > box.right || y < box.top || y > box.bottom;
      if (isOutside && box.height < SMALL_PX) continue;
      const style = getComputedStyle(at);
      if (style.backgroundImage !== 'none') return null;
      const color = parse(style.backgroundColor);
      if (color && color[3] > 0) { layers.push(color); if (color[3] === 1) break; }
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
  };
  const all = root => [...root.querySelectorAll('*')]
    .flatMap(one => one.shadowRoot ? [one, ...all(one.shadowRoot)] : [one]);
  const found = new Map();
  for (const one of all(document.body)) {
    const own = [...one.childNodes].filter(n => n.nodeType === 3 && n.data.trim());
    const idle = 'style, script, svg, [disabled], [aria-disabled=true]';
    if (!own.length || one.closest(idle)) continue;
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    if (box.width < 2 || box.height < 2 || style.visibility !== 'visible') continue;
    if (!one.checkVisibility({opacityProperty: true})) continue;
    const under = ground(one), color = parse(style.color);
    if (!under || !color) continue;
    const [a, b] = [light(over(color, under)), light(under)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05), px = parseFloat(style.fontSize);
    const icon = style.fontFamily.includes('Material Symbols');
    const large = icon || px >= 24 || (px >= 18.66 && parseInt(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) - 0.005) {
      const key = `${style.color} on rgb(${under.map(Math.round)})`;
      if (!found.has(key)) found.set(key, `${ratio.toFixed(2)} ${key}: ` +
        own.map(n => n.data.trim()).join(' ').slice(0, 40));
    }
  }
  return [...found.values()];
}"""


def low_contrast(page: Any) -> list[str]:
    """Return a line for each pair of colours below AA, with the text that shows it."""
    found: list[str] = page.evaluate(_MEASURE)
    return found
