"""What a chunk says about one topic, chosen from what was extracted from it without a topic.

Reading again would find the same names in the same sentences, so the sentences are chosen instead:
those that hold a term of the topic, and their neighbours, which go on about it. Mentions and claims
stay where their sentence does. An extraction by a model has no sentences: there a record stays when
what is said of it holds a term, and with a relationship both of its ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sensemaking.backends.extractive.themes import split_terms
from sensemaking.ports import Passage, TopicDraft
from sensemaking.text.words import content_words, words
from sensemaking.types import (
    Extraction,
    Mention,
    MentionedClaim,
    MentionedRelationship,
    Sentence,
    Span,
    digest,
)

VERSION = 2
AROUND = 3
"""Sentences before and after one on the topic that are taken to go on about it."""
FRAME = "speaks of "
"""What opens a description that `topics` wrote: a list of terms follows."""
MAX_TERM_WORDS = 4


@dataclass(frozen=True)
class ExtractiveTopicExtractor:
    """Chooses what concerns a topic; needs no model. Each chunk is judged by itself."""

    topic: TopicDraft
    waits: bool = field(default=False, init=False)

    @property
    def key(self) -> str:
        """Return the version of this extractor and the terms it looks for."""
        return f"extractive-topic-{VERSION}:{digest(sorted(' '.join(t) for t in self._terms))}"

    def extract(self, passages: Sequence[Passage], known: Sequence[Extraction]) -> list[Extraction]:
        """Return the part of each known extraction that concerns the topic."""
        return [
            self._of_sentences(passage, one) if one.sentences else self._of_records(one)
            for passage, one in zip(passages, known, strict=True)
        ]

    @cached_property
    def _terms(self) -> frozenset[tuple[str, ...]]:
        return topic_terms(self.topic)

    def _concerns(self, text: str) -> bool:
        sequence = _stems(text)
        return any(
            tuple(sequence[at : at + size]) in self._terms
            for at in range(len(sequence))
            for size in range(1, MAX_TERM_WORDS + 1)
        )

    def _of_sentences(self, passage: Passage, one: Extraction) -> Extraction:
        first = passage.chunk.start
        kept: set[int] = set()
        for number, sentence in enumerate(one.sentences):
            text = passage.text[sentence.span.start - first : sentence.span.end - first]
            if self._concerns(text):
                kept.update(range(number - AROUND, number + AROUND + 1))
        sentences = [one.sentences[n] for n in sorted(kept) if 0 <= n < len(one.sentences)]
        places = [(sentence.span.start, sentence.span.end) for sentence in sentences]

        def inside(span: Span) -> bool:
            return any(start <= span.start < end for start, end in places)

        mentions = {
            index: Mention(mention.name, mention.kind, spans, mention.description)
            for index, mention in enumerate(one.mentions)
            if (spans := tuple(span for span in mention.spans if inside(span)))
        }
        claims = [claim for claim in one.claims if all(inside(span) for span in claim.spans)]
        return _assemble(one, mentions, (), claims, sentences)

    def _of_records(self, one: Extraction) -> Extraction:
        relationships = [
            tie
            for tie in one.relationships
            if self._concerns(
                f"{one.mentions[tie.source].name}. {tie.description}. "
                f"{one.mentions[tie.target].name}"
            )
        ]
        chosen = {end for tie in relationships for end in (tie.source, tie.target)}
        chosen.update(
            index
            for index, mention in enumerate(one.mentions)
            if self._concerns(f"{mention.name}. {mention.description}")
        )
        claims = [claim for claim in one.claims if claim.subject in chosen]
        mentions = {index: one.mentions[index] for index in sorted(chosen)}
        return _assemble(one, mentions, relationships, claims, ())


def topic_terms(topic: TopicDraft) -> frozenset[tuple[str, ...]]:
    """Return the terms of a topic, each as stems in order.

    Those of its name, and of a description that lists terms; the words of any other description
    are no terms, but runs of two or more of them between function words are.
    """
    found = {tuple(_stems(term)) for term in split_terms(topic.name)}
    text = topic.description.strip().rstrip(".")
    for part in text.split(". "):
        if part.casefold().startswith(FRAME):
            found.update(tuple(_stems(term)) for term in split_terms(part[len(FRAME) :]))
        else:
            found.update(_runs(part))
    return frozenset(one[:MAX_TERM_WORDS] for one in found if one)


def _runs(text: str) -> Iterable[tuple[str, ...]]:
    """Yield the runs of two words and more that no function word breaks."""
    run: list[str] = []
    for word in [*words(text), ""]:
        stems = content_words(word)
        if stems:
            run.extend(stems)
            continue
        if len(run) > 1:
            yield from (tuple(run[at : at + 2]) for at in range(len(run) - 1))
        run = []


def _stems(text: str) -> list[str]:
    return content_words(text) or words(text)


def _assemble(
    one: Extraction,
    mentions: dict[int, Mention],
    relationships: Iterable[MentionedRelationship],
    claims: Iterable[MentionedClaim],
    sentences: Iterable[Sentence],
) -> Extraction:
    """Return an extraction of the records given, their indices into mentions set anew."""
    place = {index: number for number, index in enumerate(mentions)}
    return replace(
        one,
        mentions=tuple(mentions.values()),
        relationships=tuple(
            replace(tie, source=place[tie.source], target=place[tie.target])
            for tie in relationships
        ),
        claims=tuple(
            replace(
                claim,
                subject=place[claim.subject],
                object=None if claim.object is None else place.get(claim.object),
            )
            for claim in claims
            if claim.subject in place
        ),
        sentences=tuple(
            replace(
                sentence,
                mentions=tuple(place[index] for index in sentence.mentions if index in place),
            )
            for sentence in sentences
        ),
    )
