"""The kind of a name: an honorific decides, then the head word, then the recogniser's label."""

from __future__ import annotations

import re

from sensemaking.backends.extractive import lexicon

CODE = re.compile(r"\d{1,3}(?:[./]\d{1,3})*[A-Za-z]?|[A-Z]{1,2}-?\d{1,3}|[A-Z]|[IVX]{1,4}")
"""What follows the noun in a numbered name: "7", "14.3", "T3", "D", "IV"."""

KIND_OF_LABEL = {
    "PERSON": "person",
    "ORG": "organisation",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "PRODUCT": "product",
    "EVENT": "event",
    "WORK_OF_ART": "work",
    "LAW": "law",
    "NORP": "concept",
    "LANGUAGE": "concept",
}
"""Kinds by the labels of the recogniser (OntoNotes)."""


def kind_of(words: list[str], label: str, *, is_titled: bool) -> str:
    """Return the kind of a name from its words and the recogniser's label ("" for none).

    `is_titled` says that an honorific stands before it.
    """
    head = words[-1].lower()
    if is_titled and all(word[0].isupper() for word in words):
        return "person"
    if len(words) == 1 and (words[0] in lexicon.CONCEPT_ACRONYMS or head in lexicon.ROLES):
        return "concept"
    if len(words) > 1 and CODE.fullmatch(words[-1]):
        numbered = lexicon.NUMBERED.get(words[-2].lower())
        if numbered:
            return numbered
    if len(words) > 1 and "of" not in words and head in lexicon.ROLES - lexicon.ORGANISATION_HEADS:
        return "concept"
    if len(words) > 1:
        cued = _cued(words, head)
        gives_way = label == "PERSON" and cued in ("place", "law")
        gives_way |= label == "ORG" and cued == "place"
        if cued and not gives_way:
            return cued
    is_coded = any(letter.isdigit() for word in words for letter in word) or (
        len(words) == 1 and words[0].isupper()
    )
    return "concept" if label == "PERSON" and is_coded else KIND_OF_LABEL.get(label, "concept")


def _cued(words: list[str], head: str) -> str:
    if "of" in words[1:]:
        head = words[words.index("of", 1) - 1].lower()
    for heads, kind in (
        (lexicon.ORGANISATION_HEADS, "organisation"),
        (lexicon.PLACE_HEADS, "place"),
        (lexicon.EVENT_HEADS, "event"),
        (lexicon.LAW_HEADS, "law"),
        (lexicon.WORK_HEADS, "work"),
    ):
        if head in heads:
            return kind
    return ""
