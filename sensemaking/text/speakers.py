"""Who speaks: labels before a colon at the start of lines, and the turns they open.

A label is taken for a speaker's when it is written in capitals, or looks like a name or a role, and
enough lines of the document are labelled that way to make it a transcript. The label is furniture;
what follows, up to the next label or barrier, is the turn of that speaker.

Notes
-----
What tells a transcript from a form is repetition and speech: a label that occurs once must be
followed by something that ends like a sentence ("TRT: 53:42" does not), the names of the usual
fields of letters and minutes are never speakers, and a label in small letters counts only in a
document that is a transcript anyway.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sensemaking.types import Section

_NAME_WORD = r"[^\W_][\w.'’&/-]*"
_LABEL = re.compile(
    r"^(?P<label>(?:\[[\d:.]{4,11}\][^\S\n]*|\(?\d{1,2}:\d\d(?::\d\d)?\)?[^\S\n]+)?[^\w\n]{0,6}"
    rf"(?P<name>{_NAME_WORD}(?:[^\S\n]+{_NAME_WORD}){{0,5}}?)"
    r"(?P<office>,[^\S\n][^:\n]{2,50}?)?"
    r"(?P<note>[^\S\n]*[(\[][^()\[\]\n]{1,40}[)\]])?(?:\*\*|__)?[^\S\n]*:(?:\*\*|__)?)"
    r"(?=[^\S\n]+\S|[^\S\n]*\n)(?P<rest>[^\n]*)",
    re.MULTILINE,
)
_FIELDS = frozenset(
    # fmt: off
    (
        "abstract",
        "action",
        "address",
        "agenda",
        "apologies",
        "appearances",
        "applicant",
        "attachment",
        "attachments",
        "attendees",
        "audio",
        "author",
        "bcc",
        "cc",
        "clause",
        "contact",
        "copy",
        "created",
        "date",
        "decision",
        "document",
        "draft",
        "due",
        "duration",
        "email",
        "example",
        "figure",
        "from",
        "funder",
        "guide",
        "http",
        "https",
        "item",
        "keywords",
        "location",
        "members",
        "minutes",
        "motion",
        "note",
        "notes",
        "number",
        "officers",
        "order",
        "owner",
        "page",
        "part",
        "phone",
        "place",
        "postscript",
        "present",
        "price",
        "public",
        "re",
        "recorded",
        "reference",
        "resolved",
        "sent",
        "source",
        "status",
        "subject",
        "summary",
        "table",
        "tel",
        "time",
        "title",
        "to",
        "topic",
        "trt",
        "type",
        "update",
        "venue",
        "version",
        "vote",
        "warning",
    )
    # fmt: on
)
_ROLES = frozenset(
    # fmt: off
    (
        "a",
        "all",
        "answer",
        "chair",
        "chairman",
        "chairwoman",
        "clerk",
        "court",
        "guest",
        "host",
        "inspector",
        "interviewee",
        "interviewer",
        "judge",
        "moderator",
        "narrator",
        "operator",
        "president",
        "q",
        "question",
        "speaker",
        "witness",
    )
    # fmt: on
)
_TITLES = frozenset(("dr", "mr", "mrs", "ms", "prof", "professor", "judge", "sir", "lady", "lord"))
_OFFICES = frozenset(("councillor", "cllr", "the", "chair"))
_PARTICLES = frozenset(("de", "von", "van", "of", "the", "la", "del", "al", "el", "and", "der"))
_SPEECH = re.compile(r"[.!?…—–\"'”’)\]-]\s*$|^.{40,}[:;,]\s*$|^.{80}")
LEAST_LABELS = 4
"""A document with fewer labelled lines is not a transcript."""
LEAST_SHARE = 0.12
"""Nor is one in which fewer of the lines are labelled."""
LEAST_SMALL = 5
"""A label in small letters must occur so often: "danah boyd:"."""
MAX_SPEAKERS = 200
"""With more speakers than this, names stay as the labels have them: time must stay linear."""
_OPENING_LINES = 8


@dataclass(frozen=True, slots=True)
class _Label:
    name: str
    start: int
    end: int
    is_capital: bool
    is_small: bool
    is_speech: bool

    @property
    def key(self) -> str:
        return self.name.casefold()


def find_turns(text: str, barriers: Sequence[tuple[int, int]] = ()) -> list[Section]:
    """Return the turns of a transcript and their labels (furniture); [] when it is none.

    A barrier is a stretch that no turn crosses: a marked-up heading, a mail header. (Capitals on a
    line of their own inside a long turn are a heading, but the speaker goes on.)
    """
    labels = _labels(text)
    if not labels:
        return []
    names = _spellings(text, labels)
    stops = sorted(start for start, _ in barriers)
    sections = []
    for label, following in zip(labels, [*labels[1:], None], strict=True):
        end = following.start if following is not None else len(text)
        at = bisect_left(stops, label.end)
        if at < len(stops) and stops[at] < end:
            end = stops[at]
        sections.append(Section("furniture", "speaker label", label.start, label.end))
        if text[label.end : end].strip():
            sections.append(Section("turn", names[label.name], label.end, end))
    return sections


def clean_name(label: str) -> str:
    """Return a speaker's name as one would write it: "DR. ADA LOVELACE" is "Dr. Ada Lovelace"."""
    name = " ".join(label.split()).strip(" .*_-")
    if name.isupper() and len(name) > 1:
        return " ".join(_capitalised(word) for word in name.split(" "))
    return name


