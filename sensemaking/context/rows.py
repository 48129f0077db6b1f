"""Records of a graph as lines of text, each written and counted once.

Notes
-----
GraphRAG hands records over as comma-separated tables with global row numbers. Ours are labelled
lines with numbers that count within one context ("[E3] Name (kind): description"), so that a text
does not change when an unrelated document is added, and quoting costs no tokens. Line breaks
inside a record are folded: a record cannot pass for two.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sensemaking.ports import Tokenizer
from sensemaking.types import Claim, Entity, KnowledgeGraph, Relationship, digest


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
