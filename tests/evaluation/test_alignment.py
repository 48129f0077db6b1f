"""Claims of two answers side by side."""

from __future__ import annotations

from sensemaking.evaluation.alignment import align_claims, without_common


def kinds(first: list[str], second: list[str]) -> list[tuple[str, int, int]]:
    return [(one.kind, one.first, one.second) for one in align_claims(first, second)]


def test_equal_answers_agree_in_everything() -> None:
    claims = ["The docks close in May.", "The council pays for the dredging."]
    assert kinds(claims, claims) == [("agree", 0, 0), ("agree", 1, 1)]
    assert without_common(claims, claims) == ([], [])


def test_what_only_one_says_is_told_of_either() -> None:
    first = ["The docks close in May.", "Boats run every hour."]
    second = ["In May the docks will close.", "Residents object."]
    assert kinds(first, second) == [
        ("agree", 0, 0),
        ("first only", 1, -1),
        ("second only", -1, 1),
    ]


def test_other_figures_months_or_a_denial_are_conflicts_with_a_reason() -> None:
    figures, months, denial = align_claims(
        [
            "Removing the cadmium costs 58 million crowns.",
            "The gate is ready in March.",
            "Meridian pays for the quay wall.",
        ],
        [
            "Removing the cadmium costs 31 million crowns.",
            "The gate is ready in November.",
            "Meridian will not pay for the quay wall.",
        ],
    )
    assert {one.kind for one in (figures, months, denial)} == {"conflict"}
    assert "31000000" in figures.reason
    assert "58000000" in figures.reason
    assert "March" in months.reason
    assert "denies" in denial.reason


def test_a_figure_more_is_no_conflict() -> None:
    assert kinds(["The repair costs 3 million."], ["The repair costs 3 million in 2024."]) == [
        ("agree", 0, 0)
    ]


def test_who_is_quoted_does_not_keep_equal_claims_apart() -> None:
    assert kinds(
        ["Ada Penrose: “The bridge needs new bearings before winter.”"],
        ["The bridge needs new bearings before winter."],
    ) == [("agree", 0, 0)]


def test_each_claim_has_one_partner_and_the_closest_goes_first() -> None:
    first = ["The river wall moves two millimetres.", "The river wall moves."]
    second = ["The river wall moves."]
    assert kinds(first, second) == [("first only", 0, -1), ("agree", 1, 0)]


def test_empty_answers_align_to_nothing() -> None:
    assert kinds([], []) == []
    assert kinds(["The docks close."], []) == [("first only", 0, -1)]
    assert kinds(["§ !"], ["?"]) == [("first only", 0, -1), ("second only", -1, 0)]


def test_differences_keep_conflicts_in_both_answers() -> None:
    first = ["The repair costs 3 million.", "Boats run every hour.", "The docks close in May."]
    second = ["The docks close in May.", "The repair costs 4 million."]
    assert without_common(first, second) == (
        ["The repair costs 3 million.", "Boats run every hour."],
        ["The repair costs 4 million."],
    )
