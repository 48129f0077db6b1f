"""From rows and verdicts to tables and plain words."""

from __future__ import annotations

import random
import time
from dataclasses import replace

import pytest

from sensemaking.errors import InputError
from sensemaking.evaluation.conditions import (
    backend_of,
    make_batch,
    parse_condition,
    parse_conditions,
    settings_of,
)
from sensemaking.evaluation.experiments import (
    EXPERIMENTS,
    Available,
    pairs_of,
    split_available,
)
from sensemaking.evaluation.judging import record_verdict
from sensemaking.evaluation.results import collect_results, make_meetings
from sensemaking.ports import Verdict
from sensemaking.types import Batch, EvaluatedAnswer, EvaluationResult, Question

JUDGE = "scripted"


def batch(n: int = 30, labels: tuple[str, ...] = ("A", "B"), **more) -> Batch:
    return make_batch(
        "test",
        [Question(f"q{number}", f"Question {number}?") for number in range(n)],
        parse_conditions([f"{label}=global" for label in labels]),
        criteria=more.pop("criteria", ("comprehensiveness",)),
        judges=(JUDGE,),
        **more,
    )


def row(question: str, label: str, text: str) -> EvaluatedAnswer:
    return EvaluatedAnswer(
        id=question + label, question_id=question, condition=label, answer_id="x", status="done",
        text=text, claims=tuple(text.split(". ")), n_words=len(text.split()), seconds=1.0,
    )  # fmt: skip


def text(label: str, question: str, size: int) -> str:
    return f"{label} says of {question}: " + "word " * size


def judged(made: Batch, rule, sizes: dict[str, int] | None = None) -> EvaluationResult:
    sizes = sizes or {"A": 5, "B": 9, "C": 7}
    answers = {
        (one.id, label.label): row(
            one.id, label.label, text(label.label, one.id, sizes[label.label])
        )
        for one in made.questions
        for label in made.conditions
    }
    found = {}
    for question in made.questions:
        for meeting in make_meetings(made, answers, question):
            for couples in meeting.judged:
                for couple in couples:
                    for duel in (couple.forward, couple.backward):
                        verdict = rule(duel)
                        if verdict is not None:
                            found[duel.id] = record_verdict(duel, verdict)
    result, _ = collect_results(made, answers, found)
    return result


def told(result: EvaluationResult) -> str:
    return "\n".join(result.summary)


def test_a_judge_that_prefers_the_first_answer_gives_fifty_percent_exactly() -> None:
    result = judged(batch(), lambda duel: Verdict(1, "first"))
    (one,) = result.comparisons
    assert one.win_rate == 50.0
    assert one.interval == (50.0, 50.0)
    assert (one.wins, one.ties, one.losses) == (0, 30, 0)
    assert one.test.p == one.p_holm == 1.0
    assert "shown first in 100 %" in told(result)


def test_a_judge_that_prefers_the_longer_answer_is_reported_as_such() -> None:
    def longer(duel) -> Verdict:
        return Verdict(1 if len(duel.texts[0]) > len(duel.texts[1]) else 2, "longer")

    result = judged(batch(), longer)
    (one,) = result.comparisons
    assert one.win_rate == 0.0
    assert one.p_holm < 1e-6
    assert result.judges[0].longer_share == 1.0
    assert "chose the longer answer in 100 %" in told(result)
    assert "may be length" in told(result)
    words = next(each for each in result.agreements if each.measure == "words")
    assert words.share == 1.0


def test_a_difference_that_may_be_chance_is_called_that() -> None:
    def nearly(duel) -> Verdict:
        number = int("".join(filter(str.isdigit, duel.question)))
        winner = "A" if number % 30 < 17 else "B"
        return Verdict(1 if duel.texts[0].startswith(winner) else 2, "")

    result = judged(batch(), nearly)
    assert "A beat B on comprehensiveness in 57 % of 30 questions" in result.summary[0]
    assert "not distinguishable from chance" in result.summary[0]


def test_a_clear_difference_is_said_for_the_winner_whoever_comes_first() -> None:
    def second(duel) -> Verdict:
        return Verdict(1 if duel.texts[0].startswith("B") else 2, "")

    result = judged(batch(), second)
    assert result.summary[0].startswith("B beat A on comprehensiveness in 100 % of 30 questions")
    assert "unlikely to be chance (p < 0.001)" in result.summary[0]


def test_all_ties_are_called_ties() -> None:
    result = judged(batch(), lambda duel: Verdict(0, "same"))
    assert "tied on comprehensiveness in all of 30 questions" in result.summary[0]
    assert result.judges[0].longer_share is None


