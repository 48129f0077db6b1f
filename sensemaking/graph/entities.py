"""Entities from keys: name, aliases, kind, places, description."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sensemaking.graph.choose import Choice
from sensemaking.graph.describe import Texts, best_definition, shortened
from sensemaking.graph.forms import (
    is_person_name,
    is_phrase,
    is_shouted,
    person_parts,
    phrase_key,
    plain,
    unshouted,
)
from sensemaking.graph.reading import Place, Reading
from sensemaking.types import Chunk, Entity, Span, digest

MAX_ALIASES = 12
_MAX_DEFINING = 60
"""Sentences looked at for a definition."""


@dataclass(frozen=True, slots=True)
class EntityTable:
    """The entities by position (sorted by key), and the position of each key."""

    entities: list[Entity]
    index: dict[str, int]


def make_entities(
    reading: Reading,
    keys: Sequence[str],
    choice: Choice,
    placed: Sequence[Sequence[Place]],
    judged: tuple[Texts, NDArray[np.float64]],
) -> EntityTable:
    """Return the chosen entities; `judged` are the texts and the quality of their sentences."""
    ordered = sorted(choice.kinds)
    index = {key: position for position, key in enumerate(ordered)}
    surfaces: list[Counter[str]] = [Counter() for _ in ordered]
    descriptions: list[list[str]] = [[] for _ in ordered]
    spans: list[dict[Span, str]] = [{} for _ in ordered]
    for form, key in zip(reading.forms, keys, strict=True):
        if key not in index:
            continue
        position = index[key]
        surfaces[position][form.name] += len(form.spans)
        descriptions[position].extend(form.descriptions)
        for span, chunk in zip(form.spans, form.chunks, strict=True):
            spans[position].setdefault(span, reading.chunks[chunk].id)
    defining = _defining(reading, placed, judged, len(ordered))
    _add_inner(reading, placed, spans)
    entities = []
    taken: set[str] = set()
    for position, key in enumerate(ordered):
        kind = choice.kinds[key]
        name = _display(surfaces[position], key, kind)
        identity = digest(name.casefold(), kind)
        if identity in taken:
            identity = digest(name.casefold(), kind, key)
        taken.add(identity)
        places = sorted(spans[position], key=lambda span: (span.document_id, span.start, span.end))
        entities.append(
            Entity(
                id=identity,
                name=name,
                kind=kind,
                description=_stated(descriptions[position]) or defining[position],
                spans=tuple(places),
                chunk_ids=_in_order(reading.chunks, set(spans[position].values())),
                aliases=_aliases(surfaces[position], name),
            )
        )
    return EntityTable(_with_surnames(entities), index)


def _in_order(chunks: Sequence[Chunk], ids: set[str]) -> tuple[str, ...]:
    if len(ids) < 2:
        return tuple(ids)
    return tuple(sorted(ids))


def _display(surfaces: Counter[str], key: str, kind: str) -> str:
    """Return the usual way to write a name: that of the key itself, not shouted, most frequent."""

    def rank(name: str) -> tuple[bool, bool, bool, int, str]:
        is_own = key.lstrip("~") in (plain(name), phrase_key(name))
        is_singular = kind != "concept" or plain(name) == key
        return (
            is_own,
            not is_shouted(name),
            is_singular or not is_phrase(name),
            surfaces[name],
            name,
        )

    best = max(surfaces, key=rank)
    if kind == "person" and len(person_parts(key)) > 1 and not rank(best)[0]:
        best = key.title()
    best = unshouted(best)
    return best[4:] if best.lower().startswith("the ") and kind != "work" else best


def _aliases(surfaces: Counter[str], name: str) -> tuple[str, ...]:
    others = [one for one in surfaces if one != name]
    others.sort(key=lambda one: (-surfaces[one], one))
    return tuple(sorted(others[:MAX_ALIASES]))


def _with_surnames(entities: list[Entity]) -> list[Entity]:
    """Add the surname as an alias of a person, where nobody and nothing else is called that."""
    called: Counter[str] = Counter()
    surnames: list[str] = []
    for entity in entities:
        called.update({name.casefold() for name in (entity.name, *entity.aliases)})
        parts = entity.name.split()
        is_full = entity.kind == "person" and is_person_name(person_parts(entity.name))
        surnames.append(parts[-1] if is_full else "")
    bearers = Counter(name.casefold() for name in surnames if name)
    found = []
    for entity, surname in zip(entities, surnames, strict=True):
        folded = surname.casefold()
        if surname and bearers[folded] == 1 and not called[folded]:
            entity = replace(entity, aliases=tuple(sorted((*entity.aliases, surname))))
        found.append(entity)
    return found


def _stated(descriptions: list[str]) -> str:
    """Return the description that models gave most often, the longest at a tie."""
    if not descriptions:
        return ""
    counts = Counter(descriptions)
    return shortened(min(counts, key=lambda text: (-counts[text], -len(text), text)))


def _defining(
    reading: Reading,
    placed: Sequence[Sequence[Place]],
    judged: tuple[Texts, NDArray[np.float64]],
    n_entities: int,
) -> list[str]:
    """Return the best defining sentence of each entity."""
    texts, quality = judged
    rows: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for row, places in enumerate(placed):
        for start, end, entity in places:
            rows[entity].append((row, start, end))
    found = []
    for entity in range(n_entities):
        candidates = []
        for row, start, end in rows[entity][:_MAX_DEFINING]:
            sentence = reading.sentences[row]
            text = texts.clean(sentence.document, sentence.span.start, sentence.span.end)
            surface = texts.clean(sentence.document, start, end)
            at = text.find(surface)
            if at >= 0:
                candidates.append((text, at, at + len(surface), float(quality[row])))
        found.append(best_definition(candidates))
    return found


def _add_inner(
    reading: Reading, placed: Sequence[Sequence[Place]], spans: list[dict[Span, str]]
) -> None:
    """Add the places found inside phrases that were not chosen."""
    for row, places in zip(reading.sentences, placed, strict=True):
        for start, end, entity in places:
            span = Span(row.span.document_id, start, end, row.span.page)
            spans[entity].setdefault(span, reading.chunks[row.chunk].id)
