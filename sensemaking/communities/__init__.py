"""Folding a graph into a hierarchy of communities: one file per algorithm over integer graphs."""

from sensemaking.communities.hierarchy import Algorithm, find_communities
from sensemaking.communities.indexed import IndexedGraph, index_graph
from sensemaking.communities.raw import RawCommunity, RawHierarchy

__all__ = [
    "Algorithm",
    "IndexedGraph",
    "RawCommunity",
    "RawHierarchy",
    "find_communities",
    "index_graph",
]
