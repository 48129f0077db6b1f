"""Names to entities: which ways of writing mean the same thing.

Every form (a name as written in one document) gets a key; forms with one key are one entity. The
key is the plain form of the name, moved by these rules, in this order: an acronym to the expansion
that a text defines for it; a shorter institution or place to the one longer name that ends in it;
"the Authority" to the only authority of its document; a surname or first name to the only person of
the same document that bears it (of several, to the only one who speaks), else a surname to the only
such person of the corpus. What is ambiguous stays apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable

from sensemaking.graph.forms import (
    is_person_name,
    is_phrase,
    person_parts,
    phrase_key,
    plain,
    unshouted,
)
from sensemaking.graph.reading import Reading

_DEFINED = re.compile(
    r"(?P<long>(?:[A-Z][\w'’&.-]*|of|the|for|and|on|in|&)(?:[ ](?:[A-Z][\w'’&.-]*|of|the|for|and|on"
    r"|in|&)){1,9}) \((?:the )?[\"“']?(?P<short>[A-Z][A-Za-z&]{1,9})[\"”']?\)"
)
_DEFINED_BEFORE = re.compile(
    r"\b(?P<short>[A-Z][A-Z&]{1,9}) \((?P<long>[A-Z][\w'’-]*(?:[ ][\w'’&-]+){1,8})\)"
)
_SMALL = frozenset(("of", "the", "for", "and", "on", "in", "&"))
_FULL_SIZE = 40
_PLACED = frozenset(("organisation", "place", "event", "law", "work"))
_PHRASE_MARK = "~"
_INSTITUTIONS = frozenset(
    (
        *("authority", "agency", "council", "committee", "board", "commission", "trust", "fund"),
        *("foundation", "inspectorate", "society", "association", "ministry", "department"),
        *("bank", "union", "tribunal", "bureau", "institute", "university", "inquiry"),
    )
)
"""Words that alone, capitalised, stand for the institution of that sort a document is about."""


def assign_keys(reading: Reading) -> list[str]:
    """Return the key of each form."""
    keys = _first_keys(reading)
    kinds = _kinds(reading, keys)
    moves = _acronyms(reading, set(keys))
    moves |= _longer_names(keys, kinds, moves)
    keys = [_follow(key, moves) for key in keys]
    kinds = _kinds(reading, keys)
    keys = _with_institutions(reading, keys, kinds)
    return _with_persons(reading, keys, kinds)


def vote(counts: Counter[str]) -> str:
    """Return the kind with the most votes; "concept" gives way to any other that has a fair share.

    A name of unknown kind is extracted as a concept, so those votes count a quarter.
    """
    weighed = {kind: count * (0.25 if kind == "concept" else 1.0) for kind, count in counts.items()}
    return max(sorted(weighed), key=lambda kind: weighed[kind])


def _first_keys(reading: Reading) -> list[str]:
    """Return plain keys; a one-word common noun stays apart from a name of the same letters."""
    capital: dict[str, Counter[str]] = defaultdict(Counter)
    common: Counter[str] = Counter()
    for form in reading.forms:
        if form.kind == "concept" and is_phrase(form.name):
            common[phrase_key(form.name)] += len(form.spans)
        else:
            capital[plain(form.name)][form.kind] += len(form.spans)
    keys = []
    for form in reading.forms:
        if form.kind == "concept" and is_phrase(form.name):
            key = phrase_key(form.name)
            if " " not in key and key in capital and _is_name(capital[key], common[key]):
                key = _PHRASE_MARK + key
        else:
            key = plain(form.name)
            phrase = phrase_key(form.name)
            if phrase != key and phrase in common and common[phrase] > capital[key].total():
                key = phrase
        keys.append(key)
    return keys


def _is_name(kinds: Counter[str], n_common: int) -> bool:
    """Return whether the capitalised form is a name of its own, not the noun at a line's head."""
    return vote(kinds) != "concept" and 4 * kinds.total() > n_common


def _kinds(reading: Reading, keys: list[str]) -> dict[str, Counter[str]]:
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for form, key in zip(reading.forms, keys, strict=True):
        kinds[key][form.kind] += len(form.spans)
    for key in speaker_keys(reading):
        if key in kinds:
            kinds[key]["person"] += kinds[key].total()
    return kinds


def _follow(key: str, moves: dict[str, str]) -> str:
    seen = {key}
    while key in moves and moves[key] not in seen:
        key = moves[key]
        seen.add(key)
    return key


