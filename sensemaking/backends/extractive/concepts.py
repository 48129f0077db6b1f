"""Key phrases in an English sentence: maximal noun phrases that could be a concept.

A phrase is (adjective | noun)* noun over part-of-speech tags, without the adjectives and nouns that
carry no topic. Only maximal phrases are returned; the graph stage counts the shorter ones inside
them (C-value needs both) and chooses by the statistics of the corpus.
"""

from __future__ import annotations

from sensemaking.backends.extractive import lexicon
from sensemaking.backends.extractive.candidates import Candidate, Tokens

MAX_WORDS = 4

_NOUNS = frozenset(("NN", "NNS"))
_BEFORE_PARTICIPLE = frozenset(("DT", "IN", "JJ", "PRP$", "CC", "NN"))

_Unit = tuple[str, int, int]
"""Class ("A" adjective, "N" noun, "X" name, "" other), first token, after the last."""


def find_concepts(tokens: Tokens, names: list[Candidate]) -> list[Candidate]:
    """Return the candidate concepts of a sentence, in order.

    A phrase that begins with a name ("Turing test") may overlap that name; nothing else overlaps.
    """
    named = _named_tokens(tokens, names)
    units = _units(tokens, named)
    found = []
    index = 0
    while index < len(units):
        if not units[index][0]:
            index += 1
            continue
        first = index
        while index < len(units) and units[index][0]:
            index += 1
        found.extend(_phrases(tokens, units[first:index]))
    return [*found, *_of_phrases(tokens, units)]


def _named_tokens(tokens: Tokens, names: list[Candidate]) -> set[int]:
    named: set[int] = set()
    for name in names:
        named.update(
            index for index, start in enumerate(tokens.starts) if name.start <= start < name.end
        )
    return named


def _units(tokens: Tokens, named: set[int]) -> list[_Unit]:
    """Return the tokens with words around a touching hyphen joined, each with its class."""
    units: list[_Unit] = []
    size = len(tokens.words)
    index = 0
    while index < size:
        last = index + 1
        while (
            last + 1 < size
            and tokens.words[last] == "-"
            and tokens.touches(last - 1)
            and tokens.touches(last)
        ):
            last += 2
        units.append((_class(tokens, index, last, named), index, last))
        index = last
    return units


def _class(tokens: Tokens, first: int, last: int, named: set[int]) -> str:
    word, tag = tokens.words[last - 1], tokens.tags[last - 1]
    if last - first > 1:
        if not all(part[0].isalpha() or part == "-" for part in tokens.words[first:last]):
            return ""
        return "N" if tag in _NOUNS else "A" if tag[:2] in ("JJ", "VB") else ""
    if not word[0].isalpha() or len(word) < 2:
        return ""
    if first in named:
        return "X"
    lowered = word.lower()
    previous = tokens.tags[first - 1] if first else ""
    following = tokens.tags[first + 1] if first + 1 < len(tokens.tags) else ""
    if tag in _NOUNS:
        return "N"
    if tag == "VBG" and lowered in lexicon.GERUNDS and previous in ("NN", "JJ"):
        return "N"
    if tag == "VBG" and lowered in lexicon.GERUNDS and following in _NOUNS:
        return "A"
    if tag == "VBN" and following in _NOUNS and previous in _BEFORE_PARTICIPLE:
        return "A"
    return "A" if tag == "JJ" else ""


def _of_phrases(tokens: Tokens, units: list[_Unit]) -> list[Candidate]:
    """Return fixed expressions of the form "proof of concept": one noun, "of", one noun."""
    found = []
    for left, link, right in zip(units, units[1:], units[2:], strict=False):
        if tokens.words[link[1]] != "of" or left[0] != "N" or right[0] != "N":
            continue
        after = units.index(right) + 1
        if after < len(units) and units[after][0]:
            continue
        words = [tokens.words[unit[2] - 1].lower() for unit in (left, right)]
        if any(word in lexicon.EMPTY_HEADS - lexicon.FIXED_HEADS for word in words):
            continue
        name = " of ".join(_name(tokens, [unit]) for unit in (left, right))
        found.append(Candidate(name, "concept", tokens.starts[left[1]], tokens.ends[right[2] - 1]))
    return found


def _phrases(tokens: Tokens, run: list[_Unit]) -> list[Candidate]:
    """Return the phrase of a run of units, cut at names and freed of empty words."""
    found = []
    begin = 0
    for index, unit in enumerate(run):
        is_name_inside = unit[0] == "X" and index > begin
        if is_name_inside and run[index - 1][0] != "X":
            found.append(run[begin:index])
            begin = index
    found.append(run[begin:])
    phrases = []
    for part in found:
        candidate = _phrase(tokens, part)
        if candidate is not None:
            phrases.append(candidate)
    return phrases


def _phrase(tokens: Tokens, units: list[_Unit]) -> Candidate | None:
    units = _trimmed(tokens, units)
    names = sum(unit[0] == "X" for unit in units)
    if names and (names > 2 or len(units) - names > 2):
        units = _trimmed(tokens, units[names:])
    if not units or not any(unit[0] == "N" for unit in units):
        return None
    units = _trimmed(tokens, units[-MAX_WORDS:])
    if not units:
        return None
    first, last = units[0][1], units[-1][2]
    name = _name(tokens, units)
    if len(units) == 1 and (
        len(name) < 3 or name in lexicon.EMPTY_NOUNS or name in lexicon.NEVER_NAMES
    ):
        return None
    if len(name) > 60 or not lexicon.MARKUP.isdisjoint(name):
        return None
    return Candidate(name, "concept", tokens.starts[first], tokens.ends[last - 1])


def _trimmed(tokens: Tokens, units: list[_Unit]) -> list[_Unit]:
    """Drop empty adjectives in front, empty heads and adjectives at the end."""
    begin, end = 0, len(units)
    while begin < end:
        _, first, last = units[end - 1]
        word = tokens.words[last - 1].lower()
        if units[end - 1][0] == "N" and word not in lexicon.EMPTY_HEADS:
            break
        end -= 1
    while begin < end:
        kind, first, last = units[begin]
        word = tokens.words[first].lower()
        is_empty = kind == "A" and last - first == 1 and word in lexicon.EMPTY_ADJECTIVES
        is_empty |= kind == "N" and end - begin > 1 and word in lexicon.EMPTY_HEADS
        is_empty |= kind == "X" and word in lexicon.CALENDAR
        if not is_empty:
            break
        begin += 1
    return units[begin:end]


def _name(tokens: Tokens, units: list[_Unit]) -> str:
    parts = []
    for kind, first, last in units:
        word = "".join(tokens.words[first:last]).replace("’", "'")
        is_shouted = any(letter.isupper() for letter in word[1:])
        parts.append(word if kind == "X" or is_shouted else word.lower())
    return " ".join(parts)
