"""What a question asks for: its terms, and the kind of answer it wants.

The text of a question comes in (any language, any length); out go terms with the words that may
stand for them. Words that only frame a question ("Which guests frequently mention …") are no terms:
a question of nothing but frame asks for what is prominent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from sensemaking.backends.extractive.synonyms import related
from sensemaking.text.words import content_words, names, numbers, stem, words

Kind = Literal["themes", "who", "number", "time", "cause", "plain"]
MAX_TERMS = 24
"""Terms of a long question that are looked for: names first, then as they come."""

_FRAME = """
name discuss discussed discussion mention talk tell say said speak describe share express
emphasize emphasise highlight address present perceive perception view cite ask asked feature
refer report note explain explore touch cover raise bring broach voice indicate state give provide
offer find show compare consider see look regard revolve arise focus suggest guest speaker
interviewee participant author host people person someone anyone individual document corpus
episode podcast transcript interview conversation dataset text article file source collection
material dossier paper passage dialogue meeting frequently frequent often commonly common
consistently consistent recurring recur main key major important general generally typical
typically particular particularly specific specifically different various certain notable
significant standout top primary primarily overall usual usually repeated multiple several
regularly mainly really actual actually current currently example instance kind type sort way
topic theme subject area aspect insight pattern thing issue point part number amount times
overview summary gist question answer context term detail correlate associate relate related
relevant regarding become became happen happened quote anecdote story opinion perspective speech
good bad best many much make made come came take took use used want need get got
"""
_WEAK = """
tech technology technological industry company sector leader field world business product system
work development organization organisation project great new old big large small year time
earlier later found find wrong right given justify justified happen far long still yet already whole
"""
_THEMES = re.compile(
    r"\b(?:themes?|topics?|subjects?|overview|summar\w+|gist|about|main (?:ideas?|points?|issues?)"
    r"|key (?:ideas?|points?|issues?|findings?|insights?))\b",
    re.IGNORECASE,
)
_THEMES_ELSEWHERE = re.compile(
    r"\b(?:themen?|hauptthem\w+|überblick|zusammenfass\w+|thèmes?|sujets?|résum\w+|temas?|resum\w+"
    r"|temi|riassun\w+|тем[аыу])\b|主题|主題|概要|要約|テーマ|주제|요약|موضوع|مواضيع",
    re.IGNORECASE,
)
_SHORT = 6
"""Words of a question in another language that asks for themes and for nothing else."""
_WHO = re.compile(
    r"\b(?:who|whose|whom)\b|\bwhich (?:\w+ )?(?:guests?|people|speakers?|leaders?"
    r"|persons?|authors?|members?|episodes?)\b|\bdo (?:any|the) (?:\w+ )?"
    r"(?:guests?|leaders?)\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\bhow (?:many|much|often|large|big|high|long|frequently)\b", re.IGNORECASE)
_TIME = re.compile(
    r"\bwhen\b|\bover time\b|\bchanged? since\b|\bhow (?:has|have|did) .* changed?\b", re.IGNORECASE
)
_CAUSE = re.compile(r"\bwhy\b|\breasons? for\b|\bcauses?\b", re.IGNORECASE)

_CLAUSE_BREAK = re.compile(r"[,;:?!.]\s|\s(?:and|or|versus|vs)\s")
_MONTH = "January|February|March|April|May|June|July|August|September|October|November|December"
_NUMBERED = re.compile(
    rf"(?<!\w)(?:(?:\d{{1,2}} )?(?:{_MONTH}) (?:\d{{1,2}}, )?\d{{4}}"
    r"|[A-Z][\w-]*(?: [A-Z][\w-]*)* (?!(?:1[5-9]|20)\d\d\b)\d[\d.]*\w?)"
)
_GUESTS = re.compile(r"\b(?:guests?|interviewees?|leaders?|witnesses|speakers?)\b", re.IGNORECASE)
_COMMAND = re.compile(
    r"\s*(?:please\s+)?(?:list|name|identify|summari[sz]e|describe|explain|compare|outline)\b", re.I
)
_TOPICAL = re.compile(
    r"\b(?:about|of|on|over|regarding|concerning|to|with)\s+(?:the\s+|an?\s+)?([^\W\d_][\w’'-]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Term:
    """One thing a question asks about.

    `stems` is its stemmed form, words separated by blanks; `shown` is how the question writes it;
    `others` are stemmed words and phrases that may stand for it. `factor` scales its importance.
    """

    stems: str
    shown: str
    others: tuple[str, ...]
    factor: float
    is_name: bool


@dataclass(frozen=True, slots=True)
class Question:
    """A question as it is looked for.

    `pairs` are neighbouring terms ("ventur capit"). `clauses` hold, for each part of a question
    that asks several things, the places of its terms in `terms`. `of_guests` says that it asks
    about those who are interviewed.
    """

    kind: Kind
    terms: tuple[Term, ...]
    pairs: tuple[str, ...]
    clauses: tuple[tuple[int, ...], ...]
    of_guests: bool


def read_question(text: str) -> Question:
    """Return what a question asks for.

    >>> question = read_question("Which guests talk about privacy laws?")
    >>> question.kind, [term.stems for term in question.terms]
    ('who', ['privaci', 'law'])
    """
    frame, weak = _stemmed(_FRAME), _stemmed(_WEAK)
    command = _COMMAND.match(text)
    text = text[command.end() :] if command is not None and len(text) > command.end() else text
    shown = _shown(text)
    terms: dict[str, Term] = {}
    sequence = content_words(text)
    inside: set[str] = set()
    for name in read_names(text):
        stems = content_words(name)
        if stems:
            inside.update(stems)
            # A person is found by the last name alone; "Quay 7" is neither "Quay" nor "7".
            others = stems[-1:] if len(stems) > 1 and not stems[-1].isdigit() else []
            terms[" ".join(stems)] = Term(" ".join(stems), name, tuple(others), 1.3, is_name=True)
    for one in sequence:
        if one in terms or one in inside or one in frame:
            continue
        factor = 0.3 if one in weak else 1.0
        terms[one] = Term(one, shown.get(one, one), related(one), factor, one.isdigit())
    pairs = _pairs(sequence, frame)
    for pair in pairs:
        if related(pair):
            parts = pair.split()
            for part in parts:
                terms.pop(part, None)
            label = " ".join(shown.get(part, part) for part in parts)
            terms[pair] = Term(pair, label, (*related(pair), *parts), 1.0, is_name=False)
    kept = sorted(terms.values(), key=lambda term: (not term.is_name, term.factor < 1))[:MAX_TERMS]
    return Question(
        kind=_kind(text, kept),
        terms=tuple(kept),
        pairs=pairs,
        clauses=_clauses(text, kept),
        of_guests=_GUESTS.search(text) is not None,
    )


def _clauses(text: str, terms: list[Term]) -> tuple[tuple[int, ...], ...]:
    """Return the terms of each part between commas, semicolons, question marks and "and"."""
    found = []
    for part in _CLAUSE_BREAK.split(text):
        sequence = f" {' '.join(content_words(part))} "
        held = tuple(at for at, term in enumerate(terms) if f" {term.stems} " in sequence)
        if any(terms[at].factor >= 1 for at in held):
            found.append(held)
    return tuple(found) if len(found) > 1 else ()


def read_names(text: str) -> tuple[str, ...]:
    """Return the names of a text, a number after a name included; the longer ones first."""
    numbered = _NUMBERED.findall(text)
    plain = [one for one in names(text) if not any(one in other for other in numbered)]
    return tuple(dict.fromkeys((*numbered, *plain)))


def _pairs(sequence: list[str], frame: frozenset[str]) -> tuple[str, ...]:
    pairs = (
        f"{first} {second}"
        for first, second in zip(sequence, sequence[1:], strict=False)
        if first != second and first not in frame and second not in frame
    )
    return tuple(dict.fromkeys(pairs))[:MAX_TERMS]


def _kind(text: str, terms: list[Term]) -> Kind:
    if _THEMES_ELSEWHERE.search(text) and len(text.split()) <= _SHORT:
        return "themes"
    if not any(term.factor >= 1 for term in terms) and (
        _THEMES.search(text) or (terms and len(words(text)) > 2)
    ):
        return "themes"
    asked: tuple[tuple[re.Pattern[str], Kind], ...] = (
        (_WHO, "who"),
        (_NUMBER, "number"),
        (_TIME, "time"),
        (_CAUSE, "cause"),
    )
    return next((kind for pattern, kind in asked if pattern.search(text)), "plain")


def _shown(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for word in re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text):
        for one in content_words(word):
            found.setdefault(one, word)
    return found


@cache
def _stemmed(listed: str) -> frozenset[str]:
    return frozenset(stem(word) for word in listed.split())


def asked_names(text: str) -> tuple[str, ...]:
    """Return what a question asks about by name: names, figures, nouns after "about" or "of"."""
    frame, weak = _stemmed(_FRAME), _stemmed(_WEAK)
    topical = (
        word
        for word in _TOPICAL.findall(text)
        if (stems := content_words(word)) and not set(stems) & (frame | weak)
    )
    return tuple(dict.fromkeys((*read_names(text), *numbers(text), *topical)))
