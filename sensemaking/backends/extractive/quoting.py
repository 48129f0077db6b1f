"""Quotations: which sentences can stand alone, how they are trimmed, how they are attributed.

A sentence of a document comes in. Out goes a substring of it (or substrings joined by " … "), with
a mark between 0 and 1 for how well it reads by itself, and a form that names its speaker:
`Reid Hoffman: “The first thing …”`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sensemaking.text.words import names, numbers

ELLIPSIS = "…"
MAX_WORDS = 45
MIN_WORDS = 5

_ATTRIBUTED = re.compile(r"(?P<speaker>[^“”:\n]{2,60}): “(?P<quote>.+)”", re.DOTALL)
_QUOTED = re.compile(r"“(?P<quote>.+)”", re.DOTALL)

_BARE = (
    r"well|yeah|yes|yep|no|right|okay|ok|oh|now|look|listen|sure|exactly|absolutely|anyway|actually"
    r"|basically|um|uh|so|and|but|like|you know|i mean|again|also|then|of course|for sure|totally"
    r"|by the way|i guess|you see"
)
_OPENING = re.compile(
    rf"\s*(?:(?:{_BARE})\s*(?:[,!…]|\.\.\.|--|[—–])\s*"
    r"|(?:and|but)\s+(?=\w)"
    r"|so\s+(?=(?:i|we|it|he|she|they|the|that|this|there|you|in|what|if|my|our|your|when)\b))+",
    re.IGNORECASE,
)
_NUMBERING = re.compile(r"\(?(?:\d{1,3}(?:\.\d{1,3})*|[a-z]|[ivx]{1,4})[.)]\s+(?=[\"“'‘]?[A-Z])")
_ROW = re.compile(r"(?<=\S),(?!\d{3}\b)(?=[^\s”’\"'])|[|\t]|_{3}|\.{4}")
_TAG = re.compile(r",?\s+(?:right|you know|okay|yeah)\s*\?$", re.IGNORECASE)
_CLAUSE_END = re.compile(
    r"[;:]\s|,\s(?=(?:and|but|so|because|which|while|whereas|although|or|then|where|who)\b)|[—–]\s"
)
_SMALL_TALK = re.compile(
    r"\b(?:thanks? (?:you )?(?:so much |a lot |very much )?(?:for|to)|welcome (?:back )?to"
    r"|thank you"
    r"|great to (?:be|have|see)|nice to (?:be|have|see|meet)|happy to be|glad to be|stay tuned"
    r"|you(?:'ve| have)? just (?:heard|listened)|next time on|(?:last|next|previous) episode"
    r"|check (?:it|them) out|(?:we're|we are) (?:going to (?:hear|talk with|be talking)|continuing)"
    r"|in the interview|coming up next|joined by|our guest|my guest|today's guest"
    r"|this episode|the podcast|our show"
    r"|your host|look(?:ing)? forward|i can't wait|let's (?:jump|dive|go|talk|start|get into)"
    r"|next question|hope you|tune in|subscribe|operator instructions|good (?:morning|afternoon)"
    r"|please go ahead|kind regards|best wishes|dear (?:all|sir|madam|mr|ms|mrs|dr))\b",
    re.IGNORECASE,
)
_ANAPHORA = re.compile(
    r"(?:it|he|she|they|this|that|these|those|which|who|there|here|his|her|their|its|then)\b"
    r"|(?:it|he|she|they|that|there)['’]",
    re.IGNORECASE,
)
_CONTINUES = re.compile(r"(?:or|nor|because|which|who|whose|than|as well as)\b", re.IGNORECASE)
_FILLER = re.compile(
    r"\b(?:you know|i mean|sort of|kind of|um|uh|i guess|or whatever|and stuff|oh my god)\b"
    r"|\blike,|, like\b|^like\b|\bjust like\b| -- |\b(\w+),? \1\b",
    re.IGNORECASE,
)
_CAPITALISED = re.compile(r"(?<=[\w,;:)] )[A-Z][\w'’.-]+|\d[\d.,]*")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_DISCOUNTS = (
    (re.compile(rf"^(?:{_ANAPHORA.pattern})", re.IGNORECASE), 0.6),
    (re.compile(rf"^(?:{_CONTINUES.pattern})", re.IGNORECASE), 0.5),
    (re.compile(r"…$"), 0.85),
    (re.compile(r"\*\*|[|#]"), 0.8),
    (re.compile(r"(?:\w[\w ]*: [^;]*; ){2}"), 0.3),
    (re.compile(r"[^.!?…。！？؟।”\"')]$"), 0.6),
    (re.compile(r"^[a-z]"), 0.92),
    (re.compile(rf"^(?!.*(?:{_CAPITALISED.pattern}|{_CJK.pattern}))", re.DOTALL), 0.8),
)


def count_words(text: str) -> int:
    """Return the number of words; two characters count as a word where no spaces are used."""
    cjk = len(_CJK.findall(text))
    words = len(text.split())
    return max(words, cjk // 2)


@lru_cache(maxsize=65_536)
def trim(sentence: str) -> str:
    """Return the sentence without filler openings and tag questions, cut where it runs on.

    What is left is a substring, or one substring followed by " …" where the end was cut.

    >>> trim("So, you know, the docks were closed in 2019, right?")
    'the docks were closed in 2019'
    """
    text = " ".join(sentence.split())
    numbering = _NUMBERING.match(text)
    if numbering is not None:
        text = text[numbering.end() :]
    opening = _OPENING.match(text)
    if opening is not None and count_words(text[opening.end() :]) >= 4:
        text = text[opening.end() :]
    text = _TAG.sub("", text)
    if count_words(text) <= MAX_WORDS:
        return text
    return _cut(text)


def _cut(text: str) -> str:
    ends = [
        found.start()
        for found in _CLAUSE_END.finditer(text)
        if 12 <= count_words(text[: found.start()]) <= MAX_WORDS
    ]
    if not ends:
        return text
    return f"{text[: ends[-1]]} {ELLIPSIS}"


@lru_cache(maxsize=65_536)
def readability(text: str) -> float:
    """Return how well a trimmed sentence reads by itself, 0 (not at all) to 1.

    Notes
    -----
    0 for questions, greetings and fragments. Otherwise 1, less for an opening that points back
    ("It …"), filler, lengths outside 12-30 words, a cut end, no name or number.
    """
    words = count_words(text)
    if words < MIN_WORDS or words > 3 * MAX_WORDS or "?" in text or "？" in text or "؟" in text:
        return 0.0
    if _SMALL_TALK.search(text) or len(_ROW.findall(text)) > 2 or not _is_prose(text):
        return 0.0
    score = 0.82 ** min(5, len(_FILLER.findall(text))) * _length_score(words)
    for pattern, factor in _DISCOUNTS:
        if pattern.search(text):
            score *= factor
    return score


@lru_cache(maxsize=65_536)
def facts(text: str) -> float:
    """Return how much a text states that can be checked, 0-1: four figures or eight names are 1.

    >>> facts("They talked about it."), facts("In 2019 Meridian paid 40 million for Quay 7.")
    (0.0, 1.0)
    """
    return min(1.0, (len(set(numbers(text))) + 0.5 * len(names(text))) / 4)


def _length_score(words: int) -> float:
    if words < 12:
        return 0.4 + 0.6 * (words - MIN_WORDS) / (12 - MIN_WORDS)
    return 1.0 if words <= 30 else max(0.2, 1 - (words - 30) / 30)


def _is_prose(text: str) -> bool:
    letters = sum(one.isalpha() for one in text)
    if letters < 0.6 * len(text) or text.startswith("#"):
        return False
    upper = sum(one.isupper() for one in text)
    return upper < 0.4 * letters


def attribute(text: str, speaker: str) -> str:
    """Return the quotation with its speaker, or the bare text where none is known.

    >>> attribute("The docks close.", "REID HOFFMAN")
    'Reid Hoffman: “The docks close.”'
    """
    if not speaker:
        return text
    name = speaker.title() if speaker.isupper() and len(speaker) > 4 else speaker
    return f"{' '.join(name.split())}: “{text}”"


def split_attribution(text: str) -> tuple[str, str]:
    """Return (speaker, quotation); the speaker is empty where the text names none.

    >>> split_attribution("Reid Hoffman: “The docks close.”")
    ('Reid Hoffman', 'The docks close.')
    """
    found = _ATTRIBUTED.fullmatch(text.strip())
    if found is not None:
        return found["speaker"], found["quote"]
    quoted = _QUOTED.fullmatch(text.strip())
    if quoted is not None and "“" not in quoted["quote"]:
        return "", quoted["quote"]
    return "", text.strip()


def quote(text: str) -> str:
    """Return the text in typographic quotation marks, its speaker before it.

    Double marks inside become single ones, as in print.

    >>> quote("She said “no”.")
    '“She said ‘no’.”'
    """
    speaker, words = split_attribution(text)
    words = words.replace("“", "‘").replace("”", "’")
    return f"{speaker}: “{words}”" if speaker else f"“{words}”"
