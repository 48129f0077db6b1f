"""Items in order into token budgets, and blocks, shuffled by a seed, into windows."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import replace

from sensemaking.context.rows import fold
from sensemaking.types import ContextBlock, ContextItem, Window

HEADER = "Cite the numbered items below by their numbers.\n"
HEADER_TOKENS = 12
"""Tokens of the header in any vocabulary, rounded up."""


def pack_in_order(sizes: Iterable[int], budget: int) -> int:
    """Return how many leading items fit into the budget; the first that does not ends it.

    >>> pack_in_order([5, 4, 3, 1], 10)
    2
    """
    used = 0
    fitting = 0
    for size in sizes:
        used += size
        if used > budget:
            break
        fitting += 1
    return fitting


def pack_greedily(sizes: Sequence[int], budget: int) -> list[list[int]]:
    """Deal items, in order, into windows: one that overflows a window starts the next.

    An item above the budget gets a window to itself, uncut. Returns positions.

    >>> pack_greedily([4, 4, 3, 12, 1], 8)
    [[0, 1], [2], [3], [4]]
    """
    windows: list[list[int]] = []
    used = 0
    for position, size in enumerate(sizes):
        if not windows or used + size > budget:
            windows.append([])
            used = 0
        windows[-1].append(position)
        used += size
    return windows


def pack_shuffled(blocks: Sequence[ContextBlock], window_tokens: int, seed: int) -> list[Window]:
    """Shuffle blocks and pack them into windows of at most `window_tokens`, header included.

    The shuffle starts from the order of ids, so that the order of `blocks` does not matter. Inside
    a window the blocks stand by weight, then rating, largest first; their items are numbered from
    1. A block that alone is over the limit is a window of its own, uncut.
    """
    order = sorted(blocks, key=lambda block: block.id)
    random.Random(seed).shuffle(order)
    packed = pack_greedily([block.n_tokens for block in order], window_tokens - HEADER_TOKENS)
    return [
        _make_window(index, [order[position] for position in positions])
        for index, positions in enumerate(packed)
    ]


def render_item(item: ContextItem) -> str:
    """Return the line of an item: its number in brackets, its heading, its text."""
    heading = f"{fold(item.heading)}: " if item.heading else ""
    return f"[{item.number}] {heading}{fold(item.text)}\n"


def render_block(block: ContextBlock) -> str:
    """Return the text of a block, then its items, a line each."""
    return block.text + "".join(render_item(item) for item in block.items)


def _make_window(index: int, blocks: list[ContextBlock]) -> Window:
    number = 0
    numbered = []
    for block in sorted(blocks, key=lambda one: (-one.weight, -one.rating, one.id)):
        items = []
        for item in block.items:
            number += 1
            items.append(replace(item, number=number))
        numbered.append(replace(block, items=tuple(items)))
    return Window(
        index=index,
        text=HEADER + "\n".join(render_block(block) for block in numbered),
        n_tokens=HEADER_TOKENS + sum(block.n_tokens for block in numbered),
        blocks=tuple(numbered),
    )
