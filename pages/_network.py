"""A component that draws circles and ties, and says what was clicked.

vis-network draws on a canvas and comes from this server (`_library`); names are painted, never made
into markup. Python decides every place and colour.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import streamlit as st

from pages import _look as look
from pages import _session as session
from pages._library import DRAWING
from pages._words import number
from sensemaking.figures.arranging import Arrangement, shown_name
from sensemaking.figures.network import Network, Unit
from sensemaking.figures.theme import Palette, community_color, mix

_JS = """
const TURN = 2 * Math.PI, ICONS = '"Material Symbols Rounded"';
const LEAST_PX = 2, ALWAYS_NAMED = 12, EVERYWHERE = [-1e9, 1e9, -1e9, 1e9];
function paintDiscs(ctx, discs) {
  discs.forEach(d => {
    ctx.save(); ctx.beginPath(); ctx.arc(d.x, d.y, d.r, 0, TURN);
    ctx.fillStyle = d.fill; ctx.fill();
    ctx.setLineDash([4, 4]); ctx.lineWidth = 1; ctx.strokeStyle = d.line; ctx.stroke();
    ctx.restore();
  });
}
const apart = (a, b) => a[1] < b[0] || a[0] > b[1] || a[3] < b[2] || a[2] > b[3];
const freest = (places, rims, own) => {
  const under = places.map(one => rims.filter((t, j) => j !== own && !apart(one.box, t)).length);
  return places[under.indexOf(Math.min(...under))];
};
const zoomOf = scale => Math.min(4, Math.max(0.8, 1 / scale));
// Like a map: names in order of importance, each where it lies on no circle and no other name:
// below, above, right or left of its own, or where these are few, askew. Else it is left out, but
// for the most important, which may lie on the fewest circles.
function legible(data, scale, ctx) {
  const zoom = zoomOf(scale), high = 15 * zoom, taken = [], shown = new Map();
  ctx.save(); ctx.font = `500 12px ${data.colors.font}`;
  const rims = data.nodes.map(n => [n.x - n.size, n.x + n.size, n.y - n.size, n.y + n.size]);
  const clear = (box, others, own) => others.every((t, j) => j === own || apart(box, t));
  const [left, right, top, bottom] = data.view?.scale === scale ? data.view.box : EVERYWHERE;
  const inView = box => box[0] > left && box[1] < right && box[2] > top && box[3] < bottom;
  data.nodes.forEach((n, i) => {
    if (n.size * scale < data.labelsFrom) return;
    n.wide ??= ctx.measureText(n.name).width;
    const half = n.wide * zoom / 2 + 2 * zoom, beside = n.size + half + 2 * zoom;
    const below = n.size + 3, above = -n.size - 2 - high, askew = 0.75 * half;
    const places = [[0, below], [0, above], [beside, -high / 2], [-beside, -high / 2],
                    ...rims.length > 500 ? [] : [[askew, below], [-askew, below],
                                                 [askew, above], [-askew, above]],
    ].map(([dx, dy]) => ({
      x: n.x + dx, top: n.y + dy,
      box: [n.x + dx - half, n.x + dx + half, n.y + dy, n.y + dy + high],
    })).filter(one => inView(one.box) && clear(one.box, taken));
    const found = places.find(one => clear(one.box, rims, i))
      ?? (i < ALWAYS_NAMED ? freest(places, rims, i) : undefined);
    if (found) { taken.push(found.box); shown.set(n.id, found); }
  });
  ctx.restore();
  return shown;
}
// All circles in view, with room at the edges for names; the names keep to what is in view.
function frame(net, el, data) {
  const all = [...data.nodes.map(n => [n.x, n.y, n.size]), ...data.discs.map(d => [d.x, d.y, d.r])];
  if (!all.length) return;
  const most = (at, sign) => all.reduce((so, p) => Math.max(so, sign * p[at] + p[2]), -Infinity);
  const left = -most(0, -1), right = most(0, 1), top = -most(1, -1), bottom = most(1, 1);
  const wide = el.clientWidth, high = el.clientHeight, few = data.nodes.length < 500;
  const scale = Math.min(1.5, (wide - (few ? Math.min(120, 0.2 * wide) : 20)) / (right - left),
                         (high - (few ? 50 : 20)) / (bottom - top));
  const x = (left + right) / 2, y = (top + bottom) / 2;
  net.moveTo({position: {x, y}, scale, animation: false});
  data.view = {scale: net.getScale(), box: [x - wide / scale / 2, x + wide / scale / 2,
                                            y - high / scale / 2, y + high / scale / 2]};
}
function circle(n, data, net) {
  const c = data.colors;
  return ({ctx, x, y, state: {selected, hover}}) => ({
    drawNode() {
      const scale = net() ? net().getScale() : 1;
      if (data.shownAt !== scale) {
        data.shown = legible(data, scale, ctx); data.shownAt = scale;
      }
      ctx.beginPath();  // no save and restore: with thousands of circles they cost the most
      ctx.arc(x, y, Math.max(n.size, LEAST_PX / scale), 0, TURN);
      ctx.fillStyle = n.size * scale < 4 ? n.ring : n.fill; ctx.fill();
      ctx.lineWidth = selected ? 3 : hover ? 2.5 : 1.6;
      ctx.strokeStyle = selected ? c.ink : n.ring; ctx.stroke();
      ctx.textAlign = 'center'; ctx.lineJoin = 'round'; ctx.fillStyle = c.ink;
      if (n.count && n.size * scale > 3 * n.count.length + 4) {
        ctx.font = `560 ${(n.size > 24 ? 12 : 10.5) * Math.max(1, 0.9 / scale)}px ${c.font}`;
        ctx.textBaseline = 'middle'; ctx.fillText(n.count, x, y + 0.5);
      }
      // the kind, not by colour alone; where it could not be made out it only takes time
      if (n.icon && n.size > 8 && n.size * scale > 6 && data.icons) {
        ctx.font = `${Math.min(20, 1.15 * n.size)}px ${ICONS}`;
        ctx.textBaseline = 'middle'; ctx.fillText(n.icon, x, y + 1);
      }
    },
    drawExternalLabel() {  // after all circles: no name lies under one
      const at = data.shown?.get(n.id) ?? {x, top: y + n.size + 3};
      if (!selected && !hover && !data.shown?.has(n.id)) return;
      const zoom = zoomOf(net() ? net().getScale() : 1);
      ctx.save();
      ctx.textAlign = 'center'; ctx.lineJoin = 'round'; ctx.fillStyle = c.ink;
      ctx.font = `${selected ? 620 : 500} ${12 * zoom}px ${c.font}`;
      ctx.textBaseline = 'top'; ctx.lineWidth = 4; ctx.strokeStyle = c.page;
      ctx.strokeText(n.name, at.x, at.top + 1);
      ctx.fillText(n.name, at.x, at.top + 1);
      ctx.restore();
    },
    nodeDimensions: {width: 2 * n.size, height: 2 * n.size},
  });
}
function build(el, data, say) {
  const net = () => el.__net;
  const nodes = data.nodes.map(n => ({
    id: n.id, x: n.x, y: n.y, size: n.size, shape: 'custom', ctxRenderer: circle(n, data, net),
  }));
  const edges = data.edges.map((e, i) => ({
    id: i, from: e[0], to: e[1], width: e[2],
    color: {color: e[3], highlight: data.colors.ink, hover: data.colors.ink},
  }));
  el.__net = new vis.Network(el, {nodes, edges}, {
    physics: false, layout: {improvedLayout: false},
    edges: {smooth: data.curved ? {type: 'curvedCW', roundness: 0.12} : false,
            selectionWidth: 0, hoverWidth: 0},
    nodes: {chosen: true},
    interaction: {hover: nodes.length < 800, zoomSpeed: 0.6, dragNodes: false,
                  hideEdgesOnDrag: edges.length > 2500, hideEdgesOnZoom: edges.length > 2500,
                  tooltipDelay: 200, keyboard: {enabled: true, bindToWindow: false}},
  });
  document.fonts.load(`16px ${ICONS}`, 'hub').then(found => {
    data.icons = found.length > 0; el.__net?.redraw();
  });
  // What the keyboard reaches is inside: it is named there too.
  el.querySelector('[tabindex]')?.setAttribute('aria-label',
    'Graph: arrow keys move it, plus and minus change its size; the table below has the same.');
  el.__net.on('beforeDrawing', ctx => paintDiscs(ctx, data.discs));
  el.__net.once('afterDrawing', () => {
    frame(el.__net, el, data);
    el.dataset.ready = data.version;
  });
  el.__net.on('click', p => {
    if (p.event.srcEvent.timeStamp - (el.__last ?? -1e4) < 500) return;  // half of a double click
    el.__last = p.event.srcEvent.timeStamp;
    const at = p.pointer.canvas;
    const disc = data.discs.filter(d => Math.hypot(d.x - at.x, d.y - at.y) < d.r).pop();
    if (p.nodes.length) say('picked', p.nodes[0]);
    else if (disc) say('disc', disc.id);
    else say('picked', -1);
  });
}
const library = () => window.__drawing ??= new Promise((done, fail) => {
  const script = document.createElement('script');
  script.src = new URL(`.${LIBRARY}`, document.baseURI).href;
  script.onload = done; script.onerror = fail;
  document.head.append(script);
});
export default function({data, parentElement, setTriggerValue}) {
  const el = parentElement.querySelector('.net');
  el.__wanted = data;
  library().then(() => { if (el.__wanted === data) show(el, data, setTriggerValue); }, () => {
    window.__drawing = undefined;
    el.textContent = 'No graph: the server did not answer. Load the page again.';
  });
}
function show(el, data, say) {
  if (el.__version !== data.version) {
    el.__net?.destroy();
    el.__version = data.version;
    build(el, data, say);
  }
  const picked = data.picked >= 0 ? [data.picked] : [];
  if (String(el.__net.getSelectedNodes()) !== String(picked)) el.__net.selectNodes(picked);
}
"""
_CSS = """
.net{width:100%;height:clamp(400px,calc(100vh - 265px),760px)}
.net canvas{outline:none}
.net div:focus{outline:none}
.net:has(:focus-visible){outline:2px solid var(--accent-text);outline-offset:2px;border-radius:6px}
.vis-tooltip,.vis-navigation{display:none}
"""
CURVED = 400
"""Ties up to which they are drawn curved: straight ones are faster."""


@cache
def _component() -> Callable[..., Any]:
    return st.components.v2.component(
        "network",
        html="<div class='net' role='img' aria-label='Graph; the table below has the same'></div>",
        css=_CSS,
        js=f"const LIBRARY = '{DRAWING}';{_JS}",
    )


def draw_network(
    network: Network,
    arrangement: Arrangement,
    *,
    version: str,
    picked: str | None,
    key: str,
    on_pick: Callable[[Unit | None], None],
    on_disc: Callable[[str], None] | None = None,
) -> None:
    """Draw a network; a click on a circle or beside all calls `on_pick` before the rerun.

    A click on the disc of an opened community, beside its circles, calls `on_disc`.
    `version` says what is drawn: for the same version the view stays where the visitor moved it.
    """
    position = {unit.id: n for n, unit in enumerate(network.units)}

    def clicked() -> None:
        found = session.kept(key, dict[str, int | None]()).get("picked")
        if found is not None:
            on_pick(network.units[found] if 0 <= found < len(network.units) else None)

    def entered() -> None:
        found = session.kept(key, dict[str, str | None]()).get("disc")
        if found in network.outlined and on_disc is not None:
            on_disc(found)

    _component()(
        key=key,
        data=_data(network, arrangement, look.palette())
        | {"version": f"{version} {look.mode()}", "picked": position.get(picked or "", -1)},
        on_picked_change=clicked,
        on_disc_change=entered,
    )


def _data(network: Network, arrangement: Arrangement, palette: Palette) -> dict[str, Any]:
    by_kind = {unit.what for unit in network.units} == {"entity"}
    strongest = max((tie.n for tie in network.ties), default=1)
    ink = 1.0 if len(network.ties) <= CURVED else max(0.3, (CURVED / len(network.ties)) ** 0.5)
    return {
        "nodes": [
            {
                "id": n,
                "x": float(arrangement.places[n, 0]),
                "y": float(arrangement.places[n, 1]),
                "size": round(float(arrangement.radii[n]), 1),
                "name": shown_name(unit),
                "count": number(unit.size) if unit.what == "community" else "",
                "icon": _icon(unit),
                **_paint(unit, palette, by_kind=by_kind),
            }
            for n, unit in enumerate(network.units)
        ],
        "edges": [
            [
                tie.source,
                tie.target,
                round(0.6 + 4.5 * (tie.n / strongest) ** 0.5, 2),
                mix(palette.ink, palette.page, ink * (0.13 + 0.17 * (tie.n / strongest) ** 0.5)),
            ]
            for tie in network.ties
        ],
        "discs": [
            {
                "id": key,
                "x": round(x, 1),
                "y": round(y, 1),
                "r": round(radius, 1),
                "fill": palette.sunken,
                "line": palette.line_strong,
            }
            for key, (x, y, radius) in arrangement.discs.items()
            if key in network.outlined
        ],
        "labelsFrom": 0 if len(network.units) <= 150 else 5,
        "curved": len(network.ties) <= CURVED,
        "colors": {
            "page": palette.page,
            "ink": palette.ink,
            "font": "Hanken Grotesk, Source Sans, sans-serif",
        },
    }


def _icon(unit: Unit) -> str:
    """Return the icon of an entity's kind; a community has its number of entities instead."""
    kinds = look.tokens()["kinds"]
    return str(kinds.get(unit.kind, kinds["concept"])["icon"]) if unit.what == "entity" else ""


def _paint(unit: Unit, palette: Palette, *, by_kind: bool) -> dict[str, str]:
    """Return fill and ring: by kind where only entities are drawn, else by community."""
    if by_kind:
        ring = palette.kinds.get(unit.kind, palette.kinds["concept"])
    else:
        ring = palette.rest if unit.rank is None else community_color(palette, unit.rank)
    return {"fill": mix(ring, palette.page, palette.graph_fill), "ring": ring}