def _acronyms(reading: Reading, keys: set[str]) -> dict[str, str]:
    """Return acronym keys with the one expansion that the texts define, both being mentioned."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for document in reading.documents:
        for match in _DEFINED.finditer(document.text):
            long = _expansion(match["short"], match["long"].split())
            if long:
                found[plain(match["short"])][plain(long)] += 1
        for match in _DEFINED_BEFORE.finditer(document.text):
            if _expansion(match["short"], match["long"].split()) == match["long"]:
                found[plain(match["short"])][plain(match["long"])] += 1
    moves = {}
    for short, longs in sorted(found.items()):
        known = [long for long in longs if long in keys or phrase_key(long) in keys]
        if len(longs) == 1 and known and known[0] != short:
            moves[short] = known[0] if known[0] in keys else phrase_key(known[0])
    return moves


def _expansion(short: str, words: list[str]) -> str:
    """Return the last words whose initials spell the acronym, or ""."""
    letters = [letter.lower() for letter in short if letter.isalpha()]
    for first in range(len(words) - 1, -1, -1):
        if words[first].lower() in _SMALL:
            continue
        big = [word[0].lower() for word in words[first:] if word.lower() not in _SMALL]
        if big == letters or [word[0].lower() for word in words[first:]] == letters:
            return " ".join(words[first:])
    return ""


def _longer_names(
    keys: list[str], kinds: dict[str, Counter[str]], moves: dict[str, str]
) -> dict[str, str]:
    """Return names of two words or more that are the end of exactly one longer name."""
    longer: dict[str, set[str]] = defaultdict(set)
    for key in sorted(set(keys)):
        words = key.split()
        if len(words) > 2 and vote(kinds[key]) in _PLACED:
            longer[" ".join(words[1:])].add(key)
    found = {}
    for short, longs in sorted(longer.items()):
        if len(longs) != 1 or short not in kinds or short in moves or " " not in short:
            continue
        (long,) = longs
        same = vote(kinds[short]) in (vote(kinds[long]), "concept")
        if same and kinds[short].total() <= _FULL_SIZE * kinds[long].total():
            found[short] = long
    return found


def _with_institutions(
    reading: Reading, keys: list[str], kinds: dict[str, Counter[str]]
) -> list[str]:
    """Return the keys after "the Authority" went to the only authority of its document."""
    named: list[dict[str, set[str]]] = [defaultdict(set) for _ in reading.documents]
    for form, key in zip(reading.forms, keys, strict=True):
        head = key.rsplit(" ", 1)[-1]
        is_named = head != key and head in _INSTITUTIONS and not is_phrase(form.name)
        if is_named and vote(kinds[key]) == "organisation":
            named[form.document][head].add(key)
    return [
        next(iter(named[form.document][key]))
        if key in _INSTITUTIONS
        and not is_phrase(form.name)
        and len(named[form.document].get(key, ())) == 1
        else key
        for form, key in zip(reading.forms, keys, strict=True)
    ]


def _with_persons(reading: Reading, keys: list[str], kinds: dict[str, Counter[str]]) -> list[str]:
    """Return the keys after single names went to the person who bears them."""
    persons = {
        key: person_parts(key)
        for key in sorted(kinds)
        if vote(kinds[key]) == "person"
        and is_person_name(person_parts(key))
        and len(key.rsplit(" ", 1)[-1].strip(".")) > 1
    }
    same = _same_persons(persons, kinds)
    by_document, speaking = _persons_by_document(reading, keys, persons, same)
    surnames: dict[str, set[str]] = defaultdict(set)
    for key, parts in persons.items():
        surnames[parts[-1]].add(same[key])
    for people in speaking:
        for key in sorted(people):
            surnames[person_parts(key)[-1]].add(key)
    resolved = []
    for form, key in zip(reading.forms, keys, strict=True):
        if key in same:
            resolved.append(same[key])
            continue
        parts = person_parts(key)
        if len(parts) != 1 or key.startswith(_PHRASE_MARK) or is_phrase(form.name):
            resolved.append(key)
            continue
        here = by_document[form.document].get(parts[0], set())
        if len(here) > 1 and len(here & speaking[form.document]) == 1:
            here = here & speaking[form.document]
        anywhere = surnames.get(parts[0], set())
        if len(here) == 1 and form.kind != "law":
            resolved.append(next(iter(here)))
        elif not here and len(anywhere) == 1 and _is_surname(form.kind, kinds[key]):
            resolved.append(next(iter(anywhere)))
        else:
            resolved.append(key)
    return resolved


def _is_surname(kind: str, kinds: Counter[str]) -> bool:
    return kind == "person" and 2 * kinds["person"] >= kinds.total()


def _same_persons(
    persons: dict[str, tuple[str, ...]], kinds: dict[str, Counter[str]]
) -> dict[str, str]:
    """Return the key that stands for each person: first and last name equal is one person."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key, parts in persons.items():
        groups[(parts[0], parts[-1])].append(key)
    same = {}
    for members in groups.values():
        best = max(members, key=lambda key: (kinds[key].total(), key))
        same.update(dict.fromkeys(members, best))
    return same


def _persons_by_document(
    reading: Reading, keys: list[str], persons: dict[str, tuple[str, ...]], same: dict[str, str]
) -> tuple[list[dict[str, set[str]]], list[set[str]]]:
    """Return, per document, who bears each single name, speakers included; and who speaks."""
    speaking: list[set[str]] = [set() for _ in reading.documents]
    found: list[dict[str, set[str]]] = [defaultdict(set) for _ in reading.documents]
    for form, key in zip(reading.forms, keys, strict=True):
        if key in persons:
            _add_person(found[form.document], persons[key], same[key])
    by_ends = {(parts[0], parts[-1]): same[key] for key, parts in persons.items()}
    for document, speaker in sorted(_speakers(reading)):
        parts = person_parts(speaker)
        if len(parts) > 1:
            key = by_ends.get((parts[0], parts[-1]), plain(speaker))
            _add_person(found[document], parts, key)
            speaking[document].add(key)
    return found, speaking


def _add_person(bearers: dict[str, set[str]], parts: Iterable[str], key: str) -> None:
    ordered = tuple(parts)
    bearers[ordered[0]].add(key)
    bearers[ordered[-1]].add(key)


def speaker_keys(reading: Reading) -> list[str]:
    """Return the keys of speakers with a first and a last name: persons, whatever else is said."""
    names = {speaker for _, speaker in _speakers(reading) if len(person_parts(speaker)) > 1}
    return sorted({plain(name) for name in names})


def _speakers(reading: Reading) -> set[tuple[int, str]]:
    return {(row.document, unshouted(row.speaker)) for row in reading.sentences if row.speaker}
