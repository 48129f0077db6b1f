"""Forms of names: what two ways of writing the same thing have in common.

In: a name as it stands in a text. Out: a key under which variants meet (case, "the", possessives,
hyphens, plurals of key phrases, company suffixes), and the parts by which persons are compared.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


TITLES = _words(
    """
    mr mrs cllr ms miss dr prof professor sir dame lord lady capt captain col colonel gen general lt
    lieutenant sgt sergeant maj major admiral judge justice president senator sen rep congressman
    congresswoman governor gov mayor councillor councilor alderman chairman chairwoman chair
    secretary minister chancellor ambassador inspector herr frau
    """
)
_SUFFIXES = _words("inc ltd plc corp corporation llc llp gmbh ag limited incorporated jr sr")
_SMALL = frozenset(("of", "the", "and", "for", "in", "on", "at", "a"))
_ARTICLES = frozenset(("the", "a", "an"))
_POSSESSIVE = re.compile(r"(?:'s|(?<=s)'|’s|(?<=s)’)$")
_SAME_PLURAL = _words(
    """
    series species news politics economics physics mathematics ethics robotics graphics electronics
    athletics genetics analytics statistics logistics mechanics dynamics optics aesthetics
    linguistics acoustics diabetes aids headquarters means gas lens bias atlas canvas chaos cosmos
    campus virus status census consensus surplus corpus process access success business progress
    congress address mass class glass grass loss cross press stress dress express bus plus focus
    bonus apparatus kudos always perhaps thus this its his us is was has does yes oasis basis
    analysis crisis thesis hypothesis synthesis emphasis diagnosis osteoporosis tennis arms customs
    windows goods proceeds whereabouts premises humanities kubernetes
    """
)
_COUNTRIES = {
    **dict.fromkeys(
        ("US", "U.S.", "USA", "U.S.A.", "U.S", "United States of America"), "united states"
    ),
    **dict.fromkeys(("UK", "U.K.", "U.K"), "united kingdom"),
}
_IRREGULAR = {
    "children": "child",
    "women": "woman",
    "men": "man",
    "people": "person",
    "mice": "mouse",
    "feet": "foot",
    "teeth": "tooth",
    "lives": "life",
    "knives": "knife",
    "wives": "wife",
    "leaves": "leaf",
    "halves": "half",
    "shelves": "shelf",
    "wolves": "wolf",
    "selves": "self",
    "criteria": "criterion",
    "phenomena": "phenomenon",
    "analyses": "analysis",
    "crises": "crisis",
    "theses": "thesis",
    "hypotheses": "hypothesis",
    "indices": "index",
    "matrices": "matrix",
    "vertices": "vertex",
    "movies": "movie",
    "cookies": "cookie",
    "zombies": "zombie",
    "ties": "tie",
    "lies": "lie",
    "pies": "pie",
    "shoes": "shoe",
    "canoes": "canoe",
    "caches": "cache",
    "niches": "niche",
    "axes": "axis",
    "buses": "bus",
    "viruses": "virus",
    "gases": "gas",
    "lenses": "lens",
    "biases": "bias",
}


@lru_cache(maxsize=100_000)
def singular(word: str) -> str:
    """Return the singular of an English lower-case noun; other words as they are.

    Examples
    --------
    >>> [singular(word) for word in ("batteries", "boxes", "databases", "robotics", "glass")]
    ['battery', 'box', 'database', 'robotics', 'glass']
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word in _SAME_PLURAL or not word.isascii():
        return word
    if word.endswith(("ss", "us", "is", "ics")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zzes")):
        return word[:-2]
    return word[:-2] if word.endswith("oes") else word[:-1]


@lru_cache(maxsize=200_000)
def plain(name: str) -> str:
    """Return a name in lower case without articles, possessives, company suffixes and marks.

    Examples
    --------
    >>> plain("The Harbour Authority's"), plain("Meridian Littoral plc"), plain("MICROSOFT Corp.")
    ('harbour authority', 'meridian littoral', 'microsoft')
    """
    folded = unicodedata.normalize("NFKC", name).casefold().replace("’", "'")
    folded = _POSSESSIVE.sub("", folded.strip(" .,;:!?\"“”'()[]"))
    folded = _COUNTRIES.get(name.strip(), folded)
    words = folded.replace("-", " ").replace("\u2011", " ").split()
    while len(words) > 1 and words[0] in _ARTICLES:
        words.pop(0)
    is_capital = name.rstrip(" .,").rsplit(" ", 1)[-1][:1].isupper() or not is_phrase(name)
    while is_capital and len(words) > 1 and words[-1].strip(".,") in _SUFFIXES:
        words.pop()
    return " ".join(word.strip(',"') for word in words) or folded or name


@lru_cache(maxsize=200_000)
def phrase_key(name: str) -> str:
    """Return the key of a key phrase: plain, its last word in the singular.

    Examples
    --------
    >>> phrase_key("data centers") == phrase_key("Data-Center")
    True
    """
    words = plain(name).split()
    if not words:
        return name
    words[-1] = singular(words[-1])
    if "of" in words[1:]:
        before = words.index("of", 1) - 1
        words[before] = singular(words[before])
    return " ".join(words)


@lru_cache(maxsize=100_000)
def person_parts(name: str) -> tuple[str, ...]:
    """Return the parts of a person's name without titles and initials, lower case.

    Examples
    --------
    >>> person_parts("Dr. Franklin D. Roosevelt"), person_parts("Mr. Nadella")
    (('franklin', 'roosevelt'), ('nadella',))
    """
    words = [word.strip(".,'\"") for word in plain(name).split()]
    kept = [word for word in words if word and word not in TITLES]
    without = [word for word in kept if len(word) > 1]
    return tuple(without or kept)


def is_person_name(parts: tuple[str, ...]) -> bool:
    """Return whether the parts look like a first and a last name: two to four words of letters."""
    return 2 <= len(parts) <= 4 and all(
        part.replace("'", "").replace(".", "").isalpha() and part not in _SMALL for part in parts
    )


def is_phrase(name: str) -> bool:
    """Return whether a name is written as a common noun: its first word has no capital."""
    first = name.split(" ", 1)[0]
    return not any(letter.isupper() for letter in first)


def is_shouted(name: str) -> bool:
    """Return whether a name is in capitals throughout and too long for an acronym."""
    letters = [letter for letter in name if letter.isalpha()]
    return len(letters) > 5 and all(letter.isupper() for letter in letters)


def unshouted(name: str) -> str:
    """Return a name in capitals with a capital for each word; others as they are."""
    return name.title().replace("'S", "'s") if is_shouted(name) else name
