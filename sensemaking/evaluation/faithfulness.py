"""Whether an answer can show what it says: sentences, citations, numbers and names.

An answer with its citations comes in, and where their spans lead; counts come out. It is measured
from the documents alone, without a model: the share of invention that the GraphRAG paper names as
its own gap.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sensemaking.answers.support import SUPPORTED, WEAK
from sensemaking.text.words import names, numbers, words
from sensemaking.types import Answer, AnswerSentence, Faithfulness, Span

TextOf = Callable[[Span], str]
"""Returns the characters of a span, "" when they are not there any more."""
CreditsOf = Callable[[Sequence[Span]], Sequence[str]]
"""Returns the names that may be credited for spans: speakers, authors, titles."""


def measure_faithfulness(answer: Answer, text_of: TextOf, credits_of: CreditsOf) -> Faithfulness:
    """Return what an answer can show for itself.

    A sentence is supported from `answers.support.SUPPORTED` on, weak from `WEAK` on, otherwise (or
    without any citation) unsupported.
    """
    total = Faithfulness()
    for sentence in answer.sentences:
        total = total + _measure(sentence, text_of, credits_of)
    return total


def _measure(sentence: AnswerSentence, text_of: TextOf, credits_of: CreditsOf) -> Faithfulness:
    texts = [text_of(span) for span in sentence.spans]
    resolved = [
        one for one in sentence.citations if one.spans and all(text_of(span) for span in one.spans)
    ]
    source = "\n".join((*texts, *credits_of(sentence.spans)))
    held_words, held_numbers = set(words(source)), set(numbers(source))
    figures, called = set(numbers(sentence.text)), set(names(sentence.text))
    found = len(figures & held_numbers)
    found += sum(set(words(name)) <= held_words for name in called)
    is_supported = bool(resolved) and sentence.support >= SUPPORTED
    is_weak = bool(resolved) and WEAK <= sentence.support < SUPPORTED
    return Faithfulness(
        n_sentences=1,
        n_supported=int(is_supported),
        n_weak=int(is_weak),
        n_citations=len(sentence.citations),
        n_resolved=len(resolved),
        n_facts=len(figures) + len(called),
        n_facts_found=found,
        unsupported=() if is_supported or is_weak else (sentence.text,),
    )
