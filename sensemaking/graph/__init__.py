"""Extractions to a knowledge graph: who is who, what matters, what belongs together."""

from sensemaking.graph.build import build_graph
from sensemaking.graph.stated import stated_descriptions

__all__ = ["build_graph", "stated_descriptions"]
