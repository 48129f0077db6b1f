"""What the report on one community is written from, within a token budget.

In: the plan, and the reports on the level below. Out: a `ReportContext`.

Notes
-----
"From Local to Global" (Edge et al. 2024): relationships by combined degree, for each its ends,
their claims and the relationship itself, as long as they fit. A community that does not fit whole
has its sub-communities replaced by their reports, largest context first, until it does; when all
are replaced and it is still too long, only reports are read, largest first, until the budget is
full. Where the paper is silent:

- A relationship between two sub-communities stands in neither report: it stays, with its ends,
  until only reports are left. The claims of an entity go with its sub-community.
- A sub-community without a report cannot be replaced. Where no report fits, the elements are cut.
- When not even the first relationship fits, its rows are taken one by one; the first always.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sensemaking.config import ReportSettings
from sensemaking.context import pack_in_order
from sensemaking.ports import ReportContext
from sensemaking.reports.planning import ReportPlan
from sensemaking.reports.substituting import Steps
from sensemaking.reports.writing import render_report
from sensemaking.types import Claim, Community, Entity, Packing, Relationship, Report

SECTIONS = {"Reports": "S", "Entities": "E", "Claims": "C", "Relationships": "R"}
"""The sections of a context in their order, and the letter of their labels."""

Record = Entity | Claim | Relationship


def pack_context(
    plan: ReportPlan,
    community: Community,
    reports: Mapping[str, Report],
    settings: ReportSettings,
) -> ReportContext:
    """Return what the report on a community is written from.

    `reports` are those of the level below by community id; those that could not be written are
    missing from it.
    """
    packer = _Packer(plan, community, settings.context_tokens)
    if packer.fits_whole:
        return packer.make("elements")
    children = sorted(
        (one for one in plan.hierarchy.children[community.id] if one.id in reports),
        key=lambda one: (-plan.elements[one.id].n_tokens, one.id),
    )
    return packer.substitute(children, [reports[one.id] for one in children]) or packer.truncate()


class _Packer:
    """Packs one community: knows its elements, the budget, and what each row costs."""

    def __init__(self, plan: ReportPlan, community: Community, budget: int) -> None:
        self.plan, self.table, self.community = plan, plan.table, community
        self.elements = plan.elements[community.id]
        # Labels are counted at the length of the largest number that can occur.
        most = len(community.entity_ids) + len(self.elements.relationships)
        most += sum(len(ones) for ones in self.elements.claims.values())
        self._label = self.table.label_tokens("E", most)
        self.budget = budget - sum(self._heading(section)[1] for section in SECTIONS)

    @property
    def fits_whole(self) -> bool:
        return self.elements.n_tokens <= self.budget

    def _cost(self, record_ids: Sequence[str]) -> int:
        return sum(self.table.rows[one].n_tokens + self._label for one in record_ids)

    def _units(self) -> Iterator[list[Record]]:
        """Yield what is added at once: new ends, their claims, then the relationship; or one."""
        listed: set[str] = set()
        entity_by_id = self.table.graph.entity_by_id
        for position in self.elements.relationships:
            relationship = self.table.relationships[position]
            ends = [relationship.source_id, relationship.target_id]
            fresh = [one for one in ends if one not in listed]
            listed.update(fresh)
            unit: list[Record] = [entity_by_id[one] for one in fresh]
            unit += [claim for one in fresh for claim in self.elements.claims.get(one, ())]
            yield [*unit, relationship]
        for one in self.elements.entities:
            if one not in listed:
                yield [entity_by_id[one], *self.elements.claims.get(one, ())]

    def _records(self) -> list[Record]:
        return [one for unit in self._units() for one in unit]

    def truncate(self) -> ReportContext:
        units = list(self._units())
        costs = [self._cost([one.id for one in unit]) for unit in units]
        kept = [one for unit in units[: pack_in_order(costs, self.budget)] for one in unit]
        if not kept:
            first = sorted(units[0], key=lambda one: isinstance(one, Claim))
            fitting = pack_in_order((self._cost([one.id]) for one in first), self.budget)
            # A relationship stands third, after both its ends: it never comes without them.
            kept = first[: max(fitting, 1)]
        left_out = len(self.elements.entities) + len(self.elements.relationships)
        left_out -= sum(not isinstance(one, Claim) for one in kept)
        return self.make("truncated", records=kept, left_out=left_out)

    def substitute(
        self, children: Sequence[Community], reports: Sequence[Report]
    ) -> ReportContext | None:
        """Replace as few children as needed, in order; None when not even one report fits."""
        steps = Steps(self.community, self.elements, children, self.table, self._label)
        label = self.table.label_tokens("S", len(reports))
        costs = [label + one.n_tokens for one in reports]
        used = 0
        for n, cost in enumerate(costs, start=1):
            used += cost
            if used + steps.remaining(n) <= self.budget:
                records = [one for one in self._records() if steps.stays(one.id, n)]
                packing: Packing = "substituted" if records else "reports"
                return self.make(packing, reports=reports[:n], records=records)
        n = pack_in_order(costs, self.budget)
        if not n:
            return None
        left_out = steps.count_outside(n)
        return self.make("reports", reports=reports[:n], records=[], left_out=left_out)

    def make(
        self,
        packing: Packing,
        *,
        reports: Sequence[Report] = (),
        records: Sequence[Record] | None = None,
        left_out: int = 0,
    ) -> ReportContext:
        if records is None:
            records = self._records()
        entities = tuple(one for one in records if isinstance(one, Entity))
        claims = tuple(one for one in records if isinstance(one, Claim))
        relationships = tuple(one for one in records if isinstance(one, Relationship))
        text, n_tokens = self._write(reports, entities, claims, relationships)
        by_id = self.table.graph.entity_by_id
        members = [by_id[one] for one in self.community.entity_ids]
        documents = self.table.documents
        return ReportContext(
            community_id=self.community.id,
            text=text,
            n_tokens=n_tokens,
            entities=entities,
            relationships=relationships,
            claims=claims,
            reports=tuple(reports),
            packing=packing,
            left_out=left_out,
            n_entities=len(members),
            n_relationships=len(self.elements.relationships),
            n_documents=len(frozenset().union(*(documents[one.id] for one in members))),
            n_chunks=len({chunk for one in members for chunk in one.chunk_ids}),
            degrees=tuple(self.table.graph.degrees[one.id] for one in entities),
        )

    def _write(
        self,
        reports: Sequence[Report],
        entities: Sequence[Entity],
        claims: Sequence[Claim],
        relationships: Sequence[Relationship],
    ) -> tuple[str, int]:
        parts: list[str] = []
        n_tokens = 0

        def add(text: str, tokens: int) -> None:
            nonlocal n_tokens
            parts.append(text)
            n_tokens += tokens

        if reports:
            add(*self._heading("Reports"))
        for number, report in enumerate(reports, start=1):
            label = self.table.label_tokens("S", number)
            add(f"[S{number}]\n{render_report(report)}", label + report.n_tokens)
        sections: tuple[tuple[str, Sequence[Record]], ...] = (
            ("Entities", entities),
            ("Claims", claims),
            ("Relationships", relationships),
        )
        for section, records in sections:
            if records:
                add(*self._heading(section))
            letter = SECTIONS[section]
            for number, one in enumerate(records, start=1):
                row = self.table.rows[one.id]
                label = self.table.label_tokens(letter, number)
                add(f"[{letter}{number}] {row.text}\n", label + row.n_tokens)
        return "".join(parts), n_tokens

    def _heading(self, section: str) -> tuple[str, int]:
        text = f"=== {section} ===\n"
        return text, self.table.tokenizer.count(text)
