"""Names in an English sentence: runs of capitalised tokens and what the recogniser found.

The recogniser knows newswire names; invented towns, numbered quays and clauses it does not know.
Runs of capitalised tokens know every name but not its kind. A run and a recognised name that
overlap become one name: the longer wins, its kind comes from an honorific, from the recogniser,
or from the head word ("… Authority"), in that order. A name of unknown kind is called a concept,
the kind that gives way to any other when the graph stage reconciles.
"""

from __future__ import annotations

import re

from sensemaking.backends.extractive import lexicon
from sensemaking.backends.extractive.candidates import Candidate, Tokens
from sensemaking.backends.extractive.kinds import CODE, KIND_OF_LABEL, kind_of
from sensemaking.backends.extractive.syntax import is_dictionary_word

_NAME_TAGS = frozenset(("NNP", "NNPS"))
_OPENING_TAGS = frozenset(("NN", "NNS"))
_CLOSED_TAGS = frozenset(
    ("DT", "PRP", "PRP$", "IN", "CC", "TO", "MD", "WP", "WP$", "WDT", "WRB", "EX", "UH", "CD", "RB")
)
_IDENTIFIER = re.compile(r"[A-Z]{1,5}[-/]\d{1,5}[A-Z]?")
_FULL_STOP = re.compile(r"(?:^| )[^\s.]+\.$")
_POSSESSIVE = frozenset(("'s", "’s", "'", "’"))

Range = tuple[int, int]


def find_names(tokens: Tokens, *, known: frozenset[str]) -> list[Candidate]:
    """Return the names of a sentence, in order, not overlapping.

    `known` are words that the surrounding passage capitalises in the middle of a sentence: only
    they, and words that no dictionary has, count as names when they open one.
    """
    if _is_headline(tokens):
        runs: list[Range] = []
    else:
        runs = _runs(tokens)
    recognised = _recognised(tokens)
    chosen = _merge(runs, recognised, tokens)
    found = []
    for (first, last), label in chosen:
        candidate = _candidate(tokens, first, last, label, known)
        if candidate is not None:
            found.append(candidate)
    found.extend(_numbered(tokens, found))
    return sorted(found, key=lambda one: (one.start, one.end))


def capitalised_inside(tokens: Tokens) -> list[str]:
    """Return the proper nouns that do not open the sentence."""
    if _is_headline(tokens):
        return []
    first = _opening(tokens)
    return [
        word
        for index, (word, tag) in enumerate(zip(tokens.words, tokens.tags, strict=True))
        if index > first and tag in _NAME_TAGS and word[0].isupper()
    ]


def _opening(tokens: Tokens) -> int:
    """Return the index of the first word."""
    for index, word in enumerate(tokens.words):
        if word[0].isalnum():
            return index
    return 0


def _is_headline(tokens: Tokens) -> bool:
    """Return whether most words are capitalised, so that capitals say nothing."""
    words = [word for word in tokens.words if word[0].isalpha() and len(word) > 3]
    capitals = sum(word[0].isupper() for word in words)
    lower = sum(
        word.islower() and tag not in ("IN", "DT", "CC", "TO")
        for word, tag in zip(tokens.words, tokens.tags, strict=True)
        if word[0].isalpha()
    )
    return len(words) >= 4 and capitals > 0.8 * len(words) and lower == 0


def _is_name_token(tokens: Tokens, index: int, opening: int) -> bool:
    word, tag = tokens.words[index], tokens.tags[index]
    if not word[0].isalpha() or word.lower() in lexicon.CALENDAR:
        return False
    if tag in _NAME_TAGS:
        return word[0].isupper() or any(letter.isupper() for letter in word)
    if not word[0].isupper() or tag in _CLOSED_TAGS or len(word) < 2:
        return False
    if index != opening:
        return True
    following = index + 1
    return (
        following < len(tokens.words)
        and tokens.tags[following] in _NAME_TAGS
        and tokens.words[following][0].isupper()
        and tag in _OPENING_TAGS
    )


def _runs(tokens: Tokens) -> list[Range]:
    opening = _opening(tokens)
    size = len(tokens.words)
    flags = [_is_name_token(tokens, index, opening) for index in range(size)]
    runs = []
    index = 0
    while index < size:
        if not flags[index]:
            index += 1
            continue
        first = index
        index += 1
        while index < size:
            step = 1 if flags[index] else _bridge(tokens, flags, first, index)
            if not step:
                break
            index += step
        runs.append((first, index))
    return runs


