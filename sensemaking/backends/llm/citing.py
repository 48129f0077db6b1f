"""Citations in the text of models: found, checked against what there is, written one way.

A model cites by numbers in brackets. Numbers of nothing are dropped and counted. What a statement
rests on may still be told by its words: `Sources` says which of several texts hold them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sensemaking.text.words import content_words, numbers

LEAST_SHARE = 0.6
"""Of the content words and figures of a statement, so many must stand in its source."""
LEAST_WORDS = 3
MAX_ADDED = 2

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


@dataclass(frozen=True)
class Sources:
    """Texts that may be cited, by position, and which of them hold the words of a statement."""

    texts: Sequence[str]

    @cached_property
    def _held(self) -> dict[int, frozenset[str]]:
        return {}

    def _words(self, position: int) -> frozenset[str]:
        if position not in self._held:
            self._held[position] = _telling(self.texts[position])
        return self._held[position]

    def find(self, statement: str) -> int | None:
        """Return the position of the text that holds most words of a statement, or None.

        None where the best holds less than `LEAST_SHARE` of its content words and figures, or where
        it has fewer than `LEAST_WORDS` of them. The first of equal ones.

        Examples
        --------
        >>> Sources(["Wren sold the kiln hall in May.", "Odile rows."]).find("The hall was sold.")
        >>> Sources(["Wren sold the kiln hall.", "Odile rows."]).find("The kiln hall was sold.")
        0
        """
        wanted = _telling(statement)
        if len(wanted) < LEAST_WORDS:
            return None
        best, most = self._best(wanted, ())
        return best if most >= LEAST_SHARE * len(wanted) else None

    def share(self, statement: str, position: int) -> float:
        """Return the share of a statement's content words and figures that a text holds."""
        wanted = _telling(statement)
        return len(wanted & self._words(position)) / len(wanted) if wanted else 1.0

    def complete(self, statement: str, cited: Sequence[int]) -> list[int]:
        """Return what else a statement rests on: texts that hold what the cited ones lack.

        A text is added when it holds a figure and another word that is lacking, or `LEAST_WORDS`
        words that are half of what is lacking; `MAX_ADDED` at most.

        Examples
        --------
        >>> texts = ["Cadmium was found.", "Removing it would cost 58 million crowns."]
        >>> Sources(texts).complete("The cadmium found would cost 58 million crowns.", [0])
        [1]
        """
        lacking = _telling(statement).difference(*(self._words(one) for one in cited))
        added: list[int] = []
        while len(lacking) > 1 and len(added) < MAX_ADDED:
            best, most = self._best(lacking, (*cited, *added))
            if best is None:
                break
            gain = lacking & self._words(best)
            has_figure = any(one[0].isdigit() for one in gain)
            if not (has_figure and most > 1) and most < max(LEAST_WORDS, len(lacking) / 2):
                break
            added.append(best)
            lacking = lacking - gain
        return added

    def _best(self, wanted: frozenset[str], taken: Sequence[int]) -> tuple[int | None, int]:
        best, most = None, 0
        for position in range(len(self.texts)):
            shared = len(wanted & self._words(position))
            if shared > most and position not in taken:
                best, most = position, shared
        return best, most


def _telling(text: str) -> frozenset[str]:
    return frozenset(content_words(text)) | frozenset(numbers(text))
