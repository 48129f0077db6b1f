"""What a batch came to, as tables of the page."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from sensemaking.types import EvaluationResult, PairScore


def comparisons_frame(result: EvaluationResult, criterion: str) -> pd.DataFrame:
    """Return the comparisons of one criterion."""
    return pd.DataFrame(
        [
            {
                "First": one.first,
                "Second": one.second,
                "Questions": one.n,
                "Won": one.wins,
                "Tied": one.ties,
                "Lost": one.losses,
                "Win rate %": _rounded(one.win_rate, 1),
                "95 %": "" if one.interval is None else _span(one.interval),
                "Effect": _rounded(one.test.effect, 2),
                "p": p_value(one.test.p),
                "Holm": p_value(one.p_holm),
                "Missing": one.n_missing,
                "Unread": one.n_unparsed,
            }
            for one in result.comparisons
            if one.criterion == criterion
        ]
    )


def methods_frame(result: EvaluationResult) -> pd.DataFrame:
    """Return the methods: what they say and what they take."""
    return pd.DataFrame(
        [
            {
                "Method": one.label,
                "Quality %": _rounded(one.quality, 1),
                "Answers": one.n_answers,
                "Words": _rounded(one.words, 0),
                "Documents": _rounded(one.documents, 1),
                "Tokens": _rounded(one.tokens, 0),
                "Seconds": _rounded(one.seconds, 2),
                "Calls": one.usage.calls,
                "Dollars": _rounded(one.cost, 4),
                "Empty": one.n_empty,
                "Failed": one.n_failed,
            }
            for one in result.conditions
        ]
    )


def claims_frame(result: EvaluationResult) -> pd.DataFrame:
    """Return claims and clusters of claims per answer, by threshold of distance."""
    return pd.DataFrame(
        [
            {
                "Method": one.label,
                "Claims": _rounded(one.claims, 1),
                **{f"Clusters at {t:g}": _rounded(mean, 1) for t, mean in one.clusters},
            }
            for one in result.conditions
        ]
    )


def faithfulness_frame(result: EvaluationResult) -> pd.DataFrame:
    """Return what the answers of each method can show for themselves; shares in %."""
    return pd.DataFrame(
        [
            {
                "Method": one.label,
                "Sentences": one.faithfulness.n_sentences,
                "Supported %": _percent(one.faithfulness.supported),
                "Weak": one.faithfulness.n_weak,
                "Unsupported": len(one.faithfulness.unsupported),
                "Citations that resolve %": _percent(one.faithfulness.resolved),
                "Facts": one.faithfulness.n_facts,
                "Facts found %": _percent(one.faithfulness.facts_found),
            }
            for one in result.conditions
        ]
    )


def agreement_frame(result: EvaluationResult) -> pd.DataFrame:
    """Return how often measures and verdicts agree, a column per criterion."""
    found: dict[str, dict[str, float | str | None]] = {}
    for one in result.agreements:
        row = found.setdefault(one.measure, {"Measure": one.measure.capitalize()})
        row[one.criterion.capitalize()] = _percent(one.share)
    return pd.DataFrame(list(found.values()))


def judges_frame(result: EvaluationResult) -> pd.DataFrame:
    """Return how each judge judged; shares are of decided verdicts, in %."""
    return pd.DataFrame(
        [
            {
                "Judge": one.judge,
                "Verdicts": one.n_verdicts,
                "Decided": one.n_decided,
                "Unread": one.n_unparsed,
                "Missing": one.n_missing,
                "Chose the first shown %": _percent(one.first_share),
                "Chose the longer %": _percent(one.longer_share),
                "Same in both orders %": _percent(one.consistency),
            }
            for one in result.judges
        ]
    )


def scores_frame(scores: Sequence[PairScore]) -> pd.DataFrame:
    """Return the verdicts on one question and pair."""
    return pd.DataFrame(
        [
            {
                "Criterion": one.criterion.capitalize(),
                "Better": _winner(one),
                "Score of the first": _rounded(one.score, 0),
                "Verdicts": one.n_verdicts,
                "Used": one.n_used,
            }
            for one in scores
        ]
    )


def p_value(value: float) -> str:
    """Return a p-value as it is read: exact from 0.001 up."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _winner(one: PairScore) -> str:
    if one.winner is None:
        return "–"
    return ("equal", one.first, one.second)[one.winner]


def _percent(value: float | None) -> float | None:
    return None if value is None else round(100 * value)


def _rounded(value: float | None, digits: int) -> float | None:
    return None if value is None else round(value, digits)


def _span(interval: Sequence[float]) -> str:
    return f"{interval[0]:.0f} to {interval[1]:.0f}"