def test_one_question_is_too_few_and_has_no_interval() -> None:
    result = judged(batch(1), lambda duel: Verdict(1 if duel.texts[0][0] == "A" else 2, ""))
    (one,) = result.comparisons
    assert (one.n, one.win_rate, one.interval) == (1, 100.0, None)
    assert "no test can tell" in result.summary[0]
    assert "1 question is too few" in told(result)


def test_a_judge_that_fails_half_of_the_time_loses_no_balance() -> None:
    rng = random.Random(1)

    def failing(duel) -> Verdict | None:
        return Verdict(1, "first") if rng.random() < 0.5 else None

    result = judged(batch(60), failing)
    (one,) = result.comparisons
    assert one.win_rate == 50.0
    assert 0 < one.n < 60
    assert one.n + one.n_missing == 60
    assert result.judges[0].n_missing > 0
    assert "are missing; they count for nobody" in told(result)


def test_unreadable_verdicts_are_counted_and_score_nothing() -> None:
    result = judged(batch(), lambda duel: Verdict(0, "?", is_parsed=False))
    (one,) = result.comparisons
    assert (one.n, one.win_rate, one.n_unparsed) == (0, None, 60)
    assert result.judges[0].n_unparsed == 60
    assert result.conditions[0].quality is None
    assert "could not be compared" in result.summary[0]


def test_identical_answers_tie_and_empty_answers_are_counted() -> None:
    made = batch(12)
    answers = {}
    for question in made.questions:
        for label in ("A", "B"):
            answers[question.id, label] = row(question.id, label, "")
    result, scores = collect_results(made, answers, {})
    assert all(one.is_identical and one.score == 50.0 for one in scores)
    assert [one.n_empty for one in result.conditions] == [12, 12]
    assert result.comparisons[0].ties == 12


def test_a_failed_answer_is_missing_and_not_lost() -> None:
    made = batch(12)
    answers = {}
    for question in made.questions:
        answers[question.id, "A"] = row(question.id, "A", "")
        answers[question.id, "B"] = EvaluatedAnswer(
            "x", question.id, "B", "", "failed", reason="The endpoint is gone."
        )
    result, _ = collect_results(made, answers, {})
    assert result.comparisons[0].n_missing == 12
    assert result.conditions[1].n_failed == 12
    assert "B failed on 12 of 12 questions" in told(result)


def test_p_values_are_corrected_within_a_criterion() -> None:
    made = batch(labels=("A", "B", "C"), criteria=("comprehensiveness", "directness"))

    def rule(duel) -> Verdict:
        ranks = {"A": 0, "B": 1, "C": 2}
        first, second = (ranks[one[0]] for one in duel.texts)
        return Verdict(1 if first < second else 2, "")

    result = judged(made, rule)
    assert [one.criterion for one in result.comparisons] == ["comprehensiveness"] * 3 + [
        "directness"
    ] * 3
    for one in result.comparisons:
        assert one.p_holm == pytest.approx(3 * one.test.p)
    assert [one.quality for one in result.conditions] == [100.0, 50.0, 0.0]
    assert result.summary[0].startswith("Mean win rate over the others it met")


def test_results_are_the_same_however_often_they_are_made() -> None:
    rule = lambda duel: Verdict(1 if hash_free(duel.id) else 2, "")  # noqa: E731
    hash_free = lambda key: int(key, 16) % 3 == 0  # noqa: E731
    assert judged(batch(), rule) == judged(batch(), rule)


def test_ten_thousand_questions_are_summed_up_in_seconds() -> None:
    made = batch(10_000, criteria=("comprehensiveness",))
    began = time.process_time()
    result = judged(made, lambda duel: Verdict(1 if duel.texts[0][0] == "A" else 2, ""))
    assert result.comparisons[0].n == 10_000
    assert time.process_time() - began < 60


def test_conditions_are_read_from_words() -> None:
    one = parse_condition("C2=global:leiden:2")
    assert one.label == "C2"
    assert settings_of(one, lambda key: 5).level == 2
    leaf = settings_of(parse_condition("global:general.rkh:leaf"), lambda key: 5)
    assert (leaf.hierarchy, leaf.level) == ("general.rkh", None)
    assert settings_of(parse_condition("global:rkh:leaf-1"), lambda key: 5).level == 3
    assert settings_of(parse_condition("global:rkh:leaf-9"), lambda key: 5).level == 0
    assert parse_condition("global").settings == (("method", "global"),)


@pytest.mark.parametrize("text", ["", "=", "a:b:c:d", "global::2", "global:leiden:top", "x="])
def test_bad_conditions_say_how_to_write_them(text: str) -> None:
    with pytest.raises(InputError, match="leiden"):
        parse_condition(text)


