"""Which statements an answer is made of: helpful ones that each add what the others do not say.

Statements come in, most helpful first; out go those that are quoted, within a number of words.

Notes
-----
Greedy choice under a budget (after Lin and Bilmes, "Multi-document Summarization via Budgeted
Maximization of Submodular Functions", 2010): the next statement is the one with the largest gain
per square root of its words. The gain is its worth, half of it in any case and half by how much it
adds: the weight of its terms, of which each counts 0.3 as much whenever it has been said. Terms are
its content words, figures and names; a term weighs more, the more helpful statements hold it, and
a figure twice as much. Terms of a single statement weigh nothing: what several passages tell
matters. Worth is helpfulness to the power of 0.6, which undoes the steepness of the mapper's scale.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from sensemaking.backends.extractive.quoting import count_words, split_attribution
from sensemaking.backends.extractive.statements import Statement
from sensemaking.text.words import names, numbers

ADDED = 0.5
"""Share of a statement's worth that depends on what it adds."""
SAID = 0.3
"""What a term counts when it was said, against before."""
FIGURE = 2.0
COST = 0.5
POWER = 0.6


def cover(statements: Sequence[Statement], most: int, words: int) -> list[int]:
    """Return the indices of at most `most` statements of at most `words` words, in order of choice.

    The first is taken whatever its length; the first that does not fit ends the choice.
    """
    terms = [_terms(one) for one in statements]
    worth = [(one.helpfulness / 100) ** POWER for one in statements]
    sizes = [max(1, count_words(one.text)) for one in statements]
    left = _weights(terms, worth)
    full = max((sum(left[term] for term in held) for held in terms), default=0.0) or 1.0
    chosen: list[int] = []
    used = 0
    rest = list(range(len(statements)))
    while rest and len(chosen) < most:
        gains = {
            at: worth[at]
            * (1 - ADDED + ADDED * sum(left[term] for term in terms[at]) / full)
            / sizes[at] ** COST
            for at in rest
        }
        best = max(rest, key=lambda at: (round(gains[at], 9), -at))
        used += sizes[best]
        if used > words and chosen:
            break
        chosen.append(best)
        rest.remove(best)
        for term in terms[best]:
            left[term] *= SAID
    return chosen


def _terms(one: Statement) -> tuple[str, ...]:
    """Return the terms of a statement, sorted, so that sums are the same in every process."""
    quoted = split_attribution(one.text)[1]
    marked = [f"#{figure}" for figure in numbers(quoted)] + [f"@{name}" for name in names(quoted)]
    return tuple(sorted({*one.stems, *marked}))


def _weights(terms: Sequence[tuple[str, ...]], worth: Sequence[float]) -> dict[str, float]:
    mass: defaultdict[str, float] = defaultdict(float)
    holders: Counter[str] = Counter()
    for held, value in zip(terms, worth, strict=True):
        for term in held:
            mass[term] += value
            holders[term] += 1
    return {
        term: math.log1p(mass[term]) * (FIGURE if term.startswith("#") else 1.0)
        if count > 1
        else 0.0
        for term, count in holders.items()
    }
