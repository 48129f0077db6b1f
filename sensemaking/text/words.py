"""Words, content words, figures and names of a text: the one analysis that all rankings share.

In: any normalised text. Out: lower-case words in order; words without function words, stemmed in
English; figures in one notation; name-like sequences. Retrieval, support scores and the extractive
backend all use these, so that what one of them finds, the others can see.

Notes
-----
A word is a run of letters, digits and their marks; an apostrophe inside belongs to it ("don't"),
a possessive 's does not, an elided article is cut off ("l'eau" gives "l", "eau"). Scripts without
spaces between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), and Korean, whose particles
hang on to the noun, are indexed by overlapping pairs of characters. English stems are Porter 2.
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Any

from sensemaking.text.stopwords import stop_words

_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ecd"
    "\u102b-\u103e\u17b4-\u17d3"
)
_PAIRED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_WORD = re.compile(rf"[\w{_MARKS}]+(?:['’][\w{_MARKS}]+)*")
_PAIRED_RUN = re.compile(rf"[{_PAIRED}{_MARKS}]+")
_HAS_PAIRED = re.compile(rf"[{_PAIRED}]")
_ELISION = re.compile(
    r"(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|dell|nell|all|sull|dall|un|quest)'(?=\w)"
)

_SCALES = {
    "hundred": 100,
    "thousand": 1_000,
    "k": 1_000,
    "million": 1_000_000,
    "millions": 1_000_000,
    "mn": 1_000_000,
    "mln": 1_000_000,
    "m": 1_000_000,
    "billion": 1_000_000_000,
    "billions": 1_000_000_000,
    "bn": 1_000_000_000,
    "b": 1_000_000_000,
    "trillion": 1_000_000_000_000,
    "tn": 1_000_000_000_000,
}
_COUNT_WORDS = {
    word: str(value)
    for value, word in enumerate(
        ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"), start=1
    )
}
_NUMBER = re.compile(
    r"(?<![\w.])(?P<figure>\d{1,3}(?:[,.' ]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)?)"
    r"(?P<unit>\s?%|\s?(?:percent|per\s+cent|pct|Prozent)\b"
    r"|[\s-]?(?:hundred|thousand|millions?|billions?|trillion|mln|mn|bn|tn)\b"
    r"|\s?[kKMB]\b)?",
    re.IGNORECASE,
)
_SPELT = re.compile(
    rf"\b({'|'.join(_COUNT_WORDS)})[\s-](hundred|thousand|million|billion|trillion|percent)\b",
    re.IGNORECASE,
)

_NAME_WORD = r"(?:[A-ZÀ-ÖØ-ÞĀ-ŽΑ-ΩА-Я][\w'’.&-]*[\w’']|[A-ZÀ-ÖØ-ÞΑ-ΩА-Я]\.?)"
_CONNECTOR = r"(?:(?:of|de|da|di|du|van|von|der|den|del|la|bin|al|&)[ ](?:the[ ])?)"
_NAME = re.compile(rf"(?<![\w'’]){_NAME_WORD}(?:[ ](?:{_CONNECTOR}){{0,2}}{_NAME_WORD})*")
_OPENING = re.compile(r"(?:^|[.!?…:;\n。！？])[\s\"'“”‘’«»(\[*_#>–—-]*$")


def words(text: str) -> list[str]:
    """Return the words of a text in order, case-folded.

    Examples
    --------
    >>> words("Microsoft's state-of-the-art GPUs don't wait.")
    ['microsoft', 'state', 'of', 'the', 'art', 'gpus', "don't", 'wait']
    >>> words("東京都")
    ['東京', '京都']
    """
    folded = text.casefold().replace("’", "'")
    found: list[str] = []
    for word in _WORD.findall(folded):
        if "'" in word:
            found.extend(_split_apostrophes(word))
        elif word.isascii():
            found.append(word)
        elif _HAS_PAIRED.search(word):
            found.extend(_pairs(word))
        else:
            found.append(word)
    return found


def is_pair(word: str) -> bool:
    """Return whether a word is characters of a script that is indexed by pairs.

    >>> is_pair("東京"), is_pair("tokyo")
    (True, False)
    """
    return _HAS_PAIRED.search(word) is not None


def content_words(text: str, language: str = "en") -> list[str]:
    """Return the words of a text without function words, in order; stems for English.

    Examples
    --------
    >>> content_words("The engineers were building data centers")
    ['engin', 'build', 'data', 'center']
    """
    stop = stop_words(language)
    kept = [word for word in words(text) if word not in stop and (len(word) > 1 or word.isdigit())]
    return [stem(word) for word in kept] if language == "en" else kept


@lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """Return the English stem of a lower-case word."""
    return str(_STEMMERS.english.stemWord(word)) if word.isascii() else word


def numbers(text: str) -> tuple[str, ...]:
    """Return the figures of a text in one notation, in order, repeats included.

    Examples
    --------
    >>> numbers("Sales of $1,204 and 40 million (40M), up 12.50 percent on 3 May 2019")
    ('1204', '40000000', '40000000', '12.5%', '3', '2019')
    """
    found = [(match.start(), _figure(match)) for match in _NUMBER.finditer(text)]
    found.extend(
        (match.start(), _scaled(_COUNT_WORDS[match[1].lower()], match[2].lower()))
        for match in _SPELT.finditer(text)
    )
    return tuple(figure for _, figure in sorted(found))


def names(text: str) -> tuple[str, ...]:
    """Return name-like sequences of capitalised words, each once, in order of appearance.

    A single capitalised word at the start of a sentence is left out unless it is an acronym.

    Examples
    --------
    >>> names("The European Commission met Ada Lovelace. Then NASA joined in Paris.")
    ('European Commission', 'Ada Lovelace', 'NASA', 'Paris')
    """
    found: dict[str, None] = {}
    for match in _NAME.finditer(text):
        name, dropped = _without_function_words(match[0])
        if not name:
            continue
        is_single = " " not in name
        opens = not dropped and _OPENING.search(text[max(0, match.start() - 12) : match.start()])
        if is_single and opens and not _is_acronym(name):
            continue
        found.setdefault(name)
    return tuple(found)


class _Stemmers(threading.local):
    """One stemmer a thread: it keeps the word it works on in itself."""

    _english: Any = None

    @property
    def english(self) -> Any:  # noqa: ANN401 - the package has no types
        """Return the stemmer of this thread; the package reads all its languages when imported."""
        if self._english is None:
            import snowballstemmer

            self._english = snowballstemmer.stemmer("english")
        return self._english


_STEMMERS = _Stemmers()


def _split_apostrophes(word: str) -> list[str]:
    word = word.removesuffix("'s")
    elided = _ELISION.match(word)
    if elided and not word.endswith(("'t", "'d", "'ll", "'m")):
        return [word[: elided.end() - 1], word[elided.end() :]]
    return [word] if word else []


def _pairs(word: str) -> list[str]:
    """Return a mixed word as pairs of characters in its paired script, whole elsewhere."""
    found: list[str] = []
    at = 0
    for run in _PAIRED_RUN.finditer(word):
        if run.start() > at:
            found.append(word[at : run.start()])
        piece = run[0]
        if len(piece) == 1:
            found.append(piece)
        else:
            found.extend(piece[i : i + 2] for i in range(len(piece) - 1))
        at = run.end()
    if at < len(word):
        found.append(word[at:])
    return found


def _figure(match: re.Match[str]) -> str:
    plain = _plain(match["figure"])
    unit = (match["unit"] or "").strip(" -\t\n").lower()
    return _scaled(plain, unit) if unit else plain


def _plain(figure: str) -> str:
    """Return a figure with a decimal point and no group marks."""
    marks = [mark for mark in figure if not mark.isdigit()]
    if not marks:
        return figure
    last = marks[-1]
    tail = figure.rsplit(last, 1)[1]
    is_grouped = (
        len(tail) == 3 and (last in ",' " or len(marks) > 1) and marks.count(last) == len(marks)
    )
    if is_grouped:
        return "".join(mark for mark in figure if mark.isdigit())
    whole = "".join(mark for mark in figure[: -len(tail) - 1] if mark.isdigit())
    tail = tail.rstrip("0")
    return f"{whole}.{tail}" if tail else whole


def _scaled(plain: str, unit: str) -> str:
    if unit not in _SCALES:
        return plain + "%"
    whole, _, tail = plain.partition(".")
    zeros = len(str(_SCALES[unit])) - 1
    shifted = (whole + tail[:zeros].ljust(zeros, "0")).lstrip("0") or "0"
    rest = tail[zeros:].rstrip("0")
    return f"{shifted}.{rest}" if rest else shifted


def _without_function_words(name: str) -> tuple[str, bool]:
    """Return a name without function words in front and a possessive, and whether any went."""
    parts = name.removesuffix("'s").removesuffix("’s").split(" ")
    size = len(parts)
    stop = stop_words("en")
    while parts and (parts[0].lower().replace("’", "'") in stop and not _is_acronym(parts[0])):
        parts.pop(0)
    while parts and parts[0].islower():
        parts.pop(0)
    return " ".join(parts).rstrip(".,"), len(parts) < size


def _is_acronym(word: str) -> bool:
    letters = [letter for letter in word if letter.isalpha()]
    return len(letters) > 1 and sum(letter.isupper() for letter in letters) > len(letters) / 2
