"""What a chunk says, without a language model: names, key phrases, sentences and claims.

A chunk is responsible for its own part, the characters that the chunk before it does not hold; a
sentence that a chunk boundary cuts is read in two pieces, so every character of a document is read
exactly once. Furniture (speaker labels, stage directions, mail headers) is blanked out at equal
length, so that offsets stay true; turns say who speaks a sentence. English goes through the
part-of-speech tagger and the name recogniser, other languages through `neutral`. No relationships
are stated: the graph stage derives them from the sentences.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensemaking.backends.extractive.candidates import Candidate, Tokens
from sensemaking.backends.extractive.claims import find_claim
from sensemaking.backends.extractive.concepts import find_concepts
from sensemaking.backends.extractive.names import capitalised_inside, find_names
from sensemaking.backends.extractive.neutral import find_candidates
from sensemaking.backends.extractive.syntax import MODEL_KEY, Analysis, analyse
from sensemaking.ports import Passage
from sensemaking.text.sentences import split_sentences
from sensemaking.types import Extraction, Mention, MentionedClaim, Section, Sentence, Span

VERSION = 6

_FIELDS = re.compile(r"^(?:[^\s:;][^:;\n]{0,40}: [^;\n]*(?:; |$)){3,}", re.MULTILINE)
_LABEL = re.compile(r"(?:^|(?<=; ))[^\s:;][^:;\n]{0,40}: ")
"""A row of a table as text: "borehole: BH-01; date: 2024-05-27; material: silt"."""

_RULE = re.compile(r"(?:[^\w\s]\s?){40,}")
"""A run of marks without a word: a rule, leaders, noise. The tagger would read each as a token."""

_PLAIN = str.maketrans("‘’“”\u00a0\u2011", "''\"\" -")
"""Typographic marks that the tagger knows less well, each to one character."""


@dataclass(frozen=True, slots=True)
class ExtractiveExtractor:
    """Finds names, key phrases and claims by part of speech and by the way they are written."""

    waits: bool = False

    @property
    def key(self) -> str:
        """Return the name and version of this extractor."""
        return f"extractive-{VERSION}:{MODEL_KEY}"

    def extract(self, passages: Sequence[Passage]) -> list[Extraction]:
        """Return one extraction per passage, in order; each depends on its own passage alone.

        Raises
        ------
        ConfigError
            When the installed language model is not the one this program was made for.
        """
        owned = [_own_part(passage) for passage in passages]
        analyses = analyse([one.text.translate(_PLAIN) for one in owned if one.is_english])
        extractions = []
        for passage, own in zip(passages, owned, strict=True):
            if own.is_english:
                candidates = _english(own, next(analyses))
            else:
                candidates = find_candidates(own.text, own.sentences, passage.language)
            extractions.append(_extraction(passage, own, candidates))
        return extractions


@dataclass(frozen=True, slots=True)
class _OwnPart:
    """The text a chunk is responsible for, furniture blanked; sentences in its offsets.

    `offset` is where it begins in the document.
    """

    text: str
    offset: int
    sentences: list[tuple[int, int]]
    is_english: bool


def _own_part(passage: Passage) -> _OwnPart:
    chunk = passage.chunk
    text = passage.text[chunk.own_start - chunk.start :]
    cuts = {0, len(text)}
    for section in passage.sections:
        start = min(max(section.start - chunk.own_start, 0), len(text))
        end = min(max(section.end - chunk.own_start, 0), len(text))
        if section.kind == "furniture" and start < end:
            text = text[:start] + _blank(text[start:end]) + text[end:]
        if section.kind in ("turn", "heading"):
            cuts.update((start, end))
    text = _RULE.sub(lambda rule: _blank(rule[0]), _FIELDS.sub(_without_labels, text))
    ordered = sorted(cuts)
    sentences = [
        sentence
        for start, end in zip(ordered, ordered[1:], strict=False)
        for sentence in split_sentences(text, start, end)
    ]
    return _OwnPart(text, chunk.own_start, sentences, _is_english(passage.language, text))


def _without_labels(match: re.Match[str]) -> str:
    """Return a row of labelled fields with the labels blanked: they structure, they do not tell."""
    return _LABEL.sub(lambda label: _blank(label[0]), match[0])


def _blank(text: str) -> str:
    """Return white space of the same length and lines."""
    return "".join("\n" if one == "\n" else " " for one in text)


def _is_english(language: str, text: str) -> bool:
    """Return whether a text is read as English; one of unknown language is if it is all ASCII."""
    if language in ("", "und"):
        return text.isascii()
    return language == "en" or language.startswith("en-")


def _english(own: _OwnPart, analysis: Analysis) -> list[list[Candidate]]:
    sentences = list(_token_ranges(own, analysis))
    known = frozenset(word for one in sentences for word in capitalised_inside(one))
    found = []
    for tokens in sentences:
        names = find_names(tokens, known=known)
        both = [*names, *find_concepts(tokens, names)]
        found.append(sorted(both, key=lambda one: (one.start, -one.end, one.name)))
    return found


def _token_ranges(own: _OwnPart, analysis: Analysis) -> Iterator[Tokens]:
    """Yield the tokens of each sentence; a recognised name is in the sentence it begins in."""
    first = named = 0
    for _, end in own.sentences:
        last = first
        while last < len(analysis.starts) and analysis.starts[last] < end:
            last += 1
        names = []
        while named < len(analysis.names) and analysis.names[named][0] < last:
            begin, stop, label = analysis.names[named]
            if begin >= first:
                names.append((begin - first, min(stop, last) - first, label))
            named += 1
        yield Tokens(
            words=analysis.words[first:last],
            tags=analysis.tags[first:last],
            starts=analysis.starts[first:last],
            ends=analysis.ends[first:last],
            names=names,
        )
        first = last


def _extraction(passage: Passage, own: _OwnPart, candidates: list[list[Candidate]]) -> Extraction:
    document = passage.chunk.document_id
    pages = _Sections(passage.sections, "page")
    turns = _Sections(passage.sections, "turn")
    places: dict[tuple[str, str], int] = {}
    spans: list[dict[Span, None]] = []
    sentences: list[Sentence] = []
    claims: list[MentionedClaim] = []
    for (start, end), found in zip(own.sentences, candidates, strict=True):
        start, end = start + own.offset, end + own.offset
        span = Span(document, start, end, pages.number_at(start))
        indices = []
        for one in found:
            index = places.setdefault((one.name, one.kind), len(places))
            if index == len(spans):
                spans.append({})
            a, b = one.start + own.offset, one.end + own.offset
            spans[index][Span(document, a, b, pages.number_at(a))] = None
            indices.append(index)
        sentences.append(Sentence(span, tuple(dict.fromkeys(indices)), turns.title_at(start)))
        text = own.text[start - own.offset : end - own.offset]
        claim = find_claim(text, span, _moved(found, own.offset), indices)
        if claim is not None:
            claims.append(claim)
    mentions = tuple(
        Mention(name, kind, tuple(spans[index])) for (name, kind), index in places.items()
    )
    return Extraction(passage.chunk.id, mentions, (), tuple(claims), tuple(sentences))


def _moved(found: list[Candidate], offset: int) -> list[Candidate]:
    return [Candidate(one.name, one.kind, one.start + offset, one.end + offset) for one in found]


class _Sections:
    """The sections of one kind, to look up the one at an offset."""

    def __init__(self, sections: Sequence[Section], kind: str) -> None:
        self._sections = [one for one in sections if one.kind == kind]
        self._starts = [one.start for one in self._sections]

    def title_at(self, offset: int) -> str:
        """Return the title of the last section that begins at or before an offset and holds it."""
        index = bisect_right(self._starts, offset) - 1
        if index >= 0 and offset < self._sections[index].end:
            return self._sections[index].title
        return ""

    def number_at(self, offset: int) -> int | None:
        """Return the title as a number, where there is one."""
        title = self.title_at(offset)
        return int(title) if title.isdecimal() else None
