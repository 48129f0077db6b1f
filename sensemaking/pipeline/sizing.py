"""How large communities may get, when that is said in tokens."""

from __future__ import annotations

from sensemaking.communities import size_for_tokens
from sensemaking.config import HierarchySettings
from sensemaking.context import average_tokens, make_rows
from sensemaking.ports import Tokenizer
from sensemaking.types import KnowledgeGraph


def size_communities(
    tokenizer: Tokenizer, graph: KnowledgeGraph, settings: HierarchySettings
) -> HierarchySettings:
    """Return the settings with the largest community size that `community_tokens` gives.

    The size is stored with the hierarchy, among its parameters.
    """
    if settings.community_tokens is None or not graph.relationships:
        return settings
    average = average_tokens(make_rows(graph, tokenizer))
    size = size_for_tokens(settings.community_tokens, average)
    return settings.model_copy(update={"max_community_size": size})
