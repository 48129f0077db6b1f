"""Statistics agree with the reference file, and with scipy and statsmodels on random cases."""

from __future__ import annotations

import gc
import json
import random
import warnings
from pathlib import Path

import pytest
from scipy.stats import rankdata, wilcoxon

from sensemaking.evaluation.statistics import bootstrap_interval, holm, rank, signed_rank

N_CASES = 1000
CLOSE = 1e-9


@pytest.fixture(scope="module")
def reference(shared_data: Path) -> dict:
    return json.loads((shared_data / "reference" / "wilcoxon_holm.json").read_text())


@pytest.mark.shared_data
def test_the_family_of_the_reference_is_matched(reference: dict) -> None:
    tests = [signed_rank(one["scores_A"], one["scores_B"]) for one in reference["family"]]
    for test, one in zip(tests, reference["family"], strict=True):
        assert test.n_nonzero == one["n_nonzero"]
        assert test.w_plus == one["W_plus"]
        assert test.w_minus == one["W_minus"]
        assert test.statistic == one["statistic"]
        assert test.z == pytest.approx(one["z"], abs=CLOSE)
        assert test.p == pytest.approx(one["p"], abs=CLOSE)
    assert holm([test.p for test in tests]) == pytest.approx(reference["p_holm"], abs=CLOSE)


@pytest.mark.shared_data
def test_zeros_and_small_samples_of_the_reference_are_matched(reference: dict) -> None:
    small = reference["small_exact_no_ties"]
    assert signed_rank(small["x"], small["y"]).p == pytest.approx(small["p_normal"], abs=CLOSE)
    zeros = reference["zeros"]
    test = signed_rank(zeros["x"], zeros["y"])
    assert test.p == pytest.approx(zeros["wilcox"]["p"], abs=CLOSE)
    assert test.z == pytest.approx(zeros["wilcox"]["z"], abs=CLOSE)
    nothing = reference["all_zero"]
    assert signed_rank(nothing["x"], nothing["y"]).p == 1.0


@pytest.mark.shared_data
def test_published_corrections_follow_from_published_tests(reference: dict) -> None:
    for table in reference["published_consistency"]:
        corrected = holm(table["p_raw_from_Z"])
        assert corrected == pytest.approx(table["p_holm_from_Z"], rel=CLOSE)


def cases() -> list[tuple[list[float], list[float]]]:
    rng = random.Random(7)
    found = []
    for number in range(N_CASES):
        n = rng.randint(1, 130)
        if number % 2:
            steps = rng.choice((2, 10, 30))
            first = [100 * rng.randint(0, steps) / steps for _ in range(n)]
            second = [100 - one for one in first]
        else:
            first = [round(rng.gauss(0, 3), rng.randint(0, 4)) for _ in range(n)]
            second = [round(rng.gauss(0.4, 3), rng.randint(0, 4)) for _ in range(n)]
        found.append((first, second))
    return found


def test_signed_ranks_agree_with_scipy_on_random_cases() -> None:
    compared = 0
    for first, second in cases():
        test = signed_rank(first, second)
        # Scipy tells 33.3 - 66.7 from its mirror by their last bit; we compare nine decimals.
        differences = [round(a - b, 9) for a, b in zip(first, second, strict=True)]
        if not any(differences):
            assert test.p == 1.0
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            expected = wilcoxon(
                differences, zero_method="wilcox", correction=False, method="asymptotic"
            )
        assert test.statistic == pytest.approx(expected.statistic, abs=CLOSE)
        assert test.p == pytest.approx(expected.pvalue, abs=CLOSE)
        assert test.z == pytest.approx(expected.zstatistic, abs=CLOSE)
        compared += 1
    assert compared > 0.95 * N_CASES


def test_corrections_agree_with_statsmodels_on_random_cases(
    request: pytest.FixtureRequest,
) -> None:
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    # Statsmodels collects garbage in every call: what is there already need not be looked through.
    gc.collect()
    gc.freeze()
    request.addfinalizer(gc.unfreeze)
    rng = random.Random(8)
    for _ in range(N_CASES):
        ps = [
            rng.choice((rng.random(), rng.random() ** 6, 0.05)) for _ in range(rng.randint(1, 30))
        ]
        expected = multitest.multipletests(ps, method="holm")[1]
        assert holm(ps) == pytest.approx(list(expected), abs=CLOSE)


def test_ranks_agree_with_scipy_on_random_cases() -> None:
    rng = random.Random(9)
    for _ in range(N_CASES):
        values = [rng.randint(0, 12) for _ in range(rng.randint(1, 60))]
        ranks, ties = rank(values)
        assert ranks == rankdata(values).tolist()
        assert sum(ties) == len(values)


def test_equal_distances_tie_although_their_last_bits_differ() -> None:
    third, two_thirds = 100 / 3, 200 / 3
    test = signed_rank([third, two_thirds], [100 - third, 100 - two_thirds])
    assert (test.w_plus, test.w_minus) == (1.5, 1.5)


def test_the_effect_has_the_sign_of_who_wins_and_lies_between_one_and_minus_one() -> None:
    assert signed_rank([100, 100, 50], [0, 0, 50]).effect == 1.0
    assert signed_rank([0, 0, 50], [100, 100, 50]).effect == -1.0
    assert signed_rank([50], [50]).effect == 0.0


def test_one_question_and_none_give_no_interval_and_no_error() -> None:
    assert bootstrap_interval([100.0], seed=1) is None
    assert bootstrap_interval([], seed=1) is None
    assert signed_rank([100], [0]).p == pytest.approx(0.317310507863, abs=CLOSE)
    assert signed_rank([], []).p == 1.0
    assert holm([]) == ()


def test_intervals_hold_the_mean_narrow_with_more_questions_and_repeat() -> None:
    rng = random.Random(3)
    few = [rng.choice((0.0, 50.0, 100.0)) for _ in range(20)]
    low, high = bootstrap_interval(few, seed=5)
    assert low < sum(few) / len(few) < high
    wide = high - low
    low, high = bootstrap_interval(few * 25, seed=5)
    assert high - low < wide / 3
    assert bootstrap_interval(few, seed=5) == bootstrap_interval(few, seed=5)
    assert bootstrap_interval(few, seed=5) != bootstrap_interval(few, seed=6)
    assert bootstrap_interval([50.0] * 40, seed=1) == (50.0, 50.0)


def test_intervals_cover_the_true_mean_about_as_often_as_they_say() -> None:
    rng = random.Random(4)
    hits = 0
    for number in range(200):
        values = [float(rng.random() < 0.6) for _ in range(60)]
        low, high = bootstrap_interval(values, seed=number)
        hits += low <= 0.6 <= high
    assert 180 <= hits <= 199


def test_ten_thousand_questions_are_resampled_in_bounded_memory() -> None:
    values = [float(number % 101) for number in range(10_000)]
    low, high = bootstrap_interval(values, seed=1)
    assert 49 < low < high < 51
