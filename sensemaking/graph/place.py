"""Which chosen entities a sentence mentions, and where: the longest at each place.

A phrase that was not chosen gives way to the chosen ones inside it: "cadmium concentration" to
"cadmium".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sensemaking.graph.forms import phrase_key
from sensemaking.graph.reading import Place, Reading

_PART = re.compile(r"[^\s\-]+")


def place_entities(
    reading: Reading, keys: Sequence[str], index: dict[str, int], inner: dict[str, list[str]]
) -> list[list[Place]]:
    """Return for each sentence the (start, end, entity) it mentions, in order, not overlapping."""
    found = []
    for row in reading.sentences:
        text = reading.documents[row.document].text
        candidates: list[Place] = []
        for start, end, form in row.places:
            key = keys[form]
            if key in index:
                candidates.append((start, end, index[key]))
            elif key in inner:
                candidates.extend(_inside(text, start, end, index, set(inner[key])))
        found.append(_disjoint(candidates))
    return found


def _inside(text: str, start: int, end: int, index: dict[str, int], parts: set[str]) -> list[Place]:
    words = [match.span() for match in _PART.finditer(text, start, end)]
    found = []
    for size in range(len(words) - 1, 0, -1):
        for at in range(len(words) - size + 1):
            a, b = words[at][0], words[at + size - 1][1]
            key = phrase_key(text[a:b])
            if key in parts and key in index:
                found.append((a, b, index[key]))
    return found


def _disjoint(candidates: list[Place]) -> list[Place]:
    """Return the longest candidates that do not overlap, the earlier first at equal length."""
    if len(candidates) < 2:
        return candidates
    chosen: list[Place] = []
    for one in sorted(candidates, key=lambda place: (place[0] - place[1], place[0], place[2])):
        if all(one[1] <= start or end <= one[0] for start, end, _ in chosen):
            chosen.append(one)
    return sorted(chosen)