def test_two_conditions_of_one_label_are_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        parse_conditions(["global", "global"])


def test_a_baseline_is_compared_with_all_others_alone() -> None:
    made = batch(labels=("A", "B", "C"), baseline="B")
    assert made.pairs == (("A", "B"), ("B", "C"))
    with pytest.raises(InputError, match="baseline"):
        batch(baseline="Z")
    with pytest.raises(InputError, match="at least one"):
        batch(n=0)


def test_ready_experiments_say_what_can_run_and_what_is_missing() -> None:
    assert set(EXPERIMENTS) == {"levels", "cores", "retag"}
    here = Available({"global", "retag"}, {"general.leiden": 3}, (), {"retag": "no topics"})
    runnable, missing = split_available(EXPERIMENTS["levels"], here)
    assert [one.label for one in runnable] == ["C0", "C1", "C2"]
    assert dict(missing).keys() == {"C3", "TS", "SS"}
    assert "ends at level 2" in dict(missing)["C3"]
    assert "no topics" in dict(split_available(EXPERIMENTS["retag"], here)[1]).values()
    made = replace(here, to_make=("general.mrc", "general.m2hc-rrtc80"))
    labels = [one.label for one in split_available(EXPERIMENTS["cores"], made)[0]]
    assert labels == ["C2", "MRC LF", "MRC L1", "RRTC 80"]
    for one in EXPERIMENTS.values():
        runnable, missing = split_available(one, Available((), {}, (), {}))
        assert not runnable
        assert len(missing) == len(one.conditions) >= 6
        parse_conditions(one.conditions)


def test_experiments_judge_the_pairs_of_the_papers_alone() -> None:
    pairs = {
        name: pairs_of(one, [each.label for each in parse_conditions(one.conditions)])
        for name, one in EXPERIMENTS.items()
    }
    assert len(pairs["levels"]) == 15
    assert ("C2", "RRTC 70") in pairs["cores"]
    assert ("M2hC LF", "RRTC 80") in pairs["cores"]
    assert ("RkH LF", "MRC LF") not in pairs["cores"]
    assert len(pairs["cores"]) == 1 + 2 * 9 + 6
    assert len(pairs["retag"]) == 4 * 6
    assert all(one.split()[-1] == other.split()[-1] for one, other in pairs["retag"])
    batch = make_batch(
        "pairs",
        [Question("1", "Why?")],
        parse_conditions(EXPERIMENTS["cores"].conditions),
        criteria=["diversity"],
        judges=["j"],
        pairs=pairs["cores"],
    )
    assert batch.pairs == pairs["cores"]


def test_conditions_may_say_topic_seed_and_backend() -> None:
    (one,) = parse_conditions(["T=retag:leiden:leaf?topic=Harbour works&seed=7&backend=llm"])
    assert one.label == "T"
    assert backend_of(one) == "llm"
    settings = settings_of(one, lambda key: 3)
    assert (settings.topic, settings.seed) == ("Harbour works", 7)
    (plain,) = parse_conditions(["global?seed=7"])
    assert plain.label == "global?seed=7"
    assert backend_of(plain) == ""
    for bad in ("global?colour=red", "global?backend=oracle", "global?seed="):
        with pytest.raises(InputError):
            parse_conditions([bad])
    (odd,) = parse_conditions(["global?seed=seven"])
    with pytest.raises(InputError, match="seed"):
        settings_of(odd, lambda key: 3)


def test_words_bars_and_test_agree_where_orders_say_different_things() -> None:
    """A wins when read first and ties when read second: it leads, and no question is a tie."""

    def leads(duel) -> Verdict:
        return Verdict(1 if duel.texts[0].startswith("A ") else 0, "it is A")

    result = judged(batch(), leads)
    one = result.comparisons[0]
    assert (one.win_rate, one.wins, one.ties, one.losses) == (75.0, 30, 0, 0)
    assert one.test.n_nonzero == one.wins + one.losses
    assert "A beat B on comprehensiveness in 75 % of 30 questions" in told(result)
    assert "tied" not in told(result)


def test_a_lead_of_less_than_half_a_percent_is_not_told_as_even() -> None:
    """124 ties and one win: 50.4 %, which is neither even nor beaten in 50 %."""

    def once(duel) -> Verdict:
        if "q0:" not in duel.texts[0]:
            return Verdict(0, "equal")
        return Verdict(1 if duel.texts[0].startswith("A ") else 2, "it is A")

    assert "A beat B on comprehensiveness in 50.4 % of 125" in told(judged(batch(125), once))
