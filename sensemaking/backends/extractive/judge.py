"""Which of two answers has more of what a criterion asks for: counted, not felt.

A question and two texts come in. Each text is measured by itself; the larger measure wins, and
measures that are within 5 % of each other are a tie. The order of the texts plays no part. What
comes out is a measurement and says so.

Notes
-----
Our own definitions. A claim is a sentence (`claim_splitter`), distinct claims are clusters of
complete linkage at 1 - ROUGE-L of 0.5, strands those at 0.8. Claims are counted in whole ones of
eight content words, so that what is said in many short sentences counts no more than the same in
few long ones; a claim counts at most twice, so that padding does not count either. On the question
is a claim that holds a word of it, or one of the same idea; where a question has no words of its
own, every claim is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from sensemaking.backends.extractive.claim_splitter import ExtractiveClaimSplitter
from sensemaking.backends.extractive.questions import read_question
from sensemaking.backends.extractive.quoting import split_attribution
from sensemaking.ports import Criterion, Verdict
from sensemaking.text.rouge import count_clusters
from sensemaking.text.words import content_words, names, numbers, words

MARGIN = 0.05
"""Measures closer than this share of the larger one are a tie."""
DISTINCT, STRAND = 0.5, 0.8
WHOLE_CLAIM = 8
"""Content words of a claim that counts as one."""
MOST = 2.0
"""What a claim counts at most."""
ENOUGH_WORDS = 150
"""Words of an answer that is as brief as can be expected."""

_REASON = re.compile(
    r"\b(?:because|since|due to|owing to|reasons?|caused?|therefore|so that|led to|as a result"
    r"|for example|for instance|such as)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Measures:
    """What is counted of one answer; shares are 0-1."""

    words: int
    claims: int
    distinct: float
    strands: float
    on_question: float
    sources: int
    specific: int


@lru_cache(maxsize=4096)
def measure(question: str, text: str) -> Measures:
    """Return what is counted of an answer to a question."""
    claims = ExtractiveClaimSplitter().split(text)
    terms = _terms(question)
    held = [content_words(split_attribution(claim)[1]) for claim in claims]
    weights = [min(MOST, len(one) / WHOLE_CLAIM) for one in held]
    total = sum(weights)
    on_question = sum(
        weight
        for weight, one in zip(weights, held, strict=True)
        if not terms or any(f" {term} " in f" {' '.join(one)} " for term in terms)
    )
    mean = total / len(claims) if claims else 0.0
    distinct, strands = (mean * n for n in count_clusters(claims, (DISTINCT, STRAND)))
    speakers = {split_attribution(claim)[0] for claim in claims} - {""}
    return Measures(
        words=len(words(text)),
        claims=len(claims),
        distinct=distinct,
        strands=strands,
        on_question=on_question / total if total else 0.0,
        sources=len(speakers | set(names(text))),
        specific=_specifics([split_attribution(claim)[1] for claim in claims]),
    )


@lru_cache(maxsize=4096)
def _terms(question: str) -> frozenset[str]:
    return frozenset(
        one
        for term in read_question(question).terms
        if term.factor >= 1
        for one in (term.stems, *term.others)
    )


def _specifics(claims: list[str]) -> int:
    """Return how many figures and names there are, each once, and reasons and examples given."""
    figures = {one for claim in claims for one in numbers(claim)}
    called = {one for claim in claims for one in names(claim)}
    return len(figures) + len(called) + sum(len(_REASON.findall(claim)) for claim in claims)


Rule = tuple[Callable[[Measures], float], str]

RULES: dict[str, Rule] = {
    "comprehensiveness": (
        lambda one: one.distinct * (0.5 + 0.5 * one.on_question),
        "distinct claims of eight content words, those on the question counted twice",
    ),
    "diversity": (
        lambda one: one.strands + one.sources,
        "strands of claims, and speakers and names",
    ),
    "empowerment": (
        lambda one: one.specific,
        "figures, names, reasons and examples",
    ),
    "directness": (
        lambda one: one.on_question / max(1.0, one.words / ENOUGH_WORDS),
        "share of claims on the question, less for more than 150 words",
    ),
    "relevance": (lambda one: one.on_question, "share of claims on the question"),
}
"""What decides each criterion, and what to call it."""


@dataclass(frozen=True, slots=True)
class ExtractiveJudge:
    """Compares by counting; needs no model. Replicates are equal: there is nothing to vary."""

    key: str = "extractive-judge-2 (a measurement)"

    def judge(
        self, question: str, answers: tuple[str, str], criterion: Criterion, replicate: int = 0
    ) -> Verdict:
        """Return which answer has more of what the criterion counts.

        A criterion that is none of `RULES` is not decided: the verdict counts as not parsed.
        """
        del replicate
        rule = RULES.get(criterion.name)
        if rule is None:
            known = ", ".join(RULES)
            return Verdict(0, f"“{criterion.name}” is not measured; only {known} are.", False)
        value, label = rule
        first, second = (value(measure(question, text)) for text in answers)
        reason = f"Measured: {label}: {first:.4g} against {second:.4g}."
        if abs(first - second) <= MARGIN * max(first, second):
            return Verdict(0, reason)
        return Verdict(1 if first > second else 2, reason)
