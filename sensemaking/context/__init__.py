"""Packing text into token budgets: records into rows, rows in order, blocks into windows.

Every row is written and counted once (`make_rows`); whatever is packed afterwards only adds up
numbers. Sums are exact because every row starts on a line of its own with a character that no
vocabulary joins to the line break before it.
"""

from sensemaking.context.dealing import LeafQueue, LeafSelection, choose_in_turn, deal_in_turn
from sensemaking.context.packing import (
    HEADER,
    HEADER_TOKENS,
    pack_greedily,
    pack_in_order,
    pack_shuffled,
    render_block,
    render_item,
)
from sensemaking.context.rows import Row, RowTable, average_tokens, fold, make_rows

__all__ = [
    "HEADER",
    "HEADER_TOKENS",
    "LeafQueue",
    "LeafSelection",
    "Row",
    "RowTable",
    "average_tokens",
    "choose_in_turn",
    "deal_in_turn",
    "fold",
    "make_rows",
    "pack_greedily",
    "pack_in_order",
    "pack_shuffled",
    "render_block",
    "render_item",
]
