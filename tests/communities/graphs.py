"""Named small graphs, as edges between short labels, and how to make knowledge graphs of them."""

import json
import random
from pathlib import Path

from sensemaking.types import Entity, KnowledgeGraph, Relationship, digest

GOLDEN = Path(__file__).parents[1] / "golden"
LEIDEN = json.loads((GOLDEN / "leiden.json").read_text())
RKH = json.loads((GOLDEN / "rkh.json").read_text())

Edges = list[tuple[str, str]]


TRIANGLE = [("d", "e"), ("d", "f"), ("e", "f")]


def numbered(pairs) -> Edges:
    """Return edges between zero-padded labels, whose order is the order of the numbers."""
    return [(f"{u:02d}", f"{v:02d}") for u, v in pairs]


GRAPHS: dict[str, tuple[list[str], Edges]] = {
    "empty": ([], []),
    "edgeless": (["a", "b", "c"], []),
    "one edge": ([], [("a", "b")]),
    "loops and parallel edges": (["d"], [("a", "a"), *[("a", "b")] * 2, ("b", "c"), ("d", "d")]),
    "two components": ([], [("a", "b"), ("b", "c"), ("p", "q"), ("p", "r"), ("q", "r")]),
    "clique": ([], [(f"{u:02d}", f"{v:02d}") for u in range(12) for v in range(u)]),
    "star": ([], [("hub", f"l{n:02d}") for n in range(30)]),
    "path": ([], [(f"{n:02d}", f"{n + 1:02d}") for n in range(29)]),
    "bridged triangles": ([], [("a", "b"), ("a", "c"), ("b", "c"), ("c", "d"), *TRIANGLE]),
    "star and triangle": (
        ["z"],
        [*[("hub", f"l{n}") for n in range(7)], ("a", "b"), ("a", "c"), ("b", "c")],
    ),
    "large star on a triangle": (
        [],
        [*[("a", f"l{n:02d}") for n in range(60)], ("a", "b"), ("a", "c"), ("b", "c")],
    ),
    "karate": ([], numbered(LEIDEN["karate"]["edges"])),
    "figure 1": ([], [tuple(edge) for edge in RKH["figure_1"]["edges"]]),
    "two lobes": ([], numbered(LEIDEN["two_lobes"]["edges"])),
}


def make_graph(nodes: list[str], edges: Edges, seed: int | None = None) -> KnowledgeGraph:
    """Return a knowledge graph; with a seed, its records stand in shuffled order."""
    names = sorted({*nodes, *(node for edge in edges for node in edge)})
    entities = [Entity(name, name, "concept", "", (), ()) for name in names]
    relationships = [
        Relationship(digest(sorted(edge), n), min(edge), max(edge), "", 1.0, (), ())
        for n, edge in enumerate(edges)
    ]
    if seed is not None:
        random.Random(seed).shuffle(entities)
        random.Random(seed).shuffle(relationships)
    return KnowledgeGraph("general", tuple(entities), tuple(relationships), ())
