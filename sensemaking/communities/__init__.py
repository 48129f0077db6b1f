"""Folding a graph into a hierarchy of communities: one file per algorithm over integer graphs."""

from sensemaking.communities.hierarchy import Algorithm, find_communities
from sensemaking.communities.indexed import IndexedGraph, RawCommunity, index_graph

__all__ = ["Algorithm", "IndexedGraph", "RawCommunity", "find_communities", "index_graph"]
