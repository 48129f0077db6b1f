"""Verdicts to scores: both orders, replicates, majorities, what cannot be read."""

from __future__ import annotations

import random

import pytest

from sensemaking.evaluation.judging import (
    CRITERIA,
    majority,
    make_couples,
    record_verdict,
    score_pair,
    tell_reasons,
    texts_to_judge,
    watch_judge,
)
from sensemaking.ports import Verdict
from sensemaking.types import EvaluatedAnswer

PAIR = ("The docks close in May, and boats run.", "The docks close.")
CRITERION = CRITERIA["diversity"]


def first_wins(duel) -> Verdict:
    del duel
    return Verdict(1, "it came first")


def longer_wins(duel) -> Verdict:
    return Verdict(1 if len(duel.texts[0]) > len(duel.texts[1]) else 2, "it is longer")


def a_wins(duel) -> Verdict:
    return Verdict(1 if duel.texts[0] == PAIR[0] else 2, "it is A")


def unreadable(_) -> Verdict:
    return Verdict(0, "???", is_parsed=False)


def judge(rule, name: str = "j", replicates: int = 1):
    couples = list(make_couples(name, "Which?", PAIR, CRITERION, replicates))
    duels = [one for couple in couples for one in (couple.forward, couple.backward)]
    return couples, {one.id: record_verdict(one, rule(one)) for one in duels}


def test_a_judge_that_prefers_the_first_gives_both_exactly_half() -> None:
    for replicates in (1, 2, 5):
        couples, found = judge(first_wins, replicates=replicates)
        assert score_pair([couples], found, "mean")[:2] == (50.0, 0)
        assert score_pair([couples], found, "majority")[:2] == (50.0, 0)
        watched = watch_judge("j", couples, found)
        assert watched.first_share == 1.0
        assert watched.consistency == 0.0


def test_a_judge_that_prefers_the_longer_is_seen_through() -> None:
    couples, found = judge(longer_wins)
    assert score_pair([couples], found, "mean")[:2] == (100.0, 1)
    watched = watch_judge("j", couples, found)
    assert watched.longer_share == 1.0
    assert watched.first_share == 0.5
    assert watched.consistency == 1.0


def test_verdicts_that_cannot_be_read_are_counted_and_never_guessed() -> None:
    couples, found = judge(unreadable)
    assert score_pair([couples], found, "mean") == (None, None, 0, 2)
    assert watch_judge("j", couples, found).n_unparsed == 2


def test_a_judge_that_always_prefers_the_first_and_fails_half_of_the_time_gives_half() -> None:
    rng = random.Random(5)
    couples, found = judge(first_wins, replicates=40)
    kept = {key: one for key, one in found.items() if rng.random() < 0.5}
    score, _, n_used, _ = score_pair([couples], kept, "mean")
    assert score == 50.0
    assert 0 < n_used < len(found) // 2


def test_majority_is_taken_inside_a_judge_and_then_over_judges() -> None:
    loud, quiet, other = (judge(a_wins, "x", 5), judge(first_wins, "y"), judge(a_wins, "z"))
    everything = {**loud[1], **quiet[1], **other[1]}
    assert score_pair([loud[0], quiet[0], other[0]], everything, "majority")[:2] == (100.0, 1)
    one_of_three = [loud[0], quiet[0], judge(first_wins, "w")[0]]
    everything.update(judge(first_wins, "w")[1])
    assert score_pair(one_of_three, everything, "majority")[:2] == (50.0, 0)
    assert score_pair(one_of_three, everything, "mean")[0] == pytest.approx(100 * 12 / 14)


@pytest.mark.parametrize(
    ("votes", "winner"),
    [([1, 2, 0], 0), ([2, 2, 1, 1, 0], 0), ([2, 2, 1], 2), ([1], 1), ([0, 0, 1], 0), ([1, 2], 0)],
)
def test_without_a_strict_majority_there_is_a_tie(votes: list, winner: int) -> None:
    assert majority(votes) == winner


def test_every_duel_has_its_own_id_and_equal_texts_have_none() -> None:
    couples = [
        couple
        for name in ("j", "k")
        for criterion in CRITERIA.values()
        for couple in make_couples(name, "Which?", PAIR, criterion, 3)
    ]
    ids = [duel.id for couple in couples for duel in (couple.forward, couple.backward)]
    assert len(set(ids)) == len(ids) == 2 * 5 * 3 * 2
    assert list(make_couples("j", "Which?", ("Same  text", "Same text"), CRITERION, 3)) == []


def evaluated(*claims: str) -> EvaluatedAnswer:
    return EvaluatedAnswer("a", "q", "A", "", "done", text=" ".join(claims), claims=tuple(claims))


def test_differential_judging_takes_out_what_both_say() -> None:
    first = evaluated("The docks close in May.", "Boats run every hour.")
    second = evaluated("In May the docks close.", "Residents object.")
    assert texts_to_judge(first, second, is_differential=True) == (
        "Boats run every hour.",
        "Residents object.",
    )
    whole = texts_to_judge(first, second, is_differential=False)
    assert whole == (first.text, second.text)


def test_reasons_speak_of_the_answers_in_one_order_unless_the_other_says_otherwise() -> None:
    couples, found = judge(lambda duel: Verdict(a_wins(duel).winner, duel.texts[0]))
    assert tell_reasons(couples, found) == (PAIR[0],)
    turned = f"Shown in the other order: {PAIR[1]}"
    couples, found = judge(lambda duel: Verdict(1, duel.texts[0]))
    assert tell_reasons(couples, found) == (PAIR[0], turned)
    del found[couples[0].forward.id]
    assert tell_reasons(couples, found) == (turned,)
