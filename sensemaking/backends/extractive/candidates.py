"""What may become an entity, as found at one place of a text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Candidate:
    """A name or a key phrase at characters [start, end) of the text; `name` is its plain form."""

    name: str
    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one sentence: words, Penn tags, offsets into the text.

    `names` are (first, after the last, OntoNotes label), indices into this sentence.
    """

    words: list[str]
    tags: list[str]
    starts: list[int]
    ends: list[int]
    names: list[tuple[int, int, str]]

    def touches(self, left: int) -> bool:
        """Return whether a token is followed by the next one without white space."""
        return left + 1 < len(self.words) and self.ends[left] == self.starts[left + 1]
