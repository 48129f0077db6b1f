"""Answers and verdicts of a batch to its tables.

Rows of answers and verdicts come in, complete or not; out go means per condition, one comparison
per pair and criterion with its test, how the judges judged, and all of it in plain words.

Notes
-----
The family of Holm's correction is all pairs of one criterion (README, Design): the
papers name none, or the levels of one criterion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from sensemaking.evaluation.claims import THRESHOLDS, agree
from sensemaking.evaluation.judging import (
    CRITERIA,
    NOT_QUALITY,
    Couple,
    is_same,
    make_couples,
    no_score,
    score_pair,
    tell_reasons,
    texts_to_judge,
    watch_judge,
)
from sensemaking.evaluation.statistics import bootstrap_interval, holm, signed_rank
from sensemaking.evaluation.summary import summarise
from sensemaking.ports import Criterion
from sensemaking.types import (
    Batch,
    Comparison,
    ConditionResult,
    EvaluatedAnswer,
    EvaluationResult,
    Faithfulness,
    Judgement,
    PairScore,
    Question,
    Usage,
)

Answers = Mapping[tuple[str, str], EvaluatedAnswer]
"""By (question id, condition label); failed ones are there, too."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """Two answers to one question that are compared by one criterion."""

    question: Question
    pair: tuple[str, str]
    texts: tuple[str, str]
    criterion: Criterion
    judged: tuple[tuple[Couple, ...], ...]
    """The couples of each judge, in the order of the batch."""


def find_criterion(name: str) -> Criterion:
    """Return the criterion of a name; one that we do not define is its own definition."""
    return CRITERIA.get(name) or Criterion(name, name)


def make_meetings(batch: Batch, answers: Answers, question: Question) -> Iterator[Meeting]:
    """Yield what is to be judged of one question: all pairs of which both answers are there.

    Differential judging needs the claims of both.
    """
    for pair in batch.pairs:
        rows = [answers.get((question.id, label)) for label in pair]
        done = [one for one in rows if one is not None and one.status == "done"]
        if len(done) < 2 or (batch.is_differential and any(one.claims is None for one in done)):
            continue
        texts = texts_to_judge(done[0], done[1], is_differential=batch.is_differential)
        for name in batch.criteria:
            criterion = find_criterion(name)
            judged = tuple(
                tuple(make_couples(judge, question.text, texts, criterion, batch.replicates))
                for judge in batch.judges
            )
            yield Meeting(question, pair, texts, criterion, judged)


def score_batch(
    batch: Batch, answers: Answers, judgements: Mapping[str, Judgement]
) -> list[PairScore]:
    """Return a score for every question, pair and criterion, None where there is none."""
    meetings = {one.id: list(make_meetings(batch, answers, one)) for one in batch.questions}
    return _score_all(batch, meetings, judgements)


def _score_all(
    batch: Batch, meetings: Mapping[str, Sequence[Meeting]], judgements: Mapping[str, Judgement]
) -> list[PairScore]:
    scores: list[PairScore] = []
    for question in batch.questions:
        met: set[tuple[tuple[str, str], str]] = set()
        for meeting in meetings[question.id]:
            met.add((meeting.pair, meeting.criterion.name))
            scores.append(_score(batch, meeting, judgements))
        scores += [
            no_score(question.id, name, pair)
            for pair in batch.pairs
            for name in batch.criteria
            if (pair, name) not in met
        ]
    return scores


def _score(batch: Batch, meeting: Meeting, judgements: Mapping[str, Judgement]) -> PairScore:
    identity = (meeting.question.id, meeting.criterion.name, *meeting.pair)
    if is_same(meeting.texts):
        return PairScore(*identity, 50.0, 0, 0, 0, 0, is_identical=True)
    score, winner, n_used, n_unparsed = score_pair(meeting.judged, judgements, batch.scoring)
    couples = [couple for one in meeting.judged for couple in one]
    duels = [duel for one in couples for duel in (one.forward, one.backward)]
    n_found = sum(duel.id in judgements for duel in duels)
    reasons = tell_reasons(couples, judgements)[:2]
    return PairScore(*identity, score, winner, n_found, n_used, n_unparsed, reasons=reasons)


def collect_results(
    batch: Batch, answers: Answers, judgements: Mapping[str, Judgement]
) -> tuple[EvaluationResult, list[PairScore]]:
    """Return what a batch came to so far, and the scores it rests on."""
    meetings = {one.id: list(make_meetings(batch, answers, one)) for one in batch.questions}
    scores = _score_all(batch, meetings, judgements)
    comparisons = _compare(batch, scores)
    result = EvaluationResult(
        id=batch.id,
        name=batch.name,
        n_questions=len(batch.questions),
        criteria=batch.criteria,
        conditions=tuple(
            _condition(batch, label.label, answers, comparisons) for label in batch.conditions
        ),
        comparisons=comparisons,
        judges=tuple(
            watch_judge(judge, couples, judgements)
            for judge, couples in _couples_by_judge(batch, meetings).items()
        ),
        agreements=agree(scores, answers),
    )
    return replace(result, summary=summarise(result)), scores


def _couples_by_judge(
    batch: Batch, meetings: Mapping[str, Sequence[Meeting]]
) -> dict[str, list[Couple]]:
    found: dict[str, list[Couple]] = {judge: [] for judge in batch.judges}
    for ones in meetings.values():
        for meeting in ones:
            for judge, couples in zip(batch.judges, meeting.judged, strict=True):
                found[judge] += couples
    return found


def _compare(batch: Batch, scores: Sequence[PairScore]) -> tuple[Comparison, ...]:
    by_pair: dict[tuple[str, str, str], list[PairScore]] = {}
    for one in scores:
        by_pair.setdefault((one.criterion, one.first, one.second), []).append(one)
    found: list[Comparison] = []
    for criterion in batch.criteria:
        family = [
            _comparison(criterion, pair, by_pair.get((criterion, *pair), ()), batch.seed)
            for pair in batch.pairs
        ]
        corrected = holm([one.test.p for one in family])
        found += [replace(one, p_holm=p) for one, p in zip(family, corrected, strict=True)]
    return tuple(found)


def _comparison(
    criterion: str, pair: tuple[str, str], scores: Sequence[PairScore], seed: int
) -> Comparison:
    values = [one.score for one in scores if one.score is not None]
    winners = [one.winner for one in scores if one.score is not None]
    test = signed_rank(values, [100 - one for one in values])
    return Comparison(
        criterion=criterion,
        first=pair[0],
        second=pair[1],
        n=len(values),
        n_missing=len(scores) - len(values),
        n_unparsed=sum(one.n_unparsed for one in scores),
        wins=winners.count(1),
        ties=winners.count(0),
        losses=winners.count(2),
        win_rate=sum(values) / len(values) if values else None,
        interval=bootstrap_interval(values, seed),
        test=test,
        p_holm=test.p,
    )


def _condition(
    batch: Batch, label: str, answers: Answers, comparisons: Sequence[Comparison]
) -> ConditionResult:
    rows = [answers[one.id, label] for one in batch.questions if (one.id, label) in answers]
    done = [one for one in rows if one.status == "done"]
    split = [one for one in done if one.claims is not None]
    usage = sum((one.usage for one in done), Usage())
    return ConditionResult(
        label=label,
        n_answers=len(done),
        n_failed=len(rows) - len(done),
        n_empty=sum(not one.text for one in done),
        words=_mean([one.n_words for one in done]),
        claims=_mean([len(one.claims or ()) for one in split]),
        clusters=tuple(
            (threshold, mean)
            for threshold in THRESHOLDS
            if (mean := _mean([dict(one.clusters).get(threshold, 0) for one in split])) is not None
        ),
        documents=_mean([one.n_documents for one in done]),
        tokens=_mean([one.n_tokens for one in done]),
        seconds=_mean([one.seconds for one in done]),
        cost=_mean([one.usage.cost for one in done]),
        usage=usage,
        faithfulness=sum((one.faithfulness for one in done), Faithfulness()),
        quality=_quality(label, comparisons),
    )


def _quality(label: str, comparisons: Sequence[Comparison]) -> float | None:
    rates = []
    for one in comparisons:
        if one.win_rate is None or one.criterion in NOT_QUALITY:
            continue
        if one.first == label:
            rates.append(one.win_rate)
        elif one.second == label:
            rates.append(100 - one.win_rate)
    return _mean(rates)


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
