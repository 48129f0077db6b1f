"""An answer to its single claims, by its sentences.

Headings, questions and fragments are no claims. A sentence is cut at semicolons, quotations that
follow each other are told apart, and one of several sentences becomes several claims, each with its
speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from sensemaking.backends.extractive.quoting import attribute, split_attribution
from sensemaking.text.sentences import split_sentences

LEAST = 3
"""Words of a claim."""

_SPOKEN = re.compile(r"[^“”:\n]{2,60}: “[^“”]+”")
_BETWEEN = re.compile(r"(?<=[”»])\s+(?=[“«])")
"""Between two quotations of nobody in particular, whatever mark ends the first."""
_MARK = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+")
_HALVES = re.compile(r"\s*[;；]\s+")


@dataclass(frozen=True, slots=True)
class ExtractiveClaimSplitter:
    """Cuts answers by their punctuation; needs no model."""

    key: str = "extractive-claims-2"

    def split(self, text: str) -> tuple[str, ...]:
        """Return the claims in order; one that is repeated word for word comes once."""
        return tuple(dict.fromkeys(_claims(text)))


def _claims(text: str) -> Iterator[str]:
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith(("#", ">")):
            continue
        for unit in _units(_MARK.sub("", line).strip()):
            speaker, words = split_attribution(unit)
            for start, end in split_sentences(words):
                for part in _parts(words[start:end]):
                    yield attribute(part, speaker)


def _units(line: str) -> Iterator[str]:
    """Yield spoken quotations whole, and what stands between them."""
    at = 0
    for found in _SPOKEN.finditer(line):
        start = found.start() + len(found[0]) - len(found[0].lstrip(" .!?…"))
        yield from _apart(line[at:start])
        yield line[start : found.end()]
        at = found.end()
    yield from _apart(line[at:])


def _apart(text: str) -> Iterator[str]:
    yield from (one.strip() for one in _BETWEEN.split(text) if one.strip())


def _parts(sentence: str) -> Iterator[str]:
    halves = _HALVES.split(sentence)
    if min(len(half.split()) for half in halves) < LEAST:
        halves = [sentence]
    for half in halves:
        is_asked = half.rstrip("”\"'’").endswith(("?", "？", "؟"))
        has_letters = sum(one.isalpha() for one in half) > 1
        long_enough = len(half.split()) >= LEAST or len(half) > 8 and " " not in half.strip()
        if not is_asked and has_letters and long_enough:
            yield half.strip()
