"""Short names for what sentences share: headings and titles made of the documents' own terms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_LAST = re.compile(r" and (?=[^,]*$)")
MAX_TERM = 48
"""Characters of a term that may stand in a heading."""


def join_terms(terms: Sequence[str]) -> str:
    """Return the terms as one phrase that begins with a capital.

    >>> join_terms(["sediment survey", "Quay 7", "cadmium"])
    'Sediment survey, Quay 7 and cadmium'
    """
    if not terms:
        return ""
    *first, last = terms
    phrase = f"{', '.join(first)} and {last}" if first else last
    return phrase[0].upper() + phrase[1:]


def split_terms(phrase: str) -> list[str]:
    """Return the terms that `join_terms` joined; an "and" inside the last term is taken apart.

    >>> split_terms("Sediment survey, Quay 7 and cadmium")
    ['Sediment survey', 'Quay 7', 'cadmium']
    """
    parts = [part for one in phrase.split(", ") for part in _LAST.split(one)]
    return [part.strip() for part in parts if part.strip()]


def distinct_terms(terms: Iterable[str], size: int) -> list[str]:
    """Return the first `size` terms that do not repeat a word of an earlier one.

    >>> distinct_terms(["Quay 7", "Quay", "cadmium", "Cadmium layer", "tender"], 3)
    ['Quay 7', 'cadmium', 'tender']
    """
    chosen: list[str] = []
    seen: set[str] = set()
    for term in terms:
        parts = {_fold(part) for part in term.split()}
        if not parts or parts & seen or len(term) > MAX_TERM:
            continue
        chosen.append(term)
        seen |= parts
        if len(chosen) == size:
            break
    return chosen


def in_order(terms: Iterable[str], text: str) -> list[str]:
    """Return the terms in the order in which they occur in the text, absent ones last."""
    folded = text.casefold()

    def place(term: str) -> tuple[int, str]:
        at = folded.find(term.casefold())
        return (at if at >= 0 else len(folded), term)

    return sorted(dict.fromkeys(terms), key=place)


def _fold(word: str) -> str:
    return word.casefold().strip("'’.,()").removesuffix("s")
