"""Folding a graph into a hierarchy of communities: one file per algorithm over integer graphs."""

from sensemaking.communities.hierarchy import (
    Algorithm,
    Folded,
    find_communities,
    find_core_numbers,
    find_view,
    fold_graph,
    index_knowledge_graph,
    size_for_tokens,
)
from sensemaking.communities.indexed import IndexedGraph, index_graph
from sensemaking.communities.raw import RawCommunity, RawHierarchy

__all__ = [
    "Algorithm",
    "Folded",
    "IndexedGraph",
    "RawCommunity",
    "RawHierarchy",
    "find_communities",
    "find_core_numbers",
    "find_view",
    "fold_graph",
    "index_graph",
    "index_knowledge_graph",
    "size_for_tokens",
]