def _bridge(tokens: Tokens, flags: list[bool], first: int, index: int) -> int:
    """Return how many tokens from `index` on continue the run because a name follows; or 0."""
    word = tokens.words[index]
    following = index + 1
    continues = following < len(flags) and flags[following]
    if _is_code(tokens, index) and tokens.words[index - 1].lower() not in lexicon.NOT_NUMBERED:
        return 1
    if word == "&" or (word == "-" and tokens.touches(index - 1) and tokens.touches(index)):
        return 2 if continues else 0
    if word in lexicon.PARTICLES:
        return 2 if continues else 0
    if word == "of":
        is_head = tokens.words[index - 1].lower() in lexicon.OF_HEADS
        if is_head and continues:
            return 2
        skips = following + 1 < len(flags) and tokens.words[following] == "the"
        return 3 if is_head and skips and flags[following + 1] else 0
    if word in _POSSESSIVE and continues:
        end = following
        while end < len(flags) and flags[end]:
            end += 1
        head = tokens.words[end - 1].lower()
        is_headed = head in lexicon.POSSESSED_HEADS
        return end - index if is_headed else 0
    return 0


def _is_code(tokens: Tokens, index: int) -> bool:
    word, tag = tokens.words[index], tokens.tags[index]
    if not CODE.fullmatch(word) or tag in ("DT", "PRP", "IN", "CC"):
        return False
    following = tokens.words[index + 1] if index + 1 < len(tokens.words) else "."
    return following.lower() not in lexicon.CALENDAR and following not in (
        "%",
        "percent",
        "million",
    )


def _recognised(tokens: Tokens) -> list[tuple[Range, str]]:
    found: list[tuple[Range, str]] = []
    for first, last, label in tokens.names:
        if label not in KIND_OF_LABEL:
            continue
        while first < last and (
            tokens.tags[first] in ("DT", "PRP$", "CC", "IN") or not tokens.words[first][0].isalnum()
        ):
            first += 1
        while last > first and (
            tokens.words[last - 1] in _POSSESSIVE or not tokens.words[last - 1][0].isalnum()
        ):
            last -= 1
        if last - first > 8 or first == last:
            continue
        if any(letter.isupper() for word in tokens.words[first:last] for letter in word):
            found.extend((part, label) for part in _parts(tokens, first, last))
    return found


def _parts(tokens: Tokens, first: int, last: int) -> list[Range]:
    """Return a recognised range, in two where "and" follows the head of an institution."""
    for index in range(first + 2, last - 1):
        if tokens.words[index] == "and":
            head = tokens.words[index - 1].lower()
            if head in lexicon.ORGANISATION_HEADS and tokens.words[index + 1][0].isupper():
                return [(first, index), (index + 1, last)]
    return [(first, last)]


def _merge(
    runs: list[Range], recognised: list[tuple[Range, str]], tokens: Tokens
) -> list[tuple[Range, str]]:
    """Return disjoint ranges with the recogniser's label, or "" where it has none."""
    chosen: list[tuple[Range, str]] = []
    used: set[int] = set()
    for run in runs:
        inside = [one for one in recognised if one[0][0] < run[1] and run[0] < one[0][1]]
        if not inside or any(tokens.words[one] in _POSSESSIVE for one in range(*run)):
            chosen.append((run, inside[0][1] if len(inside) == 1 else ""))
            used.update(id(one) for one in inside if _covers(run, one[0]))
        elif len(inside) > 1 and _is_institution(tokens, run):
            chosen.append((run, "ORG"))
            used.update(id(one) for one in inside if _covers(run, one[0]))
        elif len(inside) == 1 and _covers(run, inside[0][0]):
            used.add(id(inside[0]))
            chosen.append((run, inside[0][1]))
        # Several names in one run, or a name that reaches beyond it: the recogniser decides.
    taken = [one for one, _ in chosen]
    for one in recognised:
        overlaps = any(one[0][0] < other[1] and other[0] < one[0][1] for other in taken)
        if id(one) not in used and not overlaps:
            chosen.append(one)
            taken.append(one[0])
    return sorted(chosen)


def _is_institution(tokens: Tokens, run: Range) -> bool:
    """Return whether a short run ends as institutions do and names no office ("CEO of …")."""
    words = [word.lower() for word in tokens.words[run[0] : run[1]]]
    return (
        len(words) <= 4
        and words[-1] in lexicon.ORGANISATION_HEADS
        and lexicon.ORGANISATION_HEADS.isdisjoint(words[:-1])
        and (lexicon.ROLES | lexicon.HONORIFICS).isdisjoint(words)
    )


