"""Citations in the text of models: found, checked against what there is, written one way.

A model cites by numbers in brackets. Numbers of nothing are dropped and counted. A statement that
cites nothing may still be told by its words: `find_source` says which of several texts holds them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sensemaking.text.words import content_words, numbers

LEAST_SHARE = 0.6
"""Of the content words and figures of a statement, so many must stand in its source."""
LEAST_WORDS = 3

_BRACKETS = re.compile(r"\s*[\[【(]\s*(?P<inside>[^\[\]【】()\n]{1,80})\s*[\]】)]")
_LABEL = re.compile(
    r"(?:(?:entit(?:y|ies)|relationships?|claims?|reports?|records?|items?|points?|sources?|p\.?|no\.?)"
    r"\s*)?#?(?P<label>[ERCS]?\s?\d{1,4})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:[,;&+]|and|\s)\s*", re.IGNORECASE)


def take_labels(text: str, *, round_too: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return a text without its bracketed labels, and the labels in order, each once.

    A bracket with anything but labels in it stays. `round_too`: also "(E1, R2)".

    Examples
    --------
    >>> take_labels("The hall was sold [R2, c1]. It rained [sic].")
    ('The hall was sold. It rained [sic].', ('R2', 'C1'))
    """
    found: list[str] = []

    def take(match: re.Match[str]) -> str:
        if "(" in match[0] and not round_too:
            return match[0]
        labels = labels_in(match["inside"])
        found.extend(labels)
        return "" if labels else match[0]

    plain = _BRACKETS.sub(take, text)
    return " ".join(plain.split()), tuple(dict.fromkeys(found))


def labels_in(inside: str) -> tuple[str, ...]:
    """Return the labels of which a text consists; none when it holds anything else."""
    found: list[str] = []
    at = 0
    while at < len(inside):
        label = _LABEL.match(inside, at)
        if label is None:
            return ()
        found.append(re.sub(r"\s", "", label["label"]).upper())
        at = label.end()
        between = _BETWEEN.match(inside, at)
        if at < len(inside.rstrip()) and between is None:
            return ()
        at = between.end() if between is not None else len(inside)
    return tuple(found)


def find_source(statement: str, texts: Sequence[str]) -> int | None:
    """Return the position of the text that holds most words of a statement, or None.

    None where the best holds less than `LEAST_SHARE` of its content words and figures, or where it
    has fewer than `LEAST_WORDS` of them. The first of equal ones.

    Examples
    --------
    >>> find_source("The kiln hall was sold.", ["Wren sold the kiln hall in May.", "Odile rows."])
    0
    """
    wanted = set(content_words(statement)) | set(numbers(statement))
    if len(wanted) < LEAST_WORDS:
        return None
    best, best_share = None, 0.0
    for position, text in enumerate(texts):
        held = set(content_words(text)) | set(numbers(text))
        share = len(wanted & held) / len(wanted)
        if share > best_share:
            best, best_share = position, share
    return best if best_share >= LEAST_SHARE else None
