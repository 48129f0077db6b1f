"""The result of an evaluation in plain words.

A result comes in; sentences come out: who beat whom and how sure that is, what the judges may have
looked at instead, what is missing. Nothing is said that the tables do not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sensemaking.types import Comparison, ConditionResult, EvaluationResult, JudgeResult
from sensemaking.types.evaluation import LEAST_DIFFERENCES

MOST = 12
"""Comparisons that are told in words; the strongest come first."""
LEANING = 0.8
"""Share of decided verdicts from which on a judge is said to lean."""
MEASURED = "extractive"


def summarise(result: EvaluationResult) -> tuple[str, ...]:
    """Return the sentences, the most important first."""
    return tuple(
        sentence
        for part in (
            _compared(result),
            _measured(result.judges),
            (line for judge in result.judges for line in _leanings(judge)),
            _missing(result),
            _faithful(result.conditions),
        )
        for sentence in part
    )


def compare_in_words(one: Comparison) -> str:
    """Return a comparison as a sentence."""
    if one.win_rate is None:
        return f"{one.first} and {one.second} could not be compared on {one.criterion}."
    first, second, rate = one.first, one.second, one.win_rate
    interval = one.interval
    if rate < 50:
        first, second, rate = second, first, 100 - rate
        interval = (100 - interval[1], 100 - interval[0]) if interval else None
    questions = _questions(one.n)
    if one.ties == one.n:
        return f"{first} and {second} tied on {one.criterion} in all of {questions}."
    if rate == 50:
        return (
            f"{first} and {second} are even on {one.criterion}: each wins 50 % of {questions} "
            "(ties count half)."
        )
    spread = f"; 95 % interval {interval[0]:.0f}-{interval[1]:.0f} %" if interval else ""
    said = (
        f"{first} beat {second} on {one.criterion} in {_rate(rate)} % of {questions} "
        f"(ties count half{spread})"
    )
    if one.test.n_nonzero < LEAST_DIFFERENCES:
        return f"{said}; with so few differences no test can tell this from chance."
    if not one.is_sure:
        return (
            f"{said}; after correction this is not distinguishable from chance ({_p(one.p_holm)})."
        )
    return f"{said}; after correction this is unlikely to be chance ({_p(one.p_holm)})."


def _rate(value: float) -> str:
    """Return a share in %, never rounded to even or to all.

    >>> _rate(53.6), _rate(50.4), _rate(99.6), _rate(100)
    ('54', '50.4', '99.6', '100')
    """
    whole = round(value)
    return f"{value:.1f}" if whole in (50, 100) and whole != value else f"{value:.0f}"


def _questions(n: int) -> str:
    return f"{n:,} question{'' if n == 1 else 's'}"


def _p(value: float) -> str:
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _few(one: ConditionResult, result: EvaluationResult) -> str:
    """Return how many answers a mean is of, where it is not of all questions."""
    missing = result.n_questions - one.n_answers
    return f" (of {one.n_answers:,} answer{'' if one.n_answers == 1 else 's'})" if missing else ""


def _compared(result: EvaluationResult) -> Iterator[str]:
    ranked = sorted(
        (one for one in result.conditions if one.quality is not None),
        key=lambda one: (-(one.quality or 0), one.label),
    )
    if len(ranked) > 2:
        order = ", ".join(f"{one.label} {one.quality:.0f} %{_few(one, result)}" for one in ranked)
        yield f"Mean win rate over the others it met, directness left out: {order}."
    told = sorted(
        result.comparisons,
        key=lambda one: (one.p_holm, -abs(one.test.effect), one.criterion, one.first, one.second),
    )
    if len(told) > MOST:
        n_sure = sum(one.is_sure for one in told)
        yield (
            f"{n_sure:,} of {len(told):,} comparisons are unlikely to be chance after correction; "
            f"these are the {MOST} clearest."
        )
    else:
        told = list(result.comparisons)
    for one in told[:MOST]:
        yield compare_in_words(one)


def _measured(judges: Sequence[JudgeResult]) -> Iterator[str]:
    if any(MEASURED in one.judge for one in judges):
        yield (
            "The extractive judge measures (claims, clusters, names, figures, words on the "
            "question); its verdicts are measurements, not opinions."
        )


def _leanings(judge: JudgeResult) -> Iterator[str]:
    if judge.longer_share is not None:
        share = f"{100 * judge.longer_share:.0f} %"
        told = f"The judge {judge.judge} chose the longer answer in {share} of its decisions"
        if judge.n_unequal >= LEAST_DIFFERENCES and judge.longer_share >= LEANING:
            yield f"{told}: what it prefers may be length."
        elif judge.n_unequal >= LEAST_DIFFERENCES and judge.longer_share <= 1 - LEANING:
            yield f"{told}: what it prefers may be brevity."
        else:
            yield f"{told}."
    if judge.first_share is not None and judge.n_decided >= LEAST_DIFFERENCES:
        leans = max(judge.first_share, 1 - judge.first_share)
        if leans >= LEANING:
            place = "first" if judge.first_share >= LEANING else "second"
            yield (
                f"The judge {judge.judge} chose the answer shown {place} in {100 * leans:.0f} % of "
                "its decisions. Both orders were asked, so this cancels, but little is left."
            )
    if judge.n_unparsed or judge.n_missing:
        yield (
            f"Of the verdicts of {judge.judge}, {judge.n_unparsed:,} could not be read and "
            f"{judge.n_missing:,} are missing; they count for nobody."
        )


def _missing(result: EvaluationResult) -> Iterator[str]:
    for one in result.conditions:
        if one.n_failed:
            yield f"{one.label} failed on {one.n_failed:,} of {result.n_questions:,} questions."
        if one.n_empty:
            yield f"{one.label} found nothing to say to {_questions(one.n_empty)}."
    done = max((one.n_answers + one.n_failed for one in result.conditions), default=0)
    if done < result.n_questions:
        left = result.n_questions - done
        yield f"{_questions(left)} {'has' if left == 1 else 'have'} not been asked yet."
    if 0 < result.n_questions < LEAST_DIFFERENCES:
        few = _questions(result.n_questions)
        yield f"{few} {'is' if result.n_questions == 1 else 'are'} too few for firm conclusions."


def _faithful(conditions: Sequence[ConditionResult]) -> Iterator[str]:
    told = [
        f"{one.label} {100 * share:.0f} %"
        for one in conditions
        if (share := one.faithfulness.supported) is not None
    ]
    if told:
        yield f"Sentences supported by the passages they cite: {', '.join(told)}."