def _covers(outer: Range, inner: Range) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _candidate(
    tokens: Tokens, first: int, last: int, label: str, known: frozenset[str]
) -> Candidate | None:
    opening = _opening(tokens)
    is_titled = False
    while last - first > 1 and _is_honorific(tokens.words[first], label):
        is_titled |= tokens.words[first].lower() in lexicon.TITLES
        first += 1
        while last - first > 1 and not tokens.words[first][0].isalnum():
            first += 1
    if first > 0 and tokens.words[first - 1].lower() in lexicon.TITLES:
        is_titled = True
    first = _first_kept(tokens, first, last)
    words = tokens.words[first:last]
    lowered = [word.lower() for word in words]
    if len(words) == 1 and not _may_stand_alone(words[0], label, first == opening, known):
        return None
    if all(
        word in lexicon.NEVER_NAMES or word in lexicon.CALENDAR or not word[0].isalpha()
        for word in lowered
    ):
        return None
    if words == ["Us"] or (
        len(words) > 1 and lowered[0] in lexicon.NOT_NUMBERED and CODE.fullmatch(words[1])
    ):
        return None
    start, end = tokens.starts[first], tokens.ends[last - 1]
    name = _joined(tokens, first, last)
    if _FULL_STOP.search(name) and lowered[-1] not in lexicon.ABBREVIATED:
        name, end = name[:-1], end - 1
    if len(name) < 2 or len(name) > 80 or not lexicon.MARKUP.isdisjoint(name):
        return None
    return Candidate(name, kind_of(words, label, is_titled=is_titled), start, end)


def _first_kept(tokens: Tokens, first: int, last: int) -> int:
    """Return the first token of a name after articles, loose words and punctuation in front."""
    while last - first > 1:
        word = tokens.words[first]
        is_label = CODE.fullmatch(tokens.words[first + 1]) is not None
        if word[0].isalnum() and (is_label or not _is_loose(word)):
            break
        first += 1
    return first


def _is_honorific(word: str, label: str) -> bool:
    """Return whether a word in front is a title: not "General" of General Electric."""
    lowered = word.lower()
    return lowered in lexicon.TITLES or (label == "PERSON" and lowered in lexicon.HONORIFICS)


def _is_loose(word: str) -> bool:
    lowered = word.lower()
    return (
        lowered in ("the", "a", "an")
        or (lowered in lexicon.NEVER_NAMES and not word.isupper())
        or lowered in lexicon.CALENDAR
    )


def _may_stand_alone(word: str, label: str, opens: bool, known: frozenset[str]) -> bool:
    lowered = word.lower()
    if lowered in lexicon.NEVER_NAMES or lowered in lexicon.CALENDAR or len(word) < 2:
        return False
    if lowered in lexicon.HONORIFICS and lowered not in lexicon.ROLES:
        return False
    if not any(letter.isalpha() for letter in word):
        return False
    is_acronym = len(word) > 1 and sum(letter.isupper() for letter in word) > 1
    if lowered in lexicon.EMPTY_NOUNS - lexicon.NAMED_NOUNS and not is_acronym:
        return False
    if not opens or is_acronym or word in known or label in ("GPE", "NORP"):
        return True
    return len(word) > 3 and word.isalpha() and not is_dictionary_word(word)


def _joined(tokens: Tokens, first: int, last: int) -> str:
    """Return the words as written, with single spaces."""
    parts = [tokens.words[first]]
    for index in range(first + 1, last):
        if tokens.ends[index - 1] != tokens.starts[index]:
            parts.append(" ")
        parts.append(tokens.words[index])
    return "".join(parts).replace("’", "'")


def _numbered(tokens: Tokens, found: list[Candidate]) -> list[Candidate]:
    """Return "clause 14.3" and identifiers such as "LD-88" that no run holds."""
    taken = [(one.start, one.end) for one in found]
    more = []
    for index, word in enumerate(tokens.words):
        first = index
        kind = ""
        if _IDENTIFIER.fullmatch(word):
            kind = "concept"
        elif index and _is_code(tokens, index) and word[0] != "I":
            kind = lexicon.NUMBERED.get(tokens.words[index - 1].lower(), "")
            first = index - 1
        if not kind or (word.isalpha() and tokens.words[first].islower()):
            continue
        start, end = tokens.starts[first], tokens.ends[index]
        if not any(start < other and here < end for here, other in taken):
            more.append(Candidate(_joined(tokens, first, index + 1), kind, start, end))
    return more
