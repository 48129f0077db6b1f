"""Claims: sentences that bind an entity to a date, a figure, an event, a change or a duty.

One claim a sentence: its subject is the name nearest before what makes it a claim, else the first
name, else the first key phrase; its object the next other name. The kind is the first that applies
of event, change, amount, date, event told of a name, change told of one, duty, figure, statement;
dates are read whatever the kind. A figure that belongs to a name ("Quay 7") is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from sensemaking.backends.extractive.candidates import Candidate
from sensemaking.backends.extractive.dates import find_dates
from sensemaking.types import MentionedClaim, Span

Status = Literal["true", "false", "suspected"]

MIN_WORDS, MAX_WORDS = 5, 60
WORDS_TO_NAME = 3
"""Words between an event's verb and the name it is told of."""

_AMOUNT = re.compile(
    r"[$€£¥]\s?\d[\d,.]*(?:\s?(?:million|billion|trillion|[mbk]n?)\b)?"
    r"|\b\d[\d,.]*\s?(?:%|percent\b|per cent\b)"
    r"|\b(?:\d[\d,.]*|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty)\s"
    r"(?:hundred |thousand )?(?:million|billion|trillion|thousand|dollars|euros|pounds|crowns|"
    r"people|employees|homes|dwellings|jobs|users|customers|metres|tonnes|hectares|mg/kg|acres|"
    r"votes|men|miles|shares|patients|students|developers|countries)\b",
    re.IGNORECASE,
)
_EVENT = re.compile(
    r"\b(?:founded|co-founded|cofounded|established|acquired|bought|sold|merged|launched|released|"
    r"announced|signed|ratified|adopted|enacted|repealed|abolished|elected|appointed|resigned|"
    r"retired|dismissed|died|born|married|won|awarded|invented|discovered|published|opened|closed|"
    r"built|demolished|completed|approved|rejected|refused|granted|quashed|suspended|confirmed|"
    r"joined|graduated|invaded|declared|surrendered|convicted|sentenced|sued|licensed|leased|"
    r"commissioned|certified|ordered|objected|voted|agreed|undertook|ceased|began)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"(?<![\w.,/-])\d[\d.,]*(?![\w/-])"
    r"|\b(?:t(?:welve|hir(?:teen|ty)|wenty|hree|en)|f(?:our(?:teen)?|if(?:teen|ty)|ive|orty)"
    r"|s(?:ix(?:teen|ty)?|even(?:teen|ty)?)|eigh(?:t(?:een|y)?)|nine(?:teen|ty)?|eleven|hundreds?"
    r"|thousands?|dozens?|half|a third|two[- ]thirds|a quarter|twice)\b"
    r"(?!\s(?:things?|ways?|kinds?|sorts?|minutes?|seconds?|of (?:us|them|the)|or)\b)",
    re.IGNORECASE,
)
_DUTY = re.compile(
    r"\b(?:must(?: not)?|shall(?: not)?|may not|(?:is|are|was|were) (?:required|obliged|entitled|"
    r"bound|liable|subject|conditional|dependent|excluded|capped|due|forbidden|prohibited)\b"
    r"|forbids?|prohibits?|prevents?|excludes?|requires?|depends? (?:up)?on|expires?|provides that|"
    r"undertakes?|guarantees?|is to be|are to be|will not|cannot)\b",
    re.IGNORECASE,
)
_TOLD = re.compile(
    r"\b(?:said|says|told|tells|argued?s?|denied|denies|warn(?:ed|s)|claim(?:ed|s)|insist(?:ed|s)|"
    r"complain(?:ed|s)|propos(?:ed|es)|recommend(?:ed|s)|advis(?:ed|es)|promis(?:ed|es)|"
    r"admit(?:ted|s)|conclud(?:ed|es)|report(?:ed|s)|found|finds|expects?|expected|wants?|wanted|"
    r"believes?|plans?|planned|ask(?:ed|s)|wrote|writes|knew|knows|disclosed|withheld|received|"
    r"failed|paid|pays|spent|employs?|owns?|supplies|supplied|makes|made|lost|holds|carries)\b",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(?:rose|risen|fell|fallen|grew|grown|increas(?:ed|es)|decreas(?:ed|es)|declined|dropped|"
    r"doubled|tripled|quadrupled|halved|expanded|shrank|shrunk|slipped|climbed|improved|reduced|"
    r"raised|lowered|cut|gained|lost|became|replaced|renamed|turned into|moved from)\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"\s(?:was |were |is |are |has |have |had |has been |had been |have been |also |later |then |"
    r"now |still |only |already |will |would )*",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:allegedly|reportedly|supposedly|rumou?red|is suspected|are suspected|is believed to|"
    r"are believed to|is said to|may have|might have|could have|may be|might be|it is alleged|"
    r"alleges?|alleged)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:it (?:is|was)(?: simply)? (?:not true|untrue|false)|(?:is|was|are|were) (?:untrue|false)"
    r"|not true that|no truth in)\b",
    re.IGNORECASE,
)


def find_claim(
    text: str, span: Span, candidates: Sequence[Candidate], mentions: Sequence[int]
) -> MentionedClaim | None:
    """Return what a sentence claims, or None.

    `text` is the sentence, `span` its place; `candidates` are what it mentions, in its order and in
    the document's offsets, and `mentions` their indices in the extraction.
    """
    if not candidates or not MIN_WORDS <= len(text.split()) <= MAX_WORDS or "?" in text:
        return None
    dates = find_dates(text)
    kind, place = _kind(text, dates[0].start if dates else -1)
    if not kind:
        kind, place = _told_of_name(text, span.start, candidates)
    if not kind:
        return None
    subject, other = _ends(candidates, span.start + place)
    return MentionedClaim(
        subject=mentions[subject],
        object=None if other is None else mentions[other],
        kind=kind,
        status=_status(text),
        description=" ".join(text.split()),
        spans=(span,),
        start_date=dates[0].first if dates else None,
        end_date=_end_date(dates[0].last, [one.first for one in dates]) if dates else None,
    )


def _kind(text: str, date: int) -> tuple[str, int]:
    amount, event, change = _AMOUNT.search(text), _EVENT.search(text), _CHANGE.search(text)
    if event and (date >= 0 or amount):
        return "event", event.start()
    if change and (date >= 0 or amount):
        return "change", change.start()
    if amount:
        return "amount", amount.start()
    if date >= 0:
        return "date", date
    return "", -1


def _told_of_name(text: str, offset: int, candidates: Sequence[Candidate]) -> tuple[str, int]:
    """Return what is told of a name right before its verb, or of a figure that is no name's part.

    "Frosthavn has signed" is an event, "the Board may not approve" a duty.
    """
    for kind, pattern in (
        ("event", _EVENT),
        ("change", _CHANGE),
        ("duty", _DUTY),
    ):
        at = _after_candidate(pattern, text, offset, candidates, only_names=kind == "event")
        if at >= 0:
            return kind, at
    at = _before_name(_EVENT, text, offset, candidates)
    if at >= 0:
        return "event", at
    for figure in _FIGURE.finditer(text):
        place = figure.start() + offset
        if not any(one.start <= place < one.end for one in candidates):
            return "figure", figure.start()
    at = _after_candidate(_TOLD, text, offset, candidates, only_names=True)
    return ("statement", at) if at >= 0 else ("", -1)


def _after_candidate(
    pattern: re.Pattern[str],
    text: str,
    offset: int,
    candidates: Sequence[Candidate],
    *,
    only_names: bool,
) -> int:
    """Return where the pattern first stands right after something mentioned, or -1."""
    for found in pattern.finditer(text):
        for one in candidates:
            if only_names and one.kind == "concept":
                continue
            between = text[max(0, one.end - offset) : found.start()]
            if one.end <= offset + found.start() and _AUXILIARY.fullmatch(between):
                return found.start()
    return -1


def _before_name(
    pattern: re.Pattern[str], text: str, offset: int, candidates: Sequence[Candidate]
) -> int:
    """Return where the pattern stands with a name close behind it ("I joined Lanternfield")."""
    for found in pattern.finditer(text):
        for one in candidates:
            between = text[found.end() : max(0, one.start - offset)]
            if (
                one.kind != "concept"
                and one.start >= offset + found.end()
                and len(between.split()) <= WORDS_TO_NAME
            ):
                return found.start()
    return -1


def _ends(candidates: Sequence[Candidate], place: int) -> tuple[int, int | None]:
    names = [index for index, one in enumerate(candidates) if one.kind != "concept"]
    before = [index for index in names if candidates[index].end <= place]
    subject = before[-1] if before else names[0] if names else 0
    named = candidates[subject].name
    after = [i for i in names if candidates[i].start >= place and candidates[i].name != named]
    others = after or [i for i in names if candidates[i].name != named]
    return subject, others[0] if others else None


def _status(text: str) -> Status:
    if _DENIED.search(text):
        return "false"
    return "suspected" if _HEDGED.search(text) else "true"


def _end_date(last: str | None, dates: list[str]) -> str | None:
    """Return the end of a range; two separate dates are not read as one."""
    return last if last is not None and len(dates) == 1 else None
