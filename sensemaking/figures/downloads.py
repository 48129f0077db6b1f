"""The graph as files: the view as a page of its own that fetches nothing, the whole as GraphML.

Notes
-----
pyvis writes a page that loads styles from the network, and hands names to `innerHTML` in some of
its options. So its library and its data format are used, in a page of ours, where names are painted
on a canvas and a policy forbids to fetch anything.
"""

from __future__ import annotations

import io
import json
from typing import Any

from sensemaking.figures.arranging import Arrangement, shown_name
from sensemaking.figures.network import Network
from sensemaking.figures.theme import Palette, community_color, mix
from sensemaking.types import Hierarchy, KnowledgeGraph

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Graph</title>
<meta http-equiv="Content-Security-Policy"
 content="default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:">
<style>html,body,#net{margin:0;height:100%%;background:%(page)s}</style></head>
<body><div id="net"></div><script>%(library)s</script><script>
const data = %(data)s;
new vis.Network(document.getElementById('net'), data, {physics: false,
  nodes: {shape: 'dot', borderWidth: 1.6,
          font: {color: %(ink)s, face: 'sans-serif', size: 13, strokeWidth: 4,
                 strokeColor: '%(page)s'}},
  edges: {smooth: {type: 'curvedCW', roundness: 0.12}}, interaction: {hover: true}});
</script></body></html>
"""


def graph_html(network: Network, arrangement: Arrangement, palette: Palette) -> bytes:
    """Return a page that shows the network without a server and without the network."""
    from pathlib import Path

    import pyvis
    from pyvis.network import Network as Drawing

    drawing = Drawing(cdn_resources="in_line")
    for n, unit in enumerate(network.units):
        ring = palette.rest if unit.rank is None else community_color(palette, unit.rank)
        x, y = arrangement.places[n]
        drawing.add_node(
            n,
            label=shown_name(unit),
            size=round(float(arrangement.radii[n]), 1),
            x=float(x),
            y=float(y),
            color={"background": mix(ring, palette.page, palette.graph_fill), "border": ring},
        )
    # Its own method for edges looks through all of them for each.
    strongest = max((one.n for one in network.ties), default=1)
    drawing.edges = [
        {
            "from": one.source,
            "to": one.target,
            "width": round(0.6 + 4.5 * (one.n / strongest) ** 0.5, 2),
            "color": mix(palette.ink, palette.page, 0.13 + 0.17 * (one.n / strongest) ** 0.5),
        }
        for one in network.ties
    ]
    library = Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js"
    return (
        _PAGE
        % {
            "page": palette.page,
            "ink": json.dumps(palette.ink),
            "library": library.read_text(encoding="utf-8"),
            "data": _inline({"nodes": drawing.nodes, "edges": drawing.edges}),
        }
    ).encode()


def graph_ml(graph: KnowledgeGraph, hierarchy: Hierarchy) -> bytes:
    """Return the graph with names, kinds, weights and the home leaf of each entity."""
    import networkx as nx

    homes = {key: leaf.id for leaf in hierarchy.leaves for key in leaf.home_ids}
    made: nx.Graph[str] = nx.Graph()
    for entity in graph.entities:
        made.add_node(
            entity.id,
            name=_xml(entity.name),
            kind=_xml(entity.kind),
            description=_xml(entity.description),
            mentions=len(entity.spans),
            community=homes.get(entity.id, ""),
        )
    for one in graph.relationships:
        made.add_edge(
            one.source_id, one.target_id, weight=one.weight, description=_xml(one.description)
        )
    file = io.BytesIO()
    nx.write_graphml_xml(made, file)
    return file.getvalue()


def _inline(value: Any) -> str:  # noqa: ANN401 - any JSON
    """Return JSON that cannot end the script it stands in."""
    return json.dumps(value).replace("<", "\\u003c").replace("\u2028", "\\u2028")


def _xml(text: str) -> str:
    """Return text without the characters that XML does not allow."""
    return "".join(one for one in text if one >= " " or one in "\t\n")
