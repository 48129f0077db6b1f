"""The terms that texts are about, and how often each text says them.

Texts (reports, or sub-answers) come in. Terms are what their headings name; texts without such
headings give names and runs of content words instead. A term is known by the stems of its content
words, so that "Boreholes" and "borehole" are one; it is shown as the headings write it most. A
person is no subject: who is quoted, or spoken of with a title, is left out with all of that name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sensemaking.backends.extractive.lexicon import (
    CALENDAR,
    EMPTY_ADJECTIVES,
    EMPTY_NOUNS,
    HONORIFICS,
    NEVER_NAMES,
    ROLES,
    TITLES,
)
from sensemaking.backends.extractive.themes import MAX_TERM, split_terms
from sensemaking.text.words import content_words, names, words

MAX_WORDS = 4
"""Content words of a term."""
MAX_NAME_WORDS = 3
MIN_COUNT = 2
"""Occurrences of a run of words that nothing else vouches for."""

_HEADING = re.compile(r"^#{1,3} +(.+)$", re.MULTILINE)
_SPEAKER = re.compile(r"(?:^|[\n.!?”] ?)((?:[A-ZÀ-Þ][\w’'-]+ ){1,3}[A-ZÀ-Þ][\w’'-]+): “")
_TITLED = re.compile(
    rf"\b(?:{'|'.join(sorted({re.escape(one.strip('.').capitalize()) for one in TITLES}))})\.? "
    r"((?:[A-ZÀ-Þ][\w’'-]*\.? )?[A-ZÀ-Þ][\w’'-]+)"
)
_LOWER = re.compile(r"(?<![\w'’-])[a-zß-ÿ][\w'’-]*")
_CLUTTER = re.compile(r"[()\[\]{};:|/“”\"]")
_ENDED = re.compile(r"(?<![A-Z][a-z])(?<!\.[A-Z])\. ")
"""The end of a sentence inside a form ("Block D. A hundred"), not of "St." or "U.S."."""
_BREAK = re.compile(r"[.,;:!?()\[\]“”\"\n–—|]+")
_VAGUE = EMPTY_NOUNS | EMPTY_ADJECTIVES | CALENDAR | NEVER_NAMES | ROLES | TITLES


@dataclass(frozen=True, slots=True)
class Terms:
    """Counts of terms: `counts[n]` are those of text n; keys are stems joined by blanks.

    `shown` is how a term is written, `named` are those that are written with capitals, `personal`
    those of them that may be a person's name: two words or more that the texts never write small,
    or one of the words of such a name.
    """

    counts: tuple[dict[str, int], ...]
    shown: dict[str, str]
    named: frozenset[str]
    personal: frozenset[str]


def count_terms(texts: Sequence[str]) -> Terms:
    """Return what each text says how often."""
    people = _people(texts)
    small = frozenset(word for text in texts for word in _LOWER.findall(text))
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    _gather(forms, _heading_terms(texts, small), people)
    if len(forms) < len(texts):
        _gather(forms, (name for text in texts for name in names(text)), people)
        runs: defaultdict[str, Counter[str]] = defaultdict(Counter)
        _gather(runs, (run for text in texts for run in _runs(text)), people)
        forms.update({key: seen for key, seen in runs.items() if seen.total() >= MIN_COUNT})
    shown = {
        key: min(forms[key], key=lambda form: (-forms[key][form], form)) for key in sorted(forms)
    }
    counts = tuple(_count(content_words(text), shown) for text in texts)
    named = frozenset(key for key, form in shown.items() if form != form.lower())
    parts = _parts_of_people(texts, small)
    personal = frozenset(key for key in named if key in parts or _may_be_person(shown[key], small))
    return Terms(counts, shown, named, personal)


def _may_be_person(form: str, small: frozenset[str]) -> bool:
    parts = form.replace(".", "").split()
    if len(parts) < 2 or not all(part[0].isupper() and part[-1].islower() for part in parts):
        return False
    return small.isdisjoint(part.lower() for part in parts)


def _parts_of_people(texts: Sequence[str], small: frozenset[str]) -> frozenset[str]:
    """Return the words of names that may be a person's, as keys of terms."""
    found = {
        name
        for text in texts
        for name in names(text)
        if name.count(" ") < MAX_NAME_WORDS and _may_be_person(name, small)
    }
    return frozenset(word for name in found for word in content_words(name))


def _gather(
    forms: defaultdict[str, Counter[str]], found: Iterable[str], people: frozenset[str]
) -> None:
    for form in map(_trim, found):
        key = " ".join(content_words(form))
        if _is_term(key, form) and people.isdisjoint(words(form)):
            forms[key][form] += 1


def _trim(form: str) -> str:
    """Return a form without function words at its ends."""
    parts = form.split()
    while parts and not content_words(parts[-1]):
        parts.pop()
    while parts and not content_words(parts[0]):
        parts.pop(0)
    return " ".join(parts)


def _heading_terms(texts: Sequence[str], small: frozenset[str]) -> Iterator[str]:
    """Yield the terms of headings, without the capital that opens a heading."""
    for text in texts:
        for heading in _HEADING.findall(text):
            for term in split_terms(heading):
                first, _, rest = term.partition(" ")
                opens = not rest or (rest.islower() and rest.replace(" ", "").isalpha())
                is_word = first[:1].lower() + first[1:] in small
                yield term[0].lower() + term[1:] if opens and is_word else term


def _runs(text: str) -> Iterator[str]:
    """Yield the runs of two to three neighbouring content words in lower case."""
    for piece in _BREAK.split(text):
        run: list[str] = []
        for word in [*piece.split(), ""]:
            if word.isalpha() and word.islower() and content_words(word):
                run.append(word)
                continue
            for size in (2, 3):
                for at in range(len(run) - size + 1):
                    yield " ".join(run[at : at + size])
            run = []


def _is_term(key: str, form: str) -> bool:
    parts = key.split()
    if (
        not 0 < len(parts) <= MAX_WORDS
        or len(form) > MAX_TERM
        or not form[-1:].isalnum()
        or _CLUTTER.search(form)
        or _ENDED.search(form)
    ):
        return False
    plain = words(form)
    if not plain or _VAGUE.issuperset(plain) or _is_office(plain):
        return False
    return any(len(part) > 2 or not part.isascii() for part in parts if not part.isdigit())


def _is_office(plain: Sequence[str]) -> bool:
    """Return whether words name an office ("finance director", "director of planning")."""
    head = plain[0] if len(plain) > 2 and plain[1] == "of" else plain[-1]
    return head in ROLES or head in HONORIFICS


def _people(texts: Sequence[str]) -> frozenset[str]:
    """Return the last names of people who are quoted or spoken of with a title, in lower case."""
    found: set[str] = set()
    for text in texts:
        for name in (*_SPEAKER.findall(text), *_TITLED.findall(text)):
            found.update(words(name)[-1:])
    return frozenset(found - _VAGUE)


def _count(sequence: Sequence[str], known: dict[str, str]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for at in range(len(sequence)):
        for size in range(1, min(MAX_WORDS, len(sequence) - at) + 1):
            key = " ".join(sequence[at : at + size])
            if key in known:
                found[key] += 1
    return dict(sorted(found.items()))
