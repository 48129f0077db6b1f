"""From what a model lists for one passage to the extraction that is kept.

Listings come in, one after the other; out goes one extraction: each entity once, ends of
relationships and claims as indices, names and quotations as spans of the document.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from sensemaking.backends.llm.evidence import find_name, find_quote, whole
from sensemaking.backends.llm.examples import stands_in_example
from sensemaking.backends.llm.statements import (
    Listed,
    ListedClaim,
    ListedEntity,
    ListedRelationship,
)
from sensemaking.ports import Passage
from sensemaking.text.sentences import split_sentences
from sensemaking.types import Extraction, Mention, MentionedClaim, MentionedRelationship, Span

MAX_SHOWN = 120
"""Characters of a quotation that the model is shown again."""
GENERAL_KIND = "concept"
"""The kind of what a model gives another kind than it was told, and of ends it did not list."""

_ARTICLE = re.compile(r"(?:the|a|an)\s+", re.IGNORECASE)
_KINDS = {
    "organization": "organisation",
    "company": "organisation",
    "institution": "organisation",
    "agency": "organisation",
    "org": "organisation",
    "location": "place",
    "geo": "place",
    "city": "place",
    "country": "place",
    "people": "person",
    "human": "person",
    "document": "work",
    "book": "work",
    "regulation": "law",
    "technology": "product",
}
"""Other words for the usual kinds."""


@dataclass(slots=True)
class _Entity:
    name: str
    kind: str
    description: str
    spans: tuple[Span, ...]
    is_located: bool = True


@dataclass(slots=True)
class Collector:
    """Gathers what is listed for a passage; `kinds` are those that were asked for."""

    passage: Passage
    kinds: Sequence[str]
    _entities: list[_Entity] = field(default_factory=list)
    _index: dict[str, int] = field(default_factory=dict)
    _relationships: dict[tuple[int, int, str], MentionedRelationship] = field(default_factory=dict)
    _claims: dict[tuple[int, str], MentionedClaim] = field(default_factory=dict)
    _sentences: list[tuple[int, int]] = field(default_factory=list)
    _unlocated: int = 0
    _dropped: int = 0

    def add(self, listed: Listed) -> int:
        """Take a listing in; return how much of it was new."""
        before = self._size()
        for entity in listed.entities:
            self._add_entity(entity)
        for relationship in listed.relationships:
            self._add_relationship(relationship)
        for claim in listed.claims:
            self._add_claim(claim)
        return self._size() - before

    def _size(self) -> int:
        return len(self._entities) + len(self._relationships) + len(self._claims)

    def _add_entity(self, one: ListedEntity) -> None:
        name = _ARTICLE.sub("", one.name, count=1) if one.name[:1].islower() else one.name
        key = _key(name)
        if key in self._index:
            known = self._entities[self._index[key]]
            known.description = known.description or one.description
            return
        spans = find_name(name, self.passage)
        quote = None if spans else self._quote(one.quote)
        if quote is not None:
            spans = (quote,)
        if not spans and (
            stands_in_example(name, "extract") or stands_in_example(one.quote, "extract")
        ):
            self._dropped += 1
            return
        self._place(key, _Entity(name, self._kind(one.kind), one.description, spans))

    def _place(self, key: str, entity: _Entity) -> int:
        if not entity.spans:
            entity.spans, entity.is_located = (whole(self.passage),), False
            self._unlocated += 1
        self._index[key] = len(self._entities)
        self._entities.append(entity)
        return self._index[key]

    def _kind(self, kind: str) -> str:
        folded = kind.casefold().strip()
        allowed = {one.casefold(): one for one in self.kinds}
        return allowed.get(folded) or allowed.get(_KINDS.get(folded, "")) or GENERAL_KIND

    def _end(self, name: str) -> int | None:
        """Return the entity of a name; one that was not listed becomes a mention if it is there."""
        for key in (_key(name), _key(_ARTICLE.sub("", name, count=1))):
            if key in self._index:
                return self._index[key]
        spans = find_name(name, self.passage)
        if not spans and stands_in_example(name, "extract"):
            return None
        return self._place(_key(name), _Entity(name, GENERAL_KIND, "", spans))

    def _add_relationship(self, one: ListedRelationship) -> None:
        spans = self._evidence(one.quote, one.description)
        if spans is None or _key(one.source) == _key(one.target):
            self._dropped += 1
            return
        source, target = self._end(one.source), self._end(one.target)
        if source is None or target is None or source == target:
            self._dropped += 1
            return
        key = (min(source, target), max(source, target), one.description.casefold())
        if key in self._relationships:
            self._dropped += 1
            return
        self._unlocated += spans == (whole(self.passage),)
        weight = round(one.strength * self._share_named((source, target), spans[0]), 4)
        self._relationships[key] = MentionedRelationship(
            source, target, one.description, weight, spans
        )

    def _share_named(self, ends: tuple[int, int], evidence: Span) -> float:
        """Return how far the evidence of a tie, its whole sentences, names the ends: 1/3, 2/3 or 1.

        A tie by "it" or "she" may be true; small models also tie what is only near each other.
        """
        offset = self.passage.chunk.start
        self._sentences = self._sentences or split_sentences(self.passage.text)
        around = [
            (start + offset, end + offset)
            for start, end in self._sentences
            if start + offset < evidence.end and end + offset > evidence.start
        ]
        first = min([evidence.start, *(start for start, _ in around)])
        last = max([evidence.end, *(end for _, end in around)])
        named = sum(
            any(first <= span.start and span.end <= last for span in self._entities[end].spans)
            for end in ends
        )
        return (1 + named) / 3

    def _add_claim(self, one: ListedClaim) -> None:
        spans = self._evidence(one.quote, one.description)
        subject = None if spans is None else self._end(one.subject)
        if spans is None or subject is None:
            self._dropped += 1
            return
        key = (subject, one.description.casefold())
        if key in self._claims:
            self._dropped += 1
            return
        self._unlocated += spans == (whole(self.passage),)
        other = self._end(one.object) if one.object else None
        self._claims[key] = MentionedClaim(
            subject=subject,
            object=other if other != subject else None,
            kind=one.kind[:60] or "statement",
            status=one.status,
            description=one.description,
            spans=spans,
            start_date=one.start,
            end_date=one.end if one.start and one.end and one.end >= one.start else None,
        )

    def _quote(self, quote: str) -> Span | None:
        return find_quote(quote, self.passage) if quote else None

    def _evidence(self, quote: str, description: str) -> tuple[Span, ...] | None:
        """Return where a statement is evidenced; None when it is not this chunk's to make.

        That is so when the chunk before holds its quotation whole, or when it was copied from the
        example in the prompt.
        """
        span = self._quote(quote) or self._quote(description)
        if span is None:
            is_copied = stands_in_example(quote, "extract") or stands_in_example(
                description, "extract"
            )
            return None if is_copied else (whole(self.passage),)
        chunk = self.passage.chunk
        is_before = chunk.ordinal > 0 and span.end <= chunk.own_start
        return None if is_before else (span,)

    def listing(self) -> str:
        """Return what was taken in so far in the form in which it was asked for, briefly."""
        names = [one.name for one in self._entities]
        entities = [{"name": one.name, "kind": one.kind} for one in self._entities]
        relationships = [
            {
                "source": names[one.source],
                "target": names[one.target],
                "description": one.description,
                "quote": self._shown(one.spans[0]),
            }
            for one in self._relationships.values()
        ]
        claims = [
            {
                "subject": names[one.subject],
                "kind": one.kind,
                "description": one.description,
                "quote": self._shown(one.spans[0]),
            }
            for one in self._claims.values()
        ]
        found = {"entities": entities, "relationships": relationships, "claims": claims}
        return json.dumps(found, ensure_ascii=False)

    def _shown(self, span: Span) -> str:
        start = span.start - self.passage.chunk.start
        end = span.end - self.passage.chunk.start
        return " ".join(self.passage.text[start:end][:MAX_SHOWN].split())

    def extraction(self, n_bad: int) -> Extraction:
        """Return the extraction; `n_bad` is how many items could not even be read."""
        mentions = (
            Mention(one.name, one.kind, one.spans, one.description) for one in self._entities
        )
        return Extraction(
            id=self.passage.chunk.id,
            mentions=tuple(mentions),
            relationships=tuple(self._relationships.values()),
            claims=tuple(self._claims.values()),
            unlocated=self._unlocated,
            dropped=self._dropped + n_bad,
        )


def _key(name: str) -> str:
    return " ".join(name.casefold().split())
