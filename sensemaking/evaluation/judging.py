"""Verdicts on pairs of answers: who is asked what, and what many verdicts come to.

Two texts, a criterion and a judge become duels, each read in one order; verdicts become a score
per question. Every duel has its mirror: the same texts in the other order. A judge that only looks
at the order therefore gives both conditions the same.

Notes
-----
Scores are 100, 50, 0. "mean" takes the mean of all verdicts (ReTAG, GraphRAG); "majority" takes a
strict majority inside a judge, then over judges, no majority being a tie (Core-based Hierarchies).
The winner of a question under "mean" is whoever has the higher mean: what is counted as won, tied
and lost is what the signed-rank test ranks.
Published code counts a verdict that cannot be read as a tie; here it counts as nothing, and its
mirror with it, so that the orders stay balanced. Equal texts are a tie and nobody is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sensemaking.evaluation.alignment import without_common
from sensemaking.ports import Criterion, Verdict
from sensemaking.text.words import words
from sensemaking.types import EvaluatedAnswer, Judgement, JudgeResult, PairScore, Scoring, digest

Winner = Literal[0, 1, 2]

CRITERIA: dict[str, Criterion] = {
    one.name: one
    for one in (
        Criterion(
            "comprehensiveness",
            "How much of what the question asks for does the answer deal with, in how much detail?",
        ),
        Criterion(
            "diversity",
            "How many different viewpoints, sources and sides of the matter does the answer bring?",
        ),
        Criterion(
            "empowerment",
            "How well does the answer help the reader to understand the matter and to judge for "
            "themselves: reasons, examples, figures, sources?",
        ),
        Criterion(
            "directness",
            "How plainly and briefly does the answer say what was asked, without anything else?",
        ),
        Criterion(
            "relevance",
            "How much of the answer is about what was asked?",
        ),
    )
}
DEFAULT_CRITERIA = ("comprehensiveness", "diversity", "empowerment", "directness")
NOT_QUALITY = ("directness",)
"""A control: longer answers lose on it, so it says whether judges look at all."""

TURNED = "Shown in the other order:"


@dataclass(frozen=True, slots=True)
class Duel:
    """Asks a judge which of two texts, shown in this order, is better by a criterion."""

    id: str
    question: str
    texts: tuple[str, str]
    criterion: Criterion
    replicate: int


@dataclass(frozen=True, slots=True)
class Couple:
    """A duel and its mirror; `forward` shows the first condition first."""

    forward: Duel
    backward: Duel


def make_couples(
    judge: str, question: str, texts: tuple[str, str], criterion: Criterion, replicates: int
) -> Iterator[Couple]:
    """Yield the duels by which one judge compares two texts; none for equal texts."""
    if is_same(texts):
        return
    for replicate in range(replicates):
        yield Couple(
            _duel(judge, question, texts, criterion, replicate),
            _duel(judge, question, (texts[1], texts[0]), criterion, replicate),
        )


def is_same(texts: tuple[str, str]) -> bool:
    """Return whether two texts differ in nothing but white space."""
    return texts[0].split() == texts[1].split()


def _duel(
    judge: str, question: str, texts: tuple[str, str], criterion: Criterion, replicate: int
) -> Duel:
    key = digest(judge, question, criterion.name, criterion.definition, *texts, replicate)
    return Duel(key, question, texts, criterion, replicate)


def texts_to_judge(
    first: EvaluatedAnswer, second: EvaluatedAnswer, *, is_differential: bool
) -> tuple[str, str]:
    """Return what judges read of two answers.

    Differential: only the claims that the other answer does not make, and those in conflict.
    """
    if not is_differential:
        return first.text, second.text
    one, other = without_common(first.claims or (), second.claims or ())
    return "\n".join(one), "\n".join(other)


def record_verdict(duel: Duel, verdict: Verdict) -> Judgement:
    """Return the verdict on a duel as it is kept."""
    return Judgement(duel.id, verdict.winner, verdict.reason, verdict.is_parsed)


def score_pair(
    judged: Sequence[Sequence[Couple]], found: Mapping[str, Judgement], scoring: Scoring
) -> tuple[float | None, Winner | None, int, int]:
    """Return the score of the first condition, the winner, verdicts used and verdicts unread.

    `judged` holds the couples of each judge. A couple counts when both its verdicts are there and
    could be read.
    """
    by_judge: list[list[Winner]] = []
    n_unparsed = 0
    for couples in judged:
        votes: list[Winner] = []
        for couple in couples:
            forward, backward = found.get(couple.forward.id), found.get(couple.backward.id)
            n_unparsed += sum(one is not None and not one.is_parsed for one in (forward, backward))
            if forward and backward and forward.is_parsed and backward.is_parsed:
                votes += [forward.winner, _mirrored(backward.winner)]
        if votes:
            by_judge.append(votes)
    if not by_judge:
        return None, None, 0, n_unparsed
    everything = [vote for votes in by_judge for vote in votes]
    if scoring == "majority":
        winner = majority([majority(votes) for votes in by_judge])
        return _SCORES[winner], winner, len(everything), n_unparsed
    lead = everything.count(1) - everything.count(2)
    score = 50 + 50 * lead / len(everything)
    return score, (1 if lead > 0 else 2 if lead < 0 else 0), len(everything), n_unparsed


def tell_reasons(couples: Iterable[Couple], found: Mapping[str, Judgement]) -> tuple[str, ...]:
    """Return why, each reason once: those where the first answer was shown first.

    A reason given in the other order speaks of the answers the other way round: it is told, and
    said to be turned, only where the verdict is another one or there is none in the first order.
    """
    told: dict[str, None] = {}
    for couple in couples:
        forward, backward = found.get(couple.forward.id), found.get(couple.backward.id)
        if forward is not None and forward.reason:
            told[forward.reason] = None
        is_other = forward is None or backward and forward.winner != _mirrored(backward.winner)
        if backward is not None and backward.reason and is_other:
            told[f"{TURNED} {backward.reason}"] = None
    return tuple(told)


_SCORES: dict[Winner, float] = {0: 50.0, 1: 100.0, 2: 0.0}


def majority(votes: Sequence[Winner]) -> Winner:
    """Return who has more than half of the votes, 0 when nobody has.

    >>> majority([1, 1, 2]), majority([1, 2, 0]), majority([1, 1, 2, 2, 0])
    (1, 0, 0)
    """
    for one in (1, 2):
        if 2 * sum(vote == one for vote in votes) > len(votes):
            return 1 if one == 1 else 2
    return 0


def _mirrored(winner: Winner) -> Winner:
    return 2 if winner == 1 else 1 if winner == 2 else 0


def watch_judge(
    judge: str, couples: Sequence[Couple], found: Mapping[str, Judgement]
) -> JudgeResult:
    """Return how a judge judged: what it could not say, and what it may look at instead."""
    verdicts: list[tuple[Duel, Judgement]] = []
    agreeing: list[bool] = []
    for couple in couples:
        both = [(one, found.get(one.id)) for one in (couple.forward, couple.backward)]
        read = [(duel, one) for duel, one in both if one is not None]
        verdicts += read
        if len(read) == 2 and all(one.is_parsed for _, one in read):
            agreeing.append(read[0][1].winner == _mirrored(read[1][1].winner))
    decided = [(duel, one) for duel, one in verdicts if one.is_parsed and one.winner]
    # Every text is in many duels; its words are counted once.
    sizes = {
        text: len(words(text)) for text in {text for duel, _ in decided for text in duel.texts}
    }
    longer = [
        (sizes[duel.texts[0]] > sizes[duel.texts[1]]) == (one.winner == 1)
        for duel, one in decided
        if sizes[duel.texts[0]] != sizes[duel.texts[1]]
    ]
    return JudgeResult(
        judge=judge,
        n_verdicts=len(verdicts),
        n_unparsed=sum(not one.is_parsed for _, one in verdicts),
        n_missing=2 * len(couples) - len(verdicts),
        n_decided=len(decided),
        n_unequal=len(longer),
        first_share=_share([one.winner == 1 for _, one in decided]),
        longer_share=_share(longer),
        consistency=_share(agreeing),
    )


def _share(found: Sequence[bool]) -> float | None:
    return sum(found) / len(found) if found else None


def no_score(question_id: str, criterion: str, pair: tuple[str, str]) -> PairScore:
    """Return the score of a pair of which one answer is missing."""
    return PairScore(question_id, criterion, *pair, None, None, 0, 0, 0)
