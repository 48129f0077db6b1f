"""Extractions to a knowledge graph: who is who, what matters, what belongs together."""

from sensemaking.graph.build import build_graph

__all__ = ["build_graph"]