def _capitalised(word: str) -> str:
    if re.fullmatch(r"(?:[A-Z]\.)+[A-Z]?\.?", word):
        return word
    parts = re.split(r"([-'’/])", word)
    return "".join(part.capitalize() for part in parts)


def _labels(text: str) -> list[_Label]:
    """Return the labels of speakers in order; () for a text that is not a transcript."""
    found = [label for match in _LABEL.finditer(text) if (label := _label(match)) is not None]
    large = [label for label in found if not label.is_small]
    counts = Counter(label.key for label in large)
    capitals = sum(label.is_capital for label in large)
    sure = {
        label.key
        for label in large
        if (counts[label.key] >= 2 or label.is_speech)
        and (
            (label.is_capital and capitals >= LEAST_LABELS)
            or counts[label.key] >= 2
            or label.key in _ROLES
        )
    }
    n_sure = sum(label.key in sure for label in large)
    lines = sum(1 for _ in re.finditer(r"^[^\n]*\S", text, re.MULTILINE))
    if n_sure < LEAST_LABELS or n_sure < LEAST_SHARE * lines:
        return _only_speaker(text, large)
    small = Counter(label.key for label in found if label.is_small)
    sure |= {key for key, count in small.items() if count >= LEAST_SMALL}
    known = frozenset(word for key in sure for word in _own_words(key))
    return [
        label
        for label in found
        # A rare label may name a known speaker by one word of the name.
        if label.key in sure or (label.is_speech and _own_words(label.name) & known)
    ]


def _only_speaker(text: str, labels: Sequence[_Label]) -> list[_Label]:
    """Return the label of a speech by one office-holder ("THE PRESIDENT:"), near its beginning."""
    offices = [
        label
        for label in labels
        if label.is_capital and label.is_speech and label.key.removeprefix("the ") in _ROLES - {"a"}
    ]
    if len(offices) != 1:
        return []
    before = [line for line in text[: offices[0].start].split("\n") if line.strip()]
    return offices if len(before) < _OPENING_LINES else []


def _own_words(name: str) -> set[str]:
    return set(name.casefold().replace(".", "").split()) - _TITLES - _OFFICES


def _spellings(text: str, labels: Sequence[_Label]) -> dict[str, str]:
    """Return how each label's speaker is called.

    A part of exactly one fuller name stands for it ("DREW" for "DREW ENDY"), and a name in capitals
    is spelt as the text itself spells it where it does ("Neil deGrasse Tyson").
    """
    counts = Counter(label.name for label in labels)
    capital = {label.name for label in labels if label.is_capital}
    names = sorted(counts)
    if len(names) > MAX_SPEAKERS:
        return {name: name for name in names}
    spelt = {name: _as_in_text(text, name) if name in capital else name for name in names}
    fuller = {}
    for name in names:
        words = _own_words(name)
        wider = [
            one for one in names if words and words < _own_words(one) and counts[one] > counts[name]
        ]
        fuller[name] = wider[0] if len(wider) == 1 and len(name.split()) == 1 else name
    return {name: spelt[fuller[name]] for name in names}


def _as_in_text(text: str, name: str) -> str:
    if " " not in name or name.casefold().startswith("the "):
        return name
    pattern = r"\b" + r"\s+".join(re.escape(word) for word in name.split(" ")) + r"(?!\w)"
    found = Counter(
        " ".join(match[0].split())
        for match in re.finditer(pattern, text, re.IGNORECASE)
        if not match[0].isupper() and match[0][0].isupper() and match[0].split()[-1][0].isupper()
    )
    return min(found, key=lambda one: (-found[one], one), default=name)


def _label(match: re.Match[str]) -> _Label | None:
    raw = match["name"]
    words = raw.split()
    lowered = raw.casefold()
    if lowered in _FIELDS or (words[0].casefold() in _FIELDS and lowered not in _ROLES):
        return None
    is_capital = raw.upper() == raw and sum(map(str.isalpha, raw)) > 1
    if match["office"] is not None and not is_capital:
        return None
    is_small = raw.lower() == raw and len(words) == 2
    is_role = lowered in _ROLES and (not is_small or len(raw) > 1)
    if not (is_capital or is_small or is_role or _looks_like_name(words)):
        return None
    label = _Label(
        name=clean_name(raw),
        start=match.start("label"),
        end=match.end("label"),
        is_capital=is_capital,
        is_small=is_small and not is_role,
        is_speech=not match["rest"].strip() or bool(_SPEECH.search(match["rest"])),
    )
    return label if label.name else None


def _looks_like_name(words: Sequence[str]) -> bool:
    return len(words) <= 4 and all(
        word[0].isupper() or word.casefold() in _PARTICLES for word in words
    )
