"""Which language a text is in, as a two-letter code, "und" where that cannot be told.

Writing systems that serve one language decide at once; Latin, Cyrillic and Arabic script are told
apart by their commonest words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache, lru_cache

from sensemaking.text.stopwords import STOP_WORDS
from sensemaking.text.words import words

SAMPLE = 20_000
"""Characters that are looked at: the beginning and the middle of a long text."""

_SCRIPTS = {
    "HANGUL": "ko",
    "HIRAGANA": "ja",
    "KATAKANA": "ja",
    "CJK": "zh",
    "THAI": "th",
    "GREEK": "el",
    "HEBREW": "he",
    "DEVANAGARI": "hi",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "TELUGU": "te",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "KHMER": "km",
    "LAO": "lo",
    "ETHIOPIC": "am",
}
_BY_WORDS = {"LATIN": "und", "CYRILLIC": "ru", "ARABIC": "ar"}
_TELLING = (("CYRILLIC", "іїєґ", "uk"), ("ARABIC", "ٹڈڑے", "ur"), ("ARABIC", "گچپژ", "fa"))
"""Letters that one language of a script has and its larger neighbour has not."""
_LETTER = re.compile(r"[^\W\d_]")
LEAST_SHARE = 0.06
"""Of the words of a text at least so many must be common words of its language."""
LEAST_KINDS = 4
"""So many different ones, letters alone aside; fewer in a text of under 24 words."""


def detect_language(text: str) -> str:
    """Return the ISO 639-1 code of the language of a text, or "und".

    Examples
    --------
    >>> detect_language("The ships in the harbour were waiting for the tide to turn.")
    'en'
    >>> detect_language("배가 항구에서 기다리고 있다")
    'ko'
    """
    middle = len(text) // 2
    sample = text[: SAMPLE // 2] + " " + text[middle : middle + SAMPLE // 2]
    if sample.isascii() and _LETTER.search(sample):
        return _by_common_words(sample, _BY_WORDS["LATIN"])
    letters = _LETTER.findall(sample)[:4000]
    scripts: Counter[str] = Counter()
    for letter, n in Counter(letters).items():
        scripts[_script(letter)] += n
    if not scripts:
        return "und"
    if (scripts["HIRAGANA"] + scripts["KATAKANA"]) * 8 > scripts["CJK"] > 0:
        return "ja"
    script = min(scripts, key=lambda one: (-scripts[one], one))
    if script in _SCRIPTS:
        return _SCRIPTS[script]
    for of_script, telling, language in _TELLING:
        if script == of_script and sum(map(letters.count, telling)) > 0.01 * len(letters):
            return language
    return _by_common_words(sample, _BY_WORDS.get(script, "und"))


@lru_cache(maxsize=8192)
def _script(letter: str) -> str:
    return unicodedata.name(letter, "?").split()[0].split("-")[0]


@cache
def _common(code: str) -> frozenset[str]:
    return frozenset(STOP_WORDS[code].split())


@cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    """Return in which languages a word is a common one."""
    found: dict[str, tuple[str, ...]] = {}
    for code in STOP_WORDS:
        for word in _common(code):
            found[word] = (*found.get(word, ()), code)
    return found


def _by_common_words(sample: str, otherwise: str) -> str:
    found = words(sample)
    if not found:
        return otherwise
    counts = Counter(found)
    languages = _languages_by_word()
    totals = dict.fromkeys(STOP_WORDS, 0)
    for word, n in counts.items():
        for code in languages.get(word, ()):
            totals[code] += n
    best = min(totals, key=lambda code: (-totals[code], code != "en", code))
    kinds = sum(word in counts for word in _common(best) if len(word) > 1)
    is_plain = totals[best] >= LEAST_SHARE * len(found) and kinds >= min(
        LEAST_KINDS, 2 + len(found) // 12
    )
    return best if is_plain else otherwise
