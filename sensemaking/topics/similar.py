"""Topics that may be one: shown together, never merged by the program."""

from __future__ import annotations

from collections.abc import Sequence

from sensemaking.text.words import content_words, words
from sensemaking.types import Topic

ALIKE = 0.5
"""Share of common words among all words of two names, or of two descriptions, from which they are
near-duplicates."""
ALIKE_TEXTS = 0.6


def group_similar(topics: Sequence[Topic]) -> tuple[tuple[Topic, ...], ...]:
    """Return the topics in groups, in order of the first of each; most groups hold one.

    Notes
    -----
    Two topics are near-duplicates when half of the words of their names are the same, when one
    name holds all words of the other, when one single word begins with the other ("tech",
    "technology"), or when six tenths of the words of their descriptions are the same. Groups are
    formed around their first topic, so that a chain of small steps does not join what is far apart.
    """
    groups: list[list[int]] = []
    marks = [(_words(one.name), _words(one.description)) for one in topics]
    for number, mark in enumerate(marks):
        home = next((group for group in groups if _are_near(marks[group[0]], mark)), None)
        if home is None:
            groups.append([number])
        else:
            home.append(number)
    return tuple(tuple(topics[number] for number in group) for group in groups)


Mark = tuple[frozenset[str], frozenset[str]]


def _are_near(one: Mark, other: Mark) -> bool:
    names, others = one[0], other[0]
    if names and others:
        if names <= others or others <= names:
            return True
        if len(names & others) >= ALIKE * len(names | others):
            return True
        if len(names) == len(others) == 1:
            short, long = sorted((*names, *others), key=len)
            if len(short) >= 4 and long.startswith(short):
                return True
    texts, other_texts = one[1], other[1]
    return len(texts) > 3 and len(texts & other_texts) >= ALIKE_TEXTS * len(texts | other_texts)


def _words(text: str) -> frozenset[str]:
    return frozenset(content_words(text) or words(text))
