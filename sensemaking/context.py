"""Packing text into token budgets: records into rows, rows in order, blocks into windows.

Every row is written and counted once (`make_rows`); whatever is packed afterwards only adds up
numbers. Sums are exact because every row starts on a line of its own with a character that no
vocabulary joins to the line break before it.

Notes
-----
GraphRAG hands records over as comma-separated tables with global row numbers. Ours are labelled
lines with numbers that count within one context ("[E3] Name (kind): description"), so that a text
does not change when an unrelated document is added, and quoting costs no tokens. Line breaks
inside a record are folded: a record cannot pass for two.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sensemaking.config import RoundRobinSettings
from sensemaking.ports import Tokenizer
from sensemaking.types import (
    Claim,
    ContextBlock,
    ContextItem,
    Entity,
    Hierarchy,
    KnowledgeGraph,
    Relationship,
    Window,
    digest,
)

HEADER = "Cite the numbered items below by their numbers.\n"
HEADER_TOKENS = 12
"""Tokens of the header in any vocabulary, rounded up."""


# Rows


@dataclass(frozen=True, slots=True)
class Row:
    """One record as a line without its label; `n_tokens` includes the space before it."""

    text: str
    n_tokens: int


@dataclass(frozen=True)
class RowTable:
    """All records of one graph as counted rows, with the orders that packing needs.

    `relationships` stand in order of prominence: combined degree of both ends in the whole graph,
    largest first, then id. `starting` holds, per entity, the positions in `relationships` of those
    it is the source of; `claims` those of which it is the subject.
    """

    graph: KnowledgeGraph
    tokenizer: Tokenizer
    relationships: tuple[Relationship, ...]
    starting: dict[str, tuple[int, ...]]
    claims: dict[str, tuple[Claim, ...]]
    rows: dict[str, Row]

    @cached_property
    def evidence(self) -> dict[str, str]:
        """Return a digest per record id of all that its row does not show."""
        records: Iterable[Entity | Relationship | Claim] = (
            *self.graph.entities,
            *self.graph.relationships,
            *self.graph.claims,
        )
        return {one.id: _evidence(one) for one in records}

    @cached_property
    def documents(self) -> dict[str, frozenset[str]]:
        """Return the ids of the documents that each entity occurs in."""
        return {
            one.id: frozenset(span.document_id for span in one.spans) for one in self.graph.entities
        }

    def label_tokens(self, letter: str, number: int) -> int:
        """Return the tokens of a label such as "[E12]"; numbers of equal length cost the same.

        That of a report (letter S) stands on a line of its own, whose break is counted with it.
        """
        return self._label_tokens[letter, len(str(number))]

    @cached_property
    def _label_tokens(self) -> dict[tuple[str, int], int]:
        return {
            (letter, digits): self.tokenizer.count(f"[{letter}{'1' * digits}]{end}")
            for letter, end in (("S", "\n"), ("E", ""), ("C", ""), ("R", ""))
            for digits in range(1, 9)
        }


def make_rows(graph: KnowledgeGraph, tokenizer: Tokenizer) -> RowTable:
    """Write and count every record of a graph once."""
    names = {one.id: fold(one.name) for one in graph.entities}
    degrees = graph.degrees
    ranked = sorted(
        graph.relationships,
        key=lambda one: (-degrees[one.source_id] - degrees[one.target_id], one.id),
    )
    starting: dict[str, list[int]] = {one.id: [] for one in graph.entities}
    for position, relationship in enumerate(ranked):
        starting[relationship.source_id].append(position)
    claims: dict[str, list[Claim]] = {}
    for claim in sorted(graph.claims, key=lambda one: one.id):
        claims.setdefault(claim.subject_id, []).append(claim)
    texts = {one.id: _entity_text(one) for one in graph.entities}
    texts.update((one.id, _relationship_text(one, names)) for one in ranked)
    texts.update((one.id, _claim_text(one, names)) for one in graph.claims)
    return RowTable(
        graph=graph,
        tokenizer=tokenizer,
        relationships=tuple(ranked),
        starting={key: tuple(ones) for key, ones in starting.items()},
        claims={key: tuple(ones) for key, ones in claims.items()},
        rows={key: Row(text, tokenizer.count(f" {text}\n")) for key, text in texts.items()},
    )


def fold(text: str) -> str:
    r"""Return the text on one line: every run of white space is one space.

    >>> fold("two\n\n  lines ")
    'two lines'
    """
    return " ".join(text.split())


def _entity_text(one: Entity) -> str:
    description = f": {fold(one.description)}" if one.description else ""
    return f"{fold(one.name)} ({one.kind}){description}"


def _relationship_text(one: Relationship, names: dict[str, str]) -> str:
    ends = f"{names[one.source_id]} -- {names[one.target_id]}"
    return f"{ends}: {fold(one.description)}" if one.description else ends


def _claim_text(one: Claim, names: dict[str, str]) -> str:
    facts = [one.kind]
    if one.status != "true":
        facts.append(one.status)
    if one.start_date:
        until = f" to {one.end_date}" if one.end_date and one.end_date != one.start_date else ""
        facts.append(one.start_date + until)
    if one.speaker:
        facts.append(f"said by {fold(one.speaker)}")
    subject = names.get(one.subject_id, "")
    return f"{subject}: {fold(one.description)} ({', '.join(facts)})"


def _evidence(one: Entity | Relationship | Claim) -> str:
    spans = (f"{span.document_id} {span.start} {span.end} {span.page}" for span in one.spans)
    weight = one.weight if isinstance(one, Relationship) else 0.0
    aliases = one.aliases if isinstance(one, Entity) else ()
    return digest(spans, one.chunk_ids, aliases, weight)


def average_tokens(table: RowTable) -> float:
    """Return the tokens of all rows of entities and relationships, per entity."""
    graph = table.graph
    ids = [one.id for one in graph.entities] + [one.id for one in graph.relationships]
    return sum(table.rows[one].n_tokens for one in ids) / max(1, len(graph.entities))


# Packing


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


# Dealing relationships to leaves in turn


@dataclass(frozen=True, slots=True)
class LeafQueue:
    """The relationships inside a leaf, the most prominent first, as numbers."""

    id: str
    shell: int
    edges: tuple[int, ...]


@dataclass(frozen=True)
class LeafSelection:
    """Which relationships each leaf may show, as positions in `RowTable.relationships`, sorted.

    `n_eligible` counts the relationships inside a leaf; budget and `spent` are in relationships or
    in tokens. When the budget does not bind, all eligible ones were taken.
    """

    chosen: dict[str, tuple[int, ...]]
    n_eligible: int
    n_chosen: int
    budget: int
    spent: int

    @property
    def binds(self) -> bool:
        """Whether the budget left out anything."""
        return self.n_chosen < self.n_eligible


def deal_in_turn(
    leaves: Sequence[LeafQueue], order: str, budget: int, cost: Callable[[str, int], int]
) -> list[tuple[str, int]]:
    """Return (leaf, relationship) pairs in the order in which they are dealt.

    Order A goes round all leaves by (shell from the highest, id), one relationship a turn; order B
    goes round the leaves of the highest shell until they have none left, then the next. One that
    another leaf has got already is passed over without using the turn. The first that does not fit
    the budget ends it.

    >>> leaves = [LeafQueue("x", 1, (0, 1)), LeafQueue("y", 2, (2, 1, 3))]
    >>> deal_in_turn(leaves, "A", 3, lambda leaf, edge: 1)
    [('y', 2), ('x', 0), ('y', 1)]
    >>> deal_in_turn(leaves, "B", 4, lambda leaf, edge: 1)
    [('y', 2), ('y', 1), ('y', 3), ('x', 0)]
    """
    ordered = sorted(leaves, key=lambda leaf: (-leaf.shell, leaf.id))
    shells = [[leaf for leaf in ordered if leaf.shell == k] for k in _falling(ordered)]
    taken: set[int] = set()
    dealt: list[tuple[str, int]] = []
    for table in shells if order == "B" else [ordered]:
        for leaf, edge in _go_round(table, taken):
            price = cost(leaf, edge)
            if price > budget:
                return dealt
            budget -= price
            dealt.append((leaf, edge))
    return dealt


def _falling(leaves: Sequence[LeafQueue]) -> list[int]:
    return sorted({leaf.shell for leaf in leaves}, reverse=True)


def _go_round(leaves: Sequence[LeafQueue], taken: set[int]) -> Iterator[tuple[str, int]]:
    waiting = [(leaf.id, iter(leaf.edges)) for leaf in leaves]
    while waiting:
        following = []
        for leaf, edges in waiting:
            edge = next((one for one in edges if one not in taken), None)
            if edge is not None:
                taken.add(edge)
                following.append((leaf, edges))
                yield leaf, edge
        waiting = following


def choose_in_turn(
    hierarchy: Hierarchy,
    table: RowTable,
    settings: RoundRobinSettings,
    core_numbers: Mapping[str, int],
) -> LeafSelection:
    """Choose the relationships that leaves may show: round-robin token-constrained selection.

    `core_numbers` are those of the entities.

    Notes
    -----
    "Core-based Hierarchies for Efficient GraphRAG", RRTC; no code is published. Prominence is the
    combined degree in the whole graph, then the ids of the ends. The shell of a leaf is the one it
    was made from; for algorithms without cores, the smallest core number of its members. In tokens,
    a relationship costs its row and, once in each leaf, the rows of its ends.
    """
    leaves = _queues(hierarchy, table, core_numbers)
    n_eligible = len({edge for leaf in leaves for edge in leaf.edges})
    listed: set[tuple[str, str]] = set()
    spent = 0

    def price(leaf: str, edge: int) -> int:
        if settings.tokens is None:
            return 1
        one = table.relationships[edge]
        ends = [end for end in (one.source_id, one.target_id) if (leaf, end) not in listed]
        return sum(table.rows[key].n_tokens for key in (one.id, *ends))

    def pay(leaf: str, edge: int) -> int:
        nonlocal spent
        paid = price(leaf, edge)
        if spent + paid <= budget:
            spent += paid
            one = table.relationships[edge]
            listed.update(((leaf, one.source_id), (leaf, one.target_id)))
        return paid

    base = n_eligible if settings.base == "eligible" else len(table.relationships)
    budget = settings.percent * base // 100 if settings.tokens is None else settings.tokens
    chosen: dict[str, list[int]] = {leaf.id: [] for leaf in leaves}
    dealt = deal_in_turn(leaves, settings.order, budget, pay)
    for leaf, edge in dealt:
        chosen[leaf].append(edge)
    return LeafSelection(
        chosen={leaf: tuple(sorted(edges)) for leaf, edges in chosen.items()},
        n_eligible=n_eligible,
        n_chosen=len(dealt),
        budget=budget,
        spent=spent,
    )


def _queues(
    hierarchy: Hierarchy, table: RowTable, core_numbers: Mapping[str, int]
) -> list[LeafQueue]:
    degrees = table.graph.degrees

    def prominence(position: int) -> tuple[int, str, str]:
        one = table.relationships[position]
        return -degrees[one.source_id] - degrees[one.target_id], one.source_id, one.target_id

    found = []
    for leaf in hierarchy.leaves:
        members = set(leaf.entity_ids)
        inside = (
            position
            for one in leaf.entity_ids
            for position in table.starting[one]
            if table.relationships[position].target_id in members
        )
        shell = leaf.core_number
        if shell is None:
            shell = min((core_numbers[one] for one in members), default=0)
        found.append(LeafQueue(leaf.id, shell, tuple(sorted(inside, key=prominence))))
    return found
