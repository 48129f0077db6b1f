"""How well a sentence is supported by the passages it cites, 0-100.

A sentence and the texts of its spans come in. Support is the share of the sentence's distinct
content words, numbers and names that occur in the passages, in whole percent, rounded down.

Notes
-----
Our own definition (README, Design). A missing number or name caps support at 40: a sentence that
changes a figure or a name is wrong however many of its words are right. Without a passage support
is 0. Numbers compare by value ("1,204" and "1204"), words by stem and without case, names by
their words. A sentence without content words (or numbers, or names) is supported when its words
stand in one passage in the same order, otherwise not at all. Support says that the words are there,
not that the sentence follows: it finds inventions, not twisted logic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sensemaking.text.words import content_words, names, numbers, words

SupportLevel = Literal["supported", "weak", "unsupported"]
CAP = 40
SUPPORTED = 60
WEAK = 20

_SCALES = frozenset(
    ("hundr", "thousand", "million", "billion", "trillion", "percent", "cent", "mln", "mn", "bn")
)
"""Stems of words that are part of a figure."""


def support(sentence: str, passages: Sequence[str], credited: Sequence[str] = ()) -> int:
    """Return the support of a sentence, 0-100.

    Parameters
    ----------
    sentence
        A sentence of an answer, without its citation numbers.
    passages
        The texts of the spans that it cites.
    credited
        Names that count as found although no passage holds them: who speaks or wrote the passages.

    Examples
    --------
    >>> support("Meridian paid 1,204 crowns.", ["In May Meridian paid 1204 crowns."])
    100
    >>> support("Meridian paid 1,300 crowns.", ["In May Meridian paid 1204 crowns."])
    40
    >>> support("Meridian paid 1,204 crowns.", [])
    0
    """
    if not any(passage.strip() for passage in passages):
        return 0
    source = "\n".join((*passages, *credited))
    found_words = set(content_words(source)) | set(words(source))
    found_numbers = set(numbers(source))
    wanted_numbers = set(numbers(sentence))
    # Figures are counted once, as numbers, where notation ("40M") does not matter.
    counted = _SCALES if wanted_numbers else frozenset()
    wanted_words = {
        word for word in content_words(sentence) if not word[0].isdigit() and word not in counted
    }
    wanted_names = set(names(sentence))
    total = len(wanted_words) + len(wanted_numbers) + len(wanted_names)
    if total == 0:
        return 100 if _stands_in(sentence, passages) else 0
    missing_words = sum(word not in found_words for word in wanted_words)
    missing_numbers = len(wanted_numbers - found_numbers)
    missing_names = sum(not set(words(name)) <= found_words for name in wanted_names)
    share = 100 * (total - missing_words - missing_numbers - missing_names) // total
    return min(share, CAP) if missing_numbers or missing_names else share


def support_level(value: int) -> SupportLevel:
    """Return what to call a support of 0-100.

    >>> [support_level(value) for value in (100, 60, 59, 20, 19)]
    ['supported', 'supported', 'weak', 'weak', 'unsupported']
    """
    if value >= SUPPORTED:
        return "supported"
    return "weak" if value >= WEAK else "unsupported"


def overlap(sentence: str, passage: str) -> int:
    """Return how many distinct content words and numbers two texts share."""
    shared = set(content_words(sentence)) & set(content_words(passage))
    return len(shared) + len(set(numbers(sentence)) & set(numbers(passage)))


def _stands_in(sentence: str, passages: Sequence[str]) -> bool:
    wanted = " ".join(words(sentence))
    return bool(wanted) and any(f" {wanted} " in f" {' '.join(words(one))} " for one in passages)
